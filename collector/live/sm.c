/*
 * SMInfo of every port where an SM may run: it says so (CapabilityMask.IsSM), or
 * some port names it as its SM (MasterSMLID). The bit alone does not tell: OpenSM
 * goes on when it cannot set it. SM_Key is not looked at.
 */
#include "collector/live/collect.h"

static int sm_enter(struct collect *collect, struct target *target, struct err *err)
{
	const struct port *own = device_port(target->device, target->port);

	(void)err;
	target->cursor_end = own && (port_capability(own, CAPABILITY_IS_SM) == 1 ||
				     lids_name_sm(collect, own));
	return 0;
}

static int sm_question(struct collect *collect, struct target *target, uint32_t position,
		       struct question *ret_question)
{
	(void)collect;
	(void)position;
	ret_question->ask = ASK_SM_INFO;
	ret_question->port = target->port;
	return 1;
}

const struct stage_reader sm_stage = {
	.group = LIVE_SM,
	.enter = sm_enter,
	.question = sm_question,
};

int read_sm_info(struct collect *collect, struct target *target, const struct question *question,
		 uint8_t *data, const char **ret_why, struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	unsigned state = mad_get_field(data, 0, IB_SMINFO_STATE_F);
	struct sm *sm;

	if (state > 3) {
		*ret_why = "SMInfo with an SMState that does not exist";
		return 1;
	}
	sm = fabric_sm_add(collect->fabric);
	if (!sm)
		return err_no_memory(err);
	sm->port = port;
	sm->port_guid = mad_get_field64(data, 0, IB_SMINFO_GUID_F);
	sm->lid = port->info.lid;
	sm->priority = mad_get_field(data, 0, IB_SMINFO_PRIO_F);
	sm->state = state;
	sm->act_count = mad_get_field(data, 0, IB_SMINFO_ACT_F);
	sm->source = collect->source_ref;
	port->source_of[ATTRIBUTE_SM_INFO] = collect->source_ref;
	return 0;
}
