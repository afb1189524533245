/*
 * Ports that both sides know. A field that one side does not know is no change;
 * of a port that is Down on either side only its state is defined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/diff_parts.h"
#include "store/text.h"

/* How a field's values read. */
enum reading {
	READ_NUMBER,
	READ_WIDTH,		/* lanes */
	READ_WIDTHS,		/* LinkWidth bits */
	READ_SPEED,		/* Mb/s per lane */
	READ_SPEEDS,		/* joined speed code */
	READ_HEX,
};

/* What people set and links train to; counters of violations and the like are left out. */
static const struct compared {
	const char *member;
	enum reading reading;
} compared[] = {
	{"link_width_active", READ_WIDTH},
	{"link_width_supported", READ_WIDTHS},
	{"link_width_enabled", READ_WIDTHS},
	{"link_speed_active", READ_SPEED},
	{"link_speed_supported", READ_SPEEDS},
	{"link_speed_enabled", READ_SPEEDS},
	{"neighbor_mtu", READ_NUMBER},
	{"mtu_cap", READ_NUMBER},
	{"vl_cap", READ_NUMBER},
	{"oper_vls", READ_NUMBER},
	{"vl_high_limit", READ_NUMBER},
	{"vlarb_high_cap", READ_NUMBER},
	{"vlarb_low_cap", READ_NUMBER},
	{"vl_stall_count", READ_NUMBER},
	{"hoq_life", READ_NUMBER},
	{"gid_prefix", READ_HEX},
	{"capability_mask", READ_HEX},
	{"m_key_protect_bits", READ_NUMBER},
	{"m_key_lease_period", READ_NUMBER},
	{"partition_enforcement_inbound", READ_NUMBER},
	{"partition_enforcement_outbound", READ_NUMBER},
	{"filter_raw_inbound", READ_NUMBER},
	{"filter_raw_outbound", READ_NUMBER},
	{"subnet_timeout", READ_NUMBER},
	{"local_phy_errors", READ_NUMBER},
	{"overrun_errors", READ_NUMBER},
};

#define COMPARED_COUNT (sizeof(compared) / sizeof(compared[0]))

/* Tables that are compared whole. */
enum table {
	TABLE_SL2VL,
	TABLE_VLARB_HIGH,
	TABLE_VLARB_LOW,
	TABLE_PKEYS,
	TABLE_COUNT
};

static const char *const table_names[TABLE_COUNT] = {"sl2vl", "vlarb_high", "vlarb_low", "pkeys"};

/* Facts that can be known on one side only, in the order of the notes. */
enum {
	TALLY_LID = COMPARED_COUNT,
	TALLY_LMC,
	TALLY_STATE,
	TALLY_PHYS_STATE,
	TALLY_TABLES,
	TALLY_COUNT = TALLY_TABLES + TABLE_COUNT
};

struct port_diff {
	const struct field *fields[COMPARED_COUNT];
	struct diff *diff;
	unsigned keys;
	size_t older_only[TALLY_COUNT];
	size_t newer_only[TALLY_COUNT];
};

static const char *tally_name(size_t tally)
{
	static const char *const names[] = {
		[TALLY_LID - COMPARED_COUNT] = "lid",
		[TALLY_LMC - COMPARED_COUNT] = "lmc",
		[TALLY_STATE - COMPARED_COUNT] = "port_state",
		[TALLY_PHYS_STATE - COMPARED_COUNT] = "port_phys_state",
	};

	if (tally < COMPARED_COUNT)
		return compared[tally].member;
	if (tally < TALLY_TABLES)
		return names[tally - COMPARED_COUNT];
	return table_names[tally - TALLY_TABLES];
}

/* True when both sides know it; else counts the side that does. */
static bool both_know(struct port_diff *d, size_t tally, bool before, bool after)
{
	if (before && !after)
		d->older_only[tally]++;
	if (after && !before)
		d->newer_only[tally]++;
	return before && after;
}

/* "1x 4x": names of the bits of a mask, longest last. */
static void read_widths(int64_t mask, char *out, size_t size)
{
	static const unsigned codes[] = {1, 16, 2, 4, 8};
	size_t used = 0;

	snprintf(out, size, "%s", mask == 0 ? "none" : "");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]) && used < size; i++) {
		if (mask & codes[i])
			used += (size_t)snprintf(out + used, size - used, "%s%lldx",
						 used ? " " : "", (long long)width_of_code(codes[i]));
	}
	if (used < size && (mask & ~INT64_C(31)))
		snprintf(out + used, size - used, "%s0x%llx", used ? " " : "",
			 (unsigned long long)(mask & ~INT64_C(31)));
}

