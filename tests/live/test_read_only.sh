# Nothing but Get (and the SA's GetTable) ever leaves the program: watched from
# outside, at umad_send, through whole runs.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
sm_start

# Lines of the log whose method is not a Get.
others() {
	grep -cv -e '^method 01 ' -e '^method 12 class 03 ' log
}

interpose_with='log=log'
check
is 'the run went through' "$status" 0
ok 'its MADs were seen' test "$(wc -l <log)" -gt 500
is 'none of them but Gets' "$(others)" 0
ok 'counters are read, not cleared' grep -q 'class 04 attr 0012' log

rm -f log
run_ibaudit collect --store store.db --m-key 0x1234
run_ibaudit collect --store store.db --only topology,lft,sl2vl,vlarb,pkeys,guids,sm,counters,mft
is 'nor does a choice of groups change that' "$(others)" 0

rm -f log
console Unlink "$(port_end leaf-02 "$(peer_port leaf-02 "$(node_id spine-01)")")"
console Guid "\"$(node_id n0010)\"" "$(node_guid n0003)"
interpose_with="log=log loss=30 garble=0x15@$(node_guid n0005) status=0x16:0x1c twice=0x11 foreign=0x10"
check -t 100
ok 'a sick fabric was asked too' test "$(wc -l <log)" -gt 500
is 'and asked alone' "$(others)" 0
finish
