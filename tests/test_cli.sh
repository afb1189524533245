#!/bin/sh
# The command line: help, usage faults and bad input end in one clear sentence.
set -u
: "${BUILD:=build}"
prog=$(cd "$BUILD" && pwd)/ibaudit
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT INT TERM
cd "$dir" || exit 2
unset IBAUDIT_STORE
number=0

# is SENTENCE: tells whether the last command succeeded.
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

# fails WORD ARGUMENT...: exit 2, nothing on stdout, one line on stderr that holds WORD.
fails() {
	word=$1
	shift
	"$prog" "$@" >out 2>err
	[ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$word" err
}

commands=$("$prog" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p')
[ -n "$commands" ]
is "--help lists the commands"
for command in $commands; do
	"$prog" "$command" --help >out 2>err
	is "$command --help exits 0"
	missing=
	for option in $(sed -n 's/^  \(-[^ ]*\).*/\1/p; s/.*, \(--[a-z-]*\).*/\1/p' out | tr -d ,); do
		case $option in --help) continue ;; esac
		word=$(printf '%s' "$option" | sed 's/^-//')
		grep -q "Fl $word\$\|Fl $word " "$here/../doc/ibaudit.1" || missing="$missing $option"
	done
	[ -z "$missing" ]
	is "every option of $command is in the man page$missing"
	grep -q "It Cm $command\$" "$here/../doc/ibaudit.1"
	is "$command is in the man page"
done

fails 'no command "frobnicate"' frobnicate
is "an unknown command is named"
fails '--frobnicate' check --frobnicate
is "an unknown long option is named"
fails '-Z' check -Z
is "an unknown letter is named"
fails '--store needs a value' list --store
is "an option without its value is named"
fails '"fast"' check --fail-on fast
is "a level that is none is named"
fails '"nonsense"' explain nonsense
is "an unknown rule is named"
fails 'warp' collect --only lft,warp
is "an unknown group is named"
for groups in 'topology,,lft' ',lft' 'lft,' ''; do
	fails "name is missing beside a comma in \"$groups\"" check --only "$groups"
	is "an empty group in \"$groups\" is told"
done
fails 'skip topology' collect --skip sm,topology
is "what all else needs cannot be skipped"
fails 'nothing to read' collect --only host --skip host
is "nor can everything"
fails '^ibaudit check: -C takes the name' check -C ''
is "a device without a name is told"
for option in '-t 600000' '--window 4096' '--per-device 4096'; do
	fails "${option% *} takes a whole number from 1 to ${option#* }, not \"0\"" collect "${option% *}" 0
	is "${option% *} 0 is refused with what is allowed"
done
mkdir -p copied/sys/class/infiniband
for way in '' '--sysfs copied/sys'; do
	# shellcheck disable=SC2086
	"$prog" collect --store host.db --only host $way >out 2>err
	grep -q ': 0 devices' out && [ ! -s err ]
	is "the host's tables alone need no fabric ($way)"
done
grep -q '^usage: ibaudit collect \[OPTION...\]$' <<-EOF
	$("$prog" collect --help)
EOF
is "help tells how a command is called"
fails 'operand' explain
is "a missing operand is told"
fails 'ibaudit.db' list
is "a store that is not there is named"
fails 'nowhere' check nowhere
is "a capture that is not there is named"
: >empty
fails 'empty' check empty
is "an empty capture is named"
head -c 4096 "$prog" >binary
fails 'binary' check binary
is "a binary file is named"
printf 'just a letter\nto somebody\n' >letter
fails 'letter' check letter
is "a text of no known format is named"
fails 'letter' list --store letter
is "a store that is no database is named"
sqlite3 other.db 'create table t (a); insert into t values (1);'
fails 'other.db' list --store other.db
is "a store of another program is named"
[ "$(sqlite3 other.db 'select count(*) from sqlite_master')" -eq 1 ]
is "and is left as it was"
fails '/dev/full' rules -o /dev/full
is "a report that cannot be written is told"
"$prog" rules >/dev/full 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]
is "and so it is on standard output"
printf 'qos TRUE\nqos_sl2vl 0,1,2,15,4,5,6,7,0,0,0,0,0,0,0,7\nsm_sl 3\n' >opensm.conf
"$prog" import --store kept.db opensm.conf >out 2>err
is "a file makes a snapshot"
fails 'No space left' check opensm.conf --format html -o /dev/full
is "an HTML report that cannot be written is told in one line too"
fails 'none: No such file' import --store none/a.db opensm.conf
is "a store whose directory is not there is told so"
mkdir -m 555 closed
chmod 711 .
cp "$prog" ibaudit
as_nobody=
[ "$(id -u)" -ne 0 ] || as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
$as_nobody ./ibaudit import --store closed/a.db opensm.conf >out 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'may not write in its directory closed' err
is "a store whose directory is closed is told so"
cp kept.db damaged.db
printf 'not what was written' | dd of=damaged.db bs=1 seek=9000 conv=notrunc 2>/dev/null
"$prog" verify --store damaged.db >out 2>err
[ $? -eq 1 ] && grep -q '^structure: ' out && ! grep -q -F '\x0a' out && ! grep -q -F '***' out
is "a damaged store is told in lines"
fails 'kept.db' audit --store kept.db -o kept.db && "$prog" list --store kept.db >out 2>err
is "a report is not written over the store"
fails 'opensm.conf' check opensm.conf -o ./opensm.conf && grep -q sm_sl opensm.conf
is "nor over what it is about"
fails 'one file' check opensm.conf -o both --html both
is "nor are two reports written into one file"
"$prog" check opensm.conf --format json >out 2>err
grep -q '"severity": "critical"' out
is "an SL of the SM's own that is dropped is critical"
printf 'Mar 11 19:32:26 717944 [EC430700] 0x01 -> log_send_error: ERR 5411: DR SMP Send\n' >opensm.log
"$prog" check opensm.log --format json >out 2>err
grep -A1 '"lmc-with-fat-tree"' out | grep -q 'not-checked'
is "a piece of a log that names no engine checks none"
awk 'BEGIN { for (i = 0; i < 1500; i++) printf \
	"vendid=0x2c9\ndevid=0x1021\ncaguid=0xa088c2030%07x\nCa\t1 \"H-a088c2030%07x\"\t\t# \"row-%d\"\n\n", i, i, i }' >hall
