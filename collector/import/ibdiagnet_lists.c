/* ibdiagnet2.pkey, .sm, .vports and .vports_pkey: indented lines below a heading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "collector/import/input.h"
#include "collector/import/scan.h"
#include "store/array.h"

/* Port number at the end of a port's name: "leaf/P12", "S.../N.../P0"; false: a label, or none. */
static bool port_of_name(const char *line, size_t length, uint64_t *ret_num)
{
	struct scan scan = scan_of(line, length);
	const char *lid = scan_find(&scan, " lid=");
	const char *slash;
	struct scan rest;

	if (!lid)
		return false;
	scan.end = lid;
	slash = scan_find_last(&scan, "/P");
	if (!slash)
		return false;
	rest = (struct scan){slash + 2, lid};
	return scan_decimal(&rest, ret_num) && scan_done(&rest) && *ret_num <= 254;
}

/* The members of one partition, kept until their number shows that they are its own. */
struct pkey_group {
	uint64_t pkey;		/* 0: none, or its title is not understood */
	uint64_t hosts;		/* as the title counts them */
	bool counted;		/* it does */
	int64_t line;		/* of the title */
	struct pkey_member {
		struct port *port;
		bool full;
	} *members;
	size_t count, room;
};

/*
 * The group's last line was read. Fewer members than its title counts may be its own
 * and some of a group whose title is lost; only behind the last line of a file that
 * breaks off nothing but members can be missing.
 */
static int pkey_group_end(struct pkey_group *group, struct import *import, bool broken_off,
			  struct err *err)
{
	bool whole = !group->counted || group->count == group->hosts;
	char text[200];
	int rc = 0;

	if (!whole) {
		snprintf(text, sizeof(text), "the partition 0x%04x in line %lld has %zu members where its title counts %llu%s",
			 (unsigned)group->pkey, (long long)group->line, group->count,
			 (unsigned long long)group->hosts,
			 broken_off ? "" : ", so whose they are is not known");
		rc = import_cut(import, ATTRIBUTE_PKEY_TABLE, text, err);
	}
	whole = whole || (broken_off && group->count < group->hosts);
	for (size_t i = 0; whole && rc == 0 && i < group->count; i++)
		rc = import_pkey_add(import, group->members[i].port,
				     (uint16_t)(group->members[i].full ? group->pkey | 0x8000 : group->pkey),
				     err);
	group->count = 0;
	group->pkey = 0;
	group->counted = false;
	return rc;
}

/* "GROUP PKey:0x7fff Hosts:272", behind the first words. False: no such title. */
static bool pkey_title(struct pkey_group *group, struct scan scan, int64_t line)
{
	uint64_t pkey;

	group->pkey = 0;
	if (!scan_hex(&scan, &pkey) || pkey > 0x7fff)
		return false;
	group->pkey = pkey;
	group->line = line;
	scan_blanks(&scan);
	group->counted = scan_literal(&scan, "Hosts:") && scan_decimal(&scan, &group->hosts);
	return true;
}

/* "  Full leaf/P0 lid=0x00b4 guid=0x... dev=54002" below its title. */
static int pkey_member(struct pkey_group *group, struct import *import, const char *line,
		       size_t length, bool *ret_odd, struct err *err)
{
	struct pkey_member *members;
	struct scan scan = scan_of(line, length);
	struct port *port;
	const char *word;
	size_t word_length;
	uint64_t guid;
	uint64_t num = 1;
	bool full;
	int rc;

	*ret_odd = true;
	scan_blanks(&scan);
	if (!scan_word(&scan, &word, &word_length))
		return 0;
	full = import_is_word(word, word_length, "full");
	if (!full && !import_is_word(word, word_length, "limited"))
		return 0;
	if (!ibdiagnet_guid(line, length, "guid=", &guid))
		return 0;
	port = import_port_by_guid(import, guid);
	if (!port && port_of_name(line, length, &num))
		port = ibdiagnet_port(import, guid, (unsigned)num);
	else if (!port)
		port = ibdiagnet_port(import, guid, 1);
	if (!port)
		return err_no_memory(err);
	*ret_odd = false;
	rc = ibdiagnet_lid(import, port, line, length, "lid=", err);
	if (rc < 0)
		return rc;
	members = array_grow(group->members, group->count, &group->room, sizeof(*members));
	if (!members)
		return err_no_memory(err);
	group->members = members;
	members[group->count++] = (struct pkey_member){port, full};
	return 0;
}

