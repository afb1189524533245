#include "rules/analysis/analysis.h"

#include <assert.h>
#include <stdlib.h>

struct analysis {
	const struct fabric *fabric;
	struct {
		void *data;
		void (*release)(void *data);
	} parts[ANALYSIS_PART_COUNT];
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
	if (!analysis)
		return;
	for (size_t i = 0; i < ANALYSIS_PART_COUNT; i++) {
		if (analysis->parts[i].data)
			analysis->parts[i].release(analysis->parts[i].data);
	}
	free(analysis);
}

const struct fabric *analysis_fabric(const struct analysis *analysis)
{
	return analysis->fabric;
}

void *analysis_part(const struct analysis *analysis, enum analysis_part part)
{
	return analysis->parts[part].data;
}

void analysis_keep(struct analysis *analysis, enum analysis_part part, void *data,
		   void (*release)(void *data))
{
	assert(!analysis->parts[part].data);
	analysis->parts[part].data = data;
	analysis->parts[part].release = release;
}
