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

# A CA with a port in each of two subnets: what lies behind the other one is not seen.
gen_net tree2 leafs=2 spines=1 hosts=2 ca_ports=2 >rail_a
gen_net tree2 leafs=2 spines=1 hosts=2 guid=0x100000 |
	sed 's/"leaf-/"b-leaf-/; s/"spine-/"b-spine-/; s/"n0/"b-n0/' >rail_b
host=$(node_id n0001 rail_a)
leaf=$(node_id b-leaf-01 rail_b)
awk -v leaf="$leaf" '{ print } !done && /^\[1\]/ { done = 1
	sub(/^\[1\]/, "[2]"); sub(/1\)/, "2)"); sub(/"S-[0-9a-f]*"\[[0-9]*\]/, "\"" leaf "\"[8]"); print }' rail_a >two
awk -v host="$host" '{ print } /^Switch.*b-leaf-01/ {
	printf "[8]\t\"%s\"[2](%s2)\t\t# \"n0001 mlx5_0\" lid 0 4xEDR\n", host, substr(host, 3, 15) }' rail_b >>two
sim_start two
sim_host=$(node_id b-n0002)
sm_settle
sim_host=
sm_start
collect ''
is 'a subnet ends where another begins' "$(query 'SELECT count(*) FROM node')" 7
check
is 'and the port in the other one is no fault' "$status $(alarms)" '0 '
# ibnetdiscover sees the same 7 nodes from here, and from there 8 with this host's port 2.
sim_host=$(node_id b-n0002)
collect ''
is 'from the other subnet the host is seen by its other port' "$(query 'SELECT count(*) FROM node') $(query "SELECT
	group_concat(port) FROM port WHERE node_guid = '$(node_guid n0001)'")" '8 2'
sim_host=
sm_stop
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
