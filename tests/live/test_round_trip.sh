# The same fabric, collected live and imported from what the tools print, agrees
# in everything that the files can say: once from ibnetdiscover and smpquery, once
# from the SA's records alone.
#
# They cannot say: the SA has no ExtendedPortInfo and no counters. The simulator
# hands a client the first packet of a long answer only, so that saquery prints the
# first records and then rubbish: each record is asked for by itself. Counters of data
# move on between two readings; those of errors, set here, stay.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 rate=4xHDR slow=1 >net
sim_start net
printf '%s\n' 'qos TRUE' 'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7' "dump_files_dir $work/dump" >conf
mkdir dump files sa
sm_start conf -D 0x43
console PerformanceSet "$(port_end leaf-01 3)" PortCounters.SymbolErrorCounter=7
console PerformanceSet "$(port_end leaf-02 1)" PortCounters.SymbolErrorCounter=9

run_ibaudit collect --store live.db
is 'collected live' "$status" 0
on_fabric ibnetdiscover >files/ibnetdiscover.txt 2>err || give_up 'ibnetdiscover fails'
on_fabric dump_fts >files/dump_fts.txt 2>err || give_up 'dump_fts fails'
on_fabric dump_fts -M >files/dump_mfts.txt 2>err || give_up 'dump_fts -M fails'
# ask NAME TOOL ATTRIBUTE PLACE...: one question for each "LID [PORT]".
ask() {
	name=$1 tool=$2 attribute=$3
	shift 3
	for place; do
		# A terminal's log: some answers do not say whose they are.
		echo "$ $tool $attribute $place" >>"files/$name.txt"
		# shellcheck disable=SC2086
		on_fabric $tool $attribute $place >>"files/$name.txt" 2>err ||
			give_up "$tool $attribute $place fails"
	done
}
# ask_sa RECORD KEY...: one record each, the file named for the record.
ask_sa() {
	record=$1
	shift
	for key; do
		# OpenSM shows P_Keys to those alone who have its SM_Key.
		on_fabric saquery --smkey 1 "$record" "$key" >>"sa/$record.txt" 2>err ||
			give_up "saquery $record $key fails"
	done
}
# places SQL [SEPARATOR]: its rows, the columns parted by a blank or this.
places() {
	"$ibaudit" query --store live.db "$1" | sed 1d | tr '\t' "${2:- }" | sed "s/[ /]*$//"
}
own="SELECT node_guid AS guid, max(lid) AS lid FROM port WHERE lid > 0 GROUP BY 1"
each_port="FROM port JOIN ($own) own ON own.guid = port.node_guid"
# The view has a row for each cable.
ends="SELECT node_guid, port FROM link UNION SELECT peer_node_guid, peer_port FROM link"
cabled="$each_port JOIN ($ends) cable ON cable.node_guid = port.node_guid AND cable.port = port.port"
each_switch="FROM switch JOIN ($own) own ON own.guid = node_guid"
end_ports="FROM port WHERE lid > 0"
# with COMMAND SQL [SEPARATOR]: the command with the rows as its last arguments.
with() {
	command=$1
	oldifs=$IFS
	IFS='
'
	# shellcheck disable=SC2046
	set -- $(places "$2" "${3:- }")
	IFS=$oldifs
	$command "$@"
}
all_ports="SELECT own.lid, port.port $each_port ORDER BY 1, 2"
nodes="SELECT lid FROM ($own) ORDER BY 1"
switches="SELECT own.lid $each_switch ORDER BY 1"
for pair in 'PI portinfo' 'VLArb vlarb' 'PKeys pkeys' 'SL2VL sl2vl'; do
	with "ask smpquery-${pair% *} smpquery ${pair#* }" "$all_ports"
done
with 'ask smpquery-NI smpquery nodeinfo' "$nodes"
with 'ask smpquery-ND smpquery nodedesc' "$nodes"
with 'ask smpquery-GI smpquery guidinfo' "$nodes"
with 'ask smpquery-SI smpquery switchinfo' "$switches"
with 'ask perfquery perfquery -t1000' "SELECT own.lid, port.port $cabled ORDER BY 1, 2"
with 'ask perfquery-x perfquery -x' "SELECT own.lid, port.port $cabled ORDER BY 1, 2"
on_fabric sminfo >files/sminfo.txt 2>err || give_up 'sminfo fails'
cp dump/opensm-sl2vl.dump dump/opensm-subnet.lst dump/opensm-lfts.dump files/ || give_up "opensm leaves no dumps"

with 'ask_sa NR' "$nodes"
with 'ask_sa SWIR' "$switches"
with 'ask_sa LFTR' "SELECT own.lid || '/0' $each_switch ORDER BY 1"
with 'ask_sa GIR' "SELECT lid || '/0' FROM ($own) ORDER BY 1"
with 'ask_sa PIR' "SELECT own.lid, port.port $each_port ORDER BY 1, 2" /
with 'ask_sa VLAR' "SELECT own.lid || '/' || port.port || '/' || block $cabled
	JOIN (SELECT 1 AS block UNION SELECT 3) ORDER BY 1"
