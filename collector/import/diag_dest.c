#include "collector/import/diag_dest.h"

#include <stdio.h>
#include <string.h>

#include "collector/import/lidmap.h"

#define ADDRESS_SIZE 128
#define KNOWN_MAX (sizeof(((struct diag_dests *)0)->known) / sizeof(struct diag_known))

bool diag_address(struct scan *scan, char out[ADDRESS_SIZE])
{
	const char *stop = scan_find(scan, " port ");
	const char *text = scan->at;
	size_t length;

	if (!scan_starts(scan, "Lid ") && !scan_starts(scan, "DR path "))
		return false;
	if (!stop)
		stop = scan->end;
	length = (size_t)(stop - text);
	import_trim(&text, &length);
	if (length >= ADDRESS_SIZE)
		length = ADDRESS_SIZE - 1;
	memcpy(out, text, length);
	out[length] = '\0';
	scan->at = stop;
	return true;
}

static bool lid_of(const char *address, int64_t *ret_lid)
{
	struct scan scan = scan_of(address, strlen(address));
	uint64_t lid;

	if (!scan_literal(&scan, "Lid ") || !scan_number(&scan, &lid) || lid > INT64_MAX)
		return false;
	*ret_lid = (int64_t)lid;
	return true;
}

int diag_find(struct diag_dests *dests, struct import *import, const char *address,
	      struct device **ret_device, struct err *err)
{
	size_t kept = dests->known_count < KNOWN_MAX ? dests->known_count : KNOWN_MAX;
	struct port *port;
	int64_t lid;
	int rc;

	*ret_device = NULL;
	for (size_t i = 0; i < kept; i++) {
		const struct diag_known *known =
			&dests->known[(dests->known_count - 1 - i) % KNOWN_MAX];

		if (strcmp(known->address, address) == 0) {
			*ret_device = known->device;
			return 0;
		}
	}
	if (!lid_of(address, &lid))
		return 0;
	if (lid > 0xffff)
		return import_odd_once(import, "asked of a LID above 65535", err);
	if (!dests->lids) {
		rc = lidmap_new(import_fabric(import), &dests->lids, err);
		if (rc < 0)
			return rc;
	}
	port = lidmap_find(dests->lids, lid);
	if (port)
		*ret_device = port->device;
	return 0;
}

void diag_learn(struct diag_dests *dests, struct import *import, const char *address,
		struct device *device, int64_t local_port)
{
	struct diag_known *known = &dests->known[dests->known_count++ % KNOWN_MAX];
	struct port *port;
	int64_t lid;

	snprintf(known->address, sizeof(known->address), "%s", address);
	known->device = device;
	if (!lid_of(address, &lid) || lid == 0 || lid >= 0xc000)
		return;
	if (device->type == NODE_TYPE_SWITCH)
		port = import_port(import, device, 0);
	else
		port = local_port > 0 && local_port <= 254 ?
			       import_port(import, device, (unsigned)local_port) : NULL;
	/*
	 * For the files that follow and know the LID only. It may be any LID of an LMC
	 * range, so no source stands behind it and whoever knows the base LID replaces it.
	 */
	if (port && port->info.lid == FIELD_UNKNOWN)
		port->info.lid = lid;
}

/* The next word of a command line; options that take a value take it along. */
static bool next_argument(struct scan *scan, const char **ret_text, size_t *ret_length,
			  bool *ret_guid)
{
	for (;;) {
		const char *value;
		size_t length;

		scan_blanks(scan);
		if (!scan_word(scan, ret_text, ret_length))
			return false;
		if (**ret_text != '-')
			return true;
		if (*ret_length == 2 && (*ret_text)[1] == 'G')
			*ret_guid = true;
		if (*ret_length == 2 && strchr("CPtsym", (*ret_text)[1])) {
			scan_blanks(scan);
			scan_word(scan, &value, &length);
		}
	}
}

bool diag_command(const char *text, size_t length, const char *tool, char address[ADDRESS_SIZE],
		  uint64_t *ret_guid, int *ret_num)
{
	struct scan scan = scan_of(text, length);
	const char *at = scan_find(&scan, tool);
	bool by_guid = false;
	const char *word;
	size_t word_length;
	uint64_t number;

	if (!at || length > 400)
		return false;
	scan.at = at + strlen(tool);
	if (!scan_done(&scan) && *scan.at != ' ')
		return false;
	address[0] = '\0';
	*ret_guid = 0;
	*ret_num = -1;
	/* smpquery has the operation first. */
	if (strcmp(tool, "smpquery") == 0 && !next_argument(&scan, &word, &word_length, &by_guid))
		return true;
	if (!next_argument(&scan, &word, &word_length, &by_guid))
		return true;
	if (import_parse_u64(word, word_length, &number)) {
		if (by_guid)
			*ret_guid = number;
		else if (number <= 0xffff)
			snprintf(address, ADDRESS_SIZE, "Lid %u", (unsigned)number);
	}
	if (next_argument(&scan, &word, &word_length, &by_guid) &&
	    import_parse_u64(word, word_length, &number) && number <= 254)
		*ret_num = (int)number;
	return true;
}

void diag_free(struct diag_dests *dests)
{
	lidmap_free(dests->lids);
	dests->lids = NULL;
}
