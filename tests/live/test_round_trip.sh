# The same fabric, collected live and imported from what the tools print, agrees
# in everything that the files can say.
#
# They cannot say: VLArb, GUIDInfo and P_Keys (no file here prints them), SL2VL
# beyond opensm-sl2vl.dump, ports that are Down beyond their number, counters,
# firmware, SMInfo beyond what saquery knows.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 rate=4xHDR slow=1 >net
sim_start net
printf '%s\n' 'qos TRUE' 'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7' "dump_files_dir $work/dump" >conf
mkdir dump files
sm_start conf -D 0x43

run_ibaudit collect --store live.db
is 'collected live' "$status" 0
on_fabric ibnetdiscover >files/ibnetdiscover.txt 2>err || give_up 'ibnetdiscover fails'
on_fabric dump_fts >files/dump_fts.txt 2>err || give_up 'dump_fts fails'
for record in NR PIR; do
	on_fabric saquery $record >files/saquery-$record.txt 2>err || give_up "saquery $record fails"
done
cp dump/opensm-sl2vl.dump dump/opensm-subnet.lst dump/opensm-lfts.dump files/ || give_up "opensm leaves no dumps"
run_ibaudit import --store file.db files
is 'imported' "$status" 0
is 'every line was understood' "$(query 'SELECT sum(odd_rows) FROM source' file.db)" 0

same() {
	"$ibaudit" query --store live.db "$2" >live.txt 2>&1
	"$ibaudit" query --store file.db "$2" >file.txt 2>&1
	ok "$1" sh -c 'test $(wc -l <live.txt) -gt 1 && diff live.txt file.txt'
}
same 'the same nodes, names and types' \
	'SELECT node_guid, node_type, description, num_ports FROM node ORDER BY 1'
same 'the same links' 'SELECT node_guid, port, peer_node_guid, peer_port FROM link ORDER BY 1, 2'
same 'the same LIDs' 'SELECT node_guid, port, lid, lmc FROM port WHERE lid > 0 ORDER BY 1, 2'
same 'the same width and speed of each link' \
	'SELECT node_guid, port, link_width_active, link_speed_active FROM link ORDER BY 1, 2'
same 'the same forwarding entry for each LID that has one' \
	'SELECT node_guid, lid, out_port FROM lft WHERE out_port < 255 ORDER BY 1, 2'
same 'the same lane for each SL out of each switch port' \
	"SELECT sl2vl.node_guid, port, sl, vl FROM sl2vl JOIN switch USING (node_guid)
	 WHERE port > 0 AND in_first <= 1 AND in_last >= 1 ORDER BY 1, 2, 3"
"$ibaudit" diff --format json live.db file.db >report.json 2>err
is 'diff finds no change either' "$(json '.changes | length')" 0
ok 'and says what it could not compare' test "$(json '[.notes[] | select(test("vlarb_high"))] | length')" -ge 1
finish
