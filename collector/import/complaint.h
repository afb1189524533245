/*
 * What the tools of infiniband-diags and their libraries say on stderr when they do not get
 * what they ask for, found among what they print:
 *
 *   ibwarn: [4711] mad_rpc_open_port: client_register for mgmt 1 failed
 *   saquery: iberror: failed: query failed: 110
 *   libibnetdisc/ibnetdisc.c:802; can't open MAD port (mlx5_0:1)
 *
 * Source: ibdiag_common.c; libibmad's and libibumad's IBWARN and IBPANIC; libibnetdisc's
 * IBND_ERROR; saquery.c and ibdiag_sa.c.
 */
#ifndef COLLECTOR_IMPORT_COMPLAINT_H
#define COLLECTOR_IMPORT_COMPLAINT_H

#include <stddef.h>

enum complaint {
	COMPLAINT_NONE,
	COMPLAINT_QUERY,	/* something that was asked for was not told */
	COMPLAINT_END,		/* the tool gave up */
};

/* What the line complains of. A warning after which the tool helps itself is none. */
enum complaint complaint_of(const char *text, size_t length);

#endif
