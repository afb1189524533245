/*
 * Counters grow all the time, so two snapshots are not compared by them. But who
 * compares them by hand must know which ones tell nothing: a counter that stood at
 * its maximum both times would show the same value whatever came in between.
 */
#include <stdio.h>

#include "store/diff_parts.h"
#include "store/text.h"

static uint64_t stuck_of(const struct port *before, const struct port *after)
{
	const struct port_counters *old_ones = before->counters;
	const struct port_counters *new_ones = after->counters;

	if (!old_ones || !new_ones)
		return 0;
	return old_ones->known & old_ones->saturated & new_ones->known & new_ones->saturated;
}

/* "SymbolErrorCounter, LinkDownedCounter": the first ones. */
static void names_of(uint64_t counters, char *out, size_t size)
{
	const size_t most = 4;
	size_t count = 0;
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < COUNTER_COUNT; i++) {
		if ((counters >> i & 1) && count++ < most)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
						 counter_table[i].name);
	}
	if (count > most)
		snprintf(out + used, size - used, " and %zu more", count - most);
}

int diff_counters(const struct diff_match *match, struct diff *diff, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16] = "";
	char names[256] = "";
	size_t ports = 0;

	for (size_t i = 0; i < match->old_side.fabric->device_count; i++) {
		const struct device *before = match->old_side.fabric->devices[i];
		size_t other = match->old_side.other[i];

		for (size_t num = 0; other != NO_DEVICE && num < before->port_slots; num++) {
			const struct port *after = device_port(
				match->new_side.fabric->devices[other], (unsigned)num);
			uint64_t stuck =
				before->ports[num] && after ? stuck_of(before->ports[num], after) : 0;

			if (stuck != 0 && ports++ == 0) {
				port_label(after, false, label, sizeof(label));
				names_of(stuck, names, sizeof(names));
			}
		}
	}
	if (ports == 0)
		return 0;
	return diff_note(diff, err,
			 "counters stand at their maximum in both snapshots on %zu %s (%s%s: %s): equal "
			 "values there do not mean that nothing was added; clear them and measure again",
			 ports, text_plural(ports, "port", "ports"), ports > 1 ? "first " : "", label,
			 names);
}
