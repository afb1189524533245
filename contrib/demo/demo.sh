#!/bin/sh
# A simulated fabric of 68 nodes under a real OpenSM, with the faults of a bad
# year planted, collected live and audited. Usage: demo.sh BUILD-DIRECTORY
# Writes demo/report.html and ends with 0 when the audit went through.
BUILD=${1:-build}
needs='ibsim opensm'
demo=$(cd "${0%/*}" && pwd)
# shellcheck source=tests/live/lib.sh
. "$demo/../../tests/live/lib.sh"
begin
report=$lib_top/demo/report.html
say() {
	printf '%s\n' "demo: $*" >&2
}

say 'a fat tree of 8 leafs, 4 spines and 56 hosts starts in ibsim'
gen_net tree2 leafs=8 spines=4 hosts=7 rate=4xHDR slow=1 seed=7 >net
sim_start net

say 'OpenSM brings it up: ftree with LMC 2, four lanes for a design of eight, SL 6 to lane 15'
cp "$demo/opensm.conf" "$demo/qos-policy.conf" .
sm_start opensm.conf

say 'two hosts answer to one GUID from now on: OpenSM never finishes a sweep again,'
console Guid "\"$(node_id n0050)\"" "$(node_guid n0023)"
say 'so a host that was reset gets no LID, and routes over a link that is gone stay'
console Clear "$(port_end n0031 1)"
console Link "$(port_end n0031 1)" "$(far_end n0031 1)"
console Unlink "$(port_end leaf-03 "$(peer_port leaf-03 "$(node_id spine-02)")")"
wait_for 10 grep -q 'ERR 0D01' opensm.log || say 'OpenSM has not logged the duplicate'

say 'ibaudit check --config opensm.conf --config qos-policy.conf --config opensm.log --html demo/report.html'
mkdir -p "$lib_top/demo"
# ibsim keeps no VLHighLimit: the switches' ports get theirs on the way.
interpose_with='put=0x15:304:8:255@switch/1-254'
status=0
on_fabric "$ibaudit" check --config opensm.conf --config qos-policy.conf --config opensm.log \
	--html "$report" || status=$?
if [ "$status" -ne 1 ]; then
	say "ibaudit ended with $status, not with 1 (findings)"
	exit 1
fi
say "the same as HTML: demo/report.html"
exit 0
