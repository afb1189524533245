#include "collector/live/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

/* In order of enum stage. */
static const struct stage_reader *const stages[STAGE_DONE] = {
	[STAGE_FIRST] = &node_stage,
	[STAGE_PORTS] = &ports_stage,
	[STAGE_SPEED] = &speed_stage,
	[STAGE_LFT] = &lft_stage,
	[STAGE_MFT] = &mft_stage,
	[STAGE_SL2VL] = &sl2vl_stage,
	[STAGE_VLARB] = &vlarb_stage,
	[STAGE_PKEYS] = &pkeys_stage,
	[STAGE_GUIDS] = &guids_stage,
	[STAGE_SM] = &sm_stage,
	[STAGE_COUNTER_CLASS] = &counter_class_stage,
	[STAGE_COUNTERS] = &counters_stage,
	[STAGE_COUNTER_DETAILS] = &counter_details_stage,
	[STAGE_VL_COUNTERS] = &vl_counters_stage,
};

/* What each question is on the wire, what it fills, what it counts as, who reads it. */
static const struct {
	uint8_t class;
	uint16_t attribute;
	enum attribute fills;
	enum live_step step;
	answer_reader *read;
} asks[ASK_COUNT] = {
	[ASK_NEIGHBOR] = {IB_SMI_DIRECT_CLASS, IB_ATTR_NODE_INFO, ATTRIBUTE_NODE_INFO,
			  LIVE_STEP_DISCOVERY, NULL},
	[ASK_IDENTITY] = {IB_SMI_DIRECT_CLASS, IB_ATTR_NODE_INFO, ATTRIBUTE_NODE_INFO,
			  LIVE_STEP_IDENTITY, NULL},
	[ASK_ALIVE] = {IB_SMI_DIRECT_CLASS, IB_ATTR_NODE_INFO, ATTRIBUTE_NODE_INFO, LIVE_STEP_AGAIN,
		       NULL},
	[ASK_PROOF] = {IB_SMI_DIRECT_CLASS, IB_ATTR_NODE_INFO, ATTRIBUTE_NODE_INFO,
		       LIVE_STEP_DISCOVERY, NULL},
	[ASK_OTHER_WAY] = {IB_SMI_DIRECT_CLASS, IB_ATTR_NODE_INFO, ATTRIBUTE_NODE_INFO,
			   LIVE_STEP_AGAIN, NULL},
	[ASK_NODE_DESCRIPTION] = {IB_SMI_DIRECT_CLASS, IB_ATTR_NODE_DESC,
				  ATTRIBUTE_NODE_DESCRIPTION, LIVE_STEP_DISCOVERY,
				  read_node_description},
	[ASK_SWITCH_INFO] = {IB_SMI_DIRECT_CLASS, IB_ATTR_SWITCH_INFO, ATTRIBUTE_SWITCH_INFO,
			     LIVE_STEP_DISCOVERY, read_switch_info},
	[ASK_PORT_INFO] = {IB_SMI_DIRECT_CLASS, IB_ATTR_PORT_INFO, ATTRIBUTE_PORT_INFO,
			   LIVE_STEP_PORT_INFO, read_port_info},
	[ASK_EXTENDED_PORT_INFO] = {IB_SMI_DIRECT_CLASS, IB_ATTR_MLNX_EXT_PORT_INFO,
				    ATTRIBUTE_EXTENDED_PORT_INFO, LIVE_STEP_EXTENDED_PORT_INFO,
				    read_extended_port_info},
	[ASK_GUID_INFO] = {IB_SMI_DIRECT_CLASS, IB_ATTR_GUID_INFO, ATTRIBUTE_GUID_INFO,
			   LIVE_STEP_GUIDS, read_guid_info},
	[ASK_PKEY_TABLE] = {IB_SMI_DIRECT_CLASS, IB_ATTR_PKEY_TBL, ATTRIBUTE_PKEY_TABLE,
			    LIVE_STEP_PKEYS, read_pkey_table},
	[ASK_SL2VL] = {IB_SMI_DIRECT_CLASS, IB_ATTR_SLVL_TABLE, ATTRIBUTE_SL2VL, LIVE_STEP_SL2VL,
		       read_sl2vl},
	[ASK_VLARB] = {IB_SMI_DIRECT_CLASS, IB_ATTR_VL_ARBITRATION, ATTRIBUTE_VLARB,
		       LIVE_STEP_VLARB, read_vlarb},
	[ASK_LFT] = {IB_SMI_DIRECT_CLASS, IB_ATTR_LINEARFORWTBL, ATTRIBUTE_LFT, LIVE_STEP_LFT,
		     read_lft},
	[ASK_MFT] = {IB_SMI_DIRECT_CLASS, IB_ATTR_MULTICASTFORWTBL, ATTRIBUTE_MFT, LIVE_STEP_MFT,
		     read_mft},
	[ASK_SM_INFO] = {IB_SMI_DIRECT_CLASS, IB_ATTR_SMINFO, ATTRIBUTE_SM_INFO, LIVE_STEP_SM,
			 read_sm_info},
	[ASK_CLASS_PORT_INFO] = {IB_PERFORMANCE_CLASS, CLASS_PORT_INFO, ATTRIBUTE_CLASS_PORT_INFO,
				 LIVE_STEP_COUNTERS, read_class_port_info},
	[ASK_COUNTERS] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_COUNTERS, ATTRIBUTE_COUNTERS,
			  LIVE_STEP_COUNTERS, read_counters},
	[ASK_COUNTERS_EXTENDED] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_COUNTERS_EXT,
				   ATTRIBUTE_COUNTERS_EXTENDED, LIVE_STEP_COUNTERS,
				   read_counters_extended},
	[ASK_RCV_ERROR_DETAILS] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_RCV_ERROR_DETAILS,
				   ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_COUNTERS,
				   read_rcv_error_details},
	[ASK_XMIT_DISCARD_DETAILS] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_XMIT_DISCARD_DETAILS,
				      ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_COUNTERS,
				      read_xmit_discard_details},
	[ASK_XMIT_DATA_SL] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_XMIT_DATA_SL,
			      ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_VL_COUNTERS, read_vl_counters},
	[ASK_RCV_DATA_SL] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_RCV_DATA_SL,
			     ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_VL_COUNTERS, read_vl_counters},
	[ASK_VL_OP_PACKETS] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_PORT_VL_OP_PACKETS,
			       ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_VL_COUNTERS, read_vl_counters},
	[ASK_VL_OP_DATA] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_PORT_VL_OP_DATA,
			    ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_VL_COUNTERS, read_vl_counters},
	[ASK_VL_XMIT_WAIT] = {IB_PERFORMANCE_CLASS, IB_GSI_PORT_PORT_VL_XMIT_WAIT_COUNTERS,
			      ATTRIBUTE_COUNTER_DETAILS, LIVE_STEP_VL_COUNTERS, read_vl_counters},
};

