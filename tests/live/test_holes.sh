# A device that does not answer costs its own data and nothing else.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree-270 >net
sim_start net
sm_start

# 13 of 252 hosts.
dead=
for host in n0010 n0031 n0055 n0077 n0100 n0101 n0102 n0140 n0166 n0199 n0222 n0240 n0252; do
	dead="$dead mute=0@$(node_guid $host)"
done
collect "$dead" -t 100
is 'with one host in twenty dead the rest is there' "$status $(query 'SELECT count(*) FROM node')" '0 257'
ok 'each is a hole' test "$(query 'SELECT count(*) FROM hole')" -ge 13
is 'the snapshot says partial' "$(query 'SELECT partial FROM snapshot')" 1
interpose_with=$dead
check -t 100
is 'the audit names them in one finding' "$(found collection-incomplete '.severity == "warning"') $(
	json '.findings[] | select(.rule == "collection-incomplete") | .evidence.places' | tr , '\n' | grep -c port)" '1 13'
is 'and judges nothing that it did not see' "$(found any '.rule != "collection-incomplete" and .severity != "info"')" 0
ok 'and says where to walk to' grep -q 'leaf-01 port 10' report.json
interpose_with=

collect "dead=40@$(node_guid leaf-07)" -t 100
is 'a leaf that dies in mid-scan takes what is behind it alone' "$status" 0
ok 'the others are there' test "$(query 'SELECT count(*) FROM node')" -ge 248
is 'leaf-08 is whole' "$(query "SELECT count(*) FROM port
	WHERE node_guid = '$(node_guid leaf-08)' AND port_state IS NOT NULL")" 41

collect 'loss=10 seed=5 stats=stats' -t 100
is 'one answer in a hundred lost loses nothing' \
	"$status $(query 'SELECT count(*) FROM node') $(query 'SELECT count(*) FROM hole')" '0 270 0'
ok 'though many were lost' test "$(sed -n 's/^lost=//p' stats)" -ge 20

sm_stop
sim_stop
gen_net tree2 leafs=4 spines=2 hosts=4 >small
sim_start small
sm_start
guid=$(node_guid n0010)
for words in "garble=any@$guid" "short=any:70@$guid" "short=any:24@$guid" "wrong=any:0x12@$guid" \
	"method=any:0x01@$guid" "status=any:0x1c@$guid" "put=0x11:24:8:0@$guid" \
	"put=0x11:16:8:9@$guid" "put=0x11:24:8:255@$guid"; do
	collect "$words" -t 100
	ok "rubbish from one host harms no other (${words%%@*})" \
		test "$status" -eq 0 -a "$(query "SELECT count(*) FROM node WHERE node_guid <> '$guid'")" -ge 21
done
collect "status=0x15:0x0c@$(node_guid leaf-02)" -t 100
is 'a switch that refuses PortInfo costs its own data alone' \
	"$status $(query 'SELECT count(*) FROM node') $(query 'SELECT partial FROM snapshot')" '0 22 1'
interpose_with='status=0x19:0x0c'
check -t 100
is 'where the forwarding tables are refused no route is called good' \
	"$(jq -r '.rules[] | select(.id == "lost-lid").verdict' report.json) $(jq -r .snapshot.partial report.json)" \
	'not-checked true'
interpose_with=
interpose_with='status=0x18:0x1c'
check -t 100
is 'what all devices refuse alike is one finding' "$(found collection-incomplete)" 1
interpose_with="mute=0@$(node_guid spine-01)"
check -t 100
is 'a dead spine is one finding, whatever leads to it' "$(found collection-incomplete)" 1
interpose_with=
# Rules that read ports or tables and pass without a word.
bare() {
	jq -r '[.rules[] | select(.verdict == "pass" and .reason == null).id] - ["collection-incomplete",
		"duplicate-description", "duplicate-guid", "looped-cable", "mixed-captures", "zero-guid"] |
		join(" ")' report.json
}
for words in "status=0x15:0x1c@$(node_guid leaf-02)" "mkey=1@$(node_guid leaf-02)" "dead=0@$(node_guid leaf-02)" \
	'mkey=1@switch'; do
	interpose_with=$words
	check -t 100
	is "no rule passes in silence on what was not read (${words%%@*})" "$(bare)" ''
done
interpose_with="garble=0x20@$(node_guid n0001)"
check -t 100
is 'an SM that is not understood is not called absent' \
	"$(found no-master-sm) $(jq -r '.rules[] | select(.id == "no-master-sm").verdict' report.json)" '0 not-checked'
interpose_with=
# Seen from another host, the SM's falls silent before it is asked for SMInfo.
sim_host=$(node_id n0005)
owed() {
	query "SELECT count(*) FROM hole WHERE attribute = 'SMInfo' AND reason = 'timeout'"
}
collect "mute=3@$(node_guid n0001)" -t 100
is "a host that falls silent owes the SMInfo of its SM" "$status $(owed)" '0 1'
collect "mute=3@$(node_guid n0002)" -t 100
is 'and none where no SM runs' "$status $(owed) $(query 'SELECT count(*) > 1 FROM hole')" '0 0 1'
sim_host=
collect 'twice=any foreign=any' -t 100
is 'doubled and stray answers are dropped' \
	"$status $(query 'SELECT count(*) FROM node') $(query 'SELECT count(*) FROM hole')" '0 22 0'
collect 'status=0x40012:0x0c status=0x17:0x0c' -t 100
is 'what a device does not support is no loss' "$status $(query 'SELECT partial FROM snapshot')" '0 0'
collect "dead=0@$(node_guid leaf-01)" -t 100
is 'when the first switch is dead there is the host alone' "$status" 0
finish
