#include "rules/unread.h"

#include <stdio.h>
#include <string.h>

#include "rules/analysis/lids.h"
#include "rules/analysis/refusals.h"
#include "store/reads.h"
#include "store/text.h"

enum input_kind {
	INPUT_FILE,		/* a file of OpenSM's: the rule itself says that it is not at hand */
	INPUT_DEVICES,		/* which devices there are, and how they are cabled */
	INPUT_DEVICE,		/* something of every device or switch */
	INPUT_END_PORT,		/* a field of every port with a LID */
	INPUT_LINK_PORT,	/* a field of every port with a cable */
	INPUT_TABLE,		/* a table of every port with a cable */
	INPUT_COUNTERS,		/* the counters of every port with a cable */
};

/* One word of what a rule reads. */
struct input {
	enum input_kind kind;
	enum attribute attribute;
	struct read_word word;
};

struct share {
	size_t all;
	size_t unread;
};

static struct input input_of_field(const struct read_word *word)
{
	static const char *const of_end_ports[] = {"lid", "lmc", "sm_lid", "sm_sl", "gid_prefix",
						   "capability_mask"};
	struct input input = {INPUT_LINK_PORT, ATTRIBUTE_PORT_INFO, *word};

	for (size_t i = 0; i < sizeof(of_end_ports) / sizeof(of_end_ports[0]); i++) {
		if (strcmp(word->field->member, of_end_ports[i]) == 0)
			input.kind = INPUT_END_PORT;
	}
	return input;
}

static struct input input_of(const struct read_word *word)
{
	switch (word->kind) {
	case READ_LIVE:
	case READ_DEVICES:
		return (struct input){INPUT_DEVICES, ATTRIBUTE_NODE_INFO, *word};
	case READ_NEIGHBOR:
		return (struct input){INPUT_DEVICES, ATTRIBUTE_NEIGHBOR, *word};
	case READ_SM:
		return (struct input){INPUT_DEVICES, ATTRIBUTE_SM_INFO, *word};
	case READ_DESCRIPTION:
		return (struct input){INPUT_DEVICE, ATTRIBUTE_NODE_DESCRIPTION, *word};
	case READ_LFT:
		return (struct input){INPUT_DEVICE, ATTRIBUTE_LFT, *word};
	case READ_SL2VL:
		return (struct input){INPUT_TABLE, ATTRIBUTE_SL2VL, *word};
	case READ_VLARB:
		return (struct input){INPUT_TABLE, ATTRIBUTE_VLARB, *word};
	case READ_COUNTERS:
		return (struct input){INPUT_COUNTERS, ATTRIBUTE_COUNTERS, *word};
	case READ_FIELD:
		return input_of_field(word);
	default:
		return (struct input){INPUT_FILE, ATTRIBUTE_COUNT, *word};
	}
}

/* --- Devices that are not in the snapshot. --- */

bool unread_is_hole_of(const struct hole *hole, enum attribute attribute)
{
	return hole->attribute == attribute && hole->reason != HOLE_UNSUPPORTED;
}

static bool hides_devices(const struct hole *hole)
{
	return unread_is_hole_of(hole, ATTRIBUTE_NODE_INFO) ||
	       unread_is_hole_of(hole, ATTRIBUTE_NEIGHBOR);
}

