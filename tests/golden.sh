#!/bin/sh
# Golden reports: each folder of samples/golden holds what goes in (`args`, a line of
# arguments for ibaudit, run inside the folder), and what must come out: `report.txt`
# and `status`. A folder named *-healthy is the look-alike without the fault.
# UPDATE=1 writes what comes out now; read the difference before committing it.
set -u
: "${BUILD:=build}"
prog=$(cd "$(dirname "$BUILD/ibaudit")" && pwd)/ibaudit
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT INT TERM
# 2026-03-01 12:00:00 UTC
SOURCE_DATE_EPOCH=1772366400
LC_ALL=C
export SOURCE_DATE_EPOCH LC_ALL
unset IBAUDIT_STORE NO_COLOR
number=0
for folder in "$here"/../samples/golden/*/; do
	name=$(basename "$folder")
	number=$((number + 1))
	read -r args <"$folder/args"
	# shellcheck disable=SC2086 # a line of arguments
	(cd "$folder" && "$prog" $args --width 100 --color never) >"$out/report.txt" 2>"$out/err"
	echo $? >"$out/status"
	# A run that fails prints its sentence, which is then the report.
	[ -s "$out/report.txt" ] || cp "$out/err" "$out/report.txt"
	if [ -n "${UPDATE:-}" ]; then
		cp "$out/report.txt" "$out/status" "$folder"
	fi
	if diff -u "$folder/report.txt" "$out/report.txt" >"$out/diff" &&
		diff -u "$folder/status" "$out/status" >>"$out/diff"; then
		echo "ok $number - the report of sample $name is as kept"
	else
		echo "not ok $number - the report of sample $name is as kept"
		sed 's/^/# /' "$out/diff" | head -60
	fi
done
echo "1..$number"
[ "$number" -gt 0 ]
