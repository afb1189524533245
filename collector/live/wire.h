/*
 * MADs as bytes: their layout, one open umad port, and the only function of
 * the program that sends.
 *
 * Offsets and values: IBA Volume 1, 13.4 (common header), 14.2.1 (SMPs), 16.1
 * (performance management); libibmad's mad.h has the names.
 */
#ifndef COLLECTOR_LIVE_WIRE_H
#define COLLECTOR_LIVE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#include "store/err.h"

#define MAD_ROUTE_MAX 63

/* A directed route from the local port; hop i is left by out[i] and entered by in[i]. */
struct mad_route {
	uint8_t hops;			/* 0: the local device */
	uint8_t out[MAD_ROUTE_MAX + 1];	/* out[1..hops] */
	uint8_t in[MAD_ROUTE_MAX + 1];	/* in[1..hops], as NodeInfo.LocalPortNum told */
};

/* "0,1,10". Returns out. */
#define MAD_ROUTE_TEXT_SIZE (MAD_ROUTE_MAX * 4 + 2)
const char *mad_route_text(const struct mad_route *route, char *out, size_t size);

/* `route` and one hop more; false when it would grow too long. */
bool mad_route_extend(const struct mad_route *route, uint8_t out, uint8_t in,
		      struct mad_route *ret_route);

/* `there` and the way of `home` backwards: ends at the local device if both end at one. */
bool mad_route_return(const struct mad_route *there, const struct mad_route *home,
		      struct mad_route *ret_route);

/* What a question says; an answer is checked against it. */
struct mad_request {
	void *owner;		/* the asker's, untouched */
	uint32_t tag;		/* the asker's, untouched */
	uint8_t kind;		/* the asker's, untouched */
	uint8_t step;		/* enum live_step that its cost is counted under */
	uint8_t class;		/* IB_SMI_DIRECT_CLASS, IB_SMI_CLASS, IB_PERFORMANCE_CLASS */
	uint8_t port_select;	/* of a performance attribute */
	uint8_t sl;		/* of a LID routed MAD */
	bool known;		/* the device has answered before: silence is loss, not death */
	bool doubtful;		/* its M_Key may keep the answer back: silence says nothing of the path */
	bool once;		/* sent a single time, whatever comes */
	bool guess;		/* there may be nobody: silence says nothing of the path, few retries */
	uint32_t patience_us;	/* this long its device has taken to answer before, or 0: not known */
	uint16_t attribute;
	uint16_t lid;		/* destination of a LID routed MAD */
	uint32_t modifier;
	uint64_t m_key;		/* of an SMP; 0: none */
};

enum mad_verdict {
	MAD_VERDICT_OK,
	MAD_VERDICT_FOREIGN,	/* not an answer to this question: look no further */
	MAD_VERDICT_STATUS,	/* answered with an error */
	MAD_VERDICT_BAD,	/* answers this question, and cannot be right */
};

/*
 * Writes the Get of `request` to `mad` (256 bytes). `route` is for directed
 * route SMPs, else NULL. The transaction id's lower 32 bits are `tid`; the
 * kernel and the simulator use the upper ones.
 */
void mad_encode_request(const struct mad_request *request, const struct mad_route *route,
			uint32_t tid, uint8_t mad[IB_MAD_SIZE]);

/* Lower 32 bits of the transaction id. */
uint32_t mad_tid(const uint8_t *mad);

/*
 * Whether `mad` (`length` bytes) answers the request with this tid: class,
 * method, attribute, modifier, length, status. *ret_status is the status
 * without the direction bit. (IBA 13.4.7; 14.2.1.2: bit 15 of a directed route
 * SMP's status is its direction.)
 */
enum mad_verdict mad_check_answer(const struct mad_request *request, uint32_t tid,
				  const uint8_t *mad, size_t length, uint16_t *ret_status);

/*
 * Whether a directed route answer came through the ports that route->in names:
 * each device on the way writes the port it was entered by into the return
 * path, else the answer would not find back (IBA 14.2.2).
 */
bool mad_came_by(const uint8_t mad[IB_MAD_SIZE], const struct mad_route *route);

/*
 * The port by which the device that gave a directed route answer was entered,
 * as the return path has it; 0 where it says nothing (no hop, not filled in).
 */
unsigned mad_entry(const uint8_t mad[IB_MAD_SIZE]);

/* "status 0x0008 (method not supported)". Returns out. */
const char *mad_status_text(uint16_t status, char *out, size_t size);

/* "PortInfo", "LinearForwardingTable", ... for a class and attribute id; "attribute" if unknown. */
const char *mad_attribute_text(uint8_t class, uint16_t attribute);

/* What is done to the attribute: "Get", "GetResp", ...; "method" if unknown. */
const char *mad_method_text(uint8_t method);

/* True for what may leave the program: Get, and the SA's GetTable. */
bool wire_may_send(const uint8_t *mad);

/* An open port of a local HCA or switch. */
struct wire {
	int fd;			/* -1: not open */
	int agent_smi;
	int agent_direct;
	int agent_performance;
	size_t header;		/* umad_size() */
};

/* ERR_DEVICE names the device file and the way out. `ca` and `port` as umad_get_port gave them. */
int wire_open(const char *ca, int port, struct wire *ret_wire, struct err *err);

/* A wire that was never opened (fd -1) is fine. */
void wire_close(struct wire *wire);

enum wire_result {
	WIRE_SENT,
	WIRE_BUSY,	/* not now: the kernel still has this transaction, or no buffers */
	WIRE_REFUSED,	/* the gate: would not be read only */
	WIRE_BROKEN,	/* the port is gone */
};

/*
 * The one place that sends. `umad` is a umad buffer whose MAD is 256 bytes;
 * the kernel gives it up after timeout_ms and says so with status ETIMEDOUT
 * (it drops answers to MADs sent without a timeout), and never repeats it.
 */
enum wire_result wire_send(const struct wire *wire, void *umad, unsigned timeout_ms);

#endif