static int read_pkey_lines(struct pkey_group *group, struct import *import, struct input *input,
			   struct err *err)
{
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct scan scan = scan_of(line, length);
		bool odd = false;

		if (ibdiagnet_comment(import, line, length))
			continue;
		if (scan_literal(&scan, "GROUP PKey:")) {
			rc = pkey_group_end(group, import, false, err);
			odd = !pkey_title(group, scan, input_line_number(input));
		} else if (group->pkey == 0) {
			odd = true;
		} else {
			rc = pkey_member(group, import, line, length, &odd, err);
		}
		if (rc < 0)
			return rc;
		if (odd)
			rc = import_odd(import, input, "no member of a partition", err);
		else
			import_row(import);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static int read_pkey(struct import *import, struct input *input, struct err *err)
{
	struct pkey_group group = {.pkey = 0};
	int rc;

	import_asked(import, ATTRIBUTE_PKEY_TABLE);
	rc = read_pkey_lines(&group, import, input, err);
	if (rc == 0)
		rc = pkey_group_end(&group, import, input_lacks_foot(input), err);
	free(group.members);
	return rc;
}

static int sm_state_of(const char *line, size_t length)
{
	static const struct {
		const char *word;
		int state;
	} states[] = {{"master", 3}, {"standby", 2}, {"discovering", 1}, {"not active", 0},
		      {"not-active", 0}, {"notactive", 0}};
	struct scan scan = scan_of(line, length);

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (scan_find(&scan, states[i].word))
			return states[i].state;
	}
	return -1;
}

/* "    Port=0 lid=0x00b4 guid=0x... dev=54002 priority:12" below "  SM - master". */
static int read_sm_line(struct import *import, const char *line, size_t length, int state,
			bool *ret_odd, struct err *err)
{
	struct port *port;
	struct sm *sm;
	uint64_t guid;
	uint64_t num;
	uint64_t value;

	*ret_odd = true;
	if (!ibdiagnet_guid(line, length, "guid=", &guid) ||
	    !ibdiagnet_number(line, length, "Port=", &num) || num > 254)
		return 0;
	port = ibdiagnet_port(import, guid, (unsigned)num);
	sm = port ? import_sm(import, guid) : NULL;
	if (!sm)
		return err_no_memory(err);
	*ret_odd = false;
	if (sm->source != import_source_ref(import) && !import_replaces(import, sm->source))
		return 0;
	sm->source = import_source_ref(import);
	sm->port = port;
	if (state >= 0)
		sm->state = state;
	if (ibdiagnet_number(line, length, "priority:", &value) && value <= 15)
		sm->priority = (int64_t)value;
	import_port_read(import, port, ATTRIBUTE_SM_INFO);
	if (!ibdiagnet_number(line, length, "lid=", &value))
		return 0;
	return import_within(import, "LID", value > INT64_MAX ? INT64_MAX : (int64_t)value, 0xffff,
			     &sm->lid, err);
}

static int read_sm(struct import *import, struct input *input, struct err *err)
{
	int state = -1;
	char *line;
	size_t length;
	int rc;

	import_asked(import, ATTRIBUTE_SM_INFO);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		const char *text = line;
		size_t left = length;
		bool odd = false;

		import_trim(&text, &left);
		if (ibdiagnet_comment(import, text, left))
			continue;
		if (left >= 4 && memcmp(text, "SM -", 4) == 0)
			state = sm_state_of(text, left);
		else if (left < 9 || memcmp(text, "ibdiagnet", 9) != 0)
			rc = read_sm_line(import, text, left, state, &odd, err);
		if (rc < 0)
			return rc;
		if (odd) {
			rc = import_odd(import, input, "no subnet manager", err);
			if (rc < 0)
				return rc;
			continue;
		}
		import_row(import);
	}
	return rc;
}

/* "VPort0: Guid=0x..., VLid=..., State=INI, ...": each item a fact of the port above. */
static int read_vport(struct import *import, const struct port *port, const char *line,
		      size_t length, bool *ret_odd, struct err *err)
{
	const char *end = line + length;
	const char *colon = memchr(line, ':', length);
	const char *item = colon ? colon + 1 : end;
	char key[96];
	int rc = 0;

	*ret_odd = !port || !colon || length < 5 || memcmp(line, "VPort", 5) != 0;
	while (!*ret_odd && rc == 0 && item < end) {
		const char *comma = memchr(item, ',', (size_t)(end - item));
		const char *stop = comma ? comma : end;
		const char *equals = memchr(item, '=', (size_t)(stop - item));

		if (equals) {
			const char *name = item;
			size_t name_length = (size_t)(equals - item);

			import_trim(&name, &name_length);
			snprintf(key, sizeof(key), "%.*s %.*s", (int)(name_length < 40 ? name_length : 40),
				 name, (int)(colon - line - 5 < 10 ? colon - line - 5 : 10), line + 5);
			rc = import_fact(import, port->device, port->num, "vport", key, equals + 1,
					 (size_t)(stop - equals - 1), err);
		}
		item = stop + 1;
	}
	return rc;
}

