#include "store/field.h"

#include <string.h>

#define NODE_ROW(m, n, u) {#m, n, u, offsetof(struct node_fields, m)},
#define SWITCH_ROW(m, n, u) {#m, n, u, offsetof(struct switch_fields, m)},
#define PORT_ROW(m, n, u) {#m, n, u, offsetof(struct port_fields, m)},

const struct field node_field_table[] = {NODE_FIELDS(NODE_ROW){0}};
const struct field switch_field_table[] = {SWITCH_FIELDS(SWITCH_ROW){0}};
const struct field port_field_table[] = {PORT_FIELDS(PORT_ROW){0}};

const struct counter_info counter_table[COUNTER_COUNT] = {
#define COUNTER_ROW(m, n, b, u) [COUNTER_##m] = {#m, n, b, u},
	COUNTERS(COUNTER_ROW)
};

void field_set_all_unknown(void *fields, const struct field *table)
{
	for (; table->member; table++)
		field_set(fields, table, FIELD_UNKNOWN);
}

const struct field *field_find(const struct field *table, const char *member)
{
	for (; table->member; table++) {
		if (strcmp(table->member, member) == 0)
			return table;
	}
	return NULL;
}

int64_t vl_count_of_code(unsigned code)
{
	static const int64_t count[] = {FIELD_UNKNOWN, 1, 2, 4, 8, 15};

	return code < sizeof(count) / sizeof(count[0]) ? count[code] : FIELD_UNKNOWN;
}

int64_t mtu_of_code(unsigned code)
{
	return code >= 1 && code <= 5 ? INT64_C(128) << code : FIELD_UNKNOWN;
}

/* In order of lanes, which is not the order of the codes. */
static const struct {
	unsigned code;
	int64_t lanes;
} widths[] = {{1, 1}, {16, 2}, {2, 4}, {4, 8}, {8, 12}};

#define WIDTHS (sizeof(widths) / sizeof(widths[0]))

int64_t width_of_code(unsigned code)
{
	for (size_t i = 0; i < WIDTHS; i++) {
		if (widths[i].code == code)
			return widths[i].lanes;
	}
	return FIELD_UNKNOWN;
}

int64_t width_widest(int64_t mask)
{
	int64_t widest = FIELD_UNKNOWN;

	if (mask < 0)
		return FIELD_UNKNOWN;
	for (size_t i = 0; i < WIDTHS; i++) {
		if (mask & widths[i].code)
			widest = widths[i].lanes;
	}
	return widest;
}

/* In order of speed. EDR20 is Mellanox's 20 Gb/s a lane. */
static const struct {
	int64_t code;
	int64_t mbps;
	const char *name;
} speeds[] = {
	{1, 2500, "SDR"},
	{2, 5000, "DDR"},
	{4, 10000, "QDR"},
	{1 << 16, 10312, "FDR10"},
	{1 << 8, 14062, "FDR"},
	{2 << 16, 20625, "EDR20"},
	{2 << 8, 25781, "EDR"},
	{4 << 8, 53125, "HDR"},
	{8 << 8, 106250, "NDR"},
	{1 << 24, 212500, "XDR"},
};

#define SPEEDS (sizeof(speeds) / sizeof(speeds[0]))

int64_t speed_of_code(int64_t code)
{
	int64_t mbps = FIELD_UNKNOWN;

	if (code < 0)
		return FIELD_UNKNOWN;
	for (size_t i = 0; i < SPEEDS; i++) {
		if (code & speeds[i].code)
			mbps = speeds[i].mbps;
	}
	return mbps;
}

bool speed_code_has_unknown(int64_t code)
{
	if (code < 0)
		return false;
	for (size_t i = 0; i < SPEEDS; i++)
		code &= ~speeds[i].code;
	return code != 0;
}

const char *speed_name(int64_t mbps)
{
	for (size_t i = 0; i < SPEEDS; i++) {
		if (speeds[i].mbps == mbps)
			return speeds[i].name;
	}
	return NULL;
}

static const char *name_of(const char *const *names, size_t count, int64_t code)
{
	return code >= 0 && (uint64_t)code < count && names[code] ? names[code] : "unknown";
}

const char *port_state_name(int64_t state)
{
	static const char *const names[] = {NULL, "Down", "Init", "Armed", "Active", "ActiveDefer"};

	return name_of(names, sizeof(names) / sizeof(names[0]), state);
}

const char *port_phys_state_name(int64_t state)
{
	static const char *const names[] = {NULL,	"Sleep",  "Polling",	       "Disabled",
					    "Training", "LinkUp", "LinkErrorRecovery", "PhyTest"};

	return name_of(names, sizeof(names) / sizeof(names[0]), state);
}

const char *sm_state_name(int64_t state)
{
	static const char *const names[] = {"Not active", "Discovering", "Standby", "Master"};

	return name_of(names, sizeof(names) / sizeof(names[0]), state);
}
