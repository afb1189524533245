# An HCA with a port in each of two subnets, which nothing else joins: each
# snapshot holds its own subnet and that HCA once, whoever asks, though both
# subnets use the same LIDs.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
RUN_TIMEOUT=20

# joined A B: the net file of both, where n0001 has its port A in the first subnet
# and its port B in the second. The simulator lets a host ask by its port 1 alone.
gen_net tree2 leafs=2 spines=1 hosts=2 >rail_a
gen_net tree2 leafs=2 spines=1 hosts=2 guid=0x100000 |
	sed 's/"leaf-/"b-leaf-/; s/"spine-/"b-spine-/; s/"n0/"b-n0/' >rail_b
host=$(node_id n0001 rail_a)
joined() {
	awk -v host="$host" -v leaf="$(node_id b-leaf-01 rail_b)" -v a="$1" -v b="$2" '
		/^(Switch|Ca)/ { here = index($0, "\"" host "\"") }
		here && /^Ca/ { sub(/^Ca\t1/, "Ca\t2") }
		here && /^\[1\]/ {
			guid = substr(host, 3, 15)
			sub(/^\[1\]\([^)]*\)/, "[" a "](" guid a ")")
			print
			print "[" b "](" guid b ")\t\"" leaf "\"[8]\t\t# lid 0 lmc 0 \"b-leaf-01\" lid 0 4xEDR"
			next
		}
		{ sub("\"" host "\"\\[1\\]", "\"" host "\"[" a "]"); print }' rail_a
	awk -v host="$host" -v b="$2" '{ print } /^Switch.*b-leaf-01/ {
		printf "[8]\t\"%s\"[%s]\t\t# \"n0001 mlx5_0\" lid 0 4xEDR\n", host, b }' rail_b
}

names() {
	query "SELECT group_concat(substr(description, 1, instr(description || ' ', ' ') - 1)) FROM
		(SELECT description FROM node ORDER BY description)"
}
in_a=leaf-01,leaf-02,n0001,n0002,n0003,n0004,spine-01
in_b=b-leaf-01,b-leaf-02,b-n0001,b-n0002,b-n0003,b-n0004,b-spine-01,n0001

# seen WHO NAMES PORT: what a snapshot taken by this host holds.
seen() {
	sim_host=$(node_id "$1")
	collect ''
	is "$1 sees its own subnet and the HCA once" "$status $(names)" "0 $2"
	is 'the HCA by the port that lies there' \
		"$(query "SELECT group_concat(port) FROM port WHERE node_guid = '$(node_guid n0001)' AND lid > 0")" "$3"
	is 'and misses nothing' "$(query 'SELECT partial FROM snapshot') $(query 'SELECT count(*) FROM hole')" '0 0'
	query 'SELECT group_concat(lid) FROM (SELECT DISTINCT lid FROM port WHERE lid > 0 ORDER BY lid)' >"lids.$2"
	check
	is 'no GUID or LID is there twice, and nothing else is wrong' \
		"$status $(found duplicate-guid) $(found duplicate-lid) $(alarms)" '0 0 0 '
	sim_host=
}

# The HCA as ibnetdiscover shows it to n0004, then to b-n0002:
#	Ca	2 "H-0c42a10300800000"		# "n0001 mlx5_0"
#	[1](c42a10300800001) 	"S-b8599f0300600000"[1]		# lid 1 lmc 0 "leaf-01" lid 2 4xEDR
#	Ca	2 "H-0c42a10300800000"		# "n0001 mlx5_0"
#	[2](c42a10300800002) 	"S-b8599f0300700000"[8]		# lid 4 lmc 0 "b-leaf-01" lid 2 4xEDR
joined 1 2 >two
sim_start two
sm_start
second_start "$(node_id b-n0002)" MASTER
seen n0001 "$in_a" 1
seen n0004 "$in_a" 1
seen b-n0002 "$in_b" 2
is 'though both use the same LIDs' "$(cat "lids.$in_a") $(cat "lids.$in_b")" '1,2,3,4,5,6,7 1,2,3,4,5,6,7,8'
second_stop
sm_stop
sim_stop

# The other way round, so that the HCA asks by the port in the second subnet.
joined 2 1 >two
sim_start two
sim_host=$(node_id n0004)
sm_start
sim_host=
second_start "$(node_id b-n0002)" MASTER
seen n0001 "$in_b" 1
seen n0004 "$in_a" 2
finish
