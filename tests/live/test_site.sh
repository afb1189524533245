# A hall as it grew: three generations of switches, managed and not, CAs of two
# ports, aggregation nodes, a forgotten cable between two ports of one switch, and
# LIDs from before.
# shellcheck source=tests/live/lib.sh
. "${0%/*}/lib.sh"
begin
net=$lib_top/tests/live/nets/hall1.net
sim_host=H-248a070300f50000
sim_start "$net"
sm_start

collect ''
is 'every device is there' "$status $(query 'SELECT count(*) FROM node')" "0 $(grep -cE '^(Switch|Ca)' "$net")"
is 'every cable is there, the forgotten one too' "$(query 'SELECT count(*) FROM link')" $(($(grep -c '^\[' "$net") / 2))
is 'nothing is missing' "$(query 'SELECT count(*) FROM hole')" 0
check
is 'no error in a healthy hall' "$(found any '.severity == "error" or .severity == "critical"')" 0
is 'no GUID is taken for a duplicate' "$(found duplicate-guid)" 0
is 'no unmanaged switch for one that lost its LID' "$(found lost-lid '.severity != "info"')" 0
finish
