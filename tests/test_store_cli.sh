#!/bin/sh
# A store from the command line: nights pile up, are compared, asked and pruned.
set -u
: "${BUILD:=build}"
prog=$(cd "$BUILD" && pwd)/ibaudit
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT INT TERM
cd "$dir" || exit 2
IBAUDIT_STORE=nights.db
export IBAUDIT_STORE
number=0

is() {
	status=$?
	number=$((number + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		sed 's/^/# /' err out 2>/dev/null | head -20
	fi
}

# exits STATUS ARGUMENT...: runs the program, out and err are kept.
exits() {
	want=$1
	shift
	"$prog" "$@" >out 2>err
	[ $? -eq "$want" ]
}

# A switch with two hosts; $1 is the LID of the first host, $2 what hangs on port 2.
night() {
	cat <<-EOF
	vendid=0x2c9
	devid=0xd2f2
	sysimgguid=0xa088c20300400010
	switchguid=0xa088c20300400010(a088c20300400010)
	Switch	4 "S-a088c20300400010"		# "hall leaf" enhanced port 0 lid 1 lmc 0
	[1]	"H-a088c20300401001"[1](a088c20300401001) 		# "row-a mlx5_0" lid $1 4xHDR
	[2]	"H-a088c2030040100$2"[1](a088c2030040100$2) 		# "row-b mlx5_0" lid 3 4xHDR

	vendid=0x2c9
	devid=0x1021
	sysimgguid=0xa088c20300401001
	caguid=0xa088c20300401001
	Ca	1 "H-a088c20300401001"		# "row-a mlx5_0"
	[1](a088c20300401001) 	"S-a088c20300400010"[1]		# lid $1 lmc 0 "hall leaf" lid 1 4xHDR

	vendid=0x2c9
	devid=0x1021
	sysimgguid=0xa088c2030040100$2
	caguid=0xa088c2030040100$2
	Ca	1 "H-a088c2030040100$2"		# "row-b mlx5_0"
	[1](a088c2030040100$2) 	"S-a088c20300400010"[2]		# lid 3 lmc 0 "hall leaf" lid 1 4xHDR
	EOF
}

night 2 2 >one.txt
night 7 3 >two.txt
exits 0 import --site hall one.txt && exits 0 import --site hall one.txt &&
	exits 0 import --site hall --label swapped two.txt
is "nights go into one store"
exits 0 diff 1 2
is "equal nights are no difference: exit 0"
exits 1 diff 1 latest
is "a changed one is: exit 1"
grep -q 'row-a mlx5_0 port 1 *LID *2 *7' out
is "the LID that moved is told by GUID"
exits 1 diff latest~1 swapped --keys node &&
	[ "$(grep -c '0xa088c2030040100[23]' out)" -eq 2 ]
is "another adapter is one device that went and one that came"
exits 0 diff latest~1 swapped --keys state
is "what was not asked for is no difference"
exits 0 query "SELECT count(DISTINCT snapshot_id) AS nights, count(*) AS rows FROM node" &&
	grep -q '3.*9' out
is "the views answer over all nights"
exits 2 query "DELETE FROM snapshot_row" && grep -q 'only SELECT' err
is "a query that would write is refused"
exits 0 prune --keep 1 && grep -q '2 snapshots deleted: 1, 2' out
is "prune keeps the newest"
exits 0 list && [ "$(grep -c hall out)" -eq 1 ]
is "and nothing else is left"
exits 0 verify && grep -q whole out
is "a pruned store is whole"
exits 0 prune swapped latest swapped && grep -q '1 snapshot deleted: 3' out && exits 2 audit && grep -q 'no snapshot yet' err
is "what is named goes even with a label, and once however often it is named"
exits 0 import --site hall one.txt && exits 0 list && grep -q '^ *4 ' out
is "and its number is not given again"
sqlite3 nights.db "UPDATE port_part SET lid = 99 WHERE part = 1"
exits 1 verify && grep -q 'not what its hash says' out
is "a store that was changed by hand is found out: exit 1"
exits 2 prune && exits 2 prune --keep 1 4 && exits 2 prune 77 && grep -q 'no snapshot "77"' err
is "prune says what it wants"
exits 2 prune --store none.db --keep 1 && [ ! -e none.db ]
is "and makes no store of its own"
echo "1..$number"
