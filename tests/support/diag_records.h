/* Whole records of infiniband-diags as text, for tests of their readers; every argument is a text. */
#ifndef TESTS_SUPPORT_DIAG_RECORDS_H
#define TESTS_SUPPORT_DIAG_RECORDS_H

/* smpquery's NodeInfo. */
#define SMP_NODE(address, type, ports, guid, port_guid, port)                                      \
	"# Node info: " address "\n"                                                               \
	"BaseVers:........................1\nClassVers:.......................1\n"                  \
	"NodeType:........................" type "\nNumPorts:........................" ports "\n"  \
	"SystemGuid:......................" guid "\nGuid:............................" guid "\n"   \
	"PortGuid:........................" port_guid "\nPartCap:.........................64\n"     \
	"DevId:...........................0x1019\nRevision:........................0x000000a1\n"    \
	"LocalPort:......................." port "\nVendorId:........................0x0002c9\n"

/* smpquery's PortInfo: what is in front of the speeds that later releases print, and those. */
#define SMP_PORT_HEAD(address, lid, mask, port, speed)                                             \
	"# Port info: " address "\n"                                                               \
	"Mkey:............................<not displayed>\n"                                        \
	"GidPrefix:.......................0xfe80000000000000\n"                                     \
	"Lid:............................." lid "\nSMLid:...........................1\n"            \
	"CapMask:........................." mask "\nDiagCode:........................0x0000\n"      \
	"MkeyLeasePeriod:.................0\nLocalPort:......................." port "\n"           \
	"LinkWidthEnabled:................1X or 4X\nLinkWidthSupported:..............1X or 4X\n"    \
	"LinkWidthActive:.................4X\n"                                                     \
	"LinkSpeedSupported:..............2.5 Gbps or 5.0 Gbps or 10.0 Gbps\n"                      \
	"LinkState:.......................Active\nPhysLinkState:...................LinkUp\n"        \
	"LinkDownDefState:................Polling\nProtectBits:.....................0\n"            \
	"LMC:.............................0\nLinkSpeedActive:................." speed "\n"          \
	"LinkSpeedEnabled:................2.5 Gbps or 5.0 Gbps or 10.0 Gbps\n"                      \
	"NeighborMTU:.....................4096\nSMSL:............................0\n"               \
	"VLCap:...........................VL0-7\nInitType:........................0x00\n"           \
	"VLHighLimit:.....................0\nVLArbHighCap:....................8\n"                  \
	"VLArbLowCap:.....................8\nInitReply:.......................0x00\n"               \
	"MtuCap:..........................4096\nVLStallCount:....................7\n"               \
	"HoqLife:.........................16\nOperVLs:.........................VL0-3\n"             \
	"PartEnforceInb:..................0\nPartEnforceOutb:.................0\n"                  \
	"FilterRawInb:....................0\nFilterRawOutb:...................0\n"                  \
	"MkeyViolations:..................0\nPkeyViolations:..................0\n"                  \
	"QkeyViolations:..................0\nGuidCap:.........................32\n"                 \
	"ClientReregister:................0\n"
#define SMP_PORT_TAIL                                                                              \
	"SubnetTimeout:...................18\nRespTimeVal:.....................0\n"                 \
	"LocalPhysErr:....................0\nOverrunErr:......................0\n"                  \
	"MaxCreditHint:...................0\nRoundTrip:.......................0\n"
#define SMP_PORT_OLD(address, lid, mask, port, speed)                                              \
	SMP_PORT_HEAD(address, lid, mask, port, speed) SMP_PORT_TAIL
#define SMP_PORT(address, lid, mask, port, speed, extended)                                        \
	SMP_PORT_HEAD(address, lid, mask, port, speed)                                             \
	"McastPkeyTrapSuppressionEnabled:.0\n" SMP_PORT_TAIL                                        \
	"CapabilityMask2:.................0x0\nLinkSpeedExtActive:.............." extended "\n"     \
	"LinkSpeedExtSupported:...........14.0625 Gbps or 25.78125 Gbps\n"                          \
	"LinkSpeedExtEnabled:.............14.0625 Gbps or 25.78125 Gbps\n"

