# The configuration as OpenSM holds it: asks the installed opensm and compares.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin

# --- opensm.conf: `opensm -c` writes the options as it holds them ---

# Numbers decimal, what is not set as (null). Keys whose value is hidden or a
# directory of this run, tables (told further down) and lists by SL are left out.
normal() {
	awk '
		function decimal(hex,   i, sum) {
			hex = tolower(substr(hex, 3))
			for (i = 1; i <= length(hex); i++)
				sum = sum * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return sprintf("%.0f", sum)
		}
		/^#/ || !NF || $1 ~ /^(m|sm|sa|cc)_key$|^log_file$|^dump_files_dir$/ { next }
		$1 ~ /vlarb|sl2vl$|^cc_ca_cong_setting_(ccti|trigger)/ { next }
		{
			key = $1
			value = substr($0, length(key) + 2)
			if (value ~ /^0x[0-9a-fA-F]+$/ && length(value) < 16)
				value = decimal(value)
			if (value == "" || (key ~ /^qos.*max_vls$/ && value == 0) ||
			    (key ~ /high_limit$/ && value ~ /^-/))
				value = "(null)"
			print key, value
		}' | sort
}

# Only what OpenSM writes out can be compared.
ours() {
	rm -f store.db*
	"$ibaudit" import --store store.db "$1" >/dev/null 2>err || return 1
	"$ibaudit" query --store store.db --format json 'SELECT key, effective FROM option' |
		jq -r '.[] | "\(.key) \(.effective // "(null)")"' | normal >ours.all
	cut -d' ' -f1 theirs | sort -u >keys
	join keys ours.all >ours
}

options_agree() {
	rm -f written
	timeout 20 opensm -F opensm.conf -c written -f "$work/none.log" >sm.out 2>&1 || return 1
	normal <written >theirs
	ours opensm.conf || return 1
	is "$1" "$(diff theirs ours | head -n 5)" ''
}

: >opensm.conf
echo '# nothing' >opensm.conf
options_agree 'defaults are those of OpenSM'
cat >opensm.conf <<'CONF'
qos True
use_ucast_cache yes
sweep_on_trap "TRUE"
daemon 'TRUE'	# so that it stays
m_key_lookup
single_thread TRUE x
force_heavy_sweep 1
 lmc 3
lmc 4x
lmc 256
CONF
options_agree 'booleans and lines that cannot be read'
cat >opensm.conf <<'CONF'
lmc 8
sm_priority 0x10
force_link_speed 9
force_link_speed_ext 12
force_link_width 33
fdr10 3
max_wire_smps 0
max_wire_smps2 4294967295
transaction_timeout 700
m_key_protection_level 7
m_key_lease_period 0x3c
sweep_interval 0
part_enforce inside
console lokal
perfmgr_sweep_time_s 0
max_op_vls 010
subnet_prefix 0xFE80000000000007
guid -1
CONF
options_agree 'what is out of range is corrected alike'
cat >opensm.conf <<'CONF'
qos TRUE
qos_high_limit 300
qos_ca_high_limit (null)
qos_swe_high_limit 7x
qos_sw0_high_limit -3
qos_rtr_high_limit 4294967297
qos_max_vls 16
qos_ca_max_vls (null)
no_partition_enforcement TRUE
part_enforce in
routing_engine (null)
routing_engine "ftree,updn"
log_prefix a#b
dimn_ports_file /x
max_rate_enum 5
cc_sw_cong_setting_victim_mask 0xabc
cc_sw_cong_setting_credit_starvation_return_delay 3:9
cc_cct 1:2,3:4
CONF
options_agree 'limits, unset values and lists'
printf '\357\273\277lmc 1\nqos TRUE\r\nm_key_lookup\r\nsm_priority 3' >opensm.conf
options_agree 'a byte order mark, CR LF and no last line end'
{
	awk 'BEGIN { printf "log_file"; for (i = 0; i < 1014; i++) printf " "; print "lmc 2" }'
	awk 'BEGIN { printf "sm_priority"; for (i = 0; i < 1010; i++) printf " "; print "7" }'
} >opensm.conf
options_agree 'lines longer than OpenSM reads at once'

