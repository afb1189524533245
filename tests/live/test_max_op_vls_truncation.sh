# max-op-vls-truncation: fewer lanes operate than the design needs.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
here=max-op-vls-truncation
design='qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7'
under_sm() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	printf '%s\n' "$@" >opensm.conf
	sim_start net
	sm_start opensm.conf
}
alarm() {
	found $here '.severity != "info"'
}

under_sm 'qos TRUE' "$design" 'max_op_vls 4'
check --config opensm.conf
is 'eight lanes (4 is a code) carry eight classes' "$(alarm)" 0
under_sm 'qos TRUE' "$design" 'max_op_vls 3'
check --config opensm.conf
ok 'four lanes do not' test "$(alarm)" -ge 1
is 'SL 4 has fallen on SL 0' "$(found $here '[.message, (.evidence | tostring)] | join(" ") | test("4 .*lanes|0.*4")')" "$(alarm)"
check
ok 'the folded tables tell it without a configuration' test "$(found $here)" -ge 1

under_sm 'qos TRUE' 'qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3' 'max_op_vls 3'
check --config opensm.conf
is 'four lanes for a design of four are right' "$(alarm)" 0
under_sm 'qos TRUE' "$design" 'max_op_vls 8'
check --config opensm.conf
is 'above 5 it restricts nothing' "$(alarm)" 0
under_sm 'qos TRUE' "$design" 'max_op_vls 0'
check --config opensm.conf
is 'nor does 0' "$(found $here '.severity == "error"')" 0

# Lanes are cut with qos FALSE too, and the tables stay as they came.
under_sm 'qos FALSE' 'max_op_vls 2'
check
is 'lanes that are gone and still named are worth knowing without a configuration' \
	"$(found $here '.severity == "info"') $(alarm) $(verdict sl-to-dead-vl)" '1 0 not-checked'
check --config opensm.conf
is 'with it they are a warning, told once' "$(found $here '.severity == "warning"') $(found sl-to-dead-vl)" '1 0'
under_sm 'qos FALSE'
check
is 'no lane was cut: nothing to tell' "$(found $here) $(verdict sl-to-dead-vl)" '0 pass'

# With one sweep the tables of switch ports are a sweep behind; a second one mends it.
sm_stop
sim_stop
printf '%s\n' 'qos TRUE' "$design" 'max_op_vls 4' 'sweep_interval 0' >opensm.conf
sim_start net
sm_once opensm.conf || give_up 'opensm -o fails'
check --config opensm.conf
is 'a leftover of the sweep before is no folded class' "$(found $here '.severity == "error"')" 0
finish