cp kept.db same.db
# limited BLOCKS ARGUMENT...: with files of at most so many blocks; through a pipe, which has no size.
limited() {
	blocks=$1
	shift
	{ (ulimit -f "$blocks" && exec "$prog" "$@") 2>&1 >&3; echo "exit $?" >&2; } 3>&1 2>&1 | cat >limited.out
	cp limited.out err
	grep -q '^exit 2$' limited.out
}
limited 8 import --store same.db hall && grep -q 'File too large' err && cmp -s same.db kept.db
is "a limit on the size of files is told, and the store is as it was"
limited 8 check hall -o report.out --format html && grep -q 'report.out.*File too large' err
is "so it is with a report"
for blocks in 8 520; do
	limited "$blocks" import --store begun.db hall && grep -q 'File too large' err &&
		[ -z "$(ls begun.db* 2>/dev/null)" ]
	is "a store that could not be begun within $blocks blocks leaves nothing behind"
done
"$prog" import --store begun.db hall >out 2>err && "$prog" list --store begun.db >out 2>err
is "without a limit it is made"
for way in rules 'check opensm.conf' 'import --store closed.db opensm.conf' --help --version 'list --help'; do
	# shellcheck disable=SC2086
	"$prog" $way >&- 2>err
	[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]
	is "$way: a closed standard output is a failure"
done
"$prog" verify --store closed.db >out 2>err
is "and nothing is written into what is opened in its place"
"$prog" check opensm.conf -o elsewhere >&- 2>err
[ $? -lt 2 ] && [ -s elsewhere ]
is "who does not need it does not miss it"
"$prog" import --store named.db --label before opensm.conf >out 2>err && [ ! -s err ]
is "a new label is given without a word"
echo x >before
"$prog" show --store named.db before >out 2>err
is "a label is meant where a file of its name is no store"
rm before
"$prog" import --store named.db --label before opensm.conf >out 2>err && grep -q '"before" means snapshot 2 .*snapshot 1' err
is "one that another snapshot has is told"
"$prog" import --store named.db --label after opensm.conf >out 2>err && [ ! -s err ]
is "and another one is not"
cat >capture <<-EOF
	vendid=0x2c9
	devid=0x1021
	caguid=0xa088c20300401001
	Ca	1 "H-a088c20300401001"		# "row-a mlx5_0"
