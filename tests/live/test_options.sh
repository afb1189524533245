# The options of a live run: where it goes out, how long it waits, what it reads,
# what it calls the devices.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 >net
sim_start net
sm_start
leaf=$(node_guid leaf-02)

# --only and --skip, seen from outside: the attributes that leave the program.
# What finds the devices leaves always; 04 is the performance class.
asked() {
	rm -f log
	collect 'log=log' "$@"
	sed -n 's/^method 01 class \([0-9a-f]*\) attr \([0-9a-f]*\).*/\1.\2/p' log | sort -u |
		grep -v -e '^81\.001[0125]$' | tr '\n' ' '
}
is 'topology alone' "$(asked --only topology)" ''
is 'lft' "$(asked --only lft)" '81.0019 '
is 'mft' "$(asked --only mft)" '81.001b '
is 'sl2vl' "$(asked --only sl2vl)" '81.0017 '
is 'vlarb' "$(asked --only vlarb)" '81.0018 '
is 'pkeys' "$(asked --only pkeys)" '81.0016 '
is 'guids' "$(asked --only guids)" '81.0014 '
is 'sm' "$(asked --only sm)" '81.0020 '
is 'counters' "$(asked --only counters)" '04.0001 04.0012 04.001d '
is 'portinfo and host ask nothing more of this fabric' "$(asked --only portinfo,host)" ''
collect 'log=log2' --only host
is 'host alone sends nothing' "$status $(cat log2 2>/dev/null | grep -c '^method')" '0 0'
on_fabric ibnetdiscover >capture 2>/dev/null
sed 's/lid \([0-9]\)/lid 4\1/g' capture >stale
collect 'log=log3' --config stale
ok 'a capture as configuration is refused before anything is sent' \
	sh -c "test $status -eq 2 && grep -q 'stale: --config does not take' err && ! grep -q '^method' log3"
