/*
 * SLtoVLMappingTable. A CA or router has one; a switch one for each pair of an
 * in-port and an out-port. Modifier: out-port in bits 0-7, in-port in bits 8-15
 * (IBA 14.2.5.8).
 *
 * Asked of: out-ports with a link and more than one data VL, where the port
 * says that it maps (CapabilityMask.IsSLMappingSupported, of port 0 for a
 * switch); every in-port, because a port that is down may come up. Out-port 0
 * exists on enhanced port 0. Where the capability could not be read, it is
 * asked; a VLCap of 1 leaves nothing to map.
 */
#include "collector/live/collect.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY 8			/* bytes of one table: 16 SLs, four bits each */

struct matrix {
	unsigned ports;		/* in-ports 0..ports-1 */
	unsigned out_count;
	uint8_t outs[256];	/* out-ports that map */
	uint8_t *read;		/* byte per (out, in): it was answered */
	uint8_t *vl;		/* ENTRY bytes per (out, in) */
};

static bool maps(const struct target *target, unsigned num)
{
	const struct port *port = target_linked_port(target, num);

	return port && port_capability(port, CAPABILITY_SL_MAPPING) != 0 && port->info.vl_cap != 1;
}

static int sl2vl_enter(struct collect *collect, struct target *target, struct err *err)
{
	struct device *device = target->device;
	unsigned ports = (unsigned)device->info.num_ports + 1;
	struct matrix *matrix;

	(void)collect;
	if (!target_is_switch(target)) {
		target->cursor_end = 1;
		return 0;
	}
	matrix = calloc(1, sizeof(*matrix) + (size_t)ports * ports * (ENTRY + 1));
	if (!matrix)
		return err_no_memory(err);
	matrix->ports = ports;
	matrix->read = (uint8_t *)(matrix + 1);
	matrix->vl = matrix->read + (size_t)ports * ports;
	for (unsigned out = 0; out < ports; out++) {
		if (maps(target, out))
			matrix->outs[matrix->out_count++] = (uint8_t)out;
	}
	free(target->table);
	target->table = matrix;
	target->cursor_end = ports * matrix->out_count;
	return 0;
}

static int sl2vl_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	const struct matrix *matrix = target->table;
	unsigned in, out;

	(void)collect;
	ret_question->ask = ASK_SL2VL;
	if (!target_is_switch(target)) {
		ret_question->port = target->port;
		return maps(target, target->port);
	}
	in = position / matrix->out_count;
	out = matrix->outs[position % matrix->out_count];
	ret_question->port = out;
	ret_question->modifier = in << 8 | out;
	/* What port 0 sends to itself needs no lane. */
	return out != 0 || in != 0;
}

static void unpack(const uint8_t *packed, struct sl2vl *map)
{
	for (unsigned sl = 0; sl < 16; sl++)
		map->vl[sl] = sl % 2 ? packed[sl / 2] & 15 : packed[sl / 2] >> 4;
}

/* Neighbouring in-ports with the same map become one run; one that was not read ends a run. */
static int fold(struct collect *collect, const struct matrix *matrix, struct port *port,
		struct err *err)
{
	const uint8_t *read = matrix->read + (size_t)port->num * matrix->ports;
	const uint8_t *vl = matrix->vl + (size_t)port->num * matrix->ports * ENTRY;
	struct sl2vl runs[256];
	size_t count = 0;

	for (unsigned in = 0; in < matrix->ports; in++) {
		if (!read[in])
			continue;
		if (in > 0 && read[in - 1] &&
		    memcmp(vl + (size_t)in * ENTRY, vl + (size_t)(in - 1) * ENTRY, ENTRY) == 0) {
			runs[count - 1].in_last = (uint8_t)in;
			continue;
		}
		runs[count].in_first = (uint8_t)in;
		runs[count].in_last = (uint8_t)in;
		unpack(vl + (size_t)in * ENTRY, &runs[count]);
		count++;
	}
	if (count == 0)
		return 0;
	port->sl2vl = fabric_alloc(collect->fabric, count, sizeof(*port->sl2vl));
	if (!port->sl2vl)
		return err_no_memory(err);
	memcpy(port->sl2vl, runs, count * sizeof(*runs));
	port->sl2vl_count = count;
	return 0;
}

static int sl2vl_leave(struct collect *collect, struct target *target, struct err *err)
{
	struct matrix *matrix = target->table;
	int rc = 0;

	if (!target_is_switch(target) || !matrix)
		return 0;
	for (unsigned out = 0; rc == 0 && out < matrix->ports; out++) {
		struct port *port = device_port(target->device, out);

		if (port)
			rc = fold(collect, matrix, port, err);
	}
	free(target->table);
	target->table = NULL;
	return rc;
}

const struct stage_reader sl2vl_stage = {
	.group = LIVE_SL2VL,
	.enter = sl2vl_enter,
	.question = sl2vl_question,
	.leave = sl2vl_leave,
};

int read_sl2vl(struct collect *collect, struct target *target, const struct question *question,
	       uint8_t *data, const char **ret_why, struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	struct matrix *matrix = target->table;
	unsigned in = question->modifier >> 8 & 255;
	size_t at;

	(void)ret_why;
	port->source_of[ATTRIBUTE_SL2VL] = collect->source_ref;
	if (target_is_switch(target)) {
		at = (size_t)question->port * matrix->ports + in;
		matrix->read[at] = 1;
		memcpy(matrix->vl + at * ENTRY, data, ENTRY);
		return 0;
	}
	port->sl2vl = fabric_alloc(collect->fabric, 1, sizeof(*port->sl2vl));
	if (!port->sl2vl)
		return err_no_memory(err);
	unpack(data, port->sl2vl);
	port->sl2vl_count = 1;
	return 0;
}
