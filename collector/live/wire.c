#include "collector/live/wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define QP1_QKEY 0x80010000

bool wire_may_send(const uint8_t *mad)
{
	uint8_t class = mad[1];
	uint8_t method = mad[3];

	if (method == IB_MAD_METHOD_GET)
		return true;
	return class == IB_SA_CLASS && method == IB_MAD_METHOD_GET_TABLE;
}

enum wire_result wire_send(const struct wire *wire, void *umad, unsigned timeout_ms)
{
	const uint8_t *mad = umad_get_mad(umad);
	int agent = wire->agent_direct;

	if (!wire_may_send(mad))
		return WIRE_REFUSED;
	if (mad[1] == IB_SMI_CLASS)
		agent = wire->agent_smi;
	else if (mad[1] == IB_PERFORMANCE_CLASS)
		agent = wire->agent_performance;
	if (umad_send(wire->fd, agent, umad, IB_MAD_SIZE, (int)timeout_ms, 0) == 0)
		return WIRE_SENT;
	switch (errno) {
	case EINVAL:	/* this transaction id is still waiting in the kernel */
	case EAGAIN:
	case ENOMEM:
	case ENOBUFS:
	case EINTR:
		return WIRE_BUSY;
	}
	return WIRE_BROKEN;
}

static int register_class(struct wire *wire, int class, int *ret_agent, const char *ca, int port,
			  struct err *err)
{
	*ret_agent = umad_register(wire->fd, class, 1, 0, NULL);
	if (*ret_agent < 0)
		return err_set(err, ERR_DEVICE,
			       "%s port %d: the kernel refuses management class 0x%02x: %s; run as "
			       "root, or name another port with -C and -P",
			       ca, port, class, strerror(errno));
	return 0;
}

/* Why the port could not be opened; umad keeps the device file's name for itself. */
static int open_failed(const char *ca, int port, struct err *err)
{
	int saved = errno;

	if (saved == EACCES || saved == EPERM)
		return err_set(err, ERR_DEVICE,
			       "%s port %d: no permission to open /dev/infiniband/umad*: run as "
			       "root, or give your group access to it",
			       ca, port);
	if (saved == ENOENT)
		return err_set(err, ERR_DEVICE,
			       "%s port %d: no /dev/infiniband/umad* for it: load ib_umad "
			       "(modprobe ib_umad)",
			       ca, port);
	return err_set(err, ERR_DEVICE,
		       "%s port %d: cannot open its umad device: %s; see dmesg, or name another port "
		       "with -C and -P",
		       ca, port, saved ? strerror(saved) : "unknown reason");
}

int wire_open(const char *ca, int port, struct wire *ret_wire, struct err *err)
{
	struct wire wire = {.fd = -1};
	int rc;

	errno = 0;
	wire.fd = umad_open_port((char *)ca, port);
	if (wire.fd < 0) {
		wire.fd = -1;
		rc = open_failed(ca, port, err);
		goto out;
	}
	rc = register_class(&wire, IB_SMI_CLASS, &wire.agent_smi, ca, port, err);
	if (rc == 0)
		rc = register_class(&wire, IB_SMI_DIRECT_CLASS, &wire.agent_direct, ca, port, err);
	if (rc == 0)
		rc = register_class(&wire, IB_PERFORMANCE_CLASS, &wire.agent_performance, ca, port,
				    err);
	wire.header = umad_size();
out:
	if (rc < 0)
		wire_close(&wire);
	*ret_wire = wire;
	return rc;
}

void wire_close(struct wire *wire)
{
	if (wire->fd >= 0)
		umad_close_port(wire->fd);
	wire->fd = -1;
}

/* --- Bytes. --- */

static void put16(uint8_t *to, uint16_t value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
}

static void put32(uint8_t *to, uint32_t value)
{
	put16(to, (uint16_t)(value >> 16));
	put16(to + 2, (uint16_t)value);
}

