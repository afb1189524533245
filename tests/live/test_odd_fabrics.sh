# Fabrics that look odd and are found as they are.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin

gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
check
is 'a fabric that no SM has touched ends with 1' "$status" 1
is 'and that is told once, not once a port' "$(found any '.severity == "error" or .severity == "critical"')" 1
ok 'the one finding is that there is no SM' \
	sh -c "jq -e '[.findings[] | select(.severity != \"info\") | .message | test(\"SM|subnet manager\")] | any' report.json"
sim_stop

gen_net tree2 leafs=2 spines=1 hosts=2 ca_ports=2 port0=base >net
sim_start net
sm_start
check
is 'the second port of a CA may be unplugged, a port 0 may be base' "$status $(alarms)" '0 '
sm_stop
sim_stop

# 63 bytes is what ibsim keeps of a description.
long="a very long name <script>alert(1)</script> & 'quotes' 0123456789abc"
gen_net tree2 leafs=2 spines=1 hosts=2 | sed "s#\"n0002 mlx5_0\"#\"$long\"#" >net
sim_start net
sm_start
check --html report.html
is 'a hostile description is harmless' "$status" 0
is 'and reaches no browser as markup' "$(grep -c '<script>alert' report.html)" 0
sm_stop
sim_stop

gen_net tree2 leafs=2 spines=1 hosts=2 loop=1 >net
sim_start net
sm_start
collect ''
is 'a cable from a switch to itself is two ports of one device' "$(query 'SELECT count(*) FROM node')" 7
finish
