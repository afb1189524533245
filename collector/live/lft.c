/* LinearForwardingTable: 64 LIDs a block, up to LinearFDBTop; what lies above is undefined. */
#include "collector/live/collect.h"

static int lft_enter(struct collect *collect, struct target *target, struct err *err)
{
	struct device *device = target->device;
	int64_t top = device->sw.linear_fdb_top;

	if (device->type != NODE_TYPE_SWITCH || top == FIELD_UNKNOWN)
		return 0;
	if (!device_lft_reserve(collect->fabric, device, (size_t)top + 1))
		return err_no_memory(err);
	device->source_of[ATTRIBUTE_LFT] = collect->source_ref;
	target->cursor_end = (uint32_t)top / 64 + 1;
	return 0;
}

static int lft_question(struct collect *collect, struct target *target, uint32_t position,
			struct question *ret_question)
{
	(void)collect;
	(void)target;
	ret_question->ask = ASK_LFT;
	ret_question->modifier = position;
	return 1;
}

const struct stage_reader lft_stage = {
	.group = LIVE_LFT,
	.enter = lft_enter,
	.question = lft_question,
};

int read_lft(struct collect *collect, struct target *target, const struct question *question,
	     uint8_t *data, const char **ret_why, struct err *err)
{
	(void)collect;
	(void)ret_why;
	(void)err;
	lft_set_block(target->device, question->modifier, data);
	return 0;
}