static void read_speeds(int64_t mask, char *out, size_t size)
{
	size_t used = 0;

	snprintf(out, size, "%s", mask == 0 ? "none" : "");
	for (int bit = 0; bit < 62 && used < size; bit++) {
		int64_t code = INT64_C(1) << bit;
		int64_t mbps = speed_of_code(code);

		if (!(mask & code))
			continue;
		if (mbps == FIELD_UNKNOWN)
			used += (size_t)snprintf(out + used, size - used, "%s0x%llx",
						 used ? " " : "", (unsigned long long)code);
		else
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "",
						 speed_name(mbps));
	}
}

static void read_value(enum reading reading, int64_t value, char *out, size_t size)
{
	switch (reading) {
	case READ_WIDTH:
		snprintf(out, size, "%lldx", (long long)value);
		return;
	case READ_WIDTHS:
		read_widths(value, out, size);
		return;
	case READ_SPEED:
		if (speed_name(value))
			snprintf(out, size, "%s", speed_name(value));
		else
			snprintf(out, size, "%lld Mb/s", (long long)value);
		return;
	case READ_SPEEDS:
		read_speeds(value, out, size);
		return;
	case READ_HEX:
		snprintf(out, size, "0x%llx", (unsigned long long)value);
		return;
	case READ_NUMBER:
		break;
	}
	snprintf(out, size, "%lld", (long long)value);
}

static int add_change(struct port_diff *d, enum diff_kind kind, const struct port *port,
		      const char *field, const char *before, const char *after, struct err *err)
{
	struct change *change = diff_add(d->diff, kind, port->device, port);

	if (!change || !finding_text(&change->field, "%s", field) ||
	    !finding_text(&change->before, "%s", before) ||
	    !finding_text(&change->after, "%s", after))
		return err_no_memory(err);
	return 0;
}

