#include "rules/analysis/analysis.h"

#include <stdlib.h>

struct analysis {
	const struct fabric *fabric;
};

int analysis_new(const struct fabric *fabric, struct analysis **ret_analysis, struct err *err)
{
	struct analysis *analysis = calloc(1, sizeof(*analysis));

	if (!analysis)
		return err_no_memory(err);
	analysis->fabric = fabric;
	*ret_analysis = analysis;
	return 0;
}

void analysis_free(struct analysis *analysis)
{
	free(analysis);
}