/* The port a hole names: -1 for what belongs to the device. */
static int hole_port(const struct question *question)
{
	switch (question->ask) {
	case ASK_NODE_DESCRIPTION:
	case ASK_SWITCH_INFO:
	case ASK_LFT:
	case ASK_MFT:
		return -1;
	default:
		return (int)question->port;
	}
}

#define BIT(ask) (UINT32_C(1) << (ask))

/* Refusals or silences in a row, without one answer, after which an attribute is given up. */
#define GIVE_UP 3
/* After so many devices an M_Key keeps the others back too, rather than that the path loses. */
#define SHUT_MANY 4

enum attribute ask_attribute(enum ask ask)
{
	return asks[ask].fills;
}

/* --- Targets. --- */

static bool target_of_reach(struct collect *collect, size_t index)
{
	struct target **grown = array_reach(collect->target_of, index, &collect->target_of_room,
					    sizeof(struct target *));

	if (!grown)
		return false;
	collect->target_of = grown;
	return true;
}

struct target *target_add(struct collect *collect, struct device *device, uint8_t port,
			  const struct mad_route *route)
{
	struct target *target = calloc(1, sizeof(*target));
	struct port *own;

	if (!target || !target_of_reach(collect, device->index)) {
		free(target);
		return NULL;
	}
	target->device = device;
	target->port = port;
	target->route = *route;
	own = device_port(device, port);
	/* NodeInfo told its GUID, be that 0. */
	if (own)
		own->source_of[ATTRIBUTE_NODE_INFO] = collect->source_ref;
	target->m_key = keys_find(collect->keys, own ? own->guid : 0, collect->options->m_key);
	target->next_of_device = collect->target_of[device->index];
	collect->target_of[device->index] = target;
	target->next = collect->targets;
	collect->targets = target;
	collect->target_count++;
	target_wake(collect, target);
	return target;
}

