# Devices and cables that look odd are found once, as they are, and no run is endless.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 >net
seen() {
	query 'SELECT count(*) || " " || (SELECT count(*) FROM link) || " " || (SELECT count(*) FROM hole) FROM node'
}
sim_net=net
leaf_id=$(node_id leaf-02)
leaf=$(node_guid leaf-02)
host_id=$(node_id n0003)
host=$(node_guid n0003)

# A port whose cable comes back to itself. ibnetdiscover shows it as we do:
# [8] "S-b8599f0300600040"[8].
awk '{ print } /^Switch.*leaf-02/ {
	printf "[8]\t\"%s\"[8]\t\t# \"leaf-02\" lid 0 4xEDR\n", id }' id="$leaf_id" net >looped
sim_start looped
sm_start
collect ''
is 'a port looped to itself is one cable of one device' "$status $(seen)" '0 7 7 0'
is 'whose both ends it is' "$(query "SELECT port || '=' || peer_port FROM link WHERE peer_node_guid = node_guid")" 8=8
sm_stop
sim_stop

# The same at the only port of the host that asks: ibnetdiscover ends with "Duplicate
# Port: Port with guid 0x0c42a10300800001 already exists in ports DB".
cat >lone <<'END'
vendid=0x2c9
devid=0x101b
sysimgguid=0xc42a10300800000
caguid=0xc42a10300800000
Ca	1 "H-0c42a10300800000"		# "n0001 mlx5_0"
[1](c42a10300800001)	"H-0c42a10300800000"[1]		# lid 0 lmc 0 "n0001 mlx5_0" lid 0 4xEDR
END
sim_start lone
collect '' -t 100
is 'so is the port of the host that asks' "$status $(seen)" '0 1 1 0'
sim_stop

# A router is a device of its own kind, found like a CA; ibnetdiscover: Rt 1 "R-...".
sed "/^caguid=0x$(echo "${host#0x}" | sed 's/^0*//')/s/caguid/rtguid/
	s/^Ca\(.*\)\"H-${host#0x}\"/Rt\1\"R-${host#0x}\"/; s/\"H-${host#0x}\"/\"R-${host#0x}\"/" net >routed
sim_start routed
sm_start
check
is 'a router is no fault' "$status $(alarms)" '0 '
collect ''
is 'and is a router' "$(seen) $(query "SELECT node_type FROM node WHERE node_guid = '$host'")" '7 6 0 router'
is 'with its tables' "$(query "SELECT count(*) FROM pkey WHERE node_guid = '$host'") $(query "SELECT port_state_name FROM port
	WHERE node_guid = '$host'")" '1 Active'
sm_stop
sim_stop

# A port in two planes: two ports of one CA that share port GUID and LID, as
# XDR devices show it. ibnetdiscover finds one CA with both ports, and says nothing.
awk '{ print } /^Ca/ { mine = index($0, host) } mine && /^\[1\]/ { mine = 0
		printf "[2](c42a10300800022)\t\"%s\"[7]\t\t# lid 0 lmc 0 \"leaf-01\" lid 0 4xEDR\n", leaf }
	/^Switch.*leaf-01/ { printf "[7]\t\"%s\"[2]\t\t# \"n0003 mlx5_0\" lid 0 4xEDR\n", host }' \
	host="$host_id" leaf="$(node_id leaf-01)" net |
	sed "s/^Ca\t1 \"$host_id\"/Ca\t2 \"$host_id\"/" >planes
sim_start planes
sm_start
collect ''
lid=$(query "SELECT lid FROM port WHERE node_guid = '$host' AND port = 1")
guid=$(printf '0x%016x' $((host + 1)))
planes="put=0x11:160:64:$guid@$host put=0x15:128:16:$lid@$host put=0x14:0:64:$guid@$host"
collect "$planes" --skip counters
is 'two planes of one port are one device' "$status $(seen)" '0 7 7 0'
is 'with two ports of one GUID and LID' "$(query "SELECT count(*) || ' ' || count(DISTINCT port_guid) || ' ' ||
	count(DISTINCT lid) FROM port WHERE node_guid = '$host'")" '2 1 1'