static int compare_fields(struct port_diff *d, const struct port *before, const struct port *after,
			  struct err *err)
{
	for (size_t i = 0; i < COMPARED_COUNT; i++) {
		int64_t old_value = field_get(&before->info, d->fields[i]);
		int64_t new_value = field_get(&after->info, d->fields[i]);
		char old_text[128];
		char new_text[128];
		int rc;

		if (!both_know(d, i, old_value != FIELD_UNKNOWN, new_value != FIELD_UNKNOWN) ||
		    old_value == new_value)
			continue;
		read_value(compared[i].reading, old_value, old_text, sizeof(old_text));
		read_value(compared[i].reading, new_value, new_text, sizeof(new_text));
		rc = add_change(d, DIFF_PORT_FIELD, after, compared[i].member, old_text, new_text,
				err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static const void *table_of(const struct port *port, enum table table, size_t *ret_size)
{
	switch (table) {
	case TABLE_SL2VL:
		*ret_size = port->sl2vl_count * sizeof(*port->sl2vl);
		return port->sl2vl;
	case TABLE_VLARB_HIGH:
		*ret_size = port->vlarb_high_count * sizeof(*port->vlarb_high);
		return port->vlarb_high;
	case TABLE_VLARB_LOW:
		*ret_size = port->vlarb_low_count * sizeof(*port->vlarb_low);
		return port->vlarb_low;
	case TABLE_PKEYS:
	case TABLE_COUNT:
		break;
	}
	*ret_size = port->pkey_count * sizeof(*port->pkeys);
	return port->pkeys;
}

#define TABLE_TEXT_SIZE 256

/* The table in the words of opensm.conf, cut with "..." where it is long. */
static void read_table(const struct port *port, enum table table, char *out)
{
	const struct vlarb_entry *vlarb = table == TABLE_VLARB_HIGH ? port->vlarb_high
								    : port->vlarb_low;
	size_t count = table == TABLE_SL2VL	    ? port->sl2vl_count
		       : table == TABLE_VLARB_HIGH ? port->vlarb_high_count
		       : table == TABLE_VLARB_LOW  ? port->vlarb_low_count
						    : port->pkey_count;
	size_t used = 0;

	snprintf(out, TABLE_TEXT_SIZE, "%s", count == 0 ? "empty" : "");
	for (size_t i = 0; i < count; i++) {
		char entry[96];
		int length = 0;

		if (table == TABLE_SL2VL) {
			const struct sl2vl *run = &port->sl2vl[i];

			length = snprintf(entry, sizeof(entry), "%sin %u-%u:", i ? "; " : "",
					  run->in_first, run->in_last);
			for (int sl = 0; sl < 16; sl++)
				length += snprintf(entry + length, sizeof(entry) - (size_t)length,
						   "%s%u", sl ? "," : " ", run->vl[sl]);
		} else if (table == TABLE_PKEYS) {
			length = snprintf(entry, sizeof(entry), "%s0x%04x", i ? "," : "",
					  port->pkeys[i]);
		} else {
			length = snprintf(entry, sizeof(entry), "%s%u:%u", i ? "," : "",
					  vlarb[i].vl, vlarb[i].weight);
		}
		if (used + (size_t)length + 4 > TABLE_TEXT_SIZE) {
			memcpy(out + used, "...", 4);
			return;
		}
		memcpy(out + used, entry, (size_t)length + 1);
		used += (size_t)length;
	}
}

static int compare_pkeys(const void *left, const void *right)
{
	return *(const uint16_t *)left - *(const uint16_t *)right;
}

/* A P_Key table is a set: the order of its entries says nothing. */
static bool same_pkeys(const struct port *before, const struct port *after)
{
	size_t size = before->pkey_count * sizeof(uint16_t);
	uint16_t *old_keys;
	uint16_t *new_keys;
	bool same = false;

	if (before->pkey_count != after->pkey_count)
		return false;
	if (size == 0 || memcmp(before->pkeys, after->pkeys, size) == 0)
		return true;
	old_keys = malloc(2 * size);
	if (!old_keys)
		return false;
	new_keys = old_keys + before->pkey_count;
	memcpy(old_keys, before->pkeys, size);
	memcpy(new_keys, after->pkeys, size);
	qsort(old_keys, before->pkey_count, sizeof(*old_keys), compare_pkeys);
	qsort(new_keys, before->pkey_count, sizeof(*new_keys), compare_pkeys);
	same = memcmp(old_keys, new_keys, size) == 0;
	free(old_keys);
	return same;
}

static int compare_tables(struct port_diff *d, const struct port *before, const struct port *after,
			  struct err *err)
{
	for (int i = 0; i < TABLE_COUNT; i++) {
		enum table table = (enum table)i;
		size_t old_size, new_size;
		const void *old_table = table_of(before, table, &old_size);
		const void *new_table = table_of(after, table, &new_size);
		char old_text[TABLE_TEXT_SIZE];
		char new_text[TABLE_TEXT_SIZE];
		int rc;

		if (!both_know(d, TALLY_TABLES + (size_t)i, old_table != NULL, new_table != NULL))
			continue;
		if (old_size == new_size &&
		    (old_size == 0 || memcmp(old_table, new_table, old_size) == 0))
			continue;
		if (table == TABLE_PKEYS && same_pkeys(before, after))
			continue;
		read_table(before, table, old_text);
		read_table(after, table, new_text);
		rc = add_change(d, DIFF_PORT_FIELD, after, table_names[i], old_text, new_text, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int compare_state(struct port_diff *d, const struct port *before, const struct port *after,
			 struct err *err)
{
	int64_t old_state = before->info.port_state;
	int64_t new_state = after->info.port_state;
	int64_t old_phys = before->info.port_phys_state;
	int64_t new_phys = after->info.port_phys_state;
	bool both = both_know(d, TALLY_STATE, old_state != FIELD_UNKNOWN,
			      new_state != FIELD_UNKNOWN);

	if (both && old_state != new_state)
		return add_change(d, DIFF_PORT_STATE, after, "port_state",
				  port_state_name(old_state), port_state_name(new_state), err);
	/* The physical state tells only what the logical one does not: Polling or Disabled. */
	if (both_know(d, TALLY_PHYS_STATE, old_phys != FIELD_UNKNOWN,
		      new_phys != FIELD_UNKNOWN) &&
	    old_phys != new_phys)
		return add_change(d, DIFF_PORT_STATE, after, "port_phys_state",
				  port_phys_state_name(old_phys), port_phys_state_name(new_phys),
				  err);
	return 0;
}

static int add_number(struct port_diff *d, const struct port *port, const char *field,
		      int64_t before, int64_t after, struct err *err)
{
	char old_text[24];
	char new_text[24];

	snprintf(old_text, sizeof(old_text), "%lld", (long long)before);
	snprintf(new_text, sizeof(new_text), "%lld", (long long)after);
	return add_change(d, DIFF_LID_CHANGED, port, field, old_text, new_text, err);
}

static int compare_lid(struct port_diff *d, const struct port *before, const struct port *after,
		       struct err *err)
{
	int64_t old_lid = before->info.lid;
	int64_t new_lid = after->info.lid;
	int64_t old_lmc = before->info.lmc;
	int64_t new_lmc = after->info.lmc;
	int rc = 0;

	if (both_know(d, TALLY_LID, old_lid != FIELD_UNKNOWN, new_lid != FIELD_UNKNOWN)) {
		bool owner = old_lid != 0 && new_lid != 0;

		d->diff->lid_owners += owner;
		if (old_lid != new_lid) {
			d->diff->lids_changed += owner;
			rc = add_number(d, after, "lid", old_lid, new_lid, err);
		}
	}
	if (rc == 0 &&
	    both_know(d, TALLY_LMC, old_lmc != FIELD_UNKNOWN, new_lmc != FIELD_UNKNOWN) &&
	    old_lmc != new_lmc)
		rc = add_number(d, after, "lmc", old_lmc, new_lmc, err);
	return rc;
}

static bool is_known_down(const struct port *port)
{
	return port->info.port_state == 1;
}

static int compare_port(struct port_diff *d, const struct port *before, const struct port *after,
			struct err *err)
{
	int rc = 0;

	if (d->keys & DIFF_STATE)
		rc = compare_state(d, before, after, err);
	if (rc == 0 && (d->keys & DIFF_LID) && port_is_end_port(after))
		rc = compare_lid(d, before, after, err);
	if (!(d->keys & DIFF_PORT) || is_known_down(before) || is_known_down(after))
		return rc;
	if (rc == 0)
		rc = compare_fields(d, before, after, err);
	if (rc == 0)
		rc = compare_tables(d, before, after, err);
	return rc;
}

/* The names of the facts of one tally, the first ones in full. */
static void join_names(const size_t tally[TALLY_COUNT], size_t first, bool told[TALLY_COUNT],
		       char *out, size_t size)
{
	const size_t most = 6;
	size_t count = 0;
	size_t used = 0;

	*out = '\0';
	for (size_t i = first; i < TALLY_COUNT; i++) {
		if (tally[i] != tally[first])
			continue;
		told[i] = true;
		if (count++ < most)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
						 tally_name(i));
	}
	if (count > most)
		snprintf(out + used, size - used, " and %zu more", count - most);
}

/* One sentence for all facts that as many ports miss. */
static int note_tally(struct port_diff *d, const size_t tally[TALLY_COUNT], const char *side,
		      struct err *err)
{
	bool told[TALLY_COUNT] = {false};
	int rc = 0;

	for (size_t i = 0; i < TALLY_COUNT && rc == 0; i++) {
		char names[320];

		if (tally[i] == 0 || told[i])
			continue;
		join_names(tally, i, told, names, sizeof(names));
		rc = diff_note(d->diff, err,
			       "only the %s snapshot tells %s of %zu port%s: not compared", side,
			       names, tally[i], tally[i] == 1 ? "" : "s");
	}
	return rc;
}

int diff_ports(const struct diff_match *match, unsigned keys, struct diff *diff, struct err *err)
{
	struct port_diff d = {.diff = diff, .keys = keys};
	int rc = 0;

	for (size_t i = 0; i < COMPARED_COUNT; i++)
		d.fields[i] = field_find(port_field_table, compared[i].member);
	for (size_t i = 0; i < match->old_side.fabric->device_count && rc == 0; i++) {
		const struct device *before = match->old_side.fabric->devices[i];
		size_t other = match->old_side.other[i];
		const struct device *after;

		if (other == NO_DEVICE)
			continue;
		after = match->new_side.fabric->devices[other];
		for (size_t p = 0; p < before->port_slots && rc == 0; p++) {
			const struct port *port = device_port(after, (unsigned)p);

			if (before->ports[p] && port)
				rc = compare_port(&d, before->ports[p], port, err);
		}
	}
	if (rc == 0)
		rc = note_tally(&d, d.older_only, "older", err);
	if (rc == 0)
		rc = note_tally(&d, d.newer_only, "newer", err);
	diff->lids_reassigned = diff->lids_changed >= 3 &&
				2 * diff->lids_changed > diff->lid_owners;
	return rc;
}
