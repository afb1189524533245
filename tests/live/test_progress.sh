# Progress is for who watches a terminal; a pipe, a log and --trace get none.
needs='ibsim opensm jq script'
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
# A bare chroot has no pseudo-terminals.
if ! script -qec true screen </dev/null >/dev/null 2>&1; then
	echo 'ok 1 - nothing could be shown # skip no terminal can be made here'
	exit 0
fi
gen_net tree-270 >net
sim_start net
sm_start

# watched WORDS [OPTION...]: the run on a terminal of its own; leaves what it showed in `screen`.
watched() {
	interpose_with=$1
	shift
	rm -f store.db*
	cat >on_terminal <<-END
		. '$lib_top/tests/live/lib.sh'
		lib_top='$lib_top'
		umad2sim='$umad2sim'
		sanitizer='$sanitizer'
		interpose_with='$interpose_with'
		on_fabric '$ibaudit' collect --store store.db $*
	END
	script -qec 'sh on_terminal' screen </dev/null >/dev/null 2>&1
	interpose_with=
	tr '\r' '\n' <screen >lines
}
watched 'latency=20000' --only topology
ok 'a terminal is shown the phase, done and known, rate and holes' \
	grep -qE '^reading +[0-9]+/[0-9]+ devices read, [0-9]+ MADs/s, 0 holes' lines
ok 'more than once' test "$(grep -c '^reading' lines)" -ge 2
ok 'on one line, rewritten' test "$(grep -a -c '^.*reading.*reading' screen)" -ge 1
is 'the last says that all is done' \
	"$(grep -o '^done *[0-9/]* devices read' lines | tr -s ' ')" 'done 270/270 devices read'
watched "latency=10000 mute=0@$(node_guid n0031)" -t 300 --only topology
ok 'what is asked once more is a phase of its own' grep -q '^once more ' lines
ok 'and the hole is counted' grep -qE '^done .* 1 hole ' lines
watched '' --trace --only topology
is 'a trace is not mixed with it' "$(grep -c 'devices read' lines)" 0

collect latency=5000 --only topology
is 'a pipe gets none' "$(grep -c 'devices read' out err | tr '\n' ' ')" 'out:0 err:0 '
check --only topology
is 'nor does an audit' "$(grep -cE 'devices read|reading' err)" 0

# stopped SIGNAL: by it, in the middle of a run on a terminal that already has a store.
stopped() {
	collect '' --only topology
	cp store.db before.db
	cat >on_terminal <<-END
		export ASAN_OPTIONS='suppressions=$lib_top/tests/live/asan.supp'
		export LSAN_OPTIONS='suppressions=$lib_top/tests/live/lsan.supp:print_suppressions=0'
		LD_PRELOAD='${sanitizer:+$sanitizer:}$interpose:$umad2sim' INTERPOSE=latency=30000 \\
			'$ibaudit' collect --store store.db &
		sleep 1
		kill -$1 \$!
		wait \$!
		echo "exit \$?"
	END
	# Whoever runs the tests in the background has these ignored, and so would we.
	script -qec 'env --default-signal=INT,HUP,TERM bash -m on_terminal' screen </dev/null >/dev/null 2>&1
	tr '\r' '\n' <screen >lines
}
for signal in INT TERM HUP; do
	stopped $signal
	ok "SIG$signal is told on a line of its own, and how far it came" \
		grep -qE "^ibaudit collect: SIG$signal: stopped with [0-9]+ of [0-9]+ devices" lines
	ok 'exit 2, and the store is as it was' \
		sh -c 'grep -q "^exit 2" lines && cmp -s store.db before.db && [ ! -e store.db-journal ]'
done
finish
