/*
 * Mellanox' ExtendedPortInfo (0xFF90): FDR10 and EDR20, which PortInfo shows as
 * QDR. It is asked of devices known to answer, and only where PortInfo says QDR
 * and nothing faster. Device ids: infiniband-diags, ibnetdisc.c.
 */
#include "collector/live/collect.h"

#define VENDOR_BULL 0x119f

static const struct {
	unsigned first, last;
	unsigned vendor;	/* 0: any */
} answering[] = {
	{0xc738, 0xc73b, 0}, {0xc839, 0xc839, 0}, {0xcb20, 0xcb20, 0}, {0xcf08, 0xcf09, 0},
	{0xd2f0, 0xd2f0, 0}, {0x1003, 0x101b, 0}, {0xa2d2, 0xa2d2, 0},
	{0x1b02, 0x1b02, VENDOR_BULL}, {0x1b50, 0x1b50, VENDOR_BULL},
	{0x1ba0, 0x1ba0, VENDOR_BULL}, {0x1bd0, 0x1bd5, VENDOR_BULL},
	{0x1b33, 0x1b33, VENDOR_BULL}, {0x1b73, 0x1b73, VENDOR_BULL},
	{0x1b40, 0x1b41, VENDOR_BULL}, {0x1b60, 0x1b61, VENDOR_BULL},
};

static bool is_answering(const struct device *device)
{
	for (size_t i = 0; i < sizeof(answering) / sizeof(answering[0]); i++) {
		if (device->info.device_id >= answering[i].first &&
		    device->info.device_id <= answering[i].last &&
		    (answering[i].vendor == 0 || device->info.vendor_id == answering[i].vendor))
			return true;
	}
	return false;
}

static int speed_enter(struct collect *collect, struct target *target, struct err *err)
{
	(void)collect;
	(void)err;
	if (!is_answering(target->device))
		return 0;
	target->cursor_end = target_ports(target);
	return 0;
}

static int speed_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	unsigned num = target_port_num(target, position);
	const struct port *port = target_linked_port(target, num);

	(void)collect;
	if (!port || port->info.link_speed_code != 4)
		return 0;
	ret_question->ask = ASK_EXTENDED_PORT_INFO;
	ret_question->port = num;
	ret_question->modifier = num;
	return 1;
}

void speed_forget(const struct target *target, int port)
{
	unsigned ports = target_ports(target);

	for (unsigned i = 0; i < ports; i++) {
		struct port *open = device_port(target->device, target_port_num(target, i));

		if (!open || (port >= 0 && open->num != port) || open->info.link_speed_code != 4 ||
		    open->source_of[ATTRIBUTE_EXTENDED_PORT_INFO])
			continue;
		open->info.link_speed_code = FIELD_UNKNOWN;
		open->info.link_speed_active = FIELD_UNKNOWN;
		open->info.link_speed_supported = FIELD_UNKNOWN;
		open->info.link_speed_enabled = FIELD_UNKNOWN;
	}
}

const struct stage_reader speed_stage = {
	.group = LIVE_PORTINFO,
	.enter = speed_enter,
	.question = speed_question,
};

int read_extended_port_info(struct collect *collect, struct target *target,
			    const struct question *question, uint8_t *data, const char **ret_why,
			    struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	int64_t active = mad_get_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F);
	int64_t supported = mad_get_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F);
	int64_t enabled = mad_get_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F);

	(void)ret_why;
	(void)err;
	port->info.link_speed_code |= (active & 0xff) << 16;
	port->info.link_speed_supported |= (supported & 0xff) << 16;
	port->info.link_speed_enabled |= (enabled & 0xff) << 16;
	port->info.link_speed_active = speed_of_code(port->info.link_speed_code);
	port->source_of[ATTRIBUTE_EXTENDED_PORT_INFO] = collect->source_ref;
	return 0;
}
