# sl-to-vl15: an SL whose packets a port drops.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
here=sl-to-vl15
under_sm() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	printf '%s\n' "$@" >opensm.conf
	sim_start net
	sm_start opensm.conf
}

under_sm 'qos TRUE' 'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7'
check --config opensm.conf
is 'eight lanes for sixteen SLs are fine' "$(found $here) $(verdict $here)" '0 pass'

# One port that holds a 15 where OpenSM wrote something else: no class has lost its lane.
interpose_with="put=0x17:12:4:15@$(node_guid n0003)"
check --config opensm.conf
is 'one SL at one host is told once' "$(found $here)" 1
is 'and, since opensm.conf does not say so, as drift; by no other rule' \
	"$(alarms | grep -vcE "^[a-z]* ($here|qos-drift):")" 0
check
is 'without a configuration too' "$(alarms | grep -c .) $(found $here)" '1 1'
is 'its map does not repeat' "$(found max-op-vls-truncation '.message | test("VL15")')" 0
interpose_with='status=0x17:0x1c'
check
is 'tables that were refused are not checked, and the reason says so' "$(verdict $here) $(
	json '.rules[] | select(.id == "sl-to-vl15").reason' |
	grep -c 'refused with MAD status 0x001c (invalid attribute or modifier value), first')" 'not-checked 1'
interpose_with=

under_sm 'qos TRUE' 'qos_sl2vl 0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,7'
check --config opensm.conf
ok 'an SL nobody is known to use is a warning' test "$(found $here '.severity == "warning"')" -ge 1
is 'no more than that' "$(found $here '.severity == "critical"')" 0
check
ok 'the tables alone tell it' test "$(found $here '.severity == "warning"')" -ge 1
printf '%s\n' 'qos-ulps' ' default : 0' ' any, pkey 0x7fff : 3' 'end-qos-ulps' >policy
check --config opensm.conf --config policy
ok 'an SL that the policy hands out is critical' test "$(found $here '.severity == "critical"')" -ge 1

under_sm 'qos TRUE' 'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,15'
check --config opensm.conf
is 'SL 15 alone is a remark' "$(found $here '.severity != "info"')" 0

under_sm 'qos FALSE' 'qos_sl2vl 0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,7'
check --config opensm.conf
is 'the same line is dead while qos is FALSE' "$(found $here '.severity == "warning" or .severity == "critical"')" 0
under_sm 'qos true' 'qos_sl2vl 0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,7'
check --config opensm.conf
is 'and while it is "true", which is not TRUE' "$(found $here '.severity == "critical"')" 0
finish
