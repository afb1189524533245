# Functions for tests on a simulated fabric: ibsim, a real OpenSM, ibaudit and
# the field's own tools. Sourced by tests/live/test_*.sh, the demo and the
# bench; POSIX sh. A test reads
#
#	. "${0%/*}/lib.sh"
#	begin
#	gen_net tree2 leafs=4 >net
#	sim_start net
#	sm_settle opensm.conf			# or: no argument, OpenSM's defaults
#	check --config opensm.conf
#	is 'a healthy fabric ends with 0' "$status" 0
#	finish
#
# Everything happens in a directory of its own that goes away at the end, with
# every process that was started. Nothing waits by the clock alone: each wait
# has a condition and an end.
#
# Set before `begin`, or in the environment:
#	BUILD		the build directory (build)
#	KEEP=1		leave the directory behind and say where it is
#
# shellcheck shell=sh

case $0 in
*/*) lib_top=$(cd "${0%/*}/../.." && pwd) ;;
*) lib_top=$(cd ../.. && pwd) ;;
esac
: "${BUILD:=build}"
case $BUILD in
/*) ;;
*) BUILD=$lib_top/$BUILD ;;
esac
# OpenSM lives in sbin, which a user's path may lack.
PATH=$PATH:/usr/sbin:/sbin
LC_ALL=C
export BUILD PATH LC_ALL
ibaudit=$BUILD/ibaudit
interpose=$BUILD/tests/libinterpose.so
# The SM stays and serves, but reacts to nothing: faults that it would mend last.
# shellcheck disable=SC2034
still_sm='sweep_interval 0
sweep_on_trap FALSE'
test_count=0
test_failed=0
sim_pid=
sm_pid=
second_pid=
status=0
export status
lib_started=0
: "${needs:=ibsim opensm ibnetdiscover smpquery jq}"
: "${sim_host:=}"

# --- Beginning and end ---

# Makes the work directory and goes there. Needs the packages ibsim-utils,
# opensm, infiniband-diags and jq ($needs): without them the test is skipped, and says so.
begin() {
	for tool in $needs; do
		if ! command -v "$tool" >/dev/null 2>&1; then
			echo "ok 1 - nothing could be shown # skip $tool is not installed"
			exit 0
		fi
	done
	umad2sim=$(find_umad2sim)
	if [ -z "$umad2sim" ]; then
		echo 'ok 1 - nothing could be shown # skip libumad2sim.so is not installed'
		exit 0
	fi
	work=$(mktemp -d "${TMPDIR:-/tmp}/ibaudit-live.XXXXXX") || exit 2
	trap 'clean_up' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	trap 'exit 141' PIPE
	cd "$work" || exit 2
	# A build under ASan wants its runtime before every other library.
	sanitizer=
	if [ -x "$ibaudit" ]; then
		sanitizer=$(ldd "$ibaudit" | awk '/lib[a-z]*san/ && !/ubsan/ { print $3; exit }')
	fi
}

find_umad2sim() {
	for library in "${UMAD2SIM:-}" /usr/lib/*/umad2sim/libumad2sim.so \
		/usr/lib64/umad2sim/libumad2sim.so /usr/lib/umad2sim/libumad2sim.so; do
		if [ -n "$library" ] && [ -r "$library" ]; then
			echo "$library"
			return
		fi
	done
	sed -n 's/^sim_so=//p' "$(command -v ibsim-run || echo /dev/null)"
}

clean_up() {
	trap '' INT TERM HUP PIPE
	stop_process "$second_pid"
	stop_process "$sm_pid"
	stop_process "$sim_pid"
	second_pid=
	sm_pid=
	sim_pid=
	cd / || :
	if [ -n "${KEEP:-}" ]; then
		echo "# left behind: $work"
	else
		rm -rf "$work"
	fi
}

# SIGTERM, then SIGKILL after two seconds; returns when it is gone.
stop_process() {
	[ -n "$1" ] || return 0
	kill "$1" 2>/dev/null || return 0
	wait_for 2 process_gone "$1" || kill -9 "$1" 2>/dev/null
	wait "$1" 2>/dev/null
	return 0
}

