#include "rules/rule.h"

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	(void)in;
	(void)out;
	(void)err;
	return 0;
}

const struct rule rule_collection_incomplete = {
	.id = "collection-incomplete",
	.title = "Something that was asked for is missing",
	.severity = SEVERITY_WARNING,
	.why = "x",
	.needs = "x",
	.remedy = "x",
	.source = "x",
	.check = check,
};
