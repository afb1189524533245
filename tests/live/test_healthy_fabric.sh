# What ibsim and OpenSM bring up with a default configuration is quiet.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin

gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
sm_start
check
is 'a healthy fabric ends with 0' "$status" 0
is 'and nothing is raised' "$(alarms)" ''
ok 'at most one remark' test "$(found any)" -le 1
is 'no rule is left without the facts it needs from the fabric' \
	"$(json '[.rules[] | select(.verdict == "not-checked" and (.id | test("lost-lid|duplicate-guid|sl-to-vl15|high-limit-unbounded|collection-incomplete")))] | length')" 0
is 'nothing is written on standard error' "$(grep -v '^ibwarn: .*attached' err)" ''

printf '%s\n' 'routing_engine ftree' 'qos FALSE' 'lmc 0' >opensm.conf
sm_stop
sm_start opensm.conf
check --config opensm.conf --config opensm.log
is 'so is one with its own configuration at hand' "$status $(alarms)" '0 '
sm_stop
sim_stop

gen_net torus x=3 y=3 hosts=1 port0=base >net
sim_start net
sm_start
check
is 'a torus of switches with base port 0 is quiet' "$status $(alarms)" '0 '
sm_stop
sim_stop

gen_net tree-270 >net
sim_start net
sm_start
collect ''
is 'a tree of 270 nodes is collected' "$status" 0
is 'all of it' "$(query 'SELECT count(*) FROM node')" 270
check
is 'and quiet' "$status $(alarms)" '0 '
finish
