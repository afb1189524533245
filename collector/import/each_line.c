#include "collector/import/each_line.h"

int each_line(struct input *input, line_fn take, void *reader, struct err *err)
{
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = take(reader, line, length);
		if (rc < 0)
			return rc;
	}
	return rc;
}
