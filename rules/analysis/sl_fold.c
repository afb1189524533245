#include "rules/analysis/sl_fold.h"

#include <string.h>

static const uint8_t shipped[SL_COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7};

uint16_t sl_fold_together(const uint8_t design[SL_COUNT], const uint8_t held[SL_COUNT], uint16_t sls)
{
	uint16_t together = 0;

	for (unsigned a = 0; a < SL_COUNT; a++) {
		for (unsigned b = 0; b < a; b++) {
			uint16_t pair = (uint16_t)(1u << a | 1u << b);

			if ((pair & ~sls) == 0 && held[a] != VL_DROP && held[a] == held[b] &&
			    design[a] != design[b])
				together |= pair;
		}
	}
	return together;
}

/* The VL that two or more SLs of those apart by `lanes` agree on; VL_DROP: they do not, or too few have one. */
static uint8_t shared_vl(const uint8_t table[SL_COUNT], size_t first, size_t lanes)
{
	uint8_t vl = VL_DROP;
	unsigned agree = 0;

	for (size_t sl = first; sl < SL_COUNT; sl += lanes) {
		if (table[sl] == VL_DROP)
			continue;
		if (vl != VL_DROP && table[sl] != vl)
			return VL_DROP;
		vl = table[sl];
		agree++;
	}
	return agree > 1 ? vl : VL_DROP;
}

enum sl_fold sl_fold_seen(const uint8_t table[SL_COUNT], int64_t lanes)
{
	bool plain = memchr(table, VL_DROP, SL_COUNT) == NULL;
	uint16_t vls = 0;

	if (lanes < 1 || lanes > 8)
		return SL_FOLD_NONE;
	for (size_t base = 0; base < (size_t)lanes; base++) {
		uint8_t vl = shared_vl(table, base, (size_t)lanes);

		if (vl == VL_DROP || vl >= lanes)
			return SL_FOLD_NONE;
		if (vl != base)
			plain = false;
		vls |= (uint16_t)(1u << vl);
	}
	if (plain)
		return SL_FOLD_SHIPPED;
	/* A period that is shorter than the lanes is a map of few classes, not a fold. */
	return lanes > 1 && qos_bit_count(vls) == (unsigned)lanes ? SL_FOLD_OWN : SL_FOLD_NONE;
}

int64_t sl_fold_leftover(const uint8_t design[SL_COUNT], const uint8_t table[SL_COUNT],
			 int64_t lanes)
{
	uint8_t masked[SL_COUNT];

	qos_mask_sl2vl(design, lanes, masked);
	if (memcmp(masked, table, SL_COUNT) == 0)
		return 0;
	for (int64_t fewer = lanes > 8 ? 8 : lanes / 2; fewer >= 1; fewer /= 2) {
		qos_mask_sl2vl(design, fewer, masked);
		if (memcmp(masked, table, SL_COUNT) == 0)
			return fewer;
	}
	return 0;
}

bool sl_fold_is_masked(const uint8_t design[SL_COUNT], const uint8_t table[SL_COUNT])
{
	uint8_t masked[SL_COUNT];

	for (int64_t lanes = 16; lanes >= 1; lanes /= 2) {
		qos_mask_sl2vl(design, lanes, masked);
		if (memcmp(masked, table, SL_COUNT) == 0)
			return true;
	}
	return false;
}

bool sl_fold_is_shipped(const uint8_t table[SL_COUNT])
{
	return memcmp(table, shipped, SL_COUNT) == 0;
}
