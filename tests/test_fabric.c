#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/fabric.h"

static struct fabric *new_fabric(void)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	return fabric;
}

/* Far too many to be walked for each that comes. */
static void devices_with_one_guid_are_chained_in_the_order_they_came(void **state)
{
	struct fabric *fabric = new_fabric();
	const struct device *device;
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < 200000; i++)
		assert_non_null(fabric_device_add(fabric, i % 4 == 1 ? i : 7, NODE_TYPE_CA));

	for (device = fabric_device_find(fabric, 7); device; device = device->same_guid) {
		assert_int_equal(device->index, count / 3 * 4 + (count % 3 ? count % 3 + 1 : 0));
		count++;
	}
	assert_int_equal(count, 150000);
	device = fabric_device_find(fabric, 101);
	assert_non_null(device);
	assert_int_equal(device->index, 101);
	assert_null(device->same_guid);
	assert_null(fabric_device_find(fabric, 102));
	fabric_free(fabric);
}

static void a_port_keeps_its_place_as_its_device_grows(void **state)
{
	struct fabric *fabric = new_fabric();
	struct device *device = fabric_device_add(fabric, 1, NODE_TYPE_SWITCH);
	struct port *one = fabric_port(fabric, device, 1);
	struct port *last = fabric_port(fabric, device, 254);

	(void)state;

	assert_ptr_equal(fabric_port(fabric, device, 1), one);
	assert_ptr_equal(device_port(device, 254), last);
	assert_null(device_port(device, 2));
	assert_null(device_port(device, 255));
	fabric_free(fabric);
}

static void of_a_forwarding_table_only_what_was_read_is_known(void **state)
{
	struct fabric *fabric = new_fabric();
	struct device *device = fabric_device_add(fabric, 1, NODE_TYPE_SWITCH);
	uint8_t entries[64] = {0};

	(void)state;
	assert_false(lft_known(device, 1));
	assert_true(device_lft_reserve(fabric, device, 100));
	entries[6] = 3;
	lft_set_block(device, 1, entries);
	assert_true(device_lft_reserve(fabric, device, 49152));

	assert_false(lft_known(device, 63));
	assert_true(lft_known(device, 70));
	assert_int_equal(device->lft[70], 3);
	assert_false(lft_known(device, 128));
	assert_false(lft_known(device, 65535));
	fabric_free(fabric);
}

static void ports_of_devices_with_one_name_are_told_apart(void **state)
{
	struct fabric *fabric = NULL;
	struct err err = {0};
	char label[DEVICE_LABEL_SIZE + 16];

	(void)state;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	for (uint64_t guid = 0xa1; guid <= 0xa3; guid++) {
		struct device *device = fabric_device_add(fabric, guid, NODE_TYPE_CA);

		device->description = fabric_text(fabric, guid == 0xa3 ? "m7" : "m5", 2);
		assert_non_null(fabric_port(fabric, device, 1));
	}

	assert_int_equal(fabric_mark_shared_names(fabric, &err), 0);

	assert_string_equal(port_label(fabric->devices[1]->ports[1], false, label, sizeof(label)),
			    "m5 (0x00000000000000a2) port 1");
	assert_string_equal(port_label(fabric->devices[2]->ports[1], false, label, sizeof(label)),
			    "m7 port 1");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_with_one_guid_are_chained_in_the_order_they_came),
		cmocka_unit_test(a_port_keeps_its_place_as_its_device_grows),
		cmocka_unit_test(of_a_forwarding_table_only_what_was_read_is_known),
		cmocka_unit_test(ports_of_devices_with_one_name_are_told_apart),
	};

	return cmocka_run_group_tests_name("fabric", tests, NULL, NULL);
}