# --- One OpenSM that reads its other files again and again ---

gen_net tree2 leafs=2 spines=2 hosts=2 >net
sim_start net
cat >opensm.conf <<'CONF'
qos TRUE
sweep_interval 0
qos_vlarb_high 0:64,3,1:8
qos_vlarb_low 16:300,2:4
qos_ca_vlarb_low VL1:4
qos_sl2vl 0,-1,31,2,3
qos_ca_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,x,9
CONF
echo 'Default=0x7fff, ipoib : ALL=full;' >partitions.conf
printf '%s\n' 'qos-ulps' ' default : 0' 'end-qos-ulps' >qos-policy.conf
sm_start opensm.conf
sm_sweep
check --config opensm.conf --skip counters
is 'odd lists are programmed as they are read here' "$(verdict qos-drift)" pass

# dropped: what the log says of the last sweep.
resweep() {
	log_before=$(wc -l <opensm.log)
	sm_sweep
	tail -n "+$((log_before + 1))" opensm.log >sweep.log
}

policy_agrees() {
	resweep
	theirs=kept
	grep -q 'ERR AC0[34]' sweep.log && theirs=dropped
	rm -f store.db*
	"$ibaudit" import --store store.db partitions.conf qos-policy.conf >/dev/null 2>err
	ours=kept
	[ "$(query "SELECT count(*) FROM config_problem WHERE problem IN ('policy-syntax', 'policy-value',
		'no-default-level', 'dangling-level', 'dangling-group') OR
		(problem = 'policy-partition' AND severity = 'error')")" = 0 ] || ours=dropped
	is "$1" "$2 $ours" "$theirs $ours"
	is "$1, here too" "$ours" "$theirs"
}

level='qos-levels\n qos-level\n  name: DEFAULT\n  sl: 0\n end-qos-level\nend-qos-levels\n'
try_policy() {
	# shellcheck disable=SC2059
	printf "$3" >qos-policy.conf
	policy_agrees "$1" "$2"
}
try_policy 'a policy with a default level stays' kept "$level"
try_policy 'one without is dropped' dropped 'qos-ulps\n sdp : 1\nend-qos-ulps\n'
try_policy 'a comment without a line end drops it' dropped "$level# end"
try_policy 'CR LF drops it' dropped 'qos-ulps\r\n default : 0\r\nend-qos-ulps\r\n'
try_policy 'a keyword in another case drops it' dropped "${level}QoS-ulps\nend-QoS-ulps\n"
try_policy 'a section word in a name drops it' dropped \
	"${level}port-groups\n port-group\n name: my-qos-level\n end-port-group\nend-port-groups\n"
try_policy 'free text may hold anything' kept \
	"${level}port-groups\n port-group\n name: Some nodes\n use: see: \"qos\", sl: 1, end-port-group # x\n \
end-port-group\nend-port-groups\nqos-match-rules\n qos-match-rule\n source: SOMEnodes\n \
qos-level-name: default\n end-qos-match-rule\nend-qos-match-rules\n"
try_policy 'a level that is not defined drops it' dropped \
	"${level}qos-match-rules\n qos-match-rule\n qos-level-name: Fast\n end-qos-match-rule\nend-qos-match-rules\n"
try_policy 'an MTU in bytes drops it' dropped \
	'qos-levels\n qos-level\n  name: DEFAULT\n  sl: 0\n mtu-limit: 4096\n end-qos-level\nend-qos-levels\n'
try_policy 'an ipoib rule with its partition stays' kept 'qos-ulps\n default : 0\n ipoib : 1\nend-qos-ulps\n'
try_policy 'an ipoib rule for a partition that is missing drops it' dropped \
	'qos-ulps\n default : 0\n ipoib, pkey 0x10 : 1\nend-qos-ulps\n'
echo 'Blue=0x20 : ALL=full;' >partitions.conf
try_policy 'the Default that OpenSM makes itself has too few full members' dropped \
	'qos-ulps\n default : 0\n ipoib : 1\nend-qos-ulps\n'
