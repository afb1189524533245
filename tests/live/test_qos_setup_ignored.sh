# qos-setup-ignored: OpenSM parses the section and throws it away.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
here=qos-setup-ignored
printf '%s\n' 'qos-ulps' ' default : 0' 'end-qos-ulps' >plain
{
	cat plain
	printf '%s\n' 'qos-setup' ' sl2vl-tables' '  sl2vl-scope' '   group: all' '   from: *' '   to: *' \
		'   sl2vl-table: 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3' '  end-sl2vl-scope' ' end-sl2vl-tables' \
		'end-qos-setup' 'port-groups' ' port-group' '  name: all' '  node-type: ALL' ' end-port-group' \
		'end-port-groups'
} >policy
sim_start net
cp policy qos-policy.conf
printf '%s\n' 'qos TRUE' >opensm.conf
sm_start opensm.conf
is 'OpenSM reads the policy without a word' "$(grep -c 'ERR AC' opensm.log)" 0
check --config opensm.conf --config policy
is 'what it asks for is not what the ports hold' "$(found $here '.severity == "error"')" 1
is 'the remedy says it as an option' "$(found $here '.remedy | test("qos_.*sl2vl")')" 1
check --config opensm.conf --config plain
is 'a policy without the section is fine' "$(found $here)" 0
check --config opensm.conf
is 'without the file nothing is claimed' "$(found $here)" 0

printf '%s\n' 'qos TRUE' 'qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3' >opensm.conf
sm_stop
sm_start opensm.conf
check --config opensm.conf --config policy
is 'where the options say the same, the ports hold it' "$(found $here '.severity == "error"')" 0
finish