process_gone() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

# The plan and the exit status.
finish() {
	echo "1..$test_count"
	[ "$test_failed" -eq 0 ]
	exit
}

# A test that cannot go on.
give_up() {
	test_count=$((test_count + 1))
	echo "not ok $test_count - $*"
	show_logs
	exit 1
}

show_logs() {
	for log in sim.out sm.out opensm.log err; do
		[ -s "$work/$log" ] || continue
		echo "# $log:" >&2
		tail -n 15 "$work/$log" | sed 's/^/#   /' >&2
	done
}

# wait_for SECONDS COMMAND...: until the command succeeds. Fails when it never does.
wait_for() {
	wait_turns=$(($1 * 20))
	shift
	until "$@"; do
		wait_turns=$((wait_turns - 1))
		[ "$wait_turns" -gt 0 ] || return 1
		sleep 0.05
	done
}

# --- TAP ---

# ok SENTENCE COMMAND...: true when the command succeeds.
ok() {
	ok_sentence=$1
	shift
	test_count=$((test_count + 1))
	if "$@" >"$work/ok.out" 2>&1; then
		echo "ok $test_count - $ok_sentence"
		return 0
	fi
	test_failed=$((test_failed + 1))
	echo "not ok $test_count - $ok_sentence"
	echo "#   failed: $*"
	head -n 5 "$work/ok.out" | sed 's/^/#   /'
	return 1
}

