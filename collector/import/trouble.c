#include "collector/import/trouble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/complaint.h"
#include "collector/import/detect.h"
#include "collector/import/lidmap.h"
#include "collector/import/scan.h"
#include "store/array.h"
#include "store/text.h"

#define PATH_MAX_HOPS 64
#define COMPLAINT_MAX 100	/* bytes of a line that are shown */
#define TROUBLES_MAX 100000	/* a log of nothing but timeouts must end somewhere */

struct trouble {
	int64_t line;
	uint64_t node_guid;	/* "Node GUID 0x...", or 0 */
	int attribute_id;	/* SMP attribute id, -1 not told */
	enum attribute attribute;	/* of other classes, or ATTRIBUTE_COUNT */
	int64_t modifier;	/* -1 not told */
	int64_t lid;		/* -1: directed route */
	int status;		/* errno of umad or a MAD status; 0 not told */
	bool mad_status;
	uint8_t hops;		/* ports in path, the leading 0 counted */
	uint8_t path[PATH_MAX_HOPS];
};

struct trouble_list {
	struct trouble *items;
	size_t count;
	size_t room;
	/* Lines that say neither who nor what did not answer. */
	enum complaint complaint;	/* the gravest of them, */
	int64_t complaint_line;		/* the first such, */
	char *complaint_text;		/* its words, */
	size_t complaints;		/* and how many they are */
};

enum attribute attribute_of_smp_id(unsigned id)
{
	static const struct {
		unsigned id;
		enum attribute attribute;
	} ids[] = {
		{0x10, ATTRIBUTE_NODE_DESCRIPTION}, {0x11, ATTRIBUTE_NODE_INFO},
		{0x12, ATTRIBUTE_SWITCH_INFO},	    {0x14, ATTRIBUTE_GUID_INFO},
		{0x15, ATTRIBUTE_PORT_INFO},	    {0x16, ATTRIBUTE_PKEY_TABLE},
		{0x17, ATTRIBUTE_SL2VL},	    {0x18, ATTRIBUTE_VLARB},
		{0x19, ATTRIBUTE_LFT},		    {0x1b, ATTRIBUTE_MFT},
		{0x20, ATTRIBUTE_SM_INFO},	    {0xff90, ATTRIBUTE_EXTENDED_PORT_INFO},
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		if (ids[i].id == id)
			return ids[i].attribute;
	}
	return ATTRIBUTE_COUNT;
}

/* Moves the cursor behind the first `literal`; false when it is not there. */
static bool seek(struct scan *scan, const char *literal)
{
	const char *at = scan_find(scan, literal);

	if (!at)
		return false;
	scan->at = at + strlen(literal);
	return true;
}

/* "0,1,10,19" */
static bool read_path(struct scan *scan, struct trouble *trouble)
{
	uint64_t port;

	trouble->hops = 0;
	do {
		if (trouble->hops == PATH_MAX_HOPS || !scan_decimal(scan, &port) || port > 254)
			return false;
		trouble->path[trouble->hops++] = (uint8_t)port;
	} while (scan_char(scan, ','));
	return true;
}

/* "DR path slid 0; dlid 0; 0,1,10,19" or "Lid 5" */
static bool read_destination(struct scan line, struct trouble *trouble)
{
	struct scan scan = line;
	uint64_t lid;

	if (seek(&scan, "DR path slid ") && scan_decimal(&scan, &lid) &&
	    scan_literal(&scan, "; dlid ") && scan_decimal(&scan, &lid) &&
	    scan_literal(&scan, "; "))
		return read_path(&scan, trouble);
	scan = line;
	if (seek(&scan, "Lid ") && scan_decimal(&scan, &lid) && lid <= 0xffff) {
		trouble->lid = (int64_t)lid;
		return true;
	}
	return false;
}