interpose_with=$planes
check --skip counters
is 'and no duplicate' "$(found duplicate-guid) $(found duplicate-lid)" '0 0'
interpose_with=
sm_stop
sim_stop

# 64 bytes without a NUL, which ibsim cannot keep: the interposer writes them.
sim_start net
sm_start
words=
at=0
for eight in 7261636b2d373a20 3634206279746573 206f66206e616d65 2c20617320646565 \
	7020617320697420 676f65732c206e6f 204e554c20686572 6520617420656e64; do
	words="$words put=0x10:$at:64:0x$eight@$host"
	at=$((at + 64))
done
collect "$words"
is 'a name of 64 bytes is read whole and ends there' \
	"$(query "SELECT length(description) || ' ' || description FROM node WHERE node_guid = '$host'")" \
	'64 rack-7: 64 bytes of name, as deep as it goes, no NUL here at end'
is 'and hides nothing behind it' "$(seen)" '7 6 0'
words="put=0x10:0:64:0xff00fe80c0af1b5b@$host"
collect "$words"
is 'one of other bytes is harmless' "$status $(seen)" '0 7 6 0'

# A port GUID of nobody's: OpenSM leaves such a device out (ERR 0D17).
for guid in 0 0xffffffffffffffff; do
	interpose_with="put=0x11:160:64:$guid@$host"
	check
	interpose_with=
	is "a port GUID of $guid is critical" "$status $(found zero-guid '.severity == "critical"')" '1 1'
done
check
is 'and its own is none' "$(found zero-guid)" 0

# GUIDInfo begins with the port's own GUID, or with zeros; else it is not the port's.
# Behind the slash is the block.
guids() {
	query "SELECT coalesce((SELECT group_concat(guid) FROM guid WHERE node_guid = '$host'), '-') || ' ' || (SELECT
		count(*) FROM hole WHERE node_guid = '$host' AND port = 1 AND attribute = 'GUIDInfo' AND reason = 'bad-answer')"
}
own=$(printf '0x%016x' $((host + 1)))
more=0x0000000000c0ffee
collect "put=0x14:0:64:$(printf '0x%016x' $((host + 2)))@$host put=0x14:64:64:$more@$host/0"
is "GUIDs that begin with another port's are not kept, and that is told" "$status $(guids)" '0 - 1'
collect "put=0x14:0:64:0@$host put=0x14:64:64:$more@$host/0"
is 'GUIDs that begin with nothing are' "$status $(guids)" "0 0x0000000000000000,$more 0"
collect "put=0x14:64:64:$more@$host/0"
is "and so are those behind the port's own" "$status $(guids)" "0 $own,$more 0"

# Port 0: enhanced has a link of its own, base has not. ibnetdiscover tells them
# apart by the words "enhanced port 0" and "base port 0".
state() {
	query "SELECT coalesce(port_state_name, '-') || ' ' || coalesce(link_width_active, '-') || ' ' ||
		(lid > 0) FROM port WHERE node_guid = '$leaf' AND port = 0"
}
is 'an enhanced port 0 has a state and a LID' "$(state | cut -d' ' -f1,3)" 'Active 1'
sm_stop
sim_stop
gen_net tree2 leafs=2 spines=1 hosts=2 port0=base >base
sim_start base
sm_start
collect ''
is 'a base port 0 has a LID alone' "$status $(state)" '0 - - 1'
is 'and costs no link' "$(seen)" '7 6 0'
sm_stop
sim_stop

# No SM: LIDs 0, all ports in Init, and all is found the same.
sim_start net
collect ''
is 'without an SM the same is found' "$status $(seen)" '0 7 6 0'
is 'with no LID' "$(query 'SELECT count(*) FROM port WHERE lid > 0')" 0
is 'and every cabled port in Init' "$(query "SELECT group_concat(DISTINCT port_state_name) FROM port
	WHERE peer_port IS NOT NULL")" Init
finish
