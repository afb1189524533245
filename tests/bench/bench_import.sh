#!/bin/sh
# Speed and memory of the importer, as ratios within one run: ibdiagnet2.db_csv of
# a fabric at the limit of a subnet against the sqlite3 shell's .import of the same
# rows into plain tables; forwarding tables as dump_fts prints them against wc.
set -u
: "${BUILD:=build}"
here=${0%/*}
BUILD=$(cd "$BUILD" && pwd)
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT INT TERM
echo "# import"
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3"; exit 0; }

# cost NAME COMMAND...: sets NAME to the processor seconds, and $peak_kb.
cost() {
	name=$1
	shift
	seconds='' cpu='' peak_kb=''
	# Status 1 is what a check ends with that found something.
	"$BUILD/tests/measure" "$dir/cost" "$@" >"$dir/out" 2>&1 || [ $? -eq 1 ] || { cat "$dir/out"; exit 1; }
	# shellcheck disable=SC1091
	. "$dir/cost"
	eval "$name=$cpu"
}
ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

"$BUILD/tests/gen_net" tree-44544 >"$dir/net" || exit 1
awk -f "$here/db_csv.awk" "$dir/net" >"$dir/ibdiagnet2.db_csv"
mkdir "$dir/sections"
awk -v dir="$dir/sections" '
/^START_/ { file = dir "/" substr($0, 7); next }
/^END_/ { close(file); file = ""; next }
file != "" { print >file }' "$dir/ibdiagnet2.db_csv"
for section in "$dir"/sections/*; do
	echo ".import --csv $section ${section##*/}"
done >"$dir/import.sql"

rows=$(wc -l <"$dir/ibdiagnet2.db_csv")
size=$(wc -c <"$dir/ibdiagnet2.db_csv")
cost shell sh -c "sqlite3 '$dir/plain.db' <'$dir/import.sql'"
cost ours "$BUILD/ibaudit" import --store "$dir/ours.db" "$dir/ibdiagnet2.db_csv"
echo "db_csv of 44,544 nodes: $rows lines, $((size / 1000000)) MB: $ours s of processor time (peak $((peak_kb / 1024)) MiB)," \
	"sqlite3 .import $shell s: $(ratio "$ours" "$shell") times (the aim is below 2.5)"

# 800 switches that each know 5,000 LIDs.
awk 'BEGIN {
	for (s = 0; s < 800; s++) {
		printf "Unicast lids [0x0-0x1388] of switch DR path slid 0; dlid 0; 0,1 guid 0x%016x (s%d):\n  Lid  Out   Destination\n       Port     Info \n", 4096 + s, s
		for (l = 1; l <= 5000; l++)
			printf "0x%04x %03d : (Channel Adapter portguid 0x%016x: \047n%d\047)\n", l, (l + s) % 36 + 1, 1048576 + l, l
		print "5000 valid lids dumped "
	}
}' >"$dir/dump_fts.txt"
size=$(wc -c <"$dir/dump_fts.txt")
cost count wc -l -w "$dir/dump_fts.txt"
cost ours "$BUILD/ibaudit" check "$dir/dump_fts.txt"
echo "dump_fts, $((size / 1000000)) MB: read and judged in $ours s of processor time," \
	"$(awk -v n="$size" -v s="$ours" 'BEGIN { printf "%.0f", n / s / 1e6 }') MB/s," \
	"$(ratio "$ours" "$count") times wc -l -w (the aim is 150 MB/s, or below 3 times)"