const char *unread_devices(const struct fabric *fabric, char out[UNREAD_SIZE])
{
	const struct hole *first = NULL;
	const struct hole *unclear = NULL;
	char label[DEVICE_LABEL_SIZE + 16];
	char words[HOLE_WORDS_SIZE];
	size_t behind = 0;
	size_t open = 0;
	size_t nowhere = 0;
	size_t odd = 0;

	out[0] = '\0';
	for (size_t i = 0; i < fabric->hole_count; i++) {
		const struct hole *hole = &fabric->holes[i];

		if (!hides_devices(hole))
			continue;
		/* The device is there: what its NodeInfo or its cable left open is told by itself. */
		if (hole->device && hole->behind) {
			open += 1;
			unclear = unclear ? unclear : hole;
			continue;
		}
		behind += hole->behind != NULL;
		odd += hole->reason == HOLE_ODD;
		nowhere += hole->behind == NULL && hole->reason != HOLE_ODD;
		if (hole->behind && !first)
			first = hole;
	}
	if (first)
		snprintf(out, UNREAD_SIZE, "what lies behind %zu %s is not known, %s%s (%s)", behind,
			 text_plural(behind, "port", "ports"), text_plural(behind, "", "first "),
			 port_label(first->behind, false, label, sizeof(label)),
			 hole_words(first, words));
	else if (unclear)
		snprintf(out, UNREAD_SIZE,
			 "whether %zu %s one each, and cabled as read, could not be told, %s%s "
			 "(collection-incomplete)", open, text_plural(open, "device is", "devices are"),
			 text_plural(open, "", "first "),
			 device_label(unclear->device, label, sizeof(label)));
	else if (nowhere > 0)
		snprintf(out, UNREAD_SIZE,
			 "devices or cables are missing at %zu %s (collection-incomplete)", nowhere,
			 text_plural(nowhere, "place that is not known", "places that are not known"));
	else if (odd > 0)
		snprintf(out, UNREAD_SIZE,
			 "devices or cables may stand in lines that were not understood "
			 "(collection-incomplete)");
	return out;
}

/* --- What devices and ports did not give. --- */

static bool has_no_port(const struct device *device)
{
	for (size_t num = 0; num < device->port_slots; num++) {
		if (device->ports[num])
			return false;
	}
	return true;
}

static bool port_concerns(const struct port *port, enum input_kind kind)
{
	if (kind == INPUT_END_PORT)
		return port_owes_lid(port);
	return port->num > 0 && port->peer && port->info.port_state != 1;
}

static bool port_is_unread(const struct port *port, const struct input *input)
{
	/* Whose table is missing although PortInfo came the rule itself tells. */
	if (input->kind == INPUT_TABLE && port->info.port_state != FIELD_UNKNOWN)
		return false;
	return !reads_port_knows(port, &input->word);
}

static struct share share_of_ports(const struct fabric *fabric, const struct input *input)
{
	struct share share = {0};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		/* It has one at least. */
		if (has_no_port(device)) {
			share.all++;
			share.unread++;
		}
		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port_concerns(port, input->kind))
				continue;
			share.all++;
			share.unread += port_is_unread(port, input);
		}
	}
	return share;
}

static struct share share_of_devices(const struct fabric *fabric, const struct input *input)
{
	struct share share = {0};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		if (input->attribute == ATTRIBUTE_LFT && device->type != NODE_TYPE_SWITCH)
			continue;
		share.all++;
		share.unread += !reads_device_knows(device, &input->word);
	}
	return share;
}

/* --- The verdict. --- */

/* Nothing was read and the rule found nothing to say about that. */
static bool passed_on_nothing(const struct rule_output *out)
{
	return out->verdict->kind == VERDICT_PASS && !out->verdict->reason;
}

/* The end of a sentence: who did not give it and why, as far as holes tell. */
static void why_missing(const struct fabric *fabric, enum attribute attribute, struct share share,
			char out[REFUSALS_SIZE])
{
	char text[REFUSALS_SIZE];

	refusals_text(fabric, attribute, text);
	if (text[0] == '\0' && (share.unread < share.all || !fabric->live))
		out[0] = '\0';
	else if (text[0] == '\0')
		refusals_why(fabric, attribute, "", out);
	else
		snprintf(out, REFUSALS_SIZE, ": %.*s", REFUSALS_SIZE - 3, text);
}

static const char *whose_words(const struct input *input)
{
	if (input->kind == INPUT_END_PORT)
		return "end ports";
	if (input->kind != INPUT_DEVICE)
		return "ports with a cable";
	return input->attribute == ATTRIBUTE_LFT ? "switches" : "devices";
}

