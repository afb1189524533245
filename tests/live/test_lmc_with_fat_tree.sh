# lmc-with-fat-tree: OpenSM says at INFO level that it does not route as asked.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 trunk=2 >net
here=lmc-with-fat-tree
# under_sm LINE...: the fabric under an SM with this configuration.
under_sm() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	printf '%s\n' "$@" >opensm.conf
	sim_start net
	sm_start opensm.conf
}

under_sm 'routing_engine ftree' 'lmc 0'
check --config opensm.conf --config opensm.log
is 'ftree with LMC 0 is what it says' "$(found $here) $(verdict $here)" '0 pass'
is 'and healthy' "$status $(alarms)" '0 '

under_sm 'routing_engine ftree' 'lmc 2'
check --config opensm.conf --config opensm.log
is 'with LMC 2 it falls back, as its log says' "$(found $here '.severity == "warning"')" 1
is 'to minhop' "$(found $here '.message | test("minhop")')" 1
check --config opensm.conf
is 'the configuration alone is enough' "$(found $here '.severity == "warning"')" 1
check --config opensm.log
is 'so is the log alone' "$(found $here '.severity == "warning"')" 1
check
is 'with neither nothing is claimed' "$(found $here '.severity == "warning"') $(verdict $here)" '0 not-checked'

under_sm 'routing_engine ftree,updn' 'lmc 1'
check --config opensm.conf --config opensm.log
is 'the next engine of the list is named' "$(found $here '.message | test("updn")')" 1

under_sm 'routing_engine updn' 'lmc 2'
check --config opensm.conf --config opensm.log
is 'updn takes an LMC of 2' "$(found $here '.severity == "warning"')" 0

under_sm 'routing_engine ftree' 'lmc 8'
check --config opensm.conf --config opensm.log
is 'an LMC of 8 is 0 to OpenSM' "$(found $here '.severity == "warning"')" 0

# Nothing to fall back to: ports keep LIDs and LMC, but stay in Init.
sm_stop
sim_stop
printf '%s\n' 'routing_engine ftree,no_fallback' 'lmc 2' >opensm.conf
sim_start net
sm_launch opensm.conf
wait_for 30 grep -q 'No routing engine able' opensm.log || give_up 'opensm does not give up routing'
check --config opensm.conf --config opensm.log
is 'with no_fallback no route is written at all' "$(found $here '.severity == "critical"')" 1
finish
