/*
 * Which service levels carry traffic, as far as the sources tell, and who says
 * so: SL 0 always; the QoS policy's levels and ULP rules and partitions' "sl="
 * where OpenSM hands them out (`qos` TRUE, or opensm.conf not at hand; the
 * policy not dropped); MasterSMSL; per-SL counters; OpenSM's complaint that
 * somebody asked for an SL; and the SLs that a routing engine deals out.
 *
 * An application may choose any SL by hand, so "not in use" means that nothing
 * read says so.
 */
#ifndef RULES_ANALYSIS_SL_USE_H
#define RULES_ANALYSIS_SL_USE_H

#include "rules/analysis/cite.h"
#include "rules/analysis/qos_expect.h"

#define SL_ORIGIN_SIZE 192

/*
 * Per-SL counters come as facts of a port whose section is one of these
 * attributes (IBA annex A13.6, perfquery --xmtsl, --rcvsl) and whose key ends in
 * the number of the SL: a value that is not 0 proves use.
 */
#define SL_FACT_XMIT "PortXmitDataSL"
#define SL_FACT_RCV "PortRcvDataSL"

struct sl_use {
	uint16_t used;				/* bit per SL */
	char origin[SL_COUNT][SL_ORIGIN_SIZE];	/* the first that says so, escaped; "" when not in use */
	/*
	 * The routing engine that keeps routes free of deadlock by SLs and VLs:
	 * "lash", "dfsssp", "nue" or "torus-2QoS"; "" when none is known to run.
	 */
	char engine[16];
	char engine_origin[CITE_SIZE];	/* "opensm.conf:12", "opensm.log:400" */
};

/* Lists what is in use. Needs no cleaning up. */
void sl_use_find(const struct fabric *fabric, struct sl_use *ret_use);

/*
 * "SL 3 (qos-policy.conf:12, level Fast), SL 5 (...)" for the SLs of `sls` that
 * are in use; "" when none is. Returns out.
 */
#define SL_USE_TEXT_SIZE 1024
const char *sl_use_text(const struct sl_use *use, uint16_t sls, char out[SL_USE_TEXT_SIZE]);

#endif
