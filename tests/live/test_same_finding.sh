# A finding stays the same from night to night, whatever the number of its places
# and whatever source shows it.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
gen_net tree2 leafs=4 spines=2 hosts=4 >net
printf '%s\n' 'qos TRUE' 'qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7' >opensm.conf
sim_start net
sm_start opensm.conf
one="put=0x17:12:4:15@$(node_guid n0003)"
two="$one put=0x17:12:4:15@$(node_guid n0004)"
night() {
	interpose_with=$1
	run_ibaudit collect --store nights.db
	interpose_with=
}
# The finding of sl-to-vl15 from the last but one snapshot to the last.
became() {
	"$ibaudit" diff --store nights.db --format json latest~1 latest |
		jq -r '[.findings[] | select(.rule == "sl-to-vl15").status] | join(" ")'
}

night "$one"
night "$two"
is 'a second host with a known fault is no other finding' "$(became)" still
night "$one"
is 'nor is it when one of them is mended' "$(became)" still
night ''
is 'when both are it is gone' "$(became)" gone
night "$one"
is 'and new when it returns' "$(became)" new

# What the tools of the field print of the same fabric holds no SL to VL tables.
sm_stop
rm -f nights.db*
night "$one"
on_fabric ibnetdiscover >topology.txt
"$ibaudit" import --store nights.db topology.txt >/dev/null
"$ibaudit" diff --store nights.db --keys finding --format json latest~1 latest >diff.json
is 'what the tools print of a healthy fabric brings no new finding' \
	"$(jq '[.findings[] | select(.status == "new")] | length' diff.json)" 0
is 'a fault that they cannot show is not checked' \
	"$(jq -r '.findings[] | select(.rule == "sl-to-vl15").status' diff.json)" not-checked
is 'and no fault is called gone' \
	"$(jq '[.findings[] | select(.status == "gone")] | length' diff.json)" 0
is 'nor is that a difference' "$(jq .different diff.json)" false
finish