with 'ask_sa SL2VL' "SELECT own.lid || '/' || inward.port || '/' || port.port $cabled
	JOIN port inward ON inward.node_guid = own.guid WHERE own.guid IN (SELECT node_guid FROM switch) ORDER BY 1"
with 'ask_sa PKTR' "SELECT lid || '/' || port || '/0' $end_ports ORDER BY 1"
with 'ask_sa LR' "SELECT own.lid || '/' || port.port $cabled ORDER BY 1"
on_fabric saquery SMIR >sa/SMIR.txt 2>err || give_up 'saquery SMIR fails'

same() {
	"$ibaudit" query --store live.db "$2" >live.txt 2>&1
	"$ibaudit" query --store file.db "$2" >file.txt 2>&1
	ok "$1" sh -c 'test $(wc -l <live.txt) -gt 1 && diff live.txt file.txt'
}
compare() {
	is "$1: imported" "$status" 0
	is "$1: every line was understood" "$(query 'SELECT sum(odd_rows) FROM source' file.db)" 0
	is "$1: whole" "$(query "SELECT count(*) FROM hole WHERE reason = 'cut'" file.db)" 0
	same "$1: the same nodes, names and types" \
		'SELECT node_guid, node_type, description, num_ports FROM node ORDER BY 1'
	same "$1: the same links" 'SELECT node_guid, port, peer_node_guid, peer_port FROM link ORDER BY 1, 2'
	same "$1: the same LIDs" 'SELECT node_guid, port, lid, lmc FROM port WHERE lid > 0 ORDER BY 1, 2'
	same "$1: the same width and speed of each link" \
		'SELECT node_guid, port, link_width_active, link_speed_active FROM link ORDER BY 1, 2'
	same "$1: the same forwarding entry for each LID that has one" \
		'SELECT node_guid, lid, out_port FROM lft WHERE out_port < 255 ORDER BY 1, 2'
	same "$1: the same lane for each SL out of each cabled switch port" \
		"SELECT sl2vl.node_guid, port, in_first, in_last, sl, vl FROM sl2vl JOIN switch USING (node_guid)
		 WHERE (sl2vl.node_guid, port) IN ($ends) ORDER BY 1, 2, 3, 5"
	same "$1: the same arbitration of each cabled port" \
		"SELECT node_guid, port, priority, position, vl, weight FROM vlarb
		 WHERE (node_guid, port) IN ($ends) ORDER BY 1, 2, 3, 4"
	same "$1: the same partitions of each end port" \
		'SELECT node_guid, port, pkey FROM pkey
		 WHERE (node_guid, port) IN (SELECT node_guid, port FROM port WHERE lid > 0) ORDER BY 1, 2, 3'
	same "$1: the same GUIDs of each end port" 'SELECT node_guid, port, position, guid FROM guid ORDER BY 1, 2, 3'
	same "$1: the same of each switch" 'SELECT * FROM switch ORDER BY node_guid'
	same "$1: the same SM" 'SELECT port_guid, lid, priority, state FROM sm'
}

run_ibaudit import --store file.db files
compare 'from the tools'
same 'from the tools: the same counters of errors' \
	"SELECT node_guid, port, symbol_error, link_downed, rcv_errors, xmit_discards, vl15_dropped FROM counter
	 WHERE (node_guid, port) IN ($ends) ORDER BY 1, 2"
is 'from the tools: the errors that were made are among them' \
	"$(query 'SELECT group_concat(n) FROM (SELECT symbol_error AS n FROM counter WHERE symbol_error > 0 ORDER BY 1)' file.db)" 7,9
same 'from the tools: a multicast table of each switch' \
	"SELECT node_guid FROM fact_source WHERE attribute = 'MulticastForwardingTable' ORDER BY 1"
"$ibaudit" diff --format json live.db file.db >report.json 2>err
is 'diff finds no change either' "$(json '.changes | length')" 0
is 'and nothing that only the live snapshot tells' "$(json '.notes | join("; ")')" ""

rm -f file.db*
run_ibaudit import --store file.db sa
compare 'from the SA'

rm -f file.db*
mkdir errors
cp files/ibnetdiscover.txt errors/
# It ends with 1 for errors that it found.
on_fabric ibqueryerrors --skip-sl --threshold-file /dev/null >errors/ibqueryerrors.txt 2>err
run_ibaudit import --store file.db errors
is 'from ibqueryerrors: imported' "$status" 0
is 'from ibqueryerrors: whole' "$(query "SELECT count(*) FROM hole WHERE reason = 'cut'" file.db)" 0
same 'from ibqueryerrors: the same counters of errors that are above their thresholds' \
	'SELECT node_guid, port, symbol_error FROM counter WHERE symbol_error > 0 ORDER BY 1, 2'
finish