static void read_attribute(struct scan line, struct trouble *trouble)
{
	static const struct {
		const char *words;
		unsigned id;
	} names[] = {
		{"SubnGet(LFT)", 0x19}, {"SubnGet(MFT)", 0x1b},
	};
	/* How ibqueryerrors and perfquery call their queries. */
	static const struct {
		const char *words;
		enum attribute attribute;
	} others[] = {
		{"classportinfo query", ATTRIBUTE_CLASS_PORT_INFO},
		{"PORT_COUNTERS_EXT query", ATTRIBUTE_COUNTERS_EXTENDED},
		{"PORT_COUNTERS query", ATTRIBUTE_COUNTERS},
		{"Details query", ATTRIBUTE_COUNTER_DETAILS},
	};
	struct scan scan = line;
	uint64_t value;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (scan_find(&scan, others[i].words)) {
			trouble->attribute = others[i].attribute;
			return;
		}
	}

	if (seek(&scan, "Attr 0x") && scan_bare_hex(&scan, &value) && value <= 0xffff) {
		trouble->attribute_id = (int)value;
		if (scan_char(&scan, ':') && scan_decimal(&scan, &value) && value <= UINT32_MAX)
			trouble->modifier = (int64_t)value;
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		scan = line;
		if (!seek(&scan, names[i].words))
			continue;
		trouble->attribute_id = (int)names[i].id;
		if (seek(&scan, "AM ") && scan_hex(&scan, &value) && value <= UINT32_MAX)
			trouble->modifier = (int64_t)value;
	}
}

static bool read_status(struct scan line, struct trouble *trouble)
{
	struct scan scan = line;
	uint64_t value;

	if (seek(&scan, "bad status ") || seek(&scan, "MAD status ")) {
		if (scan_hex(&scan, &value) && value <= 0xffff) {
			trouble->mad_status = value != ETIMEDOUT;
			trouble->status = (int)(value & 0x7fff);
			return true;
		}
		if (scan_decimal(&scan, &value) && value <= 0xffff) {
			trouble->status = (int)value;
			return true;
		}
	}
	scan = line;
	if (scan_find(&scan, "timed out")) {
		trouble->status = ETIMEDOUT;
		return true;
	}
	return scan_find(&scan, " failed") != NULL;
}

static bool trouble_parse(const char *text, size_t length, struct trouble *trouble)
{
	struct scan line = scan_of(text, length);
	struct scan scan = line;

	*trouble = (struct trouble){.attribute_id = -1, .attribute = ATTRIBUTE_COUNT,
				    .modifier = -1, .lid = -1};
	if (!read_status(line, trouble) || !read_destination(line, trouble))
		return false;
	read_attribute(line, trouble);
	if (seek(&scan, "Node GUID "))
		scan_hex(&scan, &trouble->node_guid);
	return true;
}

/* One silent device is told by several lines in a row, not each with all there is to know. */
static bool trouble_repeats(struct trouble_list *list, const struct trouble *trouble)
{
	size_t first = list->count > 8 ? list->count - 8 : 0;

	for (size_t i = first; i < list->count; i++) {
		struct trouble *old = &list->items[i];

		if (old->hops != trouble->hops || old->lid != trouble->lid ||
		    old->node_guid != trouble->node_guid ||
		    memcmp(old->path, trouble->path, old->hops) != 0)
			continue;
		if (trouble->attribute_id == -1 && trouble->attribute == ATTRIBUTE_COUNT)
			return true;
		if (old->attribute_id == -1 && old->attribute == ATTRIBUTE_COUNT) {
			*old = *trouble;
			return true;
		}
		if (old->attribute_id == trouble->attribute_id &&
		    old->attribute == trouble->attribute && old->modifier == trouble->modifier)
			return true;
	}
	return false;
}

static int list_needed(struct trouble_list **list, struct err *err)
{
	if (!*list)
		*list = calloc(1, sizeof(**list));
	return *list ? 0 : err_no_memory(err);
}

/* Keeps the first of the gravest lines that tell that something failed, and not what. */
static int note_complaint(struct trouble_list **list, const char *text, size_t length,
			  int64_t line, bool *ret_taken, struct err *err)
{
	enum complaint complaint = complaint_of(text, length);
	char *words;

	*ret_taken = complaint != COMPLAINT_NONE;
	if (!*ret_taken)
		return 0;
	if (list_needed(list, err) < 0)
		return ERR_NOMEM;
	(*list)->complaints++;
	if (complaint <= (*list)->complaint)
		return 0;
	import_trim(&text, &length);
	words = strndup(text, length < COMPLAINT_MAX ? length : COMPLAINT_MAX);
	if (!words)
		return err_no_memory(err);
	free((*list)->complaint_text);
	(*list)->complaint_text = words;
	(*list)->complaint_line = line;
	(*list)->complaint = complaint;
	return 0;
}

