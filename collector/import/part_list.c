#include "collector/import/part_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/detect.h"
#include "store/array.h"

bool part_line_is_empty(const char *line, size_t length)
{
	import_trim(&line, &length);
	return line_is_noise(line, length) || *line == '#';
}

/* Passes over the lines of the part; *ret_empty: none of them says anything. */
static int pass_over(struct input *input, const struct part *part, bool *ret_empty, struct err *err)
{
	char *line;
	size_t length;
	int rc;

	*ret_empty = !part->format;
	while ((rc = input_line(input, &line, &length, err)) == 1)
		*ret_empty = *ret_empty && part_line_is_empty(line, length);
	return rc;
}

unsigned part_number_next(struct part_numbers *numbers, const struct format *format)
{
	size_t at = 0;

	while (import_format_at(at) && import_format_at(at) != format)
		at++;
	return at < sizeof(numbers->of) / sizeof(numbers->of[0]) ? ++numbers->of[at] : 1;
}

static int add(struct part_list *list, struct part_numbers *numbers, const struct part *part,
	       size_t max, struct err *err)
{
	struct listed_part *parts;

	if (list->count >= max)
		return err_set(err, ERR_LIMIT, "holds the output of more than %zu commands, the most that "
			       "are accepted in one file", max);
	parts = array_grow(list->parts, list->count, &list->room, sizeof(*parts));
	if (!parts)
		return err_no_memory(err);
	list->parts = parts;
	parts[list->count] = (struct listed_part){.part = *part, .end = UINT64_MAX,
						  .number = part_number_next(numbers, part->format)};
	list->count++;
	list->known += part->format != NULL;
	return 0;
}

int part_list_scan(struct input *input, bool whole, size_t max, struct part_list *ret_list,
		   struct err *err)
{
	struct part_numbers numbers = {0};
	struct part_list list = {0};
	struct parts parts;
	struct part part;
	struct err own;
	int rc;

	parts_begin(&parts, input, whole);
	while ((rc = parts_next(&parts, &part, &own)) == 1) {
		bool empty = false;

		if (list.parts && list.parts[list.count - 1].end == UINT64_MAX)
			list.parts[list.count - 1].end = part.mark;
		if (add(&list, &numbers, &part, max, err) < 0) {
			free(list.parts);
			return err->code;
		}
		if (whole || parts.hopeless)
			break;
		rc = pass_over(input, &part, &empty, &own);
		if (rc < 0)
			break;
		list.count -= empty && (list.count > 1 || parts.more);
	}
	/* What fails behind its beginning fails once more when it is read, and is told then. */
	if (rc < 0 && (list.count == 0 || rc == ERR_NOMEM)) {
		free(list.parts);
		*err = own;
		return rc;
	}
	*ret_list = list;
	return 0;
}

char *part_name(struct fabric *fabric, const char *file, const struct format *format,
		unsigned number)
{
	size_t size = strlen(file) + 64;
	char *name = fabric_alloc(fabric, size, 1);

	if (!name)
		return NULL;
	if (!format)
		snprintf(name, size, "%s (other output)", file);
	else if (number == 1)
		snprintf(name, size, "%s (%s)", file, format->id);
	else
		snprintf(name, size, "%s (%s %u)", file, format->id, number);
	return name;
}
