#!/bin/sh
# Speed and memory of the live collector, as ratios within one run: against a raw
# client that does nothing but keep MADs in flight, and against ibnetdiscover and
# dump_fts. Figures alone say nothing: they come with the machine's.
#
#	BENCH_LARGE=1	44,544 nodes as well, routed by OpenSM: ten minutes more
# shellcheck source=tests/live/lib.sh
. "${0%/*}/../live/lib.sh"
begin
RUN_TIMEOUT=1500
SIM_WAIT=240
raw=$BUILD/tests/raw
window=128	# most MADs in flight, the default of both
measure=$BUILD/tests/measure

# ratio A B: A/B with one digit.
ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "?" }'
}
# at FILE COMMAND...: measures a command on the fabric; sets $seconds and $peak_kb.
at() {
	cost=$1
	shift
	on_measured "$cost" "$@"
	rc=$?
	seconds='' peak_kb=''
	# shellcheck disable=SC1090
	. "./$cost"
	return $rc
}
# The simulated HCA is for the command, not for `measure`.
on_measured() {
	cost=$1
	shift
	preload=$umad2sim
	[ -z "${interpose_with:-}" ] || preload=$interpose:$preload
	timeout "$RUN_TIMEOUT" "$measure" "$cost" env LD_PRELOAD="$preload" INTERPOSE="${interpose_with:-}" \
		"$@" >bench.out 2>bench.err 8>&-
}
# raw_rate [WINDOW [COUNT]]: the raw client's rate to a node one hop away.
raw_rate() {
	on_fabric "$raw" -w "${1:-$window}" -n "${2:-200000}" -p 1 2>/dev/null | awk '{ print $1 }'
}
# sent: MADs of the last collection, from its own account (-v).
sent() {
	sed -n 's/^\([0-9]*\) MADs sent.*/\1/p' bench.err bench.out | head -n 1
}
collect() {
	rm -f bench.db*
	at cost "$ibaudit" collect --store bench.db -v "$@" || echo "  collect failed: $(tail -n 1 bench.err)"
}
# The smallest tree of the growth, 1,016 nodes; as words for gen_net.
tree_1016='tree3 pods=4 leafs=14 hosts=16 aggs=8 cores=4'
# fabric SHAPE NODES: in ibsim, not routed.
fabric() {
	sm_stop
	[ -z "$sim_pid" ] || sim_stop
	gen_net "$@" >net
	nodes=$(grep -cE '^(Ca|Switch)' net)
	sim_start net -N 60000 -S 4000 -P 600000 -L 49152
}

echo "machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -r)"
echo "$(ibsim -h 2>&1 | grep '^ibsim'), $(opensm --version 2>/dev/null | grep '^OpenSM')"

echo
echo "-- 7,952 nodes, three levels, routed by OpenSM"
fabric tree-7952
begun=$(date +%s)
SM_TIMEOUT=600 sm_once || echo '  opensm -o failed'
echo "opensm: $(($(date +%s) - begun)) s"
# The limit is the faster one of before and after: a machine that is busy for a
# while may only make it harder.
before=$(raw_rate)
collect
full_seconds=$seconds mads=$(sent)
after=$(raw_rate)
limit=$((before > after ? before : after))
rate=$(awk -v n="${mads:-0}" -v s="$full_seconds" 'BEGIN { printf "%.0f", n / s }')
echo "raw client, $window in flight: $before MADs/s before, $after after; 64 in flight: $(raw_rate 64); 1: $(raw_rate 1 20000)"
echo "full snapshot, store written: $full_seconds s, $mads MADs, $rate MADs/s, peak $((peak_kb / 1024)) MiB, store $(($(wc -c <bench.db) / 1024)) KiB"
grep -v '^ibwarn' bench.err | head -n 20
echo "RATIO full snapshot to the raw rate: $(ratio "$rate" "$limit") (floor 0.70, aim 0.85)"

at cost ibnetdiscover
theirs=$seconds
collect --only topology,portinfo
echo "ibnetdiscover $theirs s; the same attributes here $seconds s"
echo "RATIO ibnetdiscover at $nodes nodes: $(ratio "$theirs" "$seconds") (floor 3)"
at cost dump_fts
theirs=$seconds
collect --only topology,lft
echo "dump_fts $theirs s; the same tables here $seconds s"
echo "RATIO dump_fts: $(ratio "$theirs" "$seconds") (floor 3)"