static int read_vports(struct import *import, struct input *input, struct err *err)
{
	struct port *port = NULL;
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		const char *text = line;
		size_t left = length;
		uint64_t guid;
		bool odd = false;

		import_trim(&text, &left);
		if (ibdiagnet_comment(import, text, left))
			continue;
		if (left > 10 && memcmp(text, "Port Name=", 10) == 0) {
			odd = !ibdiagnet_guid(text, left, "GUID=", &guid);
			port = odd ? NULL : ibdiagnet_port(import, guid, 1);
			if (!odd && !port)
				return err_no_memory(err);
			rc = odd ? 0 : ibdiagnet_lid(import, port, text, left, "LID=", err);
		} else {
			rc = read_vport(import, port, text, left, &odd, err);
		}
		if (rc < 0)
			return rc;
		if (odd) {
			rc = import_odd(import, input, "no virtual port", err);
			if (rc < 0)
				return rc;
			continue;
		}
		import_row(import);
	}
	return rc;
}

/* Membership of virtual ports has no place; the file is named so that it is not called unknown. */
static int read_vports_pkey(struct import *import, struct input *input, struct err *err)
{
	char *line;
	size_t length;
	int64_t rows = 0;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1)
		rows += !ibdiagnet_comment(import, line, length);
	if (rc == 0 && rows > 0) {
		char detail[80];

		snprintf(detail, sizeof(detail), "lines without a place here: %lld", (long long)rows);
		import_source(import)->detail = import_intern(import, detail, strlen(detail));
		if (!import_source(import)->detail)
			rc = err_no_memory(err);
	}
	return rc;
}

static int detect_pkey(const struct probe *probe)
{
	return probe_has_line(probe, "GROUP PKey:") ? 90 : 0;
}

static int detect_sm(const struct probe *probe)
{
	return probe_has_line(probe, "ibdiagnet fabric SM report") ? 90 : 0;
}

/* An empty table has nothing but the head: then the file's name decides. */
static bool is_named(const struct probe *probe, const char *end)
{
	size_t length = strlen(probe->name);
	size_t n = strlen(end);

	return ibdiagnet_is(probe) && length >= n && strcmp(probe->name + length - n, end) == 0;
}

static int detect_vports(const struct probe *probe)
{
	if (probe_has_line(probe, "Port Name=") && probe_has_line(probe, "VPort"))
		return 90;
	return is_named(probe, ".vports") ? 50 : 0;
}

static int detect_vports_pkey(const struct probe *probe)
{
	if (probe_has_line(probe, "GROUP VPKey:"))
		return 90;
	return is_named(probe, ".vports_pkey") ? 50 : 0;
}

const struct format format_ibdiagnet_pkey = {
	.id = "ibdiagnet2.pkey",
	.title = "ibdiagnet2 partition members (ibdiagnet2.pkey)",
	.rank = 70,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_PKEY_TABLE,
	.detect = detect_pkey,
	.read = read_pkey,
};

const struct format format_ibdiagnet_sm = {
	.id = "ibdiagnet2.sm",
	.title = "ibdiagnet2 subnet managers (ibdiagnet2.sm)",
	.rank = 80,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_SM_INFO,
	.detect = detect_sm,
	.read = read_sm,
};

const struct format format_ibdiagnet_vports = {
	.id = "ibdiagnet2.vports",
	.title = "ibdiagnet2 virtual ports (ibdiagnet2.vports)",
	.rank = 70,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_HOST,
	.detect = detect_vports,
	.read = read_vports,
};

const struct format format_ibdiagnet_vports_pkey = {
	.id = "ibdiagnet2.vports_pkey",
	.title = "ibdiagnet2 partitions of virtual ports (ibdiagnet2.vports_pkey)",
	.rank = 10,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_HOST,
	.detect = detect_vports_pkey,
	.read = read_vports_pkey,
};