static int tell_share(const struct fabric *fabric, const struct input *input, struct share share,
		      struct rule_output *out, struct err *err)
{
	enum attribute asked = input->kind == INPUT_DEVICE || input->kind == INPUT_COUNTERS
				       ? input->attribute
				       : ATTRIBUTE_PORT_INFO;
	const char *name = input->word.field ? input->word.field->name : attribute_name(input->attribute);
	bool of_table = input->kind == INPUT_TABLE;
	const char *was = input->kind == INPUT_COUNTERS ? "were" : "was";
	char what[96], count[48], why[REFUSALS_SIZE];

	why_missing(fabric, asked, share, why);
	snprintf(what, sizeof(what), "%s%s", of_table ? "neither PortState nor " : "the ", name);
	if (share.unread == share.all)
		snprintf(count, sizeof(count), "all %zu", share.all);
	else
		snprintf(count, sizeof(count), "%zu of %zu", share.unread, share.all);
	if (share.unread == share.all && passed_on_nothing(out))
		return rule_not_checked(out, err, "%s of %s %s %s %sread%s", what, count,
					whose_words(input), was, of_table ? "" : "not ", why);
	/* Then the rule has a reason of its own, and holes alone add to that. */
	if (share.unread == share.all && why[0] == '\0')
		return 0;
	return rule_left_out(out, err, "%s of %s %s %s %sread%s", what, count, whose_words(input),
			     was, of_table ? "" : "not ", why);
}

/* Holes that no count above shows: a part of a table, a port that may have no cable. */
static int tell_rest(const struct fabric *fabric, const struct input *input, struct rule_output *out,
		     struct err *err)
{
	char why[REFUSALS_SIZE];
	bool missing = false;

	for (size_t i = 0; i < fabric->hole_count && !missing; i++)
		missing = unread_is_hole_of(&fabric->holes[i], input->attribute);
	if (!missing)
		return 0;
	refusals_text(fabric, input->attribute, why);
	return rule_left_out(out, err, "%s was not read everywhere%s%s", attribute_name(input->attribute),
			     why[0] ? ": " : " (collection-incomplete)", why);
}

static int tell_input(const struct fabric *fabric, const struct input *input, bool *told_ports,
		      struct rule_output *out, struct err *err)
{
	struct share share = {0};
	bool of_ports = input->kind == INPUT_END_PORT || input->kind == INPUT_LINK_PORT ||
			input->kind == INPUT_TABLE || input->kind == INPUT_COUNTERS;

	if (of_ports && !*told_ports) {
		share = share_of_ports(fabric, input);
		*told_ports = true;
	} else if (input->kind == INPUT_DEVICE) {
		share = share_of_devices(fabric, input);
	}
	/* Which switches gave no table the rule itself tells. */
	if (share.unread > 0 && !(input->attribute == ATTRIBUTE_LFT && out->verdict->reason))
		return tell_share(fabric, input, share, out, err);
	if (out->verdict->reason || input->attribute == ATTRIBUTE_NODE_INFO ||
	    input->attribute == ATTRIBUTE_NEIGHBOR)
		return 0;
	return tell_rest(fabric, input, out, err);
}

static int tell_devices(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	char text[UNREAD_SIZE];

	unread_devices(fabric, text);
	/* A rule may have said it with what it follows from that. */
	if (text[0] == '\0' || (out->verdict->reason && strstr(out->verdict->reason, text)))
		return 0;
	return rule_left_out(out, err, "%s", text);
}

int unread_tell(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const char *at = out->rule->reads;
	struct read_word word;
	bool of_devices = false;
	bool told_ports = false;
	int rc = 0;

	if (out->verdict->kind == VERDICT_NOT_CHECKED)
		return 0;
	while (rc == 0 && reads_next(&at, &word)) {
		struct input input = input_of(&word);

		if (input.kind == INPUT_FILE)
			continue;
		of_devices = true;
		rc = tell_input(in->fabric, &input, &told_ports, out, err);
	}
	if (rc == 0 && of_devices)
		rc = tell_devices(in->fabric, out, err);
	return rc;
}