static uint16_t get16(const uint8_t *from)
{
	return (uint16_t)(from[0] << 8 | from[1]);
}

static uint32_t get32(const uint8_t *from)
{
	return (uint32_t)get16(from) << 16 | get16(from + 2);
}

uint32_t mad_tid(const uint8_t *mad)
{
	return get32(mad + 12);
}

void mad_encode_request(const struct mad_request *request, const struct mad_route *route,
			uint32_t tid, uint8_t mad[IB_MAD_SIZE])
{
	memset(mad, 0, IB_MAD_SIZE);
	mad[0] = 1;		/* BaseVersion */
	mad[1] = request->class;
	mad[2] = 1;		/* ClassVersion */
	mad[3] = IB_MAD_METHOD_GET;
	put32(mad + 12, tid);
	put16(mad + 16, request->attribute);
	put32(mad + 20, request->modifier);
	if (request->class == IB_PERFORMANCE_CLASS) {
		mad[IB_PC_DATA_OFFS + 1] = request->port_select;
		return;
	}
	put32(mad + 24, (uint32_t)(request->m_key >> 32));
	put32(mad + 28, (uint32_t)request->m_key);
	if (request->class == IB_SMI_DIRECT_CLASS) {
		mad[7] = route->hops;
		put16(mad + 32, 0xffff);	/* DrSLID, DrDLID: directed all the way */
		put16(mad + 34, 0xffff);
		memcpy(mad + 128 + 1, route->out + 1, route->hops);
	}
}

enum mad_verdict mad_check_answer(const struct mad_request *request, uint32_t tid,
				  const uint8_t *mad, size_t length, uint16_t *ret_status)
{
	*ret_status = 0;
	if (length < 24 || mad_tid(mad) != tid)
		return MAD_VERDICT_FOREIGN;
	if (mad[1] != request->class || mad[3] != IB_MAD_METHOD_GET_RESPONSE ||
	    get16(mad + 16) != request->attribute || get32(mad + 20) != request->modifier)
		return MAD_VERDICT_FOREIGN;
	*ret_status = get16(mad + 4);
	if (request->class == IB_SMI_DIRECT_CLASS)
		*ret_status &= 0x7fff;
	if (*ret_status)
		return MAD_VERDICT_STATUS;
	if (length != IB_MAD_SIZE || mad[0] != 1)
		return MAD_VERDICT_BAD;
	return MAD_VERDICT_OK;
}

bool mad_came_by(const uint8_t mad[IB_MAD_SIZE], const struct mad_route *route)
{
	return memcmp(mad + 192 + 1, route->in + 1, route->hops) == 0;
}

unsigned mad_entry(const uint8_t mad[IB_MAD_SIZE])
{
	unsigned hops = mad[7];

	return hops >= 1 && hops <= MAD_ROUTE_MAX ? mad[192 + hops] : 0;
}

/* --- Routes. --- */

const char *mad_route_text(const struct mad_route *route, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "0");

	for (unsigned i = 1; i <= route->hops && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, ",%u", route->out[i]);
	return out;
}

bool mad_route_extend(const struct mad_route *route, uint8_t out, uint8_t in,
		      struct mad_route *ret_route)
{
	if (route->hops >= MAD_ROUTE_MAX)
		return false;
	*ret_route = *route;
	ret_route->hops++;
	ret_route->out[ret_route->hops] = out;
	ret_route->in[ret_route->hops] = in;
	return true;
}

bool mad_route_return(const struct mad_route *there, const struct mad_route *home,
		      struct mad_route *ret_route)
{
	if ((unsigned)there->hops + home->hops > MAD_ROUTE_MAX)
		return false;
	*ret_route = *there;
	for (unsigned i = home->hops; i >= 1; i--) {
		ret_route->hops++;
		ret_route->out[ret_route->hops] = home->in[i];
		ret_route->in[ret_route->hops] = home->out[i];
	}
	return true;
}