is 'several' "$(asked --only lft,sm)" '81.0019 81.0020 '
all='04.0001 04.0012 04.001d 81.0014 81.0016 81.0017 81.0018 81.0019 81.001b 81.0020 '
is 'everything by default, but for what is on request' "$(asked)" "$all"
for row in lft:81.0019 mft:81.001b sl2vl:81.0017 vlarb:81.0018 pkeys:81.0016 guids:81.0014 sm:81.0020; do
	is "all but ${row%:*}" "$(asked --skip "${row%:*}")" \
		"$(echo "$all" | sed "s/${row#*:} //")"
done
is 'all but counters' "$(asked --skip counters)" "${all#04.0001 04.0012 04.001d }"
is 'what was left out is no hole' "$(query 'SELECT partial FROM snapshot') $(query 'SELECT count(*) FROM hole')" '0 0'
collect '' --skip counters,lft
check --skip lft
is 'and what rests on it is not checked' "$(verdict lost-lid)" not-checked
collect '' --only links
ok 'a group that does not exist is named' \
	sh -c "test $status -eq 2 && grep -q '\"links\"' err"

# --node-name-map
printf '%s "Rack 7 upper"\n' "$leaf" >map
collect '' --node-name-map map
is 'the map gives the device its name' "$(query "SELECT alias FROM node WHERE node_guid = '$leaf'")" 'Rack 7 upper'
ok 'beside its description' sh -c "\"\$1\" query --store store.db \"SELECT description FROM node WHERE node_guid = '$leaf'\" | grep -q leaf-02" sh "$ibaudit"
check --node-name-map map
is 'a map without a fault is no finding' "$(found collection-incomplete)" 0
echo 'S-12 Rack 8' >>map
check --node-name-map map
is 'a line of it that is no entry is told' "$(found collection-incomplete '.message | test("line.* of map .*not understood")')" 1
interpose_with="mute=0@$(node_guid n0004)"
check --node-name-map map -t 50
is 'and a hole is placed by it' "$(found collection-incomplete '.message | test("Rack 7 upper port [0-9]")')" 1
interpose_with="status=0x15:0x0c@$(node_guid n0004)"
check --node-name-map map -t 50
ok 'in its detail too' sh -c "jq -e '[.findings[] | select(.rule == \"collection-incomplete\") | .evidence.detail // \"\" | test(\"behind Rack 7 upper port\")] | any' report.json"
interpose_with=
collect '' --node-name-map nowhere
ok 'a map that is not there ends the run' sh -c "test $status -eq 2 && grep -q nowhere err"

# -C and -P
hca=$(on_fabric ibstat -l 2>/dev/null | head -n 1)
collect '' -C "$hca" -P 1
is 'a port that is named is gone out by' \
	"$status $(query 'SELECT name FROM source')" "0 $hca port 1"
collect '' -C nobody
ok 'a device that is not there is told with those that are' \
	sh -c "test $status -eq 2 && grep -q nobody err && grep -q '$hca' err"
collect '' -P 2
ok 'so is a port that is not' sh -c "test $status -eq 2 && grep -q 'no device here has a port 2' err"

# -t: silence of one host is over after the attempts, each this long.
waited() {
	begun=$(date +%s%N)
	collect "mute=0@$(node_guid n0004)" --only topology "$@"
	echo $((($(date +%s%N) - begun) / 1000000))
}
short=$(waited -t 20)
long=$(waited -t 200)
ok "a longer -t waits longer ($short ms, $long ms)" test $((long - short)) -gt 300
few=$(waited -t 200 --retries 1)
ok "fewer attempts wait less ($few ms)" test "$few" -lt "$long"
collect '' -t soon
ok 'a wait that is no number is refused' sh -c "test $status -eq 2 && grep -q soon err"

# -v: where the time went. A row for each step that sent something, "name MADs from to".
rows() {
	sed -n '/^read  *MADs  *from s  *to s$/,/^written/p' err | sed '1d;$d'
}
step() {
	rows | sed -n "s/^$1  *\([0-9]*\) .*/\1/p"
}
collect 'stats=stats' -v
is 'each step has its row, in the order of reading' "$(rows | sed 's/  .*//' | tr '\n' ,)" "discovery,identity read again,PortInfo,\
LinearForwardingTable,MulticastForwardingTable,SLtoVLMappingTable,VLArbitrationTable,P_KeyTable,GUIDInfo,SMInfo,counters,"
is 'all MADs are in one of them' "$(rows | awk '{ sum += $(NF - 2) } END { print sum }')" "$(sed -n 's/^sent=//p' stats)"
is 'no step ends before it begins, or after the run' "$(rows | awk -v end="$(sed -n \
	's/.*dropped, \([0-9.]*\) s, up to.*/\1/p' err)" '$(NF - 1) > $NF || $NF > end + 0.01')" ''
is 'SMInfo is asked of the one SM' "$(step SMInfo)" 1
ok 'what the store took is told' grep -qE '^written to the store: [0-9]+\.[0-9]+ s$' err
collect "mute=0@$(node_guid n0004)" -v -t 50
ok 'what is asked once more has a row of its own' test "$(step 'asked once more')" -ge 1
collect '' --only lft -v
is 'what is not asked has none' "$(rows | sed 's/  .*//' | tr '\n' ,)" 'discovery,identity read again,PortInfo,LinearForwardingTable,'
check -v
ok 'check tells the time of the rules' grep -qE '^rules: [0-9]+\.[0-9]+ s$' err
is 'and of no store where it keeps none' "$(grep -c '^written' err)" 0
collect ''
is 'without -v nothing is told of it' "$(grep -cE '^(read |written|discovery|[0-9]+ MADs)' err)" 0

# Last, since ibsim hands attributes that it does not know to the OpenSM on the
# same node, which does not survive that.
ok 'counters of each VL and SL are read on request' \
	test "$(asked --only vl-counters | tr ' ' '\n' | grep -c '^04\.003[67]$')" -eq 2

# A simulator that is gone keeps the port from being opened: a signal ends the run there too.
sm_stop
kill -9 "$sim_pid"
LD_PRELOAD="${sanitizer:+$sanitizer:}$umad2sim" "$ibaudit" collect --store store.db >out 2>err &
pid=$!
sleep 0.5
kill -TERM $pid
wait_for 5 process_gone $pid || kill -9 $pid
wait $pid
is 'while the port is being opened a signal ends the run' $? 143
finish
