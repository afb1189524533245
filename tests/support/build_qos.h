/*
 * SL2VL and arbitration tables, opensm.conf options and policies for fabrics
 * built in tests, and a run of one rule over them. Without memory the test
 * program ends.
 */
#ifndef TESTS_SUPPORT_BUILD_QOS_H
#define TESTS_SUPPORT_BUILD_QOS_H

#include "rules/rule.h"
#include "store/config.h"
#include "store/fabric.h"

/* The map that firmware ships, and what is left of it on eight and on four lanes. */
#define SL2VL_SHIPPED "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7"
#define SL2VL_ON_8 "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"
#define SL2VL_ON_4 "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"

/* "0,1,2,..." (16 numbers) as the table of the port for every in-port it has. */
void build_sl2vl(struct fabric *fabric, struct port *port, const char *table);

/* The same for in-ports first..last only; runs must be added in rising order. */
void build_sl2vl_in(struct fabric *fabric, struct port *port, unsigned first, unsigned last,
		    const char *table);

/* "0:64,1:32" as the tables of the port, filled with 0:0 up to caps of 8 entries. */
void build_vlarb(struct fabric *fabric, struct port *port, const char *high, const char *low);

/* The same tables on every Active port of the fabric. */
void build_sl2vl_all(struct fabric *fabric, const char *table);
void build_vlarb_all(struct fabric *fabric, const char *high, const char *low);

/* The same on the Active external ports of devices of this type. */
void build_sl2vl_type(struct fabric *fabric, enum node_type type, const char *table);

/* OperVLs of every Active port. */
void build_oper_vls_all(struct fabric *fabric, int64_t vls);

/*
 * Writes an option of opensm.conf (its raw and effective text; "qos" "TRUE") on
 * the next line of the file and builds the values in force.
 */
void build_conf(struct fabric *fabric, const char *key, const char *value);

/* The same where OpenSM holds something else than is written; NULL: unset. */
void build_conf_held(struct fabric *fabric, const char *key, const char *raw, const char *effective);

/*
 * A qos-policy.conf from its text: "keyword: value" is a leaf, "end-..." closes a
 * section, any other word opens one; '#' starts a comment.
 */
void build_policy(struct fabric *fabric, const char *text);

/* What one rule said. */
struct rule_run {
	struct audit *audit;
	const struct verdict *verdict;
	const struct finding *first;	/* of this rule, the gravest; NULL: none */
};

struct rule_run run_rule(const struct fabric *fabric, const char *id);

/* The rule's finding whose discriminator begins so, or NULL. */
const struct finding *run_finding(const struct rule_run *run, const char *discriminator);

/* The value of that evidence, or "". */
const char *run_evidence(const struct finding *finding, const char *key);

void run_end(struct rule_run *run);

/* Fails the test unless the rule comes to this verdict without a finding. */
void assert_rule(const struct fabric *fabric, const char *id, enum verdict_kind kind);

#endif
