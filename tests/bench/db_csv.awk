# A simulator's net file (ibnetdiscover's text) -> an ibdiagnet2.db_csv with the
# sections and the columns of a real one, every port Active.
#
#	awk -f db_csv.awk NET >ibdiagnet2.db_csv

function hex(name) { return "0x" substr(name, 3) }
/^(Switch|Ca)/ {
	split($0, quote, "\"")
	key = quote[2]
	name = quote[4]
	node[++nodes] = key
	ports_of[key] = $2
	desc[key] = name
	type[key] = $1 == "Switch" ? 2 : 1
	next
}
/^\[/ {
	split($0, quote, "\"")
	split($1, own, /[][]/)
	split(quote[3], far, /[][]/)
	port[++ports] = key SUBSEP own[2]
	if (key < quote[2] || (key == quote[2] && own[2] + 0 < far[2] + 0)) {
		links++
		link[links] = hex(key) "," own[2] "," hex(quote[2]) "," far[2]
	}
}
END {
	print "START_RUN_INFO"
	print "IBDIAGNET_Version,IBDIAG_Version,IBDM_Version,IBIS_Version,Date,Args"
	print "\"a\",\"b\",\"c\",\"d\",\"2024-03-01 00:00:00 UTC +0000\",\"\""
	print "END_RUN_INFO\n"

	print "START_NODES"
	print "NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,PartitionCap,revision,VendorID,LocalPortNum"
	for (i = 1; i <= nodes; i++) {
		k = node[i]
		printf "\"%s\",%d,%d,1,1,%s,%s,%s,%d,128,160,713,%d\n", desc[k], ports_of[k], type[k], hex(k), hex(k), hex(k), type[k] == 2 ? 54002 : 4129, type[k] == 2 ? 0 : 1
		lid[k] = i
	}
	print "END_NODES\n"

	print "START_PORTS"
	print "NodeGuid,PortGuid,PortNum,MKey,GIDPrfx,MSMLID,LID,CapMsk,M_KeyLeasePeriod,DiagCode,LinkWidthActv,LinkWidthSup,LinkWidthEn,LocalPortNum,LinkSpeedEn,LinkSpeedActv,LMC,MKeyProtBits,LinkDownDefState,PortPhyState,PortState,LinkSpeedSup,VLArbHighCap,VLHighLimit,InitType,VLCap,MSMSL,NMTU,FilterRawOutb,FilterRawInb,PartEnfOutb,PartEnfInb,OpVLs,HoQLife,VLStallCnt,MTUCap,InitTypeReply,VLArbLowCap,PKeyViolations,MKeyViolations,SubnTmo,MulticastPKeyTrapSuppressionEnabled,ClientReregister,GUIDCap,QKeyViolations,MaxCreditHint,OverrunErrs,LocalPhyError,RespTimeValue,LinkRoundTripLatency,OOOSLMask,CapMsk2,FECActv,RetransActv"
	for (i = 1; i <= nodes; i++) {
		k = node[i]
		if (type[k] == 2)
			printf "%s,%s,0,0x0000000000000000,0xfe80000000000000,1,%d,3880835146,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,18,1,0,1,0,0,8,8,19,0,N/A,1082,N/A,N/A\n", hex(k), hex(k), lid[k]
	}
	for (i = 1; i <= ports; i++) {
		split(port[i], p, SUBSEP)
		k = p[1]
		if (type[k] == 2)
			printf "%s,%s,%d,0x0000000000000000,0x0000000000000000,0,0,0,0,0,2,19,19,0,3845,2052,0,0,2,5,4,3845,8,1,0,4,0,5,0,0,0,0,3,18,7,5,0,8,0,0,0,1,0,0,0,0,8,8,0,158,N/A,N/A,4,0\n", hex(k), hex(k), p[2]
		else
			printf "%s,%s,%d,0x0000000000000000,0xfe80000000000000,1,%d,2807162952,0,0,2,19,19,1,3845,2048,0,0,2,5,4,3845,8,4,0,3,0,5,0,0,0,0,3,0,7,5,0,8,0,0,18,0,0,2,0,0,8,8,16,16777215,0x0000,1082,4,0\n", hex(k), hex(k), p[2], lid[k]
	}
	print "END_PORTS\n"

	print "START_SWITCHES"
	print "NodeGUID,LinearFDBCap,RandomFDBCap,MCastFDBCap,LinearFDBTop,DefPort,DefMCastPriPort,DefMCastNotPriPort,LifeTimeValue,PortStateChange,OptimizedSLVLMapping,LidsPerPort,PartEnfCap,InbEnfCap,OutbEnfCap,FilterRawInbCap,FilterRawOutbCap,ENP0,MCastFDBTop"
	for (i = 1; i <= nodes; i++)
		if (type[node[i]] == 2)
			printf "%s,49152,0,8192,%d,0,255,255,19,0,3,0,32,1,1,1,1,0,49183\n", hex(node[i]), nodes
	print "END_SWITCHES\n"

	print "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2"
	for (i = 1; i <= links; i++)
		print link[i]
	print "END_LINKS\n"

	print "START_PM_INFO"
	print "NodeGUID,PortGUID,PortNumber,LinkDownedCounter,LinkErrorRecoveryCounter,SymbolErrorCounter,PortRcvRemotePhysicalErrors,PortRcvErrors,PortXmitDiscards,PortRcvSwitchRelayErrors,ExcessiveBufferOverrunErrors,LocalLinkIntegrityErrors,PortRcvConstraintErrors,PortXmitConstraintErrors,VL15Dropped,PortXmitData,PortRcvData,PortXmitPkts,PortRcvPkts,PortXmitWait,PortXmitDataExtended,PortRcvDataExtended,PortXmitPktsExtended,PortRcvPktsExtended,PortUniCastXmitPkts,PortUniCastRcvPkts,PortMultiCastXmitPkts,PortMultiCastRcvPkts,SymbolErrorCounterExt,LinkErrorRecoveryCounterExt,LinkDownedCounterExt,PortRcvErrorsExt,PortRcvRemotePhysicalErrorsExt,PortRcvSwitchRelayErrorsExt,PortXmitDiscardsExt,PortXmitConstraintErrorsExt,PortRcvConstraintErrorsExt,LocalLinkIntegrityErrorsExt,ExcessiveBufferOverrunErrorsExt,VL15DroppedExt,PortXmitWaitExt,QP1DroppedExt,retransmission_per_sec, max_retransmission_rate,PortLocalPhysicalErrors,PortMalformedPacketErrors,PortBufferOverrunErrors,PortDLIDMappingErrors,PortVLMappingErrors,PortLoopingErrors,PortInactiveDiscards,PortNeighborMTUDiscards,PortSwLifetimeLimitDiscards,PortSwHOQLifetimeLimitDiscards"
	for (i = 1; i <= ports; i++) {
		split(port[i], p, SUBSEP)
		printf "%s,%s,%d,0,0,0,0,0,0,%d,0,0,0,0,0,4294967295,4294967295,%d,306804225,4294967295,29919550%d,299191231430,307391959,306804255,307386288,306803357,5674,901,0,0,0,0,0,%d,0,0,0,0,0,0,9463628588,0,0x0000000000000000,0x0000,0,0,0,0,0,-1,0,0,0,0\n", hex(p[1]), hex(p[1]), p[2], i % 200, 307391927 + i, 1000 + i, i % 200
	}
	print "END_PM_INFO\n"

	print "START_PKEY\nNodeGUID,PortGUID,LocalPortNum,BlockNum,Index,PKey,Membership"
	for (i = 1; i <= ports; i++) {
		split(port[i], p, SUBSEP)
		printf "%s,%s,%d,0,0,0x7fff,1\n", hex(p[1]), hex(p[1]), p[2]
	}
	print "END_PKEY\n"

	print "START_NODES_INFO"
	print "NodeGUID,HWInfo_DeviceID,HWInfo_UpTime,FWInfo_PSID,FWInfo_Extended_Major,FWInfo_Extended_Minor,FWInfo_Extended_SubMinor"
	for (i = 1; i <= nodes; i++)
		printf "%s,0x%x,0x%08x,MT_0000000577,0x0000001f,0x000007dc,0x00000400\n", hex(node[i]), 54002, 1386000 + i
	print "END_NODES_INFO\n"

	print "START_TEMP_SENSING\nNodeGUID,CurrentTemperature"
	for (i = 1; i <= nodes; i++)
		printf "%s,%d\n", hex(node[i]), 40 + i % 20
	print "END_TEMP_SENSING"
}
