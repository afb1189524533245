# Devices that give themselves out for others, and paths that lose answers: who is
# who is told by what contradicts itself, never by silence, and every run ends.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
echo "$still_sm" >conf
sm_start conf
here=duplicate-guid
me=$(node_guid n0001)
RUN_TIMEOUT=30

# counts WORDS [OPTION...]: devices, duplicates, and whether the snapshot is partial.
counts() {
	interpose_with=$1
	shift
	check -t 50 "$@"
	interpose_with=
	[ -s report.json ] || {
		echo "no report, status $status"
		return
	}
	echo "$(json .snapshot.devices) $(found $here) $(json .snapshot.partial)"
}

is 'a healthy fabric is whole' "$(counts seed=1)" '22 0 false'
is 'the asking port that goes silent ends the run' "$(counts "mute=8@$me")" '22 0 true'
is 'so does one that only its own host can ask' "$(counts "farmute=0x11@$me")" '22 0 true'
ok 'and the verdict says what was not told apart' sh -c "jq -e '.rules[] |
	select(.id == \"$here\") | .reason | test(\"could not be told\")' report.json"
is 'or that has another GUID for the fabric' \
	"$(counts "far=0x11:96:64:0x1122334455667788@$me")" '22 0 true'
is 'or another one each time' "$(counts "vary=0x11:96:64:1000@$me" | cut -d ' ' -f 2-)" '0 true'
is 'a leaf that changes its GUID is one device' \
	"$(counts "vary=0x11:96:64:1000@$(node_guid leaf-02)")" '22 0 true'
is 'and so is each of six switches' "$(counts 'vary=0x11:96:64:1000@switch')" '22 0 true'
sm_stop
sim_stop

# By answers lost there is never a twin more; by none a device less without a word.
gen_net tree2 leafs=12 spines=6 hosts=4 >net
sim_start net
sm_settle
wrong=
for loss in 50:0 200:1 300:2; do
	for seed in 1 2 3; do
		got=$(counts "loss=${loss%:*} seed=$seed" --only topology --retries "${loss#*:}")
		case $got in
		'66 0 '*) ;;
		*' 0 true') [ "${got%% *}" -lt 66 ] || wrong="$wrong $loss/$seed:$got" ;;
		*) wrong="$wrong $loss/$seed:$got" ;;
		esac
	done
done
is 'lost answers are no twins' "$wrong" ''
finish
