/* What the two files of max-op-vls-truncation share. */
#ifndef RULES_MAX_OP_VLS_H
#define RULES_MAX_OP_VLS_H

#include "rules/analysis/cite.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/sl_use.h"
#include "rules/rule.h"

struct max_op_vls {
	const struct rule_input *in;
	struct rule_output *out;
	enum qos_state state;
	struct sl_use use;
	struct port_faults faults;
	size_t read, unread;			/* ports whose OperVLs were, were not, read */
	bool class_read[QOS_CLASS_COUNT];	/* OperVLs of some port of the class were read */
	bool class_cut[QOS_CLASS_COUNT];	/* max_op_vls is less than some link of the class can do */
	bool seen[QOS_CLASS_COUNT];		/* a port of the class shows the fault */
};

/*
 * True when the design of the class does not fit `lanes`. `cut`: max_op_vls takes
 * lanes that the link could do; `aggregation`: a SHARP port, for which few lanes are normal.
 */
bool max_op_vls_is_fault(const struct max_op_vls *judge, enum qos_class class, int64_t lanes,
			 bool cut, bool aggregation);

/* Evidence: the design, what becomes of it on `lanes`, who uses the SLs that fell together. */
bool max_op_vls_add_design(struct finding *finding, const struct max_op_vls *judge,
			   const struct qos_options *set, int64_t lanes);

/* Evidence: what limits the lanes (max_op_vls, or VLCap when `cap` equals `lanes`), and the engine. */
bool max_op_vls_add_limit(struct finding *finding, const struct max_op_vls *judge, int64_t cap,
			  int64_t lanes);

/* With qos FALSE and tables that were not read: by what the file and the SLs in use suggest. */
enum severity max_op_vls_unread_severity(const struct max_op_vls *judge);

/* What opensm.conf would do to classes where no port shows it. 0 or ERR_NOMEM. */
int max_op_vls_report_conf(const struct max_op_vls *judge, struct err *err);

#endif
