# --trace tells each MAD in the field's terms, and no key value is ever told:
# neither one that is given, nor one that a device shows.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=2 spines=1 hosts=2 >net
sim_start net
sm_start
leaf=$(node_guid leaf-02)

rm -f log
interpose_with="status=0x18:0x1c@$leaf mute=2@$(node_guid n0004) log=log"
run_ibaudit collect --store store.db -t 50 --trace
interpose_with=
tid='TID 0x[0-9a-f]{8}'
is 'the run went through' "$status" 0
ok 'a question is told with method, attribute, id, modifier, TID and route' \
	grep -qE "^-> Get PortInfo \(0x0015\) modifier 0x00000001 $tid by DR path 0,1\$" err
ok 'its answer with status and round trip' \
	grep -qE "^<- GetResp PortInfo \(0x0015\) modifier 0x00000001 $tid status 0x0000 \(no error\) after [0-9]+ us\$" err
ok 'a refusal in words' \
	grep -qE "^<- GetResp VLArbitrationTable \(0x0018\) modifier 0x[0-9a-f]{8} $tid status 0x001c \(invalid attribute or modifier value\) after" err
ok 'a question by LID with its LID and port' \
	grep -qE "^-> Get PortCounters \(0x0012\) modifier 0x00000000 $tid port [1-9][0-9]* to LID [1-9][0-9]*\$" err
ok 'a second attempt as such' grep -qE "^-> .* attempt 2\$" err
ok 'silence with the attempts and the time' \
	grep -qE "^-- no answer to PortInfo .* by DR path 0(,[0-9]+)+ after [234] attempts, [0-9]+ ms\$" err
is 'each MAD that left has its line' "$(grep -c '^-> ' err)" "$(wc -l <log)"
is 'none is told without its name' "$(grep -cE '^(->|<-) (method|[A-Za-z]* attribute) ' err)" 0
asked=$(sed -n 's/^-> .* \(TID 0x[0-9a-f]*\).*/\1/p' err | sort -u | wc -l)
is 'each question ends once' "$(grep -cE '^(<-|--) ' err)" "$asked"

# Keys: one given, one in a file, one that PortInfo shows, one that SMInfo shows.
given=feedc0de12345678
filed=beadfadedeadface
shown=facade0123456789
sm=cafed00d87654321
echo "$leaf 0x$filed" >guid2mkey
interpose_with="mkey=0x$filed@$leaf mkey=0x$given@$(node_guid leaf-01)"
interpose_with="$interpose_with put=0x15:0:64:0x$shown put=0x20:64:64:0x$sm"
rm -f store.db*
run_ibaudit collect --store store.db -t 50 --m-key 0x$given --m-key-file guid2mkey --trace -v
is 'with their keys all answer' "$status $(query 'SELECT partial FROM snapshot')" '0 0'
ok 'and are traced' grep -q '^<- GetResp SMInfo' err
mv out out.1
mv err err.1
run_ibaudit check -v --m-key 0x$given --m-key-file guid2mkey -t 50 --html report.html -o report.txt
run_ibaudit check --m-key 0x$given --m-key-file guid2mkey -t 50 --format json -o report.json
"$ibaudit" query --store store.db 'SELECT * FROM port' >rows 2>&1
is 'the SM was read' "$(query 'SELECT count(*) FROM sm')" 1
# told KEY: places that have the value, as hexadecimal or decimal digits or as bytes.
told() {
	decimal=$(printf '%u' "0x$1")
	bytes=$(od -An -v -tx1 store.db | tr -d ' \n' | grep -c "$1")
	texts=$(cat out out.1 err err.1 report.txt report.html report.json rows store.db |
		grep -aicE "$1|$decimal")
	echo "$bytes $texts"
}
is 'the key given is told nowhere' "$(told $given)" '0 0'
is 'nor is one of a file' "$(told $filed)" '0 0'
is 'nor the one that PortInfo shows' "$(told $shown)" '0 0'
is 'nor the key of the SM' "$(told $sm)" '0 0'
# The same look finds what is there.
is_not 'while a GUID is found so' "$(told "${leaf#0x}")" '0 0'
interpose_with=
finish
