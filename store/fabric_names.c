#include "store/fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

const char *device_label(const struct device *device, char *out, size_t size)
{
	const char *name = device->alias ? device->alias : device->description;
	char guid[GUID_TEXT_SIZE];
	char text[TEXT_DESCRIPTION_SIZE];

	guid_format(device->guid, guid);
	if (name && *name) {
		text_escape(name, strlen(name), text, sizeof(text));
		snprintf(out, size, "%s (%s)", text, guid);
	} else {
		snprintf(out, size, "%s", guid);
	}
	return out;
}

bool description_is_given(const char *name)
{
	static const char *const makers[] = {"Mellanox Technologies", " Voltaire", " QLogic"};

	if (!name || name[strspn(name, " \t")] == '\0' || strncmp(name, "localhost", 9) == 0 ||
	    strncmp(name, "(none)", 6) == 0)
		return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (strstr(name, makers[i]))
			return false;
	}
	return true;
}

bool device_is_named(const struct device *device)
{
	return (device->alias && *device->alias) || description_is_given(device->description);
}

static const char *name_of(const struct device *device)
{
	const char *name = device->alias ? device->alias : device->description;

	return name ? name : "";
}

static int compare_device_names(const void *a, const void *b)
{
	return strcmp(name_of(*(struct device *const *)a), name_of(*(struct device *const *)b));
}

int fabric_mark_shared_names(struct fabric *fabric, struct err *err)
{
	struct device **list = malloc((fabric->device_count + 1) * sizeof(struct device *));

	if (!list)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->device_count; i++) {
		list[i] = fabric->devices[i];
		list[i]->name_shared = false;
	}
	if (fabric->device_count > 1)
		qsort(list, fabric->device_count, sizeof(struct device *), compare_device_names);
	for (size_t i = 1; i < fabric->device_count; i++) {
		if (compare_device_names(&list[i - 1], &list[i]) == 0)
			list[i - 1]->name_shared = list[i]->name_shared = true;
	}
	free(list);
	return 0;
}

const char *port_label(const struct port *port, bool guid, char *out, size_t size)
{
	const struct device *device = port->device;
	const char *name = device->alias ? device->alias : device->description;
	char label[DEVICE_LABEL_SIZE];

	if (guid || device->name_shared || !device_is_named(device))
		device_label(device, label, sizeof(label));
	else
		text_escape(name, strlen(name), label, sizeof(label));
	snprintf(out, size, "%s port %u", label, (unsigned)port->num);
	return out;
}

const char *attribute_name(enum attribute attribute)
{
	static const char *const names[ATTRIBUTE_COUNT] = {
		[ATTRIBUTE_NODE_INFO] = "NodeInfo",
		[ATTRIBUTE_NODE_DESCRIPTION] = "NodeDescription",
		[ATTRIBUTE_SWITCH_INFO] = "SwitchInfo",
		[ATTRIBUTE_PORT_INFO] = "PortInfo",
		[ATTRIBUTE_EXTENDED_PORT_INFO] = "ExtendedPortInfo",
		[ATTRIBUTE_NEIGHBOR] = "neighbour",
		[ATTRIBUTE_GUID_INFO] = "GUIDInfo",
		[ATTRIBUTE_PKEY_TABLE] = "P_KeyTable",
		[ATTRIBUTE_SL2VL] = "SLtoVLMappingTable",
		[ATTRIBUTE_VLARB] = "VLArbitrationTable",
		[ATTRIBUTE_LFT] = "LinearForwardingTable",
		[ATTRIBUTE_MFT] = "MulticastForwardingTable",
		[ATTRIBUTE_SM_INFO] = "SMInfo",
		[ATTRIBUTE_COUNTERS] = "PortCounters",
		[ATTRIBUTE_COUNTERS_EXTENDED] = "PortCountersExtended",
		[ATTRIBUTE_COUNTER_DETAILS] = "error details",
		[ATTRIBUTE_CLASS_PORT_INFO] = "ClassPortInfo",
		[ATTRIBUTE_HOST] = "host tables",
	};

	return names[attribute];
}

const char *hole_reason_name(enum hole_reason reason)
{
	switch (reason) {
	case HOLE_TIMEOUT:
		return "timeout";
	case HOLE_STATUS:
		return "status";
	case HOLE_UNSUPPORTED:
		return "unsupported";
	case HOLE_PROTECTED:
		return "protected";
	case HOLE_BAD_ANSWER:
		return "bad-answer";
	case HOLE_NOT_REACHED:
		return "not-reached";
	case HOLE_LIMIT:
		return "limit";
	case HOLE_INCONSISTENT:
		return "inconsistent";
	case HOLE_CUT:
		return "cut";
	case HOLE_ODD:
		return "not-understood";
	case HOLE_UNDECIDED:
		return "undecided";
	}
	return "unknown";
}

const char *mad_status_words(unsigned status, char out[MAD_STATUS_WORDS_SIZE])
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
	bool busy = status & 1, redirect = status & 2;

	if (!code && !busy && !redirect)
		code = status & 0xff00 ? "class specific" : status ? "reserved bits" : "no error";
	snprintf(out, MAD_STATUS_WORDS_SIZE, "%s%s%s%s%s", busy ? "busy" : "",
		 busy && (redirect || code) ? ", " : "", redirect ? "redirect" : "",
		 redirect && code ? ", " : "", code ? code : "");
	return out;
}
