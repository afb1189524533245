# What the other live tests stand on: generated fabrics come up under ibsim and
# a real OpenSM, the console works, and nothing stays behind.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin

gen_net tree2 leafs=4 spines=2 hosts=4 rate=4xHDR slow=1 >net
sim_start net
on_fabric ibnetdiscover >discovered 2>err
is 'every node of the net file answers' "$(grep -cE '^(Switch|Ca)' discovered)" \
	"$(grep -cE '^(Switch|Ca)' net)"
is 'links have the speed of the net file' "$(grep -c 'lid 0 4xHDR' discovered)" "$(grep -c 'lid 0 4xHDR' net)"
is 'a slow link has it at both ends' "$(grep -c '1xSDR' discovered)" 2

sm_start
on_fabric smpquery -D portinfo 0,1 0 >portinfo 2>err
ok 'OpenSM gives LIDs' grep -q '^Lid:\.*[1-9]' portinfo
sm_stop
port=$(peer_port leaf-02 S-)
console Unlink "\"$(node_id leaf-02)\"[$port]"
on_fabric ibnetdiscover >discovered 2>err
is 'a link is taken away at the console' "$(grep -c '"[SH]-.*"[SH]-\|^\[' discovered)" \
	$(($(grep -c '^\[' net) - 2))
sim_stop

gen_net tree-270 >net270
sim_start net270
sm_settle
on_fabric ibnetdiscover >discovered 2>err
is 'a tree of 270 nodes is routed' "$(grep -cE '^(Switch|Ca)' discovered)" 270
is 'each of its switches has a LID' "$(grep -c '^Switch.* lid [1-9]' discovered)" 18
sim_stop

gen_net torus x=3 y=3 hosts=1 >torus
sim_start torus
sm_settle
on_fabric ibnetdiscover >discovered 2>err
is 'a torus joins each switch to four others' "$(grep -c '^\[.*"S-.*\[[1-4]\].*"sw-.*4xEDR' discovered)" 36
finish