struct target *target_find(const struct collect *collect, const struct device *device,
			   unsigned port)
{
	struct target *target = NULL;

	if (device->index < collect->target_of_room)
		target = collect->target_of[device->index];
	if (device->type == NODE_TYPE_SWITCH)
		return target;
	while (target && target->port != port)
		target = target->next_of_device;
	return target;
}

bool target_is_switch(const struct target *target)
{
	return target->device->type == NODE_TYPE_SWITCH;
}

unsigned target_ports(const struct target *target)
{
	return target_is_switch(target) ? (unsigned)target->device->info.num_ports : 1;
}

unsigned target_port_num(const struct target *target, unsigned position)
{
	return target_is_switch(target) ? position + 1 : target->port;
}

const struct port *target_linked_port(const struct target *target, unsigned num)
{
	const struct port *port = device_port(target->device, num);

	return port && port_is_up(port) ? port : NULL;
}

bool target_heard(const struct target *target, enum ask ask)
{
	return ((target->answered | target->refused) & BIT(ask)) != 0;
}

void target_wake(struct collect *collect, struct target *target)
{
	agenda_add_target(&collect->agenda, target);
}

void target_free(struct target *target)
{
	while (target->unanswered) {
		struct unanswered *next = target->unanswered->next;

		free(target->unanswered);
		target->unanswered = next;
	}
	free(target->table);
	free(target->misses);
	memset(&target->m_key, 0, sizeof(target->m_key));
	free(target);
}

/* --- Asking. --- */

struct question question_of(const struct mad_request *request)
{
	return (struct question){
		.ask = request->kind,
		.port = request->tag & 255,
		.modifier = request->modifier,
		.port_select = request->port_select,
		.rounds = (uint8_t)(request->tag >> 8),
	};
}

int target_ask(struct collect *collect, struct target *target, const struct question *question,
	       struct err *err)
{
	struct mad_request request = {
		.owner = target,
		.tag = question->port | (uint32_t)question->rounds << 8,
		.kind = (uint8_t)question->ask,
		.step = (uint8_t)(question->rounds ? LIVE_STEP_AGAIN : asks[question->ask].step),
		.class = asks[question->ask].class,
		.attribute = asks[question->ask].attribute,
		.modifier = question->modifier,
		.port_select = question->port_select,
		.known = true,
		.once = question->ask == ASK_PROOF,
		.doubtful = target->answered == 0 && collect->shut_count >= SHUT_MANY,
		.patience_us = target->patience_us,
		.m_key = target->m_key,
	};

	if (request.class == IB_PERFORMANCE_CLASS) {
		const struct port *own = device_port(target->device, target->port);

		request.lid = (uint16_t)own->info.lid;
	}
	return engine_submit(collect->engine, &request, &target->route, err);
}

static bool stage_wanted(const struct collect *collect, const struct stage_reader *reader)
{
	return (collect->groups & reader->group) != 0;
}

