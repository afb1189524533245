# qos-drift, sl-to-dead-vl and vl-never-served: tables that OpenSM wrote, wrote a
# sweep ago, or wrote from another file.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
under_sm() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	printf '%s\n' "$@" >opensm.conf
	sim_start net
	sm_start opensm.conf
}

under_sm 'qos TRUE' 'max_op_vls 3' 'qos_sl2vl 0,1,2,3,3,3,3,3,3,3,3,3,3,3,3,3' \
	'qos_vlarb_high 0:64' 'qos_vlarb_low 1:64,2:64,3:64'
check --config opensm.conf
is 'what OpenSM wrote is what its file says' "$(found qos-drift) $(verdict qos-drift)" '0 pass'
is 'every lane is served' "$(found vl-never-served) $(verdict vl-never-served)" '0 pass'
is 'and operates' "$(found sl-to-dead-vl) $(verdict sl-to-dead-vl)" '0 pass'

printf '%s\n' 'qos TRUE' 'max_op_vls 2' >other.conf
check --config other.conf
ok 'another file is told by the lanes' test "$(found qos-drift '.message | test("OperVLs")')" -ge 1
ok 'and by the tables' test "$(found qos-drift '.message | test("SL2VL")')" -ge 1

under_sm 'qos TRUE' 'max_op_vls 3' 'qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3' \
	'qos_vlarb_high 0:64' 'qos_vlarb_low 1:64,2:64'
check --config opensm.conf
ok 'a lane without weight is never served' test "$(found vl-never-served '.message | test("VL 3 ")')" -ge 1
check
ok 'the tables alone tell it' test "$(found vl-never-served)" -ge 1

# With one sweep the tables of switch ports are masked by the lanes of before it.
sm_stop
sim_stop
printf '%s\n' 'qos TRUE' 'max_op_vls 2' 'sweep_interval 0' >opensm.conf
sim_start net
sm_once opensm.conf || give_up 'opensm -o fails'
check --config opensm.conf
ok 'tables a sweep behind name dead lanes' test "$(found sl-to-dead-vl '.message | test("sweep behind")')" -ge 1
is 'which is no drift' "$(found qos-drift)" 0
sm_once opensm.conf || give_up 'opensm -o fails'
check --config opensm.conf
is 'a second sweep mends them' "$(found sl-to-dead-vl)" 0
finish
