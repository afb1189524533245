# duplicate-guid: two devices answer to one GUID.
#
# What ibnetdiscover shows of the same fabric stands at each: CAs beyond the first
# vanish with "Duplicate Port: Port with guid ... already exists in ports DB"; of
# switches of one GUID it keeps one, and what hangs on the others vanishes without
# a word. The healthy fabric has 22 nodes and 24 links.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
here=duplicate-guid
twins() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	sim_start "$1"
	echo "$still_sm" >conf
	sm_start conf
}
# devices GUID: rows of a collection with this GUID, then all nodes and links.
devices() {
	collect ''
	query "SELECT count(*) || ' of ' || (SELECT count(*) FROM node) || ' ' || (SELECT count(*) FROM link)
		FROM node WHERE node_guid = '$1'"
}

twins net
check
is 'a fabric of unlike GUIDs passes' "$(found $here) $(verdict $here)" '0 pass'

# ibnetdiscover: 21 nodes, and its error.
console Guid "\"$(node_id n0010)\"" "$(node_guid n0003)"
check
is 'two hosts of one GUID are found once' "$(found $here '.severity == "critical"')" 1
ok 'with both places' sh -c "jq -e '[.findings[] | select(.rule == \"$here\") | tostring | test(\"leaf-01\") and test(\"leaf-03\")] | any' report.json"
is 'they are two rows' "$(devices "$(node_guid n0003)")" '2 of 22 24'

# ibnetdiscover: 20 nodes, and two errors.
console Guid "\"$(node_id n0014)\"" "$(node_guid n0003)"
check
is 'three of a kind are one finding' "$(found $here '.severity == "critical"')" 1
is 'and three rows' "$(devices "$(node_guid n0003)")" '3 of 22 24'

# ibnetdiscover: 21 nodes, 4 links of the second spine missing, no word.
twins net
console Guid "\"$(node_id spine-02)\"" "$(node_guid spine-01)"
check
is 'two spines cabled alike' "$(found $here '.severity == "critical"')" 1
is 'are two rows' "$(devices "$(node_guid spine-01)")" '2 of 22 24'

# ibnetdiscover: 17 nodes, a leaf and its four hosts missing, no word.
twins net
console Guid "\"$(node_id leaf-04)\"" "$(node_guid leaf-02)"
check
is 'two leafs cabled unlike' "$(found $here '.severity == "critical"')" 1
is 'are two rows as well' "$(devices "$(node_guid leaf-02)")" '2 of 22 24'

# ibnetdiscover: 12 nodes, two leafs and their hosts missing, no word.
console Guid "\"$(node_id leaf-03)\"" "$(node_guid leaf-02)"
check
is 'three leafs of a kind are one finding' "$(found $here '.severity == "critical"')" 1
is 'and three rows, with all that hangs on them' "$(devices "$(node_guid leaf-02)")" '3 of 22 24'

# A ring of four switches and four hosts. ibnetdiscover: 6 nodes, a switch and its host missing.
gen_net torus x=4 y=1 hosts=1 >ring
twins ring
console Guid "\"$(node_id sw-2-0-0)\"" "$(node_guid sw-1-0-0)"
check
is 'two switches beside each other' "$(found $here '.severity == "critical"')" 1
is 'are two rows too' "$(devices "$(node_guid sw-1-0-0)")" '2 of 8 8'

# Two hosts with both ports cabled, each to two leafs. ibnetdiscover: 21 nodes, and
# an error for each port of the second.
gen_net tree2 leafs=4 spines=2 hosts=4 ca_ports=2 >net2
sim_net=net2
awk '{ print }
	/^Ca/ { mine = index($0, a) ? leaf_a : index($0, b) ? leaf_b : "" }
	mine != "" && /^\[1\]/ { printf "[2](0)\t\"%s\"[8]\t\t# lid 0 lmc 0 \"leaf\" lid 0 4xEDR\n", mine; mine = "" }
	/^Switch/ && index($0, leaf_a) { printf "[8]\t\"%s\"[2]\t\t# \"n0003 mlx5_0\" lid 0 4xEDR\n", a }
	/^Switch/ && index($0, leaf_b) { printf "[8]\t\"%s\"[2]\t\t# \"n0010 mlx5_0\" lid 0 4xEDR\n", b }' \
	a="$(node_id n0003)" b="$(node_id n0010)" leaf_a="$(node_id leaf-02)" leaf_b="$(node_id leaf-04)" \
	net2 >dual
twins dual
check
is 'a CA of two ports is one device' "$(found $here)" 0
is 'with two links' "$(devices "$(node_guid n0003)")" '1 of 22 26'
console Guid "\"$(node_id n0010)\"" "$(node_guid n0003)"
check
is 'two CAs of two ports are one finding' "$(found $here '.severity == "critical"')" 1
is 'and two rows of two links' "$(devices "$(node_guid n0003)")" '2 of 22 26'

# Healthy look-alikes.
sed "s/^sysimgguid=.*/sysimgguid=0xb8599f0300777000/" net >chassis
twins chassis
check
is 'a shared SystemImageGUID is no duplicate' "$(found $here)" 0
gen_net tree2 leafs=4 spines=2 hosts=4 loop=2 >looped
twins looped
check
is 'nor is a cable that comes back to its switch' "$(found $here)" 0
finish
