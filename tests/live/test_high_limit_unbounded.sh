# high-limit-unbounded: VLHighLimit 255 lets the high table starve the low one.
# ibsim keeps no VLHighLimit, so the ports' value is put in on the way.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
here=high-limit-unbounded
under_sm() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	printf '%s\n' "$@" >opensm.conf
	sim_start net
	sm_start opensm.conf
}

under_sm 'qos TRUE' 'max_op_vls 3' 'qos_vlarb_high 3:64' 'qos_vlarb_low 0:4,1:4,2:4' \
	'qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3' 'qos_high_limit 10'
interpose_with='put=0x15:304:8:10@switch/1-254 put=0x15:304:8:10@ca'
check --config opensm.conf
is 'a limit of 10 bounds it' "$(found $here) $(verdict $here)" '0 pass'
interpose_with='put=0x15:304:8:254@switch/1-254 put=0x15:304:8:254@ca'
check
is 'so does 254' "$(found $here)" 0
interpose_with='put=0x15:304:8:255@switch/1-254 put=0x15:304:8:255@ca'
check
ok '255 does not' test "$(found $here '.severity == "error"')" -ge 1
ok 'and is told once, not once a port' test "$(found $here)" -le 4
interpose_with="put=0x15:304:8:255@$(node_guid leaf-02)/2"
check
is 'one port is named' "$(found $here ".subject | test(\"leaf-02 port 2\")")" 1
interpose_with=

under_sm 'qos TRUE' 'qos_vlarb_high 0:0' 'qos_vlarb_low 0:4,1:4,2:4,3:4'
interpose_with='put=0x15:304:8:255@switch/1-254 put=0x15:304:8:255@ca'
check
is 'with nothing in the high table nothing can starve' "$(found $here)" 0
interpose_with=

under_sm 'qos FALSE' 'qos_high_limit 255'
check --config opensm.conf
is 'the option is dead while qos is FALSE' "$(found $here '.severity == "error"')" 0
under_sm 'qos TRUE' 'qos_high_limit 255' 'qos_vlarb_high 0:4' 'qos_vlarb_low 1:4'
check --config opensm.conf
ok 'in force, the option alone is a finding' test "$(found $here)" -ge 1
finish
