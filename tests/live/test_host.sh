# What hosts say of themselves beside what the fabric says: --sysfs reads a tree
# that was copied from a host, with the holes that such trees have.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 >net
sim_start net
sm_start

# tree HOST GUID: a host with an InfiniBand port 1, and an Ethernet port on another device.
put() {
	mkdir -p "$(dirname "$1")"
	printf '%s\n' "$2" >"$1"
}
group() {
	echo "$1" | sed 's/^0x//; s/\(....\)\(....\)\(....\)\(....\)/\1:\2:\3:\4/'
}
tree() {
	ib=$1/sys/class/infiniband/mlx5_0
	port_guid=$(printf '0x%016x' $(($2 + 1)))
	put "$ib/node_guid" "$(group "$2")"
	put "$ib/fw_ver" 28.39.1002
	for row in 'link_layer InfiniBand' 'state 4: ACTIVE' 'phys_state 5: LinkUp' 'lid 0x7' \
		'lid_mask_count 0' 'sm_lid 0x1' 'rate 100 Gb/sec (4X EDR)'; do
		put "$ib/ports/1/${row%% *}" "${row#* }"
	done
	put "$ib/ports/1/gids/0" "fe80:0000:0000:0000:$(group "$port_guid")"
	put "$ib/ports/1/gids/1" 0000:0000:0000:0000:0000:0000:0000:0000
	put "$ib/ports/1/gid_attrs/types/0" 'IB/RoCE v1'
	# An entry that is empty has a type that cannot be read: here as a directory.
	mkdir -p "$ib/ports/1/gid_attrs/types/1"
	roce=$1/sys/class/infiniband/mlx5_1
	put "$roce/node_guid" 1070:fd03:00a1:b2c4
	for row in 'link_layer Ethernet' 'state 4: ACTIVE' 'phys_state 5: LinkUp' \
		'rate 100 Gb/sec (4X EDR)'; do
		put "$roce/ports/1/${row%% *}" "${row#* }"
	done
	put "$roce/ports/1/gids/0" fe80:0000:0000:0000:1270:fdff:fea1:b2c4
	put "$roce/ports/1/gids/1" fe80:0000:0000:0000:1270:fdff:fea1:b2c4
	put "$roce/ports/1/gids/2" 0000:0000:0000:0000:0000:ffff:0a00:0907
	put "$roce/ports/1/gids/3" 0000:0000:0000:0000:0000:ffff:0a00:0907
	put "$roce/ports/1/gid_attrs/types/0" 'IB/RoCE v1'
	put "$roce/ports/1/gid_attrs/types/1" 'RoCE v2'
	put "$roce/ports/1/gid_attrs/types/2" 'IB/RoCE v1'
	put "$roce/ports/1/gid_attrs/types/3" 'RoCE v2'
	for entry in 0 1 2 3; do
		put "$roce/ports/1/gid_attrs/ndevs/$entry" ens3f1np1
	done
}
guid=$(node_guid n0003)
tree gw7 "$guid"
collect '' --sysfs gw7/sys
is 'a copied tree goes into the snapshot' "$status $(query 'SELECT count(*) FROM host_port')" '0 2'
is 'as a source of its own, beside the fabric' \
	"$(query "SELECT group_concat(name || ' ' || format, ', ') FROM (SELECT name, format FROM source ORDER BY format)")" \
	"$(query "SELECT name FROM source WHERE format = 'live'") live, gw7/sys sysfs"
is 'its host is named' "$(query 'SELECT DISTINCT host FROM host_port')" gw7
port_guid=$(printf '0x%016x' $((guid + 1)))
is 'its port is that of the fabric' "$(query "SELECT count(*) FROM host_port h JOIN port p
	ON p.port_guid = h.port_guid WHERE h.port_guid = '$port_guid'")" 1
is 'empty entries are left out' "$(query "SELECT count(*) FROM host_gid WHERE device = 'mlx5_0'")" 1
is 'an InfiniBand GID is of type IB' "$(query "SELECT type FROM host_gid WHERE device = 'mlx5_0'")" IB
is 'GIDs of an Ethernet port are RoCE v1 and v2' \
	"$(query "SELECT group_concat(type) FROM (SELECT type FROM host_gid WHERE device = 'mlx5_1' ORDER BY gid_index)")" \
	'RoCE v1,RoCE v2,RoCE v1,RoCE v2'
is 'with their netdevs' "$(query "SELECT DISTINCT netdev FROM host_gid WHERE device = 'mlx5_1'")" ens3f1np1
is 'an Ethernet port has no port GUID' "$(query "SELECT count(*) FROM host_port WHERE device = 'mlx5_1' AND port_guid IS NULL")" 1

# Holes of all kinds: what is not there is unknown, and the rest is read.
ib=gw7/sys/class/infiniband/mlx5_0
rm "$ib/fw_ver" "$ib/ports/1/rate" "$ib/ports/1/sm_lid"
rm -r "$ib/ports/1/gid_attrs"
: >"$ib/ports/1/lid"
rm gw7/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/types/3
# The kernel's EINVAL itself, where a file of this machine gives it.
if cat /proc/self/attr/current 2>&1 | grep -q 'Invalid argument'; then
	ln -s /proc/self/attr/current gw7/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/types/3
else
	mkdir gw7/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/types/3
fi
rm -r gw7/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/ndevs
mkdir -p gw7/sys/class/infiniband/mlx5_9
collect '' --sysfs gw7/sys
is 'a tree with holes is read' "$status $(query 'SELECT count(*) FROM host_port') $(query 'SELECT partial FROM snapshot')" '0 2 0'
is 'what lacks is unknown, not 0' "$(query "SELECT count(*) FROM host_port WHERE device = 'mlx5_0'
	AND lid IS NULL AND sm_lid IS NULL AND rate_mbps IS NULL AND fw_version IS NULL AND state = 4")" 1
is 'a type that the kernel refuses is unknown' \
	"$(query "SELECT group_concat(coalesce(type, '-')) FROM (SELECT type FROM host_gid WHERE device = 'mlx5_1' ORDER BY gid_index)")" \
	'RoCE v1,RoCE v2,RoCE v1,-'

collect '' --sysfs nowhere
ok 'a tree that is not there ends the run' sh -c "test $status -eq 2 && grep -q nowhere err"
mkdir empty
collect '' --sysfs empty
is 'a host without devices is none' "$status $(query 'SELECT count(*) FROM host_port')" '0 0'

# The host that the run is on: what its own /sys says, or nothing.
collect ''
is 'the own host is read from /sys' "$(query 'SELECT count(*) FROM host_port')" \
	"$(find /sys/class/infiniband/*/ports -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)"
collect '' --skip host --sysfs gw7/sys
is 'and is left out when asked to' "$(query 'SELECT count(*) FROM host_port')" 0
finish