/* saquery's records. */
#define SA_NODE(lid, type, ports, guid, port_guid, port, name)                                     \
	"NodeRecord dump:\n\t\tlid....................." lid "\n\t\treserved................0x0\n"  \
	"\t\tbase_version............0x1\n\t\tclass_version...........0x1\n"                        \
	"\t\tnode_type..............." type "\n\t\tnum_ports..............." ports "\n"             \
	"\t\tsys_guid................" guid "\n\t\tnode_guid..............." guid "\n"              \
	"\t\tport_guid..............." port_guid "\n\t\tpartition_cap...........0x40\n"             \
	"\t\tdevice_id...............0xCB20\n\t\trevision................0xA1\n"                    \
	"\t\tport_num................" port "\n\t\tvendor_id...............0x2C9\n"                 \
	"\t\tNodeDescription........." name "\n"
#define SA_LINK(from_lid, from_port, to_port, to_lid)                                              \
	"LinkRecord dump:\n\t\tFromLID...................." from_lid "\n"                           \
	"\t\tFromPort..................." from_port "\n\t\tToPort....................." to_port     \
	"\n\t\tToLID......................" to_lid "\n"
#define SA_SL2VL(lid, in, out)                                                                     \
	"SL2VLTableRecord dump:\n\t\tLID........................" lid "\n"                          \
	"\t\tInPort....................." in "\n\t\tOutPort...................." out "\n"           \
	"\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n"                                 \
	"\t\tVL: 0| 1| 0| 1| 0| 1| 0| 1| 0| 1| 0| 1| 0| 1| 0|15|\n"
#define SA_NO_PKEYS "\t\t0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n"
#define SA_PKEYS(lid, port)                                                                        \
	"PKeyTableRecord dump:\n\t\tLID........................" lid "\n"                           \
	"\t\tPort......................." port "\n\t\tBlock......................0\n"               \
	"\t\tPKey Table:\n\t\t0xffff 0x8005 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n"            \
	SA_NO_PKEYS SA_NO_PKEYS SA_NO_PKEYS "\n"
#define SA_NO_GUID "0x0000000000000000\n"
#define SA_GUIDS(lid, block, first, second)                                                        \
	"GUIDInfo Record dump:\n\t\tLID........................" lid "\n"                           \
	"\t\tBlock......................" block "\n\t\tGUID 0....................." first "\n"      \
	"\t\tGUID 1....................." second "\n\t\tGUID 2....................." SA_NO_GUID     \
	"\t\tGUID 3....................." SA_NO_GUID "\t\tGUID 4....................." SA_NO_GUID   \
	"\t\tGUID 5....................." SA_NO_GUID "\t\tGUID 6....................." SA_NO_GUID   \
	"\t\tGUID 7....................." SA_NO_GUID
#define SA_SWITCH(lid)                                                                             \
	"SwitchInfoRecord dump:\n\t\tRID\n\t\tLID....................................." lid "\n"    \
	"\t\tSwitchInfo dump:\n\t\tLinearFDBCap............................0xC000\n"                \
	"\t\tRandomFDBCap............................0x0\n"                                         \
	"\t\tMulticastFDBCap.........................0x400\n"                                       \
	"\t\tLinearFDBTop............................0x1B\n"                                        \
	"\t\tDefaultPort.............................0\n"                                           \
	"\t\tDefaultMulticastPrimaryPort.............0\n"                                           \
	"\t\tDefaultMulticastNotPrimaryPort..........0\n"                                           \
	"\t\tLifeTimeValue/PortStateChange/OpSL2VL...0x95\n"                                        \
	"\t\tLIDsPerPort.............................0x0\n"                                         \
	"\t\tPartitionEnforcementCap.................0x40\n"                                        \
	"\t\tflags...................................0xA8\n"

#endif