EOF
mkdir etc captures
printf 'qos TRUE\n' >etc/opensm.conf
"$prog" import --store one.db capture >out 2>err && grep -q '1 device, 0 links' out
is "an import tells how many devices and links it kept, one device as one"
cp capture etc/opensm.conf captures
tar cf captures.tar captures
for way in 'check opensm.log' 'import --store c.db opensm.log' check 'collect --store c.db'; do
	# shellcheck disable=SC2086
	fails '^ibaudit [a-z]*: capture: --config does not take .* ibnetdiscover.*`ibaudit import`' $way --config capture &&
		fails 'captures/capture: --config' $way --config captures &&
		fails 'captures.tar: --config' $way --config captures.tar &&
		fails 'letter: not a capture' $way --config letter && [ ! -e c.db ]
	is "$way: --config takes no capture, and tells who does"
done
fails 'standard input: --config' check opensm.log --config - <capture
is "nor from a pipe"
"$prog" check opensm.log --config etc --config opensm.conf --format json >out 2>err
[ $? -lt 2 ] && [ ! -s err ]
is "files of the SM's host, alone and in a directory, are taken"
# A capture of which no line was understood is no fabric of nothing; half of it is one, with a warning.
{
	echo 'Switch: 0x00000000000000aa wader:'
	for port in 1 2 3 4 5 6 7 8 9 10 11; do
		echo "           4 ${port}[  ] ==( Down/ Polling)==>             [  ] \"\" ( )"
	done
} >plain
sed 's/^/Nov 29 10:00:00 /' plain >stamped
fails 'none of its 12 lines was understood: a time stamp stands in front' check stamped
is "a capture of which no line was understood is refused, with the cause"
printf "CA 'mlx5_0'\n\tCA type: MT4119\n\tNumber of ports: 1\n\tNode GUID: 0x00000000000000b1\n" >hca
mkdir pdsh
{ sed 's/^/n1: /' hca; sed 's/^/n2: /' hca; } >pdsh/all
fails "not a capture .*a host's name and a colon stand in front of the lines.*dshbak -d DIR -f" check pdsh/all
is "lines with a host's name in front are refused, with the cause and the way out"
cp plain pdsh/
"$prog" import --store pdsh.db pdsh >out 2>err &&
	"$prog" query --store pdsh.db 'select detail from source' | grep -q 'dshbak -d DIR -f'
is "so they are told in a directory"
cat plain stamped >half
"$prog" check --store half.db --color never half >out 2>err
[ $? -eq 1 ] && grep -q '12 of 23 lines of half were not understood' out
is "a capture of which half was understood is a warning"
"$prog" check --store plain.db --color never plain >out 2>err
! grep -q 'lines.* not understood' out
is "the same unchanged is understood"
mkdir cache
printf '0x00000000000000b1 0x0001 0x0001\n\n' >cache/guid2lid
printf '0x00000000000000b1:1 0x00000000000000aa:2\n\n' >cache/neighbors
tar cf cache.tar cache
for way in cache cache.tar; do
	"$prog" import --store "$way.db" capture --config $way >out 2>err && [ ! -s err ] &&
		grep -q '1 device, 0 links' out &&
		"$prog" query --store "$way.db" "SELECT format, rows, detail FROM source WHERE rows = 0" >out &&
		grep -q '^neighbors.*not used' out && [ "$(wc -l <out)" = 2 ]
	is "--config $way: OpenSM's directory is taken, and what it saw of the fabric is not"
done
fails 'cache/neighbors: --config does not take' check capture --config cache/neighbors
is "nor is it when it is named alone"
fails 'umad' check -C mlx9_9 || fails 'InfiniBand' check -C mlx9_9 || fails 'mlx9_9' check -C mlx9_9
is "an HCA that is not there is told"
echo "1..$number"
