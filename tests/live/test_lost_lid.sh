# lost-lid: a LID that traffic needs and that cannot be used.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
echo "$still_sm" >conf
sm_start conf
here=lost-lid

# A net file's port that leads nowhere is the twin of one that lost its LID.
console Unlink "$(port_end n0016 1)"
sm_sweep
check
is 'a host whose cable is out owes no LID' "$(found $here)" 0
run_ibaudit collect --store base.db

console Clear "$(port_end n0007 1)"
console Link "$(port_end n0007 1)" "$(far_end n0007 1)"
check
is 'a host in Init with LID 0 is found' \
	"$(found $here ".node_guid == \"$(node_guid n0007)\" and .severity != \"info\"")" 1
is 'the audit ends with 1' "$status" 1
check --baseline base.db
ok 'against a baseline the LID it had is gone' \
	test "$(found $here ".node_guid == \"$(node_guid n0007)\"")" -ge 1
lid=$(on_fabric smpquery -D portinfo 0 2>/dev/null | sed -n 's/^Lid:\.*//p')
old=$(query "SELECT lid FROM port WHERE node_guid = '$(node_guid n0007)'" base.db)
ok 'LIDs can be looked up in the store' test "$old" -gt 0 -a "$lid" -gt 0
console Baselid "$(port_end n0008 1)" "$old"
check --baseline base.db
ok 'a LID that went to another host is taken' \
	test "$(found $here '.message | test("n0007")')" -ge 1
sm_sweep
check --baseline base.db
is 'after the next sweep nothing is lost' "$(found $here '.severity != "info"')" 0

# Routes.
console Unlink "$(port_end leaf-02 "$(peer_port leaf-02 "$(node_id spine-01)")")"
check
ok 'routes over a link that is gone are found' test "$(found $here '.severity != "info"')" -ge 1
sm_sweep
check
is 'and no more once the SM has gone around it' "$(found $here '.severity != "info"')" 0

block=$((lid / 64))
entry=$((lid % 64 * 8))
interpose_with="put=0x19:$entry:8:255@$(node_guid leaf-03)/$block"
check
is 'an entry 255 for a host that a leaf with hosts needs' \
	"$(found $here ".node_guid == \"$(node_guid leaf-03)\" or (.message | test(\"leaf-03\"))")" 1
interpose_with="put=0x19:$entry:8:99@$(node_guid leaf-03)/$block"
check
ok 'an entry above the number of ports' test "$(found $here '.severity != "info"')" -ge 1
interpose_with="put=0x12:48:16:1@$(node_guid leaf-03)"
check
ok 'LIDs above LinearFDBTop' test "$(found $here '.severity != "info"')" -ge 1

# leaf-03 sends it to spine-02, which sends it back.
up=$(peer_port leaf-03 "$(node_id spine-02)")
down=$(peer_port spine-02 "$(node_id leaf-03)")
interpose_with="put=0x19:$entry:8:$up@$(node_guid leaf-03)/$block put=0x19:$entry:8:$down@$(node_guid spine-02)/$block"
check
ok 'a loop of two switches' test "$(found $here '.message | test("loop"; "i")')" -ge 1
check

interpose_with=
check --skip lft
is 'without forwarding tables nothing is claimed' "$(verdict $here)" not-checked
finish
