#include "collector/live/local.h"

#include <stdio.h>
#include <string.h>

#include <infiniband/umad.h>

#include "store/field.h"

/* How good a port is to go through; 0: not at all. */
static int rank(const umad_port_t *port)
{
	/* Older kernels do not name the link layer; then it is InfiniBand. */
	if (port->link_layer[0] && strcmp(port->link_layer, "InfiniBand") != 0 &&
	    strcmp(port->link_layer, "IB") != 0)
		return 0;
	if (port->state == 4)
		return 3;
	if (port->state == 2 || port->state == 3)
		return 2;
	return 1;
}

/* "mlx5_0 mlx5_1", cut where it ends. */
static void names(char list[][UMAD_CA_NAME_LEN], int count, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "", list[i]);
}

static int not_usable(const char *ca, const umad_port_t *port, struct err *err)
{
	if (rank(port) == 0)
		return err_set(err, ERR_DEVICE,
			       "%s port %d is an %s port: name an InfiniBand port with -C and -P", ca,
			       port->portnum, port->link_layer);
	return err_set(err, ERR_DEVICE,
		       "%s port %d has no link (%s, %s): check its cable, or name another port "
		       "with -C and -P",
		       ca, port->portnum, port_state_name(port->state),
		       port_phys_state_name(port->phys_state));
}

/* What the search has found so far. */
struct search {
	int wanted;		/* number of the port, or 0: any */
	int rank;		/* of the best; 1: none can be used */
	bool seen;		/* a port of that number is there */
	struct local_port best;
	struct err why_not;	/* of the first port that cannot be used */
};

static void look_at(struct search *search, const char *ca, const umad_port_t *port)
{
	search->seen = true;
	if (rank(port) > search->rank) {
		search->rank = rank(port);
		snprintf(search->best.ca, sizeof(search->best.ca), "%.*s", UMAD_CA_NAME_LEN, ca);
		search->best.port = port->portnum;
		search->best.has_lid = port->state == 4 && port->base_lid > 0 &&
				       port->base_lid < 0xc000;
	} else if (rank(port) <= 1 && search->why_not.code == 0) {
		(void)not_usable(ca, port, &search->why_not);
	}
}

/* Looks through one device; *ret_ports: how many ports it has. */
static int look_into(struct search *search, const char *name, int *ret_ports, struct err *err)
{
	umad_ca_t ca;

	if (umad_get_ca((char *)name, &ca) < 0)
		return err_set(err, ERR_DEVICE,
			       "cannot read what the kernel says of %s: look at "
			       "/sys/class/infiniband/%s, or name another device with -C",
			       name, name);
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		if (ca.ports[i] && (search->wanted == 0 || ca.ports[i]->portnum == search->wanted))
			look_at(search, name, ca.ports[i]);
	}
	*ret_ports = ca.numports;
	umad_release_ca(&ca);
	return 0;
}

/*
 * The devices of this host. Where there is none at all libibumad names "mthca0"
 * all the same (umad_get_cas_names), so only what the kernel knows stays.
 */
static int list_devices(char list[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN])
{
	int named = umad_get_cas_names(list, UMAD_MAX_DEVICES);
	int count = 0;

	for (int i = 0; i < named; i++) {
		umad_ca_t ca;

		if (umad_get_ca(list[i], &ca) < 0)
			continue;
		umad_release_ca(&ca);
		memmove(list[count++], list[i], UMAD_CA_NAME_LEN);
	}
	return count;
}

static int nothing_usable(const struct search *search, const char *ca, int ports,
			  const char *devices, struct err *err)
{
	if (search->wanted > 0 && !search->seen && ca)
		return err_set(err, ERR_DEVICE, "%s has no port %d: it has %d", ca, search->wanted,
			       ports);
	if (search->wanted > 0 && !search->seen)
		return err_set(err, ERR_DEVICE, "no device here has a port %d; devices: %s",
			       search->wanted, devices);
	if (search->why_not.code) {
		*err = search->why_not;
		return err->code;
	}
	return err_set(err, ERR_DEVICE,
		       "no port with a link on this host (devices: %s): check their cables", devices);
}

int local_choose(const char *ca, int port, struct local_port *ret_local, struct err *err)
{
	char list[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	struct search search = {.wanted = port, .rank = 1};
	char text[256];
	int ports = 0;
	int count;
	bool found = false;

	if (umad_init() < 0)
		return err_set(err, ERR_DEVICE,
			       "no InfiniBand device: the kernel's ib_umad is not loaded "
			       "(modprobe ib_umad), or this host has no HCA");
	count = list_devices(list);
	if (count == 0)
		return err_set(err, ERR_DEVICE,
			       "no InfiniBand device on this host: nothing in "
			       "/sys/class/infiniband; load the driver of its HCA, or run where there "
			       "is one");
	names(list, count, text, sizeof(text));
	for (int i = 0; i < count; i++) {
		if (ca && strcmp(ca, list[i]) != 0)
			continue;
		found = true;
		if (look_into(&search, list[i], &ports, err) < 0)
			return err->code;
	}
	if (!found)
		return err_set(err, ERR_DEVICE, "no device %s on this host; there is: %s", ca,
			       text);
	if (search.rank <= 1)
		return nothing_usable(&search, ca, ports, text, err);
	*ret_local = search.best;
	return 0;
}