int target_leave(struct collect *collect, struct target *target, struct err *err)
{
	const struct stage_reader *reader = stages[target->stage];

	if (target->entered && reader->leave && reader->leave(collect, target, err) < 0)
		return err->code;
	target->entered = false;
	target->stage = target->shut ? STAGE_DONE : target->stage + 1;
	if (target->stage == STAGE_DONE || (target->stage == STAGE_SM && !collect->lids))
		collect->target_done++;
	return 0;
}

/* A question that was given up before, once more: 1; 0 none; or ERR_NOMEM. */
static int take_unanswered(struct collect *collect, struct target *target,
			   struct question *ret_question, struct err *err)
{
	while (target->unanswered) {
		struct unanswered *first = target->unanswered;
		struct question question = first->question;
		int rc = 0;

		target->unanswered = first->next;
		free(first);
		if (target->proven_shut)
			continue;
		if (!(target->hopeless & BIT(question.ask))) {
			question.rounds++;
			*ret_question = question;
			return 1;
		}
		if (!(target->told & BIT(question.ask)))
			rc = hole_of_target(collect, target, -1, asks[question.ask].fills,
					    HOLE_TIMEOUT, 0, "never answered", err);
		target->told |= BIT(question.ask);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int target_next(struct collect *collect, struct target *target, struct question *ret_question,
		struct err *err)
{
	int rc = 0;

	if (target->check_wanted && !target->checking) {
		target->checking = true;
		target->check_wanted = false;
		*ret_question = (struct question){.ask = ASK_ALIVE};
		return 1;
	}
	while (rc == 0 && !target->silent && !target->checking && target->stage < STAGE_DONE) {
		const struct stage_reader *reader = stages[target->stage];

		if (target->stage == STAGE_SM && !collect->lids)
			return 0;
		if (!target->entered && stage_wanted(collect, reader)) {
			target->cursor = target->cursor_end = 0;
			rc = reader->enter(collect, target, err);
			target->entered = true;
		}
		while (rc == 0 && target->entered && target->cursor < target->cursor_end) {
			*ret_question = (struct question){0};
			if (reader->question(collect, target, target->cursor++, ret_question) &&
			    !(target->hopeless & BIT(ret_question->ask)))
				return 1;
		}
		if (rc == 0 && target->out > 0)
			return 0;
		if (rc == 0 && protection_wants_proof(collect, target)) {
			*ret_question = (struct question){.ask = ASK_PROOF};
			return 1;
		}
		if (rc == 0)
			rc = take_unanswered(collect, target, ret_question, err);
		if (rc == 0)
			rc = target_leave(collect, target, err);
	}
	return rc;
}

/* --- Answers. --- */

void target_took(struct target *target, uint32_t after_us)
{
	if (after_us > target->patience_us)
		target->patience_us = after_us;
	else
		target->patience_us -= (target->patience_us - after_us) / 8;
}

static int keep_unanswered(struct target *target, const struct question *question,
			   struct err *err)
{
	struct unanswered *unanswered = calloc(1, sizeof(*unanswered));

	if (!unanswered)
		return err_no_memory(err);
	unanswered->question = *question;
	unanswered->next = target->unanswered;
	target->unanswered = unanswered;
	return 0;
}

static int alive_answer(struct target *target, const struct answer *answer)
{
	struct node_seen seen;
	const char *why;

	target->checking = false;
	target->silent = answer->outcome != OUTCOME_ANSWER ||
			 !node_decode(answer->data, &seen, &why) ||
			 (seen.guid != target->device->guid && !target->changes);
	return 0;
}

static int lost_hole(struct collect *collect, struct target *target,
		     const struct question *question, struct err *err)
{
	return hole_of_target(collect, target, hole_port(question), asks[question->ask].fills,
			      HOLE_TIMEOUT, 0, NULL, err);
}

/*
 * A known device kept silent about one thing: is it that thing, or the device? Even
 * of what a device need not have, silence is never read as lacking it: one that
 * lacks it says so (IBA 13.4.7), one that is silent may have lost the question.
 */
static int lost(struct collect *collect, struct target *target, const struct question *question,
		struct err *err)
{
	enum ask ask = question->ask;

	/* While the device is silent nothing is said about the question. */
	if (target->silent)
		return keep_unanswered(target, question, err);
	if (target->failures[ask] < UINT8_MAX)
		target->failures[ask]++;
	if (!(target->answered & BIT(ask)) && target->failures[ask] >= GIVE_UP)
		target->hopeless |= BIT(ask);
	if (!target->checking)
		target->check_wanted = true;
	if (question->rounds > 0)
		return target->stage == STAGE_FIRST
			       ? 0
			       : lost_hole(collect, target, question, err);
	return keep_unanswered(target, question, err);
}

/*
 * What IBA makes every device of its kind answer (chapter 14.2.5): a refusal is a
 * loss. That of a port without IsSM says what its capability mask says too, no SM.
 */
static bool is_mandatory(const struct target *target, enum ask ask)
{
	const struct port *own = device_port(target->device, target->port);

	switch (ask) {
	case ASK_NODE_DESCRIPTION:
	case ASK_SWITCH_INFO:
	case ASK_PORT_INFO:
	case ASK_PKEY_TABLE:
	case ASK_LFT:
		return true;
	case ASK_SM_INFO:
		return !own || port_capability(own, CAPABILITY_IS_SM) != 0;
	default:
		return false;
	}
}

static int refused(struct collect *collect, struct target *target,
		   const struct question *question, uint16_t status, struct err *err)
{
	enum ask ask = question->ask;
	uint16_t code = status & 0x1c;
	bool unsupported = code == IB_MAD_STS_METHOD_NOT_SUPPORTED ||
			   code == IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED;

	target->refused |= BIT(ask);
	if (status & IB_MAD_STS_BUSY && question->rounds == 0)
		return keep_unanswered(target, question, err);
	if (target->failures[ask] < UINT8_MAX)
		target->failures[ask]++;
	if (!(target->answered & BIT(ask)) && (unsupported || target->failures[ask] >= GIVE_UP)) {
		target->hopeless |= BIT(ask);
		if (target->told & BIT(ask))
			return 0;
		target->told |= BIT(ask);
	}
	return hole_of_target(collect, target,
			      target->hopeless & BIT(ask) ? -1 : hole_port(question),
			      asks[ask].fills,
			      unsupported && !is_mandatory(target, ask) ? HOLE_UNSUPPORTED : HOLE_STATUS,
			      status, NULL, err);
}

int target_answer(struct collect *collect, struct target *target,
		  const struct mad_request *request, const struct answer *answer, struct err *err)
{
	struct question question = question_of(request);
	const char *why = "an answer of the wrong length or version";
	int rc = 0;

	target->out--;
	if (answer->outcome != OUTCOME_TIMEOUT)
		target_took(target, answer->after_us);
	if (question.ask == ASK_ALIVE) {
		rc = alive_answer(target, answer);
	} else if (question.ask == ASK_PROOF) {
		target->proof_got += answer->outcome == OUTCOME_ANSWER;
	} else if (answer->outcome == OUTCOME_TIMEOUT) {
		rc = lost(collect, target, &question, err);
	} else if (answer->outcome == OUTCOME_STATUS) {
		rc = refused(collect, target, &question, answer->status, err);
	} else {
		if (answer->outcome == OUTCOME_BAD)
			rc = 1;
		else
			rc = asks[question.ask].read(collect, target, &question, answer->data,
						     &why, err);
		if (rc == 0)
			target->answered |= BIT(question.ask);
		else if (rc == 1)
			rc = hole_of_target(collect, target, hole_port(&question),
					    asks[question.ask].fills, HOLE_BAD_ANSWER, 0, why, err);
	}
	collect->source->rows++;
	target_wake(collect, target);
	return rc;
}
