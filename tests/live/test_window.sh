# Congestion control: on a path that loses whatever exceeds 24 in flight the
# window settles near 24, loses no device, and beats fixed windows. Each answer
# takes 2 ms, so that what is in flight decides and not the machine's speed.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=12 spines=6 hosts=6 >net
sim_start net
sm_start
path='latency=2000 capacity=24 stats=stats'

stat_of() {
	sed -n "s/^$1=//p" stats
}
# paced OPTION...: leaves $status, $nodes, and of the path $sent, $lost, $peak and
# $rate, answers a second.
paced() {
	rm -f stats
	begun=$(date +%s%N)
	collect "$path" -t 100 "$@"
	count "$*" $((($(date +%s%N) - begun) / 1000000))
	nodes=$(query 'SELECT count(*) FROM node')
}
# fixed WINDOW: a client that keeps just so many in flight, and asks what is lost again.
fixed() {
	rm -f stats
	begun=$(date +%s%N)
	interpose_with=$path
	on_fabric "$BUILD/tests/raw" -w "$1" -n 2000 -p 1 -t 100 >out 2>err
	interpose_with=
	count "fixed window $1" $((($(date +%s%N) - begun) / 1000000))
}
count() {
	sent=$(stat_of sent) lost=$(stat_of overrun) peak=$(stat_of peak)
	rate=$(((sent - lost) * 1000 / $2))
	echo "# $1: $2 ms, sent $sent, lost $lost, at most $peak under way, $rate answers/s"
}

paced
is 'no device is lost' "$status $nodes" '0 90'
ok 'the window comes up to the capacity' test "$peak" -ge 20
ok 'and loses little: under 5 in 100' test $((lost * 20)) -le "$sent"
own=$rate
paced --window 200 --per-device 200
is 'with room for 200 it still loses no device' "$status $nodes" '0 90'
ok 'and settles as well' test $((lost * 20)) -le "$sent"
paced --window 4
ok 'a bound of 4 is kept' test "$peak" -le 4
ok 'and costs most of the speed' test $((rate * 2)) -lt "$own"
fixed 4
ok 'a fixed small window is slower' test $((rate * 2)) -lt "$own"
fixed 200
ok 'a fixed large one loses more than one in ten' test $((lost * 10)) -gt "$sent"
ok 'and is slower too' test "$rate" -lt "$own"
finish
