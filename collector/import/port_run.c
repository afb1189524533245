#include "collector/import/port_run.h"

#include <stdio.h>

bool port_run_next(struct port_run *run, unsigned num, int64_t line)
{
	if (num <= run->last)
		return false;
	if (num != run->last + 1) {
		run->gaps++;
		if (run->gap_line == 0)
			run->gap_line = line;
	}
	run->rows++;
	run->last = num;
	return true;
}

void port_run_end(struct port_run *run)
{
	if (run->gaps * 4 <= run->rows)
		run->all_gaps += run->gaps;
	run->last = run->rows = run->gaps = 0;
	if (run->all_gaps == 0)
		run->gap_line = 0;
}

int port_run_tell(const struct port_run *run, struct import *import, struct err *err)
{
	char text[120];

	if (run->all_gaps == 0)
		return 0;
	snprintf(text, sizeof(text), "rows of ports are missing, the first in front of line %lld",
		 (long long)run->gap_line);
	return import_cut(import, ATTRIBUTE_PORT_INFO, text, err);
}
