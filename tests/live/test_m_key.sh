# A fabric that answers only to its M_Key: what is kept back is told, and the key
# goes nowhere but into the MADs.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
sm_start
key=0xfeedc0de12345678

interpose_with="mkey=$key@switch"
check -t 100
is 'with silent switches the run ends all the same' "$status" 1
ok 'the holes are a finding' test "$(found collection-incomplete)" -ge 1
is 'what was not read is not judged' "$(found any '.severity == "critical" or .severity == "error"')" 0
ok 'the word for it is M_Key' grep -qi 'm_key' report.json
is 'the way out is to give one' "$(found collection-incomplete '.remedy // "" | test("Give the M_Key")')" 1

check -t 100 --m-key 0x1
is 'of one that does not fit it is said that it does not' \
	"$(found collection-incomplete '.remedy // "" | test("No M_Key that was given is accepted")')" 1
check -t 100 --m-key $key
is 'with the key nothing is missing' "$status $(alarms)" '0 '
run_ibaudit collect --store store.db --m-key $key --trace -v
is 'the key is in no output and no store' \
	"$(cat out err report.json store.db* | grep -aci 'feedc0de12345678')" 0
{
	echo "$(node_guid leaf-01) $key"
	echo
	echo "$(node_guid leaf-02) $key"
} >guid2mkey
interpose_with="mkey=$key@$(node_guid leaf-01) mkey=$key@$(node_guid leaf-02)"
check -t 100 --m-key-file guid2mkey
is 'a file of keys opens those that it names' "$status $(alarms)" '0 '
interpose_with="mkey=$key@$(node_guid leaf-01) mkey=$key@$(node_guid leaf-03)"
check -t 100 --m-key-file guid2mkey
ok 'and leaves the others shut' sh -c "jq -e '[.findings[] | tostring | test(\"$(node_guid leaf-03)\")] | any' report.json"

# A host that answers that it is busy has no M_Key, and its other tables are read.
h=$(node_guid n0010)
collect "status=0x15:0x01@$h status=0x10:0x01@$h" -t 100
is 'a busy host is not called protected' "$(query "SELECT group_concat(DISTINCT reason) FROM hole
	WHERE node_guid = '$h'") $(query "SELECT count(*) > 0 FROM pkey WHERE node_guid = '$h'")" 'status 1'
finish