static int trouble_note(struct trouble_list **list, const char *text, size_t length, int64_t line,
			bool *ret_taken, struct err *err)
{
	struct trouble trouble;
	struct trouble *items;

	*ret_taken = false;
	if (length < 12 || !trouble_parse(text, length, &trouble))
		return 0;
	if (list_needed(list, err) < 0)
		return ERR_NOMEM;
	*ret_taken = true;
	if ((*list)->count == TROUBLES_MAX || trouble_repeats(*list, &trouble))
		return 0;
	items = array_grow((*list)->items, (*list)->count, &(*list)->room, sizeof(*items));
	if (!items)
		return err_no_memory(err);
	(*list)->items = items;
	trouble.line = line;
	(*list)->items[(*list)->count++] = trouble;
	return 0;
}

bool trouble_next(const struct trouble_list *list, unsigned smp_id, size_t *at,
		  uint64_t *ret_node_guid, uint32_t *ret_modifier)
{
	while (list && *at < list->count) {
		const struct trouble *trouble = &list->items[(*at)++];

		if (trouble->attribute_id == (int)smp_id && trouble->node_guid != 0 &&
		    trouble->modifier >= 0) {
			*ret_node_guid = trouble->node_guid;
			*ret_modifier = (uint32_t)trouble->modifier;
			return true;
		}
	}
	return false;
}

void trouble_free(struct trouble_list *list)
{
	if (!list)
		return;
	free(list->items);
	free(list->complaint_text);
	free(list);
}

int trouble_end(struct trouble_list *list, struct import *import, int rc, struct err *err)
{
	if (rc == 0)
		rc = trouble_resolve(import, list, 0, 0, err);
	trouble_free(list);
	return rc;
}

/*
 * Follows the route as far as the links are known. *ret_whole tells whether the
 * port returned is the one its last step leaves by.
 */
static struct port *route_walk(struct import *import, const struct trouble *trouble,
			       struct device *from, bool *ret_whole)
{
	struct port *port;

	*ret_whole = false;
	if (trouble->hops < 2)
		return NULL;
	port = device_port(from, trouble->path[1]);
	for (size_t i = 2; port && i < trouble->hops; i++) {
		struct device *next = port->peer ? port->peer->device : NULL;

		if (!next || next->type != NODE_TYPE_SWITCH)
			return port;
		port = import_port(import, next, trouble->path[i]);
	}
	*ret_whole = port != NULL;
	return port;
}

static void trouble_describe(const struct trouble *trouble, char *out, size_t size)
{
	size_t used = 0;
	int n;

	if (trouble->lid >= 0) {
		snprintf(out, size, "LID %d", (int)trouble->lid);
	} else {
		n = snprintf(out, size, "DR path ");
		used = n > 0 ? (size_t)n : 0;
		for (size_t i = 0; i < trouble->hops && used < size; i++) {
			n = snprintf(out + used, size - used, "%s%u", i ? "," : "",
				     (unsigned)trouble->path[i]);
			used += n > 0 ? (size_t)n : 0;
		}
	}
	used = strlen(out);
	if (trouble->status == ETIMEDOUT && !trouble->mad_status)
		snprintf(out + used, size - used, ": no answer in time");
	else if (trouble->status != 0)
		snprintf(out + used, size - used, ": status 0x%x", (unsigned)trouble->status);
}

static int trouble_to_hole(struct import *import, const struct trouble *trouble,
			   struct device *from, const struct lidmap *lids, struct err *err)
{
	struct fabric *fabric = import_fabric(import);
	enum attribute attribute = ATTRIBUTE_NODE_INFO;
	struct device *device = NULL;
	struct port *behind = NULL;
	struct hole *hole;
	bool whole = false;
	char text[400];

	if (trouble->attribute_id >= 0 &&
	    attribute_of_smp_id((unsigned)trouble->attribute_id) != ATTRIBUTE_COUNT)
		attribute = attribute_of_smp_id((unsigned)trouble->attribute_id);
	if (trouble->attribute != ATTRIBUTE_COUNT)
		attribute = trouble->attribute;
	if (trouble->node_guid != 0)
		device = fabric_device_find(fabric, trouble->node_guid);
	else if (lidmap_find(lids, trouble->lid))
		device = lidmap_find(lids, trouble->lid)->device;
	if (trouble->lid < 0 && from)
		behind = route_walk(import, trouble, from, &whole);
	/* NodeInfo is what tells a device: without it there is none to name. */
	if (!device && whole && attribute != ATTRIBUTE_NODE_INFO && behind->peer)
		device = behind->peer->device;
	hole = fabric_hole_add(fabric);
	if (!hole)
		return err_no_memory(err);
	hole->device = device;
	hole->port = -1;
	if (attribute == ATTRIBUTE_PORT_INFO && trouble->modifier >= 0 && trouble->modifier < 255)
		hole->port = (int)trouble->modifier;
	hole->attribute = attribute;
	hole->reason = trouble->mad_status ? HOLE_STATUS : HOLE_TIMEOUT;
	hole->status = trouble->mad_status ? trouble->status : 0;
	hole->behind = behind;
	hole->source = import_source_ref(import);
	trouble_describe(trouble, text, sizeof(text));
	hole->text = fabric_text(fabric, text, strlen(text));
	if (!hole->text)
		return err_no_memory(err);
	fabric->partial = true;
	return 0;
}