echo
echo "-- latency, 1,016 nodes: 200 us for each MAD, questions and answers alike, then for each pair"
# shellcheck disable=SC2086
fabric $tree_1016
sm_once
# The raw client's own ratio says what the machine and ibsim leave to be won.
for latency in 400 200; do
	interpose_with=latency=$latency
	collect --window 1 --per-device 1
	one=$seconds
	collect
	slow=$(raw_rate 1 10000) fast=$(raw_rate)
	echo "$latency us from question to answer: one in flight $one s, own window $seconds s; raw client $slow and $fast MADs/s"
	echo "RATIO against one in flight: $(ratio "$one" "$seconds") (floor 30); the raw client's: $(ratio "$fast" "$slow")"
done
interpose_with=

echo
# Without SL2VL, whose size is the square of a switch's ports and so grows with the
# switches that a larger tree is built of.
echo "-- growth, all but SL2VL, not routed"
: >growth
grown() {
	collect --skip sl2vl
	echo "$nodes nodes: $seconds s, $(sent) MADs, peak $((peak_kb / 1024)) MiB"
	echo "$nodes $(sent) $seconds" >>growth
}
grow() {
	fabric "$@"
	grown
}
# shellcheck disable=SC2086
grow $tree_1016
grow tree3 pods=8 leafs=14 hosts=16 aggs=8 cores=8
grow tree3 pods=16 leafs=14 hosts=16 aggs=8 cores=12
grow tree-7952

if [ "${BENCH_LARGE:-0}" != 0 ]; then
	echo
	echo "-- 44,544 nodes, routed by OpenSM"
	begun=$(date +%s)
	fabric tree-44544
	echo "ibsim reads the net file: $(($(date +%s) - begun)) s"
	grown
	before=$(raw_rate)
	at cost ibnetdiscover
	theirs=$seconds
	collect --only topology,portinfo
	after=$(raw_rate)
	limit=$((before > after ? before : after))
	echo "ibnetdiscover $theirs s; the same attributes here $seconds s, $(sent) MADs"
	echo "RATIO ibnetdiscover at $nodes nodes: $(ratio "$theirs" "$seconds") (floor 20);" \
		"at the raw client's $limit MADs/s it would be $(awk -v t="$theirs" -v n="$(sent)" -v r="$limit" 'BEGIN { printf "%.2f", t * r / n }')"
	grep -v '^ibwarn' bench.err | head -n 20
	collect
	echo "full snapshot, not routed: $seconds s, $(sent) MADs, peak $((peak_kb / 1024)) MiB"
	begun=$(date +%s)
	SM_TIMEOUT=1500 sm_once || echo '  opensm -o failed'
	echo "opensm: $(($(date +%s) - begun)) s"
	collect --skip sl2vl
	echo "full snapshot but SL2VL: $seconds s, $(sent) MADs, peak $((peak_kb / 1024)) MiB (bound 2048), store $(($(wc -c <bench.db) / 1048576)) MiB"
	grep -v '^ibwarn' bench.err | head -n 20
fi
# fit COLUMN UNIT NAME: of the seconds over a column of `growth`.
fit() {
	awk -v column="$1" -v unit="$2" -v name="$3" '{ x = $column; y = $3; n++; sx += x; sy += y; sxx += x * x; sxy += x * y; syy += y * y
	lx = log(x); ly = log(y); slx += lx; sly += ly; slxx += lx * lx; slxy += lx * ly }
	END { if (n < 2) exit
	b = (n * sxy - sx * sy) / (n * sxx - sx * sx); a = (sy - b * sx) / n
	r = n * syy - sy * sy > 0 ? (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy)) : 1
	e = (n * slxy - slx * sly) / (n * slxx - slx * slx)
	printf "FIT seconds = %.3f + %.3f per %s, r2 %.3f; exponent %.2f (1 is linear)\n", a, b * unit, name, r * r, e }' growth
}
fit 1 1000 '1,000 nodes'
fit 2 100000 '100,000 MADs'
exit 0
