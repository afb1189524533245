/*
 * What the readers of configuration files found wrong (config->problems), as
 * findings. Several rules share them out by id.
 */
#ifndef RULES_CONFIG_PROBLEMS_H
#define RULES_CONFIG_PROBLEMS_H

#include "rules/rule.h"

struct problem_choice {
	const char *format;		/* of the source: "opensm.conf", ... */
	const char *const *ids;		/* ended by NULL */
	bool others;			/* take all ids but these */
	enum severity most;		/* findings are not told as worse than this */
	const struct config_problem *skip;	/* one that another rule tells, or NULL */
};

/* One finding for each problem chosen: subject and source are file and line. 0 or ERR_NOMEM. */
int config_problems_tell(const struct rule_input *in, struct rule_output *out,
			 const struct problem_choice *choice, struct err *err);

/* The first problem with this id, and with this key unless it is NULL; or NULL. */
const struct config_problem *config_problem_find(const struct config *config, const char *id,
						 const char *key);

/* Sets subject and source of a finding to the place in the file. False: no memory. */
bool config_finding_place(struct finding *finding, const struct fabric *fabric, source_ref source,
			  int64_t line, const char *otherwise);

#endif
