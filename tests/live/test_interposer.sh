# The faults that ibsim cannot play are what they claim to be, in the eyes of the
# distribution's tools.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
sim_start net
sm_settle

# under WORDS COMMAND...: leaves `out`, `err` and `stats`.
under() {
	interpose_with="$1 stats=stats log=log"
	shift
	rm -f stats log
	on_fabric "$@" >out 2>err || :
	export interpose_with=
}
nodes() {
	grep -cE '^(Switch|Ca)' out
}
stat_of() {
	sed -n "s/^$1=//p" stats
}

under '' ibnetdiscover
is 'nothing asked for, nothing changed' "$(nodes) $(stat_of dropped) $(stat_of expired)" '22 0 0'
is 'each request sent is in the log' "$(wc -l <log)" "$(stat_of sent)"
ok 'the log names method, class and attribute' grep -q '^method 01 class 81 attr 0011 mod 00000000 lid [0-9]* path 0,1$' log

under latency=2000 ibnetdiscover --outstanding_smps 16
is 'answers that take their time all come' "$(nodes)" 22
under 'latency=2000 capacity=3' ibnetdiscover --outstanding_smps 16 -t 40
ok 'what exceeds the capacity is lost' test "$(stat_of overrun)" -gt 0
is 'and no more than the capacity is under way' "$(stat_of peak)" 3

under 'loss=50 seed=3' ibnetdiscover -t 40
lost=$(stat_of lost)
ok 'some requests are lost' test "$lost" -gt 0
is 'the kernel sends again what was lost' "$(nodes) $(stat_of resent)" "22 $lost"
under 'loss=50 seed=3' ibnetdiscover -t 40
is 'the same ones each time' "$(stat_of lost)" "$lost"

under "mute=0@$(node_guid n0003)" ibnetdiscover -t 40
is 'a mute host is missing alone' "$(nodes) $(grep -c '"n0003' out)" '21 0'
under "dead=0@$(node_guid leaf-02)" ibnetdiscover -t 40
is 'a dead leaf takes its hosts along' "$(nodes)" 17
under "mkey=0x1234@$(node_guid leaf-02)" smpquery -t 40 portinfo 0
under "mkey=0x1234@$(node_guid n0001)" smpquery -t 40 -D portinfo 0
is 'a fault waits for the NodeInfo that tells whose path it is' "$(grep -c LinkWidthActive out)" 1
under 'mkey=0x1234' smpquery -t 40 -D portinfo 0
is 'no answer without the M_Key' "$(grep -c LinkWidthActive out)" 0
under 'mkey=0x1234' smpquery -t 40 -y 0x1234 -D portinfo 0
is 'an answer with the M_Key' "$(grep -c LinkWidthActive out)" 1

under 'put=0x15:304:8:255' smpquery -D portinfo 0,1 1
ok 'a field of PortInfo can be rewritten' grep -q 'VLHighLimit:\.*255$' out
under 'put=0x15:304:8:255@any/2' smpquery -D portinfo 0,1 1
ok 'of one port alone' grep -q 'VLHighLimit:\.*0$' out
under 'put=0x17:0:64:0x0f234567f1234567' smpquery -D sl2vl 0
ok 'so can an SL2VL table' grep -q '| 0|15| 2| 3| 4| 5| 6| 7|15| 1|' out
under 'status=0x15:0x1c' smpquery -D portinfo 0
is 'an answer with a bad status is no answer' "$(grep -c LinkWidthActive out)" 0
under 'status=0x12:0x0c' perfquery 1 1
is 'SwitchInfo is not PortCounters' "$(grep -c PortXmitData out)" 1
under 'status=0x40012:0x0c' perfquery 1 1
is 'PortCounters has its class in front' "$(grep -c PortXmitData out)" 0
under 'late=0x11:1000000' smpquery -t 20 -D nodeinfo 0
is 'an answer that comes too late is thrown away' "$(stat_of delivered) $(stat_of dropped)" '3 3'
under 'nonsense=1' smpquery -D nodeinfo 0
ok 'a word it does not know ends the program' grep -q 'cannot read "nonsense=1"' err
finish
