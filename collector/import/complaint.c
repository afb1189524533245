#include "collector/import/complaint.h"

#include <ctype.h>
#include <string.h>

#include "collector/import/scan.h"

static bool has_one(struct scan scan, const char *const *words)
{
	for (; *words; words++) {
		if (scan_find(&scan, *words))
			return true;
	}
	return false;
}

/* "ibwarn: [4711] ", "ibpanic: [4711] " */
static bool take_head(struct scan *scan, const char *word)
{
	uint64_t pid;

	return scan_literal(scan, word) && scan_literal(scan, ": [") && scan_decimal(scan, &pid) &&
	       scan_literal(scan, "] ");
}

/* A program's name, with its path: "saquery: ", "/usr/sbin/saquery: ". */
static bool take_program(struct scan *scan)
{
	const char *at = scan->at;

	while (at < scan->end && (isalnum((unsigned char)*at) || (*at && strchr("_-./", *at))))
		at++;
	if (at == scan->at)
		return false;
	scan->at = at;
	return scan_literal(scan, ": ");
}

/* "src/query_smp.c:228; " */
static bool take_place(struct scan *scan)
{
	const char *file = scan_find(scan, ".c:");
	uint64_t line;

	if (!file || memchr(scan->at, ' ', (size_t)(file - scan->at)))
		return false;
	scan->at = file + 3;
	return scan_decimal(scan, &line) && scan_literal(scan, "; ");
}

/* It was not told what it asked for, and does not find it out in another way. */
static bool is_failure(struct scan scan)
{
	static const char *const failures[] = {"failed",	  "Failed",	     "can't ",
					       "cannot ",	  "timed out",	     "timeout after ",
					       "error status",	  "bad status",	     "returned -",
					       "No SM/SA found",  NULL};
	static const char *const harmless[] = {"attempting full scan", "can't sort",
					       "Unsupported node description", NULL};

	return has_one(scan, failures) && !has_one(scan, harmless);
}

enum complaint complaint_of(const char *text, size_t length)
{
	struct scan line = scan_of(text, length);
	struct scan scan;

	scan_blanks(&line);
	scan = line;
	if (take_head(&scan, "ibpanic"))
		return COMPLAINT_END;
	scan = line;
	if (take_program(&scan) && scan_literal(&scan, "iberror: "))
		return scan_find(&scan, "failed: ") ? COMPLAINT_END : COMPLAINT_NONE;
	scan = line;
	if (scan_starts(&scan, "Query SA failed: ") || scan_starts(&scan, "ERROR: Query result returned "))
		return COMPLAINT_QUERY;
	if ((take_head(&scan, "ibwarn") || take_place(&scan)) && is_failure(scan))
		return COMPLAINT_QUERY;
	return COMPLAINT_NONE;
}
