# Answers that come late, twice, or to nobody are counted and dropped: nothing of
# them gets into the snapshot.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 >net
sim_start net
sm_start
host=$(node_guid n0003)

# dropped WORD: that many of them, as -v tells.
dropped() {
	grep -oE "[0-9]+ $1" err | cut -d' ' -f1
}
everything() {
	"$ibaudit" query --store store.db 'SELECT p.node_guid, p.port, p.lid, p.port_state, p.peer_node_guid,
		p.peer_port, n.description FROM port p JOIN node n ON n.node_guid = p.node_guid ORDER BY 1, 2'
	"$ibaudit" query --store store.db 'SELECT count(*) FROM hole'
}
collect '' -v
everything >quiet
is 'on a quiet path nothing is dropped' "$(dropped late) $(dropped doubled) $(dropped foreign)" '0 0 0'

collect 'twice=any' -v
ok 'doubled answers are counted' test "$(dropped doubled)" -gt 100
is 'and are not taken for others' "$(dropped late) $(dropped foreign)" '0 0'
everything >seen
ok 'and change nothing' cmp quiet seen

collect 'foreign=any' -v
ok 'answers to what nobody asked are counted' test $(($(dropped foreign) + $(dropped late))) -gt 100
everything >seen
ok 'and change nothing' cmp quiet seen

# Without the kernel's part, which throws them away itself.
collect "late=0x10:350000@$host kernel=0" -t 100 -v
ok 'answers that come after all attempts are counted' test "$(dropped late)" -ge 1
is 'and are not believed' "$status $(query 'SELECT count(*) FROM node') $(query "SELECT attribute || ' ' || reason
	FROM hole WHERE node_guid = '$host'")" '0 7 NodeDescription timeout'

# A device that takes its time is known by it from its NodeInfo on: its other
# questions wait as long before they are sent again.
late="late=any:150000@$host"
collect "$late log=log" -t 400 -v
grep ' path 0,1,3,2,1$' log | grep -v ' attr 0011 ' >to_host
asked=$(sort -u to_host | wc -l)
again=$(($(wc -l <to_host) - asked))
is 'a slow device is read whole' "$status $(query "SELECT count(*) FROM hole") $(everything | cmp - quiet && echo same)" '0 0 same'
ok "and is not asked everything twice ($again of $asked again)" test "$again" -le 4 -a "$asked" -ge 9

# An answer that names another attribute or method is to nobody.
collect "wrong=0x16:0x15@$host" -t 50 -v
ok 'an answer of another attribute is foreign' test "$(dropped foreign)" -ge 1
is 'and what it should have been is missing' \
	"$(query "SELECT attribute || ' ' || reason FROM hole WHERE node_guid = '$host'")" 'P_KeyTable timeout'
finish