/* A node is named, and not what it was asked for. */
static bool is_vague(const struct trouble *trouble)
{
	return trouble->lid >= 0 && trouble->attribute_id < 0 && trouble->attribute == ATTRIBUTE_COUNT;
}

/* Beside what else tells that the file is not whole, of which the cause may be this. */
static int tell_cut(struct import *import, const char *what, struct err *err)
{
	const struct format *format = import_format_find(import_source(import)->format);
	enum attribute loses = format ? format->loses : ATTRIBUTE_NODE_INFO;
	struct fabric *fabric = import_fabric(import);

	for (size_t i = fabric->hole_count; i-- > 0;) {
		struct hole *hole = &fabric->holes[i];
		char text[1000];

		if (hole->source != import_source_ref(import))
			break;
		if (hole->reason != HOLE_CUT || hole->device || hole->attribute != loses)
			continue;
		snprintf(text, sizeof(text), "%s; %s", what, hole->text);
		hole->text = import_intern(import, text, strlen(text));
		return hole->text ? 0 : err_no_memory(err);
	}
	return import_cut(import, loses, what, err);
}

/* In one sentence: the lines that tell that something was not told, and not what it was. */
static int tell_vague(struct import *import, const struct trouble_list *list, struct err *err)
{
	char text[COMPLAINT_MAX * 4 + 200];
	char words[COMPLAINT_MAX * 4 + 20] = "";
	int64_t line = list->complaint_line;
	size_t count = list->complaints;

	if (list->complaint_text) {
		words[0] = '"';
		text_escape(list->complaint_text, strlen(list->complaint_text), words + 1,
			    sizeof(words) - 2);
		strcat(words, "\"");
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!is_vague(&list->items[i]))
			continue;
		if (count++ > 0)
			continue;
		line = list->items[i].line;
		snprintf(words, sizeof(words), "that a query to LID %d failed", (int)list->items[i].lid);
	}
	if (count == 0)
		return 0;
	snprintf(text, sizeof(text), "line %lld says %s", (long long)line, words);
	if (count > 1)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ", and %zu more complain%s",
			 count - 1, count == 2 ? "s" : "");
	snprintf(text + strlen(text), sizeof(text) - strlen(text), ": what was asked for was not told");
	return tell_cut(import, text, err);
}

int trouble_resolve(struct import *import, const struct trouble_list *list, uint64_t from_node,
		    uint64_t from_port, struct err *err)
{
	struct device *from = NULL;
	struct lidmap *lids = NULL;
	int rc;

	if (!list)
		return 0;
	rc = lidmap_new(import_fabric(import), &lids, err);
	if (from_node != 0)
		from = fabric_device_find(import_fabric(import), from_node);
	if (!from && from_port != 0) {
		struct port *port = import_port_by_guid(import, from_port);

		from = port ? port->device : NULL;
	}
	for (size_t i = 0; rc == 0 && i < list->count; i++) {
		if (!is_vague(&list->items[i]))
			rc = trouble_to_hole(import, &list->items[i], from, lids, err);
	}
	lidmap_free(lids);
	return rc == 0 ? tell_vague(import, list, err) : rc;
}

int trouble_or_odd(struct trouble_list **list, struct import *import, struct input *input,
		   const char *text, size_t length, const char *reason, bool *ret_odd,
		   struct err *err)
{
	bool taken = false;
	int rc;

	if (line_is_noise(text, length))
		return 0;
	rc = trouble_note(list, text, length, input_line_number(input), &taken, err);
	if (rc == 0 && !taken)
		rc = note_complaint(list, text, length, input_line_number(input), &taken, err);
	if (rc < 0 || taken)
		return rc;
	if (ret_odd)
		*ret_odd = true;
	return import_odd(import, input, reason, err);
}
