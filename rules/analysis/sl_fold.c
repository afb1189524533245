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

enum sl_fold sl_fold_seen(const uint8_t table[SL_COUNT], int64_t lanes)
{
	bool plain = true;
	uint16_t vls = 0;

	if (lanes < 1 || lanes > 8)
		return SL_FOLD_NONE;
	for (size_t sl = 0; sl < SL_COUNT; sl++) {
		size_t base = sl % (size_t)lanes;

		if (table[sl] == VL_DROP) {
			plain = false;
			continue;
		}
		if (table[sl] >= lanes)
			return SL_FOLD_NONE;
		if (table[base] != VL_DROP && table[sl] != table[base])
			return SL_FOLD_NONE;
		if (table[sl] != base)
			plain = false;
		vls |= (uint16_t)(1u << table[sl]);
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
