#include "collector/live/wire.h"

#include <stdio.h>

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

/* IBA 13.4.7: bit 0 busy, bit 1 redirect, bits 2-4 a code, bits 8-15 the class's own. */
const char *mad_status_text(uint16_t status, char *out, size_t size)
{
	static const char *const codes[8] = {
		NULL,
		"bad base or class version",
		"method not supported",
		"method and attribute combination not supported",
		"reserved code 4",
		"reserved code 5",
		"reserved code 6",
		"invalid attribute or modifier value",
	};
	const char *code = codes[status >> 2 & 7];
	int used = snprintf(out, size, "status 0x%04x", status);

	if (used > 0 && (size_t)used < size)
		snprintf(out + used, size - (size_t)used, " (%s%s%s%s)",
			 status & IB_MAD_STS_BUSY ? "busy" : "",
			 status & IB_MAD_STS_REDIRECT ? "redirect" : "",
			 code	    ? code
			 : status & 3	    ? ""
			 : status & 0xff00 ? "class specific"
			 : status   ? "reserved bits"
				    : "no error",
			 "");
	return out;
}
