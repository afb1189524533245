#include "collector/live/wire.h"

#include <stdio.h>

#include "collector/live/live.h"

#include "store/fabric.h"

/* Names of IBA Volume 1, tables 112 (SM), 190 (PM) and 192 (SA). */
static const struct {
	uint8_t class;
	uint16_t attribute;
	const char *name;
} attributes[] = {
	{IB_SMI_CLASS, IB_ATTR_NODE_DESC, "NodeDescription"},
	{IB_SMI_CLASS, IB_ATTR_NODE_INFO, "NodeInfo"},
	{IB_SMI_CLASS, IB_ATTR_SWITCH_INFO, "SwitchInfo"},
	{IB_SMI_CLASS, IB_ATTR_GUID_INFO, "GUIDInfo"},
	{IB_SMI_CLASS, IB_ATTR_PORT_INFO, "PortInfo"},
	{IB_SMI_CLASS, IB_ATTR_PKEY_TBL, "P_KeyTable"},
	{IB_SMI_CLASS, IB_ATTR_SLVL_TABLE, "SLtoVLMappingTable"},
	{IB_SMI_CLASS, IB_ATTR_VL_ARBITRATION, "VLArbitrationTable"},
	{IB_SMI_CLASS, IB_ATTR_LINEARFORWTBL, "LinearForwardingTable"},
	{IB_SMI_CLASS, IB_ATTR_MULTICASTFORWTBL, "MulticastForwardingTable"},
	{IB_SMI_CLASS, IB_ATTR_SMINFO, "SMInfo"},
	{IB_SMI_CLASS, IB_ATTR_MLNX_EXT_PORT_INFO, "ExtendedPortInfo"},
	{IB_PERFORMANCE_CLASS, CLASS_PORT_INFO, "ClassPortInfo"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_COUNTERS, "PortCounters"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_RCV_ERROR_DETAILS, "PortRcvErrorDetails"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_XMIT_DISCARD_DETAILS, "PortXmitDiscardDetails"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_PORT_VL_OP_PACKETS, "PortVLOpPackets"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_PORT_VL_OP_DATA, "PortVLOpData"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_PORT_VL_XMIT_WAIT_COUNTERS,
	 "PortVLXmitWaitCounters"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_COUNTERS_EXT, "PortCountersExtended"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_XMIT_DATA_SL, "PortXmitDataSL"},
	{IB_PERFORMANCE_CLASS, IB_GSI_PORT_RCV_DATA_SL, "PortRcvDataSL"},
};

const char *mad_attribute_text(uint8_t class, uint16_t attribute)
{
	if (class == IB_SMI_DIRECT_CLASS)
		class = IB_SMI_CLASS;
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (attributes[i].class == class && attributes[i].attribute == attribute)
			return attributes[i].name;
	}
	return "attribute";
}

const char *live_step_name(enum live_step step)
{
	static const char *const names[LIVE_STEP_COUNT] = {
		[LIVE_STEP_DISCOVERY] = "discovery",
		[LIVE_STEP_IDENTITY] = "identity read again",
		[LIVE_STEP_PORT_INFO] = "PortInfo",
		[LIVE_STEP_EXTENDED_PORT_INFO] = "ExtendedPortInfo",
		[LIVE_STEP_LFT] = "LinearForwardingTable",
		[LIVE_STEP_MFT] = "MulticastForwardingTable",
		[LIVE_STEP_SL2VL] = "SLtoVLMappingTable",
		[LIVE_STEP_VLARB] = "VLArbitrationTable",
		[LIVE_STEP_PKEYS] = "P_KeyTable",
		[LIVE_STEP_GUIDS] = "GUIDInfo",
		[LIVE_STEP_SM] = "SMInfo",
		[LIVE_STEP_COUNTERS] = "counters",
		[LIVE_STEP_VL_COUNTERS] = "counters per VL and SL",
		[LIVE_STEP_AGAIN] = "asked once more",
	};

	return names[step];
}

const char *mad_method_text(uint8_t method)
{
	switch (method) {
	case IB_MAD_METHOD_GET:
		return "Get";
	case IB_MAD_METHOD_SET:
		return "Set";
	case IB_MAD_METHOD_GET_RESPONSE:
		return "GetResp";
	case IB_MAD_METHOD_TRAP:
		return "Trap";
	case IB_MAD_METHOD_GET_TABLE:
		return "GetTable";
	case IB_MAD_METHOD_GET_TABLE_RESPONSE:
		return "GetTableResp";
	}
	return "method";
}

const char *mad_status_text(uint16_t status, char *out, size_t size)
{
	char words[MAD_STATUS_WORDS_SIZE];

	snprintf(out, size, "status 0x%04x (%s)", status, mad_status_words(status, words));
	return out;
}
