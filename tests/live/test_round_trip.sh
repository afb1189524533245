# The same fabric, collected live and imported from what the tools print, agrees
# in everything that the files can say.
#
# They cannot say: GUIDInfo (smpquery guids fails on the simulator) and counters,
# which move on. Tables are asked port by port with smpquery: the simulator hands a
# client the first packet of a long answer only, so that saquery prints the first
# records and then rubbish.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 rate=4xHDR slow=1 >net
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
# ask NAME ATTRIBUTE PLACE...: one smpquery for each "LID [PORT]".
ask() {
	name=$1 attribute=$2
	shift 2
	for place; do
		# A terminal's log: some answers do not say whose they are.
		echo "$ smpquery $attribute $place" >>"files/smpquery-$name.txt"
		# shellcheck disable=SC2086
		on_fabric smpquery "$attribute" $place >>"files/smpquery-$name.txt" 2>err ||
			give_up "smpquery $attribute $place fails"
	done
}
places() {
	"$ibaudit" query --store live.db "$1" | sed 1d | tr '\t' ' ' | while read -r lid port; do
		printf '%s\n' "$lid${port:+ $port}"
	done
}
own="SELECT node_guid AS guid, max(lid) AS lid FROM port WHERE lid > 0 GROUP BY 1"
all_ports=$(places "SELECT own.lid, port FROM port JOIN ($own) own ON own.guid = node_guid ORDER BY 1, 2")
nodes=$(places "SELECT lid FROM ($own) ORDER BY 1")
switches=$(places "SELECT own.lid FROM switch JOIN ($own) own ON own.guid = node_guid ORDER BY 1")
oldifs=$IFS
IFS='
'
# shellcheck disable=SC2086
{
	set -- $all_ports; IFS=$oldifs
	ask PI portinfo "$@"; ask VLArb vlarb "$@"; ask PKeys pkeys "$@"
	ask SL2VL sl2vl "$@"
	IFS='
'
	set -- $nodes; IFS=$oldifs
	ask NI nodeinfo "$@"; ask ND nodedesc "$@"
	IFS='
'
	set -- $switches; IFS=$oldifs
	ask SI switchinfo "$@"
}
on_fabric sminfo >files/sminfo.txt 2>err || give_up 'sminfo fails'
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
same 'the same lane for each SL out of each cabled switch port' \
	"SELECT sl2vl.node_guid, port, in_first, in_last, sl, vl FROM sl2vl JOIN switch USING (node_guid)
	 WHERE (sl2vl.node_guid, port) IN (SELECT node_guid, port FROM link) ORDER BY 1, 2, 3, 5"
same 'the same arbitration of each cabled port' \
	'SELECT node_guid, port, priority, position, vl, weight FROM vlarb
	 WHERE (node_guid, port) IN (SELECT node_guid, port FROM link) ORDER BY 1, 2, 3, 4'
same 'the same partitions of each end port' \
	'SELECT node_guid, port, pkey FROM pkey
	 WHERE (node_guid, port) IN (SELECT node_guid, port FROM port WHERE lid > 0) ORDER BY 1, 2, 3'
same 'the same of each switch' 'SELECT * FROM switch ORDER BY node_guid'
same 'the same SM' 'SELECT port_guid, lid, priority, state FROM sm'
"$ibaudit" diff --format json live.db file.db >report.json 2>err
is 'diff finds no change either' "$(json '.changes | length')" 0
is 'and nothing that only the live snapshot tells' "$(json '.notes | join("; ")')" ""
finish
