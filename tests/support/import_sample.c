#include "tests/support/import_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collector/import/import.h"

#define SAMPLES_MAX 16

struct fabric *import_samples(const char *name, ...)
{
	char paths[SAMPLES_MAX][128];
	const char *list[SAMPLES_MAX];
	struct fabric *fabric = NULL;
	struct err err = {0};
	size_t count = 0;
	va_list names;

	assert_int_equal(fabric_new(&fabric, &err), 0);
	va_start(names, name);
	for (; name; name = va_arg(names, const char *)) {
		assert_true(count < SAMPLES_MAX);
		snprintf(paths[count], sizeof(paths[count]), "samples/import/%s", name);
		list[count] = paths[count];
		count++;
	}
	va_end(names);
	if (import_paths(list, count, NULL, fabric, &err) < 0)
		fail_msg("%s", err.text);
	return fabric;
}

struct device *must_device(const struct fabric *fabric, uint64_t guid)
{
	struct device *device = fabric_device_find(fabric, guid);

	if (!device)
		fail_msg("no device 0x%016llx", (unsigned long long)guid);
	return device;
}

struct port *must_port(const struct fabric *fabric, uint64_t guid, unsigned num)
{
	struct port *port = device_port(must_device(fabric, guid), num);

	if (!port)
		fail_msg("no port %u of 0x%016llx", num, (unsigned long long)guid);
	return port;
}

void assert_heron_links(const struct fabric *fabric, uint64_t n01, uint64_t n02, uint64_t n03,
			uint64_t n04)
{
	const struct {
		uint64_t a;
		unsigned a_port;
		uint64_t b;
		unsigned b_port;
	} links[] = {
		{HERON_LEAF1, 1, n01, 1},	   {HERON_LEAF1, 2, n02, 1},
		{HERON_LEAF1, 17, HERON_SPINE, 1}, {HERON_LEAF1, 18, HERON_SPINE, 2},
		{HERON_LEAF2, 1, n03, 1},	   {HERON_LEAF2, 2, n04, 1},
		{HERON_LEAF2, 17, HERON_SPINE, 3},
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		struct port *a = must_port(fabric, links[i].a, links[i].a_port);
		struct port *b = must_port(fabric, links[i].b, links[i].b_port);

		assert_ptr_equal(a->peer, b);
		assert_ptr_equal(b->peer, a);
	}
}
