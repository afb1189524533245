#include "collector/import/words.h"

#include <string.h>

#include "collector/import/scan.h"

struct word {
	const char *text;	/* lower case */
	int64_t value;
};

static bool word_find(const struct word *words, size_t count, const char *text, size_t length,
		      int64_t *ret_value)
{
	for (size_t i = 0; i < count; i++) {
		if (import_is_word(text, length, words[i].text)) {
			*ret_value = words[i].value;
			return true;
		}
	}
	return false;
}

/* Takes "4: " off the front, which sysfs and ibstatus print. */
static void drop_number(const char **text, size_t *length)
{
	struct scan scan;
	uint64_t number;

	import_trim(text, length);
	scan = scan_of(*text, *length);
	if (scan_decimal(&scan, &number) && scan_literal(&scan, ": ")) {
		*text = scan.at;
		*length = scan_left(&scan);
		import_trim(text, length);
	}
}

bool words_port_state(const char *text, size_t length, int64_t *ret_state)
{
	static const struct word states[] = {
		{"nochange", FIELD_UNKNOWN}, {"nop", FIELD_UNKNOWN}, {"down", 1},
		{"initialize", 2},	     {"initializing", 2},    {"init", 2},
		{"ini", 2},		     {"armed", 3},	     {"arm", 3},
		{"active", 4},		     {"act", 4},	     {"act_defer", 5},
		{"active_defer", 5},	     {"activedefer", 5},     {"dwn", 1},
	};

	drop_number(&text, &length);
	return word_find(states, sizeof(states) / sizeof(states[0]), text, length, ret_state);
}

bool words_phys_state(const char *text, size_t length, int64_t *ret_state)
{
	static const struct word states[] = {
		{"nochange", FIELD_UNKNOWN},
		{"sleep", 1},
		{"polling", 2},
		{"disabled", 3},
		{"portconfigurationtraining", 4},
		{"training", 4},
		{"linkup", 5},
		{"linkerrorrecovery", 6},
		{"phytest", 7},
		{"phy test", 7},
		{"port configuration training", 4},
		{"link error recovery", 6},
	};

	drop_number(&text, &length);
	return word_find(states, sizeof(states) / sizeof(states[0]), text, length, ret_state);
}

/* The next part of "A or B (IBA extension)"; false at the end. */
static bool next_part(struct scan *scan, const char **ret_text, size_t *ret_length)
{
	const char *stop;

	scan_blanks(scan);
	if (scan_done(scan))
		return false;
	stop = scan_find(scan, " or ");
	*ret_text = scan->at;
	*ret_length = (size_t)((stop ? stop : scan->end) - scan->at);
	scan->at = stop ? stop + 4 : scan->end;
	import_trim(ret_text, ret_length);
	return true;
}

bool words_width_mask(const char *text, size_t length, int64_t *ret_mask)
{
	static const struct word widths[] = {{"1x", 1}, {"4x", 2}, {"8x", 4}, {"12x", 8}, {"2x", 16}};
	struct scan scan = scan_of(text, length);
	const char *note = scan_find(&scan, " (");
	int64_t mask = 0;
	int64_t bit;

	if (note)
		scan.end = note;
	while (next_part(&scan, &text, &length)) {
		if (!word_find(widths, sizeof(widths) / sizeof(widths[0]), text, length, &bit))
			return false;
		mask |= bit;
	}
	if (mask == 0)
		return false;
	*ret_mask = mask;
	return true;
}

bool words_speed_mask(const char *text, size_t length, int64_t *ret_code)
{
	struct scan scan = scan_of(text, length);
	const char *note;
	int64_t code = 0;
	int64_t bit;

	import_trim(&text, &length);
	if (import_is_word(text, length, "0") || import_is_word(text, length, "no extended speed") ||
	    import_is_word(text, length, "no extended speed 2") ||
	    import_is_word(text, length, "extended speed") ||
	    import_is_word(text, length, "extended link speeds disabled")) {
		*ret_code = 0;
		return true;
	}
	note = scan_find(&scan, " (IBA");
	if (note)
		scan.end = note;
	while (next_part(&scan, &text, &length)) {
		if (length > 5 && import_is_word(text + length - 5, 5, " gbps"))
			length -= 5;
		if (import_is_word(text, length, "fdr10"))
			bit = 65536;
		else if (!import_parse_speed(text, length, &bit) || bit == FIELD_UNKNOWN)
			return false;
		code |= bit;
	}
	if (code == 0)
		return false;
	*ret_code = code;
	return true;
}

bool words_vl_count(const char *text, size_t length, int64_t *ret_count)
{
	static const struct word counts[] = {{"vl0", 1},   {"vl0-1", 2},   {"vl0-3", 4},
					     {"vl0-7", 8}, {"vl0-14", 15}, {"no change", 0}};

	import_trim(&text, &length);
	return word_find(counts, sizeof(counts) / sizeof(counts[0]), text, length, ret_count);
}

bool words_node_type(const char *text, size_t length, enum node_type *ret_type)
{
	static const struct word types[] = {
		{"channel adapter", NODE_TYPE_CA}, {"ca", NODE_TYPE_CA},
		{"switch", NODE_TYPE_SWITCH},	   {"sw", NODE_TYPE_SWITCH},
		{"router", NODE_TYPE_ROUTER},	   {"rt", NODE_TYPE_ROUTER},
		{"??", NODE_TYPE_UNKNOWN},	   {"???", NODE_TYPE_UNKNOWN},
	};
	int64_t type;

	import_trim(&text, &length);
	if (!word_find(types, sizeof(types) / sizeof(types[0]), text, length, &type))
		return false;
	*ret_type = (enum node_type)type;
	return true;
}