# is SENTENCE GOT EXPECTED: true when both are the same text.
is() {
	test_count=$((test_count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $test_count - $1"
		return 0
	fi
	test_failed=$((test_failed + 1))
	echo "not ok $test_count - $1"
	printf '%s\n' "got $2" "expected $3" | sed 's/^/#   /'
	return 1
}

# is_not SENTENCE GOT UNWANTED
is_not() {
	if [ "$2" != "$3" ]; then
		is "$1" yes yes
	else
		is "$1" "$2" "anything else"
	fi
}

# --- The fabric ---

gen_net() {
	"$BUILD/tests/gen_net" "$@" || give_up "no net file: gen_net $*"
}

# sim_start NETFILE [IBSIM-OPTION...]: returns when clients can attach. Clients
# attach to the first node of the file unless sim_host names another node id.
sim_start() {
	sim_net=$1
	shift
	lib_started=$((lib_started + 1))
	IBSIM_SOCKNAME=ibaudit.$$.$lib_started
	export IBSIM_SOCKNAME
	rm -f sim.fifo
	mkfifo sim.fifo
	# Open for both, so that neither side ever waits for the other or sees an end.
	exec 8<>sim.fifo
	LD_PRELOAD=$BUILD/tests/libroom.so ibsim -s "$@" "$sim_net" <sim.fifo >sim.out 2>&1 8>&- &
	sim_pid=$!
	if ! wait_for "${SIM_WAIT:-30}" sim_ready; then
		give_up "ibsim does not start on $sim_net"
	fi
}

sim_ready() {
	! process_gone "$sim_pid" && grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix
}

sim_stop() {
	stop_process "$sim_pid"
	sim_pid=
	exec 8>&-
}

sim_prompts() {
	grep -o 'sim> ' sim.out | wc -l
}

sim_answered() {
	[ "$(sim_prompts)" -gt "$1" ]
}

# console COMMAND...: types a line at ibsim's console and waits until it is done:
#	console Unlink '"S-b8599f0300600000"[3]'
console() {
	console_before=$(sim_prompts)
	printf '%s\n' "$*" >&8
	wait_for 10 sim_answered "$console_before" || give_up "ibsim does not answer: $*"
}

# node_id NAME: the net file's id of a node, by the start of its description.
node_id() {
	awk -v name="$1" 'index($0, "# \"" name) && /^(Switch|Ca|Rt)/ {
		split($0, part, "\""); print part[2]; exit }' "${2:-$sim_net}"
}

# node_guid NAME: the same as a GUID, 0x + 16 digits.
node_guid() {
	node_id "$@" | sed 's/^[SHR]-/0x/'
}

# peer_port NAME PEER: the first port of NAME that leads to PEER.
peer_port() {
	awk -v name="$1" -v peer="$2" '
		/^(Switch|Ca|Rt)/ { here = index($0, "# \"" name) }
		/^\[/ && here && index($0, "\"" peer) {
			sub(/^\[/, ""); sub(/\].*/, ""); print; exit }' "${3:-$sim_net}"
}

# port_end NAME PORT: as the console wants it, "H-..."[1].
port_end() {
	printf '"%s"[%s]\n' "$(node_id "$1")" "$2"
}

# far_end NAME PORT: the port that the net file cables it to, in the same form.
far_end() {
	awk -v name="$1" -v port="[$2]" '
		/^(Switch|Ca|Rt)/ { here = index($0, "# \"" name) }
		here && index($0, port) == 1 && match($0, /"[SHR]-[0-9a-f]+"\[[0-9]+\]/) {
			print substr($0, RSTART, RLENGTH); exit }' "$sim_net"
}

# --- Programs on the fabric ---

# on_fabric COMMAND...: with the simulated HCA, under $interpose_with when set
# (see interpose.c), and under ASan's runtime where the program needs it.
on_fabric() {
	preload=$umad2sim
	if [ -n "${interpose_with:-}" ]; then
		preload=$interpose:$preload
	fi
	if [ "$1" = "$ibaudit" ] && [ -n "$sanitizer" ]; then
		preload=$sanitizer:$preload
		set -- env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}suppressions=$lib_top/tests/live/asan.supp" \
			LSAN_OPTIONS="suppressions=$lib_top/tests/live/lsan.supp:print_suppressions=0" "$@"
	fi
	set -- env LD_PRELOAD="$preload" INTERPOSE="${interpose_with:-}" "$@"
	if [ -n "$sim_host" ]; then
		set -- env SIM_HOST="$sim_host" "$@"
	fi
	timeout "${RUN_TIMEOUT:-60}" "$@" 8>&-
}

# --- OpenSM ---

# What every opensm gets: its own directories, nothing of the machine's. The
# first argument is a configuration file, or nothing for OpenSM's defaults.
sm_prepare() {
	OSM_CACHE_DIR=$work/cache
	OSM_TMP_DIR=$work/tmp
	export OSM_CACHE_DIR OSM_TMP_DIR
	mkdir -p cache tmp
	{
		echo 'force_log_flush TRUE'
		[ -z "${1:-}" ] || cat "$1"
	} >sm.conf
	sm_partitions=
	[ ! -r partitions.conf ] || sm_partitions=$work/partitions.conf
	sm_qos_policy=
	[ ! -r qos-policy.conf ] || sm_qos_policy=$work/qos-policy.conf
}

# sm_run CONFIG OPTION...: opensm in the foreground.
sm_run() {
	sm_prepare "$1"
	shift
	on_fabric opensm -F "$work/sm.conf" -f "$work/opensm.log" -P "${sm_partitions:-$work/none}" \
		-Y "${sm_qos_policy:-$work/none}" "$@" >sm.out 2>&1
}

# sm_once [CONFIG [OPTION...]]: one sweep. Fails when it does not end in time
# (no engine works, two CAs share a GUID): SM_TIMEOUT seconds, 30 by default.
sm_once() {
	sm_config=${1:-}
	[ $# -eq 0 ] || shift
	RUN_TIMEOUT=${SM_TIMEOUT:-30} sm_run "$sm_config" -o "$@"
}

# sm_settle [CONFIG [OPTION...]]: two sweeps, after which every table stands as
# it stays; then the SM is gone.
sm_settle() {
	sm_once "$@" || give_up "opensm -o fails"
	sm_once "$@" || give_up "opensm -o fails the second time"
}

# sm_start [CONFIG [OPTION...]]: OpenSM as a master that stays, settled by a
# second heavy sweep. SM_WAIT seconds for each sweep, 30 by default.
sm_start() {
	sm_launch "$@"
	wait_for "${SM_WAIT:-30}" sm_swept 1 || give_up "opensm does not bring the subnet up"
	sm_sweep
}

# As sm_start, but returns at once, whatever becomes of it.
sm_launch() {
	sm_prepare "${1:-}"
	[ $# -eq 0 ] || shift
	rm -f opensm.log
	# A path of its own, since `exec` cannot run a function.
	set -- opensm -F "$work/sm.conf" -f "$work/opensm.log" -P "${sm_partitions:-$work/none}" \
		-Y "${sm_qos_policy:-$work/none}" "$@"
	(
		[ -z "$sim_host" ] || export SIM_HOST="$sim_host"
		LD_PRELOAD=$umad2sim
		export LD_PRELOAD
		exec "$@" 8>&-
	) >sm.out 2>&1 </dev/null &
	sm_pid=$!
}

sm_swept() {
	[ -r opensm.log ] && [ "$(grep -c 'SUBNET UP' opensm.log)" -ge "$1" ]
}

# One more heavy sweep of the running SM.
sm_sweep() {
	sm_sweeps=$(grep -c 'SUBNET UP' opensm.log)
	kill -HUP "$sm_pid"
	wait_for "${SM_WAIT:-30}" sm_swept $((sm_sweeps + 1)) || give_up "opensm does not sweep again"
}

sm_stop() {
	stop_process "$sm_pid"
	sm_pid=
}

# second_start NODE-ID STATE [CONFIG]: beside the one that runs, a second OpenSM on
# another host, in directories of its own; returns when it enters STANDBY, or when it
# is MASTER (of another subnet) and has brought that up.
second_start() {
	rm -rf second
	mkdir second
	{
		echo 'force_log_flush TRUE'
		[ -z "${3:-}" ] || cat "$3"
	} >second/sm.conf
	(
		export SIM_HOST="$1" OSM_CACHE_DIR="$work/second" OSM_TMP_DIR="$work/second" LD_PRELOAD="$umad2sim"
		exec opensm -F "$work/second/sm.conf" -f "$work/second/opensm.log" -P "$work/none" \
			-Y "$work/none" 8>&-
	) >second/out 2>&1 </dev/null &
	second_pid=$!
	second_sign="Entering $2"
	[ "$2" = STANDBY ] || second_sign='SUBNET UP'
	wait_for "${SM_WAIT:-30}" grep -qs "$second_sign" second/opensm.log ||
		give_up "the second opensm does not become $2"
}

second_stop() {
	stop_process "$second_pid"
	second_pid=
}

# --- ibaudit ---

# run_ibaudit ARGUMENT...: on the fabric; leaves $status, `out` and `err`.
run_ibaudit() {
	status=0
	on_fabric "$ibaudit" "$@" >out 2>err || status=$?
}

# collect WORDS [OPTION...]: a live snapshot into a new store.db, under these
# words of the interposer; leaves $status.
collect() {
	interpose_with=$1
	shift
	rm -f store.db*
	run_ibaudit collect --store store.db "$@"
	interpose_with=
}

# query SQL [STORE]: the last value of the answer, the only one of most questions.
query() {
	"$ibaudit" query --store "${2:-store.db}" "$1" 2>&1 | tail -n 1
}

# check [OPTION...]: collects and audits; leaves $status and the report as JSON
# for `json`, `findings` and `verdict`.
check() {
	rm -f report.json
	run_ibaudit check --format json -o report.json "$@"
}

# json QUERY: of the last report, raw text.
json() {
	jq -r "$1" report.json
}

# found RULE [CONDITION]: how many findings of the rule the last report has, those
# alone for which a jq condition holds: found lost-lid '.severity == "critical"'.
# RULE "any" stands for all rules.
found() {
	jq -r --arg rule "$1" "[.findings[] | select(.rule == \$rule or \$rule == \"any\") |
		select(${2:-true})] | length" report.json
}

# The findings at or above warning, each in a line: what a healthy fabric has none of.
alarms() {
	jq -r '.findings[] | select(.severity != "info") | "\(.severity) \(.rule): \(.message)"' report.json
}

# verdict RULE: pass, findings, not-applicable or not-checked.
verdict() {
	jq -r --arg rule "$1" '.rules[] | select(.id == $rule) | .verdict' report.json
}
