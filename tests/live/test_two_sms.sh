# Two SMs at once, a master and one that stands by: both are read, whoever asks.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 >net
sim_start net
echo 'sm_priority 7' >high
echo 'sm_priority 3' >low
master=$(node_guid n0001)
standby=$(node_guid n0004)

# Each SM as "node GUID, priority, state": 3 is master, 2 standby.
sms() {
	query "SELECT group_concat(node_guid || ' ' || priority || ' ' || state, ', ') FROM
		(SELECT * FROM sm ORDER BY node_guid)"
}

# The twin: one SM.
sm_start high
collect '' --only sm
is 'one SM is one' "$status $(sms)" "0 $master 7 3"
check
is 'and that nobody stands by is told' "$status $(found no-master-sm) $(found no-master-sm '.severity == "info"')" '0 1 1'
# OpenSM goes on when it cannot announce itself: the master is found by the LID that all name.
collect "put=0x15:160:32:0x02514a68@$master" --only sm
is 'a master whose port does not say so is found all the same' "$status $(sms)" "0 $master 7 3"
interpose_with="status=0x20:0x0c@$master"
check
interpose_with=
is 'one that announces itself and refuses SMInfo is not called absent' \
	"$(found no-master-sm) $(verdict no-master-sm) $(found collection-incomplete)" '0 not-checked 1'

second_start "$(node_id n0004)" STANDBY low
# As `sminfo -D 0` and `sminfo -D 0,1,3,2,2` show them from n0001:
#	sminfo: sm lid 0 sm guid 0xc42a10300800001, activity count 330 priority 7 state 3 SMINFO_MASTER
#	sminfo: sm lid 0 sm guid 0xc42a10300800031, activity count 98 priority 3 state 2 SMINFO_STANDBY
for sim_host in '' "$(node_id n0004)" "$(node_id n0002)"; do
	collect '' --only sm
	is "two SMs are two (seen from ${sim_host:-the first host})" "$status $(sms)" \
		"0 $master 7 3, $standby 3 2"
done
is 'each on the port that says so' "$(query "SELECT count(*) FROM sm JOIN port p ON p.node_guid = sm.node_guid
	AND p.port = sm.port AND p.lid = sm.lid AND p.port_guid = sm.port_guid")" 2
is 'and none of them is missing' "$(query 'SELECT count(*) FROM hole')" 0
sim_host=
check
is 'a master and a standby are no finding' "$status $(found no-master-sm) $(verdict no-master-sm)" '0 0 pass'
collect '' --only lft
is 'where no SMInfo is asked for there is none' "$(query 'SELECT count(*) FROM sm')" 0

# The one that stands by refuses SMInfo: it is not known to be there, nor to be missing.
interpose_with="status=0x20:0x1c@$standby"
check
interpose_with=
is 'a standby that refuses SMInfo is not called absent' \
	"$(found no-master-sm) $(found collection-incomplete)" '0 1'
second_stop
finish
