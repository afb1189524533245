/* The two files of the SM's host that name ports: guid2mkey and a node name map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/live/keys.h"
#include "collector/name_map.h"

static const char *file_of(const char *text)
{
	static char path[64];
	int fd;

	strcpy(path, "/tmp/ibaudit-names.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static void keys_are_found_by_port_guid(void **state)
{
	const char *path = file_of("0x000000000000001b 0x11\n\n# a note\n1a\t0x22\r\n");
	struct keys *keys = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(keys_read(path, &keys, &err), 0);
	assert_true(keys_find(keys, 0x1a, 9) == 0x22);
	assert_true(keys_find(keys, 0x1b, 9) == 0x11);
	assert_true(keys_find(keys, 0x1c, 9) == 9);
	assert_true(keys_common(keys, 9) == 9);
	keys_free(keys);
	unlink(path);
}

static void one_key_for_all_is_everybodys(void **state)
{
	const char *path = file_of("0x1a 0x33\n0x1b 0x33\n");
	struct keys *keys = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(keys_read(path, &keys, &err), 0);
	assert_true(keys_common(keys, 9) == 0x33);
	assert_true(keys_common(NULL, 9) == 9);
	assert_true(keys_find(NULL, 0x1a, 9) == 9);
	keys_free(keys);
	unlink(path);
}

static void a_line_that_is_no_key_is_named_without_its_secret(void **state)
{
	const char *path = file_of("0x1a 0x33\n0x1b secret_word_77\n");
	struct keys *keys = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(keys_read(path, &keys, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "line 2"));
	assert_null(strstr(err.text, "secret"));
	assert_null(keys);
	unlink(path);
	assert_int_equal(keys_read(path, &keys, &err), ERR_INPUT);
}

static void a_map_names_every_device_with_its_guid(void **state)
{
	const char *path = file_of("# names\n0x1a \"row 7 left\" # spare\n\n0x2b\t\"core\"\n<guid> \"x\"\n"
				   "0x3c unquoted\n0x4d \"unended\n0x5e \"\"\n");
	struct fabric *fabric = NULL;
	struct device *device, *twin, *other;
	struct err err = {0};

	(void)state;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	device = fabric_device_add(fabric, 0x1a, NODE_TYPE_SWITCH);
	twin = fabric_device_add(fabric, 0x1a, NODE_TYPE_SWITCH);
	other = fabric_device_add(fabric, 0x3c, NODE_TYPE_CA);
	assert_int_equal(name_map_apply(path, fabric, &err), 0);
	assert_string_equal(device->alias, "row 7 left");
	assert_string_equal(twin->alias, "row 7 left");
	assert_null(other->alias);
	fabric_free(fabric);
	unlink(path);
}

static void a_file_without_an_entry_is_no_map(void **state)
{
	const char *path = file_of("nothing of the kind\n");
	struct fabric *fabric = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(name_map_apply(path, fabric, &err), ERR_INPUT);
	unlink(path);
	assert_int_equal(name_map_apply(path, fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, path));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_found_by_port_guid),
		cmocka_unit_test(one_key_for_all_is_everybodys),
		cmocka_unit_test(a_line_that_is_no_key_is_named_without_its_secret),
		cmocka_unit_test(a_map_names_every_device_with_its_guid),
		cmocka_unit_test(a_file_without_an_entry_is_no_map),
	};

	return cmocka_run_group_tests_name("live_names", tests, NULL, NULL);
}
