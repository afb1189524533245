/* Which local port is taken, and what is said when there is none. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <infiniband/umad.h>

#include "collector/live/local.h"
#include "collector/live/wire.h"

static struct {
	int init;
	int count;
	struct {
		const char *name;
		umad_port_t ports[2];
		int port_count;
	} cas[3];
	int open_errno;
} host;

int umad_init(void)
{
	return host.init;
}

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	(void)max;
	for (int i = 0; i < host.count; i++)
		strcpy(cas[i], host.cas[i].name);
	return host.count;
}

int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	memset(ca, 0, sizeof(*ca));
	for (int i = 0; i < host.count; i++) {
		if (strcmp(host.cas[i].name, ca_name) != 0)
			continue;
		ca->numports = host.cas[i].port_count;
		for (int p = 0; p < host.cas[i].port_count; p++)
			ca->ports[p + 1] = &host.cas[i].ports[p];
		return 0;
	}
	return -1;
}

int umad_release_ca(umad_ca_t *ca)
{
	(void)ca;
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	(void)ca_name;
	(void)portnum;
	errno = host.open_errno;
	return -EIO;
}

static void add_port(int ca, const char *name, unsigned state, const char *layer)
{
	umad_port_t *port = &host.cas[ca].ports[host.cas[ca].port_count++];

	host.cas[ca].name = name;
	host.count = ca + 1;
	port->portnum = host.cas[ca].port_count;
	port->state = state;
	port->phys_state = state >= 2 ? 5 : 2;
	port->base_lid = state == 4 ? 7 : 0;
	strcpy(port->link_layer, layer);
}

static int clear(void **state)
{
	(void)state;
	memset(&host, 0, sizeof(host));
	return 0;
}

static const char *refusal(const char *ca, int port)
{
	static struct err err;
	struct local_port local = {0};

	memset(&err, 0, sizeof(err));
	assert_int_equal(local_choose(ca, port, &local, &err), ERR_DEVICE);
	return err.text;
}

static void the_first_active_port_is_taken(void **state)
{
	struct local_port local = {0};
	struct err err = {0};

	(void)state;
	add_port(0, "mlx5_0", 1, "InfiniBand");
	add_port(0, "mlx5_0", 2, "InfiniBand");
	add_port(1, "mlx5_1", 4, "Ethernet");
	add_port(2, "mlx5_2", 4, "InfiniBand");
	assert_int_equal(local_choose(NULL, 0, &local, &err), 0);
	assert_string_equal(local.ca, "mlx5_2");
	assert_int_equal(local.port, 1);
	assert_true(local.has_lid);
	assert_int_equal(local_choose("mlx5_0", 0, &local, &err), 0);
	assert_int_equal(local.port, 2);
	assert_false(local.has_lid);
}

static void a_number_alone_chooses_among_the_ports_of_that_number(void **state)
{
	struct local_port local = {0};
	struct err err = {0};

	(void)state;
	add_port(0, "mlx5_0", 4, "Ethernet");
	add_port(1, "mlx5_1", 4, "InfiniBand");
	add_port(1, "mlx5_1", 1, "InfiniBand");
	add_port(2, "mlx5_2", 1, "InfiniBand");
	add_port(2, "mlx5_2", 4, "InfiniBand");
	assert_int_equal(local_choose(NULL, 1, &local, &err), 0);
	assert_string_equal(local.ca, "mlx5_1");
	assert_int_equal(local_choose(NULL, 2, &local, &err), 0);
	assert_string_equal(local.ca, "mlx5_2");
	assert_int_equal(local.port, 2);
	assert_non_null(strstr(refusal(NULL, 3), "mlx5_0 mlx5_1 mlx5_2"));
	/* Two subnets on two ports of one HCA: each is gone out by when it is named. */
	host.cas[1].ports[1].state = 4;
	assert_int_equal(local_choose("mlx5_1", 1, &local, &err), 0);
	assert_int_equal(local.port, 1);
	assert_int_equal(local_choose("mlx5_1", 2, &local, &err), 0);
	assert_int_equal(local.port, 2);
}

static void a_port_without_link_is_named_with_its_state(void **state)
{
	const char *text;

	(void)state;
	add_port(0, "mlx5_0", 1, "InfiniBand");
	text = refusal(NULL, 0);
	assert_non_null(strstr(text, "mlx5_0 port 1"));
	assert_non_null(strstr(text, "Down"));
	assert_non_null(strstr(text, "Polling"));
	assert_non_null(strstr(refusal("mlx5_0", 1), "mlx5_0 port 1"));
}

static void an_ethernet_port_is_told_from_infiniband(void **state)
{
	(void)state;
	add_port(0, "mlx5_0", 4, "Ethernet");
	assert_non_null(strstr(refusal(NULL, 0), "Ethernet"));
	assert_non_null(strstr(refusal("mlx5_0", 1), "Ethernet"));
}

static void what_does_not_exist_is_told_with_what_does(void **state)
{
	(void)state;
	add_port(0, "mlx5_0", 4, "InfiniBand");
	assert_non_null(strstr(refusal("mlx4_3", 0), "mlx5_0"));
	assert_non_null(strstr(refusal("mlx5_0", 5), "no port 5"));
}

static void a_host_without_devices_is_told(void **state)
{
	(void)state;
	assert_non_null(strstr(refusal(NULL, 0), "no InfiniBand device"));
	host.init = -1;
	assert_non_null(strstr(refusal(NULL, 0), "ib_umad"));
}

static void what_keeps_the_device_file_shut_is_told(void **state)
{
	static const struct {
		int number;
		const char *word;
	} cases[] = {{EACCES, "permission"}, {ENOENT, "modprobe"}, {EMFILE, "Too many"}};
	struct wire wire;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = {0};

		host.open_errno = cases[i].number;
		assert_int_equal(wire_open("mlx5_0", 1, &wire, &err), ERR_DEVICE);
		assert_non_null(strstr(err.text, "mlx5_0 port 1"));
		assert_non_null(strstr(err.text, cases[i].word));
		assert_int_equal(wire.fd, -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_first_active_port_is_taken, clear),
		cmocka_unit_test_setup(a_number_alone_chooses_among_the_ports_of_that_number, clear),
		cmocka_unit_test_setup(a_port_without_link_is_named_with_its_state, clear),
		cmocka_unit_test_setup(an_ethernet_port_is_told_from_infiniband, clear),
		cmocka_unit_test_setup(what_does_not_exist_is_told_with_what_does, clear),
		cmocka_unit_test_setup(a_host_without_devices_is_told, clear),
		cmocka_unit_test_setup(what_keeps_the_device_file_shut_is_told, clear),
	};

	return cmocka_run_group_tests_name("live_local", tests, NULL, NULL);
}