# Of the mended file OpenSM says the same, until it is started again.
try_policy 'a use: in a wrong place drops it' dropped "qos-levels\n use: x\nend-qos-levels\n"
printf '%s\n' 'qos-ulps' ' default : 0' 'end-qos-ulps' >qos-policy.conf
resweep
ok 'and every policy behind it' grep -q 'ERR AC03' sweep.log

# --- partitions.conf: the P_Key table of a host that is not the SM's ---

# The last CA of the net file; ibsim gives its port the GUID behind the node's.
far=$(awk '/^(Hca|Ca)/ { split($0, part, "\""); last = part[2] } END { print last }' net)
port_guid=0x$(printf '%016x' "$(($(echo "$far" | sed 's/H-/0x/') + 1))")

# The path to the port comes from the SA, which is busy for a moment behind a sweep.
read_keys() {
	on_fabric smpquery -G PKeys "$port_guid" 1 2>smp.err >smp.out
	grep -q '0x' smp.out
}

held_keys() {
	wait_for 10 read_keys || cat smp.err
	sed -n 's/^ *[0-9]*: //p' smp.out | tr ' ' '\n' | grep '^0x' | grep -v 0x0000 | sort | tr '\n' ' '
}

# The last member line that names the port decides.
expected_keys() {
	rm -f store.db*
	"$ibaudit" import --store store.db partitions.conf >/dev/null 2>err
	query "SELECT group_concat(held, ' ') || ' ' FROM (SELECT CASE (SELECT lower(membership)
		FROM partition_member m WHERE m.partition_position = p.position AND
		(upper(replace(kind, '-', '_')) IN ('ALL', 'ALL_CAS', 'MEMBER_ALL') OR port_guid = '$port_guid')
		ORDER BY m.line DESC LIMIT 1) WHEN 'limited' THEN pkey WHEN 'full' THEN
		printf('0x%04x', 0x8000 + p.key) WHEN 'both' THEN printf('0x%04x', 0x8000 + p.key) END AS held
		FROM (SELECT *, (instr('0123456789abcdef', substr(pkey, 3, 1)) - 1) * 4096 +
		(instr('0123456789abcdef', substr(pkey, 4, 1)) - 1) * 256 +
		(instr('0123456789abcdef', substr(pkey, 5, 1)) - 1) * 16 +
		instr('0123456789abcdef', substr(pkey, 6, 1)) - 1 AS key FROM partition) p
		WHERE held IS NOT NULL ORDER BY held)"
}

try_partitions() {
	echo 'Default=0x7fff : ALL=full;' >partitions.conf
	sm_sweep
	# shellcheck disable=SC2059
	printf "$2" >partitions.conf
	sm_sweep
	is "$1" "$(held_keys)" "$(expected_keys)"
}
try_partitions 'keys, abbreviations and merges' \
	"A=0x10 :\nA=f,\n$port_guid=l;\nB=0x8010 : SELF;\nC=0x11, d=b : ALL_;\nD : NONE;\n"
try_partitions 'a name without a key' "New :\nALL_C=full;\nDefault : ALL=full;\n"
long=a-name-of-exactly-31-characters
try_partitions 'a name of 31 characters is found again' "$long=0x10 : ALL=full;\n$long : SELF=full;\n"
try_partitions 'one of 32 is not' "${long}x=0x10 : ALL=full;\n${long}x : ALL=full;\n"
try_partitions 'one fault drops all' "A=0x10 : ALL=full;\nB=0x11 : all;\n"
try_partitions 'a ; that begins a line drops all' "A=0x10 : ALL=full,\n\t$port_guid=full\n;\n"
try_partitions 'CR LF drops all' "A=0x10 : ALL=full;\r\n"
try_partitions 'words in another case' "A=0x10, defmember=Full : ALL;\nB=0x11 : ALL=FULL;\n"
try_partitions 'empty words mean full' "A=0x10, defmember= : ALL;\nB=0x11 : ALL=;\n"

# Only a name that is found again keeps the key that OpenSM made up.
changes_key() {
	echo "$1" >partitions.conf
	sm_sweep
	before=$(held_keys)
	sm_sweep
	[ "$(held_keys)" != "$before" ]
}
ok 'a made up key of no name changes at each sweep' changes_key ' : ALL=full;'
ok 'one of a name stays' eval '! changes_key "New : ALL=full;"'
finish
