# A device that refuses one attribute, or keeps silent about it, costs that
# attribute and nothing else: what hangs on it is found, in bounded time.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
sm_start
leaf=$(node_guid leaf-02)
# The port of leaf-02 that n0006 hangs on.
down=$(peer_port leaf-02 "$(node_id n0006)")

seen() {
	query 'SELECT count(*) || " " || (SELECT count(*) FROM link) FROM node'
}
collect ''
whole=$(seen)
is 'all is there when nothing is refused' "$whole" '22 24'

# refuses SENTENCE WORDS ATTRIBUTE: nobody is lost, the attribute is told missing, and soon.
refuses() {
	begun=$(date +%s)
	collect "$2" -t 100 -v
	took=$(($(date +%s) - begun))
	is "$1" "$status $(seen) $(query 'SELECT partial FROM snapshot')" "0 $whole 1"
	ok 'and it is the one thing told missing' \
		test "$(query "SELECT group_concat(DISTINCT attribute) FROM hole WHERE reason <> 'unsupported'")" = "$3"
	is 'by one word for each device and port' "$(query "SELECT count(*) FROM (SELECT node_guid, port,
		attribute FROM hole WHERE reason <> 'unsupported' GROUP BY 1, 2, 3 HAVING count(*) > 1)")" 0
	ok 'in bounded time' test "$took" -le 10
}
refuses 'a switch that does not know PortInfo hides nobody' "status=0x15:0x0c@$leaf" PortInfo
refuses 'nor one that calls it invalid' "status=0x15:0x1c@$leaf" PortInfo
refuses 'nor the switch that everything lies behind' "status=0x15:0x0c@$(node_guid leaf-01)" PortInfo
refuses 'nor do all of them' 'status=0x15:0x0c@switch' PortInfo
refuses 'nor does the host that asks' "status=0x15:0x0c@$(node_guid n0001)" PortInfo
refuses 'one port that is refused leads on' "status=0x15:0x1c@$leaf/$down" PortInfo
refuses 'so does one that it keeps silent about' "late=0x15:9000000@$leaf/$down" PortInfo
is 'which is told of that port alone' "$(query 'SELECT group_concat(port) FROM hole')" "$down"
refuses 'a switch without SwitchInfo hides nobody' "status=0x12:0x0c@$leaf" SwitchInfo
refuses 'nor one that calls it invalid' "status=0x12:0x1c@$leaf" SwitchInfo
is 'which says so in one hole' "$(query "SELECT count(*) || ' ' || reason FROM hole WHERE reason <> 'unsupported'")" '1 status'
ok 'that names the place from the last port before it' sh -c \
	'"$1" query --store store.db "SELECT text FROM hole WHERE attribute = '"'SwitchInfo'"'" | grep -q "behind spine-0[12] port [0-9]"' sh "$ibaudit"
refuses 'nor one without a name' "status=0x10:0x0c@$leaf" NodeDescription
counted() {
	query "SELECT count(*) > 0 FROM counter WHERE node_guid = '$leaf'"
}
collect "status=0x40001:0x0c@$leaf" -t 100
is 'an agent that does not know ClassPortInfo is asked for its counters' "$(counted)" 1
collect "late=0x40001:9000000@$leaf" -t 100
is 'one that keeps silent about it is not, and that is told' \
	"$(counted) $(query "SELECT reason FROM hole WHERE attribute = 'PortCounters'")" '0 not-reached'
collect "mute=3@$leaf" -t 100
is 'nor one that falls silent and forwards on' "$status $(seen)" "0 $whole"

# What a device need not have: silence is silence, and only the device itself says
# that it has not got it. All links are QDR, so that ExtendedPortInfo is asked; errors
# and discards were counted, so that their details are.
sm_stop
sim_stop
gen_net tree2 leafs=2 spines=1 hosts=2 rate=4xQDR >net
sim_start net
sm_start
leaf=$(node_guid leaf-02)
said() {
	query "SELECT coalesce(group_concat(DISTINCT reason), 'nothing') FROM hole WHERE node_guid = '$leaf' AND attribute = '$1'"
}
while read -r id attribute; do
	counted="put=0x40012:64:16:5@$leaf put=0x40012:112:16:5@$leaf"
	collect "$counted late=$id:9000000@$leaf" -t 50
	is "silence about $attribute ($id) is silence" "$(said "$attribute")" timeout
	collect "$counted status=$id:0x0c@$leaf" -t 50
	is "a switch that says it has no $attribute ($id) has none" "$(said "$attribute")" unsupported
done <<'END'
0xff90 ExtendedPortInfo
0x14 GUIDInfo
0x17 SLtoVLMappingTable
0x18 VLArbitrationTable
0x1b MulticastForwardingTable
0x4001d PortCountersExtended
0x40015 error details
0x40016 error details
END
# Without it QDR may be FDR10: then no speed is known, and no link is called right.
speeds() {
	query "SELECT count(link_speed_active) || ' of ' || count(*) FROM port WHERE node_guid = '$leaf' AND port > 0
		AND port_state > 1"
}
open_links() {
	check -t 50
	json '.rules[] | select(.id == "link-width-speed") | .reason' | grep -o 'speed of .* is not known'
}
collect ''
is 'QDR is QDR where ExtendedPortInfo says no more' "$(speeds)" '3 of 3'
is 'and is judged' "$(open_links)" ''
collect "late=0xff90:9000000@$leaf" -t 50
is 'no speed is known where it is not answered' "$(speeds)" '0 of 3'
interpose_with="late=0xff90:9000000@$leaf"
is 'which the rule of speeds says' "$(open_links)" 'speed of 3 of 6 links is not known'
interpose_with=
collect "status=0xff90:0x0c@$leaf" -t 50
is 'it is known where the switch says that it has none' "$(speeds)" '3 of 3'
finish
