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
			       "%s port %d is an %s port; an InfiniBand port is needed", ca,
			       port->portnum, port->link_layer);
	return err_set(err, ERR_DEVICE,
		       "%s port %d has no link (%s, %s): check its cable, or name another port "
		       "with -C and -P",
		       ca, port->portnum, port_state_name(port->state),
		       port_phys_state_name(port->phys_state));
}

static void choose(const char *ca, const umad_port_t *port, struct local_port *ret_local)
{
	snprintf(ret_local->ca, sizeof(ret_local->ca), "%s", ca);
	ret_local->port = port->portnum;
	ret_local->has_lid = port->state == 4 && port->base_lid > 0 && port->base_lid < 0xc000;
}

/* Looks through one CA for a better port than best_rank; 0 or ERR_DEVICE if `wanted` is not there. */
static int look_into(const char *name, int wanted, int *best_rank, struct local_port *best,
		     struct err *err)
{
	umad_ca_t ca;
	int rc = 0;
	bool seen = false;

	if (umad_get_ca((char *)name, &ca) < 0)
		return err_set(err, ERR_DEVICE, "cannot read what the kernel says of %s", name);
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		const umad_port_t *port = ca.ports[i];

		if (!port || (wanted > 0 && port->portnum != wanted))
			continue;
		seen = true;
		if (wanted > 0 && rank(port) <= 1) {
			rc = not_usable(name, port, err);
		} else if (rank(port) > *best_rank) {
			*best_rank = rank(port);
			choose(name, port, best);
		} else if (*best_rank <= 1 && rc == 0 && err->code == 0) {
			(void)not_usable(name, port, err);
		}
	}
	if (wanted > 0 && !seen)
		rc = err_set(err, ERR_DEVICE, "%s has no port %d: it has %d", name, wanted,
			     ca.numports);
	umad_release_ca(&ca);
	return rc;
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

int local_choose(const char *ca, int port, struct local_port *ret_local, struct err *err)
{
	char list[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	struct err last = {0};
	char text[256];
	int best_rank = 1;
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
			       "/sys/class/infiniband");
	for (int i = 0; i < count; i++) {
		int rc;

		if (ca && strcmp(ca, list[i]) != 0)
			continue;
		found = true;
		rc = look_into(list[i], ca ? port : 0, &best_rank, ret_local, &last);
		if (rc < 0 && ca) {
			*err = last;
			return rc;
		}
		if (!ca && port > 0 && i == 0) {
			best_rank = 1;
			rc = look_into(list[i], port, &best_rank, ret_local, err);
			return rc;
		}
	}
	if (!found) {
		names(list, count, text, sizeof(text));
		return err_set(err, ERR_DEVICE, "no device %s on this host; there is: %s", ca,
			       text);
	}
	if (best_rank > 1)
		return 0;
	names(list, count, text, sizeof(text));
	if (last.code) {
		*err = last;
		return last.code;
	}
	return err_set(err, ERR_DEVICE, "no port with a link on this host; devices: %s", text);
}
