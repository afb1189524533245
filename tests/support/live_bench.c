#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/live_bench.h"

struct bench *bench_new(enum node_type type, unsigned ports)
{
	const struct mad_route here = {0};
	struct bench *bench = calloc(1, sizeof(*bench));
	struct err err = {0};

	assert_non_null(bench);
	assert_int_equal(fabric_new(&bench->fabric, &err), 0);
	bench->collect.fabric = bench->fabric;
	bench->collect.options = &bench->options;
	bench->collect.groups = LIVE_DEFAULT;
	bench->collect.has_lid = true;
	bench->collect.source = fabric_source_add(bench->fabric, SOURCE_LIVE, "test", "live");
	bench->collect.source_ref = 1;
	bench->device = fabric_device_add(bench->fabric, 0x1a, type);
	bench->device->info.num_ports = ports;
	assert_non_null(fabric_port(bench->fabric, bench->device, type == NODE_TYPE_SWITCH ? 0 : 1));
	bench->target = target_add(&bench->collect, bench->device,
				   type == NODE_TYPE_SWITCH ? 0 : 1, &here);
	assert_non_null(bench->target);
	return bench;
}

void bench_free(struct bench *bench)
{
	target_free(bench->target);
	agenda_free(&bench->collect.agenda);
	free(bench->collect.target_of);
	fabric_free(bench->fabric);
	free(bench);
}

void bench_put(struct bench *bench, enum MAD_FIELDS field, uint32_t value)
{
	mad_set_field(bench->data, 0, field, value);
}

int bench_take(struct bench *bench, answer_reader *read, struct question question)
{
	return read(&bench->collect, bench->target, &question, bench->data, &bench->why,
		    &bench->err);
}

struct port *bench_port(struct bench *bench, unsigned num)
{
	struct port *port = device_port(bench->device, num);

	assert_non_null(port);
	return port;
}

unsigned bench_walk(struct bench *bench, const struct stage_reader *stage, answer_reader *read,
		     void (*answer)(struct bench *, const struct question *))
{
	unsigned asked = 0;

	bench->target->cursor = bench->target->cursor_end = 0;
	assert_int_equal(stage->enter(&bench->collect, bench->target, &bench->err), 0);
	while (bench->target->cursor < bench->target->cursor_end) {
		struct question question = {0};

		if (!stage->question(&bench->collect, bench->target, bench->target->cursor++,
				     &question))
			continue;
		asked++;
		memset(bench->data, 0, sizeof(bench->data));
		answer(bench, &question);
		assert_int_equal(bench_take(bench, read, question), 0);
	}
	if (stage->leave)
		assert_int_equal(stage->leave(&bench->collect, bench->target, &bench->err), 0);
	return asked;
}

void bench_port_up(struct bench *bench, unsigned num)
{
	struct port *port = fabric_port(bench->fabric, bench->device, (uint8_t)num);

	port->info.port_state = 4;
	port->info.vl_cap = 8;
}
