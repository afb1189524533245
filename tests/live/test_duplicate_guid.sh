# duplicate-guid: two devices answer to one GUID.
#
# ibnetdiscover shows the second of two one-port CAs not at all ("Duplicate Port:
# Port with guid ... already exists in ports DB"), and merges two switches into
# one, so that links of the second vanish without a word.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
here=duplicate-guid
twins() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	sim_start "$1"
	echo "$still_sm" >conf
	sm_start conf
}
# devices: rows of the last collection with this GUID.
devices() {
	collect ''
	query "SELECT count(*) FROM node WHERE node_guid = '$1'"
}

twins net
check
is 'a fabric of unlike GUIDs passes' "$(found $here) $(verdict $here)" '0 pass'

console Guid "\"$(node_id n0010)\"" "$(node_guid n0003)"
check
is 'two hosts of one GUID are found once' "$(found $here '.severity == "critical"')" 1
ok 'with both places' sh -c "jq -e '[.findings[] | select(.rule == \"$here\") | tostring | test(\"leaf-01\") and test(\"leaf-03\")] | any' report.json"
is 'they are two rows' "$(devices "$(node_guid n0003)")" 2

console Guid "\"$(node_id n0014)\"" "$(node_guid n0003)"
check
is 'three of a kind are one finding' "$(found $here '.severity == "critical"')" 1
is 'and three rows' "$(devices "$(node_guid n0003)")" 3

twins net
console Guid "\"$(node_id spine-02)\"" "$(node_guid spine-01)"
check
is 'two spines cabled alike' "$(found $here '.severity == "critical"')" 1
is 'are two rows' "$(devices "$(node_guid spine-01)")" 2

twins net
console Guid "\"$(node_id leaf-04)\"" "$(node_guid leaf-02)"
check
is 'two leafs cabled unlike' "$(found $here '.severity == "critical"')" 1
is 'are two rows as well' "$(devices "$(node_guid leaf-02)")" 2

gen_net torus x=4 y=1 hosts=1 >ring
twins ring
console Guid "\"$(node_id sw-2-0-0)\"" "$(node_guid sw-1-0-0)"
check
is 'two switches beside each other' "$(found $here '.severity == "critical"')" 1
is 'are two rows too' "$(devices "$(node_guid sw-1-0-0)")" 2

gen_net tree2 leafs=4 spines=2 hosts=4 ca_ports=2 >net2
twins net2
check
is 'a CA of two ports is one device' "$(found $here)" 0
console Guid "\"$(node_id n0010)\"" "$(node_guid n0003)"
check
is 'two CAs of two ports' "$(found $here '.severity == "critical"')" 1

# Healthy look-alikes.
sed "s/^sysimgguid=.*/sysimgguid=0xb8599f0300777000/" net >chassis
twins chassis
check
is 'a shared SystemImageGUID is no duplicate' "$(found $here)" 0
gen_net tree2 leafs=4 spines=2 hosts=4 loop=2 >looped
twins looped
check
is 'nor is a cable that comes back to its switch' "$(found $here)" 0
finish
