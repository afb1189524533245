# Congestion control: under a path that loses whatever exceeds K in flight the
# window settles near K, loses no device and beats fixed windows. Each answer
# takes 2 ms, so that the counts, not the machine's speed, decide.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree-270 >net
sim_start net
sm_start

stat_of() {
	sed -n "s/^$1=//p" stats
}
# collect OPTION...: leaves $status, $nodes, $lost (overrun) and $ms.
collect() {
	rm -f store.db* stats
	begun=$(date +%s%N)
	interpose_with='latency=2000 capacity=24 stats=stats'
	run_ibaudit collect --store store.db -t 100 --only topology,portinfo,sl2vl "$@"
	interpose_with=
	ms=$((($(date +%s%N) - begun) / 1000000))
	nodes=$("$ibaudit" query --store store.db 'SELECT count(*) FROM node' 2>&1 | tail -n 1)
	lost=$(stat_of overrun)
	echo "# $* : $ms ms, sent $(stat_of sent), lost $lost, peak $(stat_of peak)"
}

collect
is 'no device is lost' "$status $nodes" '0 270'
ok 'the window comes up to the capacity' test "$(stat_of peak)" -ge 20
ok 'and loses little: under 5 in 100' test $((lost * 20)) -le "$(stat_of sent)"
own_ms=$ms
collect --window 2
ok 'a small window is slower' test $((own_ms * 2)) -lt "$ms"
collect --window 400 --per-device 400
ok 'a large one, held down by the same rule, loses no device' test "$nodes" -eq 270
finish
