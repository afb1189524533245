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
# paced OPTION...: leaves $status, $nodes, $lost and $ms.
paced() {
	rm -f stats
	begun=$(date +%s%N)
	collect 'latency=2000 capacity=24 stats=stats' -t 100 --only topology,portinfo,sl2vl "$@"
	ms=$((($(date +%s%N) - begun) / 1000000))
	nodes=$(query 'SELECT count(*) FROM node')
	lost=$(stat_of overrun)
	echo "# $* : $ms ms, sent $(stat_of sent), lost $lost, peak $(stat_of peak)"
}

paced
is 'no device is lost' "$status $nodes" '0 270'
ok 'the window comes up to the capacity' test "$(stat_of peak)" -ge 20
ok 'and loses little: under 5 in 100' test $((lost * 20)) -le "$(stat_of sent)"
own_ms=$ms
paced --window 2
ok 'a small window is slower' test $((own_ms * 2)) -lt "$ms"
paced --window 200 --per-device 200
ok 'a large one, held down by the same rule, loses no device' test "$nodes" -eq 270
finish
