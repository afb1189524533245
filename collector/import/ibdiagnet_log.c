/*
 * ibdiagnet2.log: what each stage said, and the closing table of stages. A stage
 * that was skipped or failed is a hole in everything the other files hold.
 */
#include <stdio.h>
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "collector/import/scan.h"

struct log {
	struct import *import;
	char stage[80];		/* the heading above, "" at first */
	bool lost;		/* its heading is missing: what follows is of no stage with a name */
	bool rule;		/* the last line was dashes: a heading follows */
	char above[80];		/* the line before, when it was prose and no heading; or "" */
	char *said;		/* a warning or error, used when its line does not go on in the next; or NULL */
	char mark;		/* its letter */
	bool table;		/* inside the closing table */
	bool closed;		/* it was there */
};

static void keep(char out[80], const char *text, size_t length)
{
	if (length >= 80)
		length = 79;
	memcpy(out, text, length);
	out[length] = '\0';
}

/* A line of a stage: its first one stands behind the stage's heading. */
static void find_stage(struct log *log)
{
	if (log->rule) {
		log->lost = true;
	} else if (log->above[0]) {
		/* The dashes over it are lost. */
		keep(log->stage, log->above, strlen(log->above));
		log->lost = false;
	}
	log->rule = false;
}

/* What of the fabric a stage reads; ATTRIBUTE_COUNT: nothing with a name here. */
static enum attribute stage_attribute(const char *stage)
{
	static const struct {
		const char *stage;
		enum attribute attribute;
	} stages[] = {
		{"Discovery", ATTRIBUTE_NODE_INFO},	{"Subnet Manager", ATTRIBUTE_SM_INFO},
		{"Port Counters", ATTRIBUTE_COUNTERS},	{"Partition Keys", ATTRIBUTE_PKEY_TABLE},
		{"Routing", ATTRIBUTE_LFT},		{"SL2VL", ATTRIBUTE_SL2VL},
		{"QoS", ATTRIBUTE_VLARB},
	};

	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (strncmp(stage, stages[i].stage, strlen(stages[i].stage)) == 0)
			return stages[i].attribute;
	}
	return ATTRIBUTE_COUNT;
}

static bool says_not_run(const char *text, size_t length)
{
	static const char *const words[] = {"skip", "fail", "not run", "abort"};
	char lower[128];

	if (length >= sizeof(lower))
		length = sizeof(lower) - 1;
	for (size_t i = 0; i < length; i++)
		lower[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 0x20) : text[i];
	lower[length] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(lower, words[i]))
			return true;
	}
	return false;
}

/* A stage that left something out. */
static int note_hole(struct log *log, const char *stage, const char *comment, size_t length,
		     struct err *err)
{
	struct fabric *fabric = import_fabric(log->import);
	enum attribute attribute = stage_attribute(stage);
	struct hole *hole;
	char text[256];

	fabric->partial = true;
	if (attribute == ATTRIBUTE_COUNT)
		return 0;
	hole = fabric_hole_add(fabric);
	if (!hole)
		return err_no_memory(err);
	snprintf(text, sizeof(text), "ibdiagnet's stage \"%s\": %.*s", stage, (int)length, comment);
	hole->port = -1;
	hole->attribute = attribute;
	hole->reason = HOLE_NOT_REACHED;
	hole->source = import_source_ref(log->import);
	hole->text = import_intern(log->import, text, strlen(text));
	return hole->text ? 0 : err_no_memory(err);
}

/*
 * "Port Counters      0          2        This stage was skipped": columns by
 * runs of two and more blanks, numbers missing where a stage did not run.
 */
static int table_row(struct log *log, const char *line, size_t length, bool *ret_odd,
		     struct err *err)
{
	struct scan scan = scan_of(line, length);
	const char *gap = scan_find(&scan, "  ");
	uint64_t warnings = 0;
	uint64_t errors = 0;
	bool counted;
	char stage[80];
	char value[200];
	int rc;

	*ret_odd = !gap || (size_t)(gap - line) >= sizeof(stage);
	if (*ret_odd)
		return 0;
	memcpy(stage, line, (size_t)(gap - line));
	stage[gap - line] = '\0';
	scan.at = gap;
	scan_blanks(&scan);
	counted = scan_decimal(&scan, &warnings);
	scan_blanks(&scan);
	counted = counted && scan_decimal(&scan, &errors);
	scan_blanks(&scan);
	if (counted)
		snprintf(value, sizeof(value), "%llu warnings, %llu errors%s%.*s",
			 (unsigned long long)warnings, (unsigned long long)errors,
			 scan_done(&scan) ? "" : ": ", (int)(scan_left(&scan) < 100 ? scan_left(&scan)
			 : 100), scan.at);
	else
		snprintf(value, sizeof(value), "%.*s",
			 (int)(scan_left(&scan) < 100 ? scan_left(&scan) : 100), scan.at);
	rc = import_fact(log->import, NULL, -1, "ibdiagnet-stage", stage, value, strlen(value), err);
	if (rc == 0 && says_not_run(scan.at, scan_left(&scan)))
		rc = note_hole(log, stage, scan.at, scan_left(&scan) < 100 ? scan_left(&scan) : 100,
			       err);
	return rc;
}

/* The warning or error of the line before is whole. */
static int tell_said(struct log *log, struct err *err)
{
	const char *text = log->said;
	size_t length = text ? strlen(text) : 0;
	int rc;

	log->said = NULL;
	if (!text)
		return 0;
	rc = import_fact(log->import, NULL, -1, log->mark == 'E' ? "ibdiagnet-log-error"
								 : "ibdiagnet-log-warning",
			 log->stage[0] ? log->stage : "log", text, length, err);
	if (rc == 0 && log->mark == 'E' && says_not_run(text, length))
		rc = note_hole(log, log->stage, text, length < 100 ? length : 100, err);
	return rc;
}

/* A line "-I- ...", "-W- ...", "-E- ..." without its mark. */
static int marked_line(struct log *log, char mark, const char *text, size_t length, bool *ret_odd,
		       struct err *err)
{
	static const char head[] = "Stage  ";

	*ret_odd = false;
	if (mark == 'I' && length >= sizeof(head) - 1 &&
	    memcmp(text, head, sizeof(head) - 1) == 0) {
		log->table = true;
		log->closed = true;
		return 0;
	}
	if (log->table && length >= 8 && memcmp(text, "You can ", 8) == 0)
		log->table = false;
	if (log->table)
		return table_row(log, text, length, ret_odd, err);
	if (mark == 'I')
		return 0;
	if (log->lost) {
		*ret_odd = true;
		return 0;
	}
	log->mark = mark;
	log->said = import_intern(log->import, text, length);
	return log->said ? 0 : err_no_memory(err);
}

static bool is_rule(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && line[i] == '-')
		i++;
	return length >= 10 && i == length;
}

static int log_line(struct log *log, const char *line, size_t length, bool *ret_odd,
		    struct err *err)
{
	static const char stamp[] = "Running timestamp:";
	int64_t taken_at;
	int rc = 0;

	*ret_odd = ibdiagnet_gap(line, length);
	if (*ret_odd) {
		/* A heading may have stood there. */
		log->rule = false;
		log->lost = true;
		return tell_said(log, err);
	}
	if (length > sizeof(stamp) && memcmp(line, stamp, sizeof(stamp) - 1) == 0) {
		*ret_odd = !import_parse_time(line + sizeof(stamp) - 1,
					      length - sizeof(stamp) + 1, &taken_at);
		if (!*ret_odd)
			import_taken_at(log->import, taken_at);
		return 0;
	}
	if (length >= 4 && line[0] == '-' && line[2] == '-' && strchr("IWE", line[1]) && line[1]) {
		const char *text = line + 3;
		size_t left = length - 3;

		rc = tell_said(log, err);
		if (rc < 0)
			return rc;
		import_trim(&text, &left);
		find_stage(log);
		log->above[0] = '\0';
		return marked_line(log, line[1], text, left, ret_odd, err);
	}
	if (is_rule(line, length)) {
		rc = tell_said(log, err);
		log->table = false;
		log->rule = true;
		log->above[0] = '\0';
	} else if (log->rule) {
		log->rule = false;
		log->lost = false;
		keep(log->stage, line, length);
	} else {
		*ret_odd = log->table || log->said;
		log->said = NULL;
		/* "Running version:", "Running command:" begin the log. */
		keep(log->above, line, *ret_odd || memcmp(line, "Running ", length < 8 ? length : 8) == 0
					       ? 0 : length);
	}
	/* The rest is prose and tables for people: kept in the other files as data. */
	return rc;
}

static int read_log(struct import *import, struct input *input, struct err *err)
{
	struct log log = {.import = import};
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		const char *text = line;
		size_t left = length;
		bool odd;

		import_trim(&text, &left);
		if (left == 0) {
			log.table = false;
			log.above[0] = '\0';
			rc = tell_said(&log, err);
			if (rc < 0)
				return rc;
			continue;
		}
		rc = log_line(&log, text, left, &odd, err);
		if (rc == 0 && odd)
			rc = import_odd(import, input,
					log.lost ? "of a stage whose heading is lost" :
						   "a line that is folded or out of place", err);
		else if (rc == 0)
			import_row(import);
		if (rc < 0)
			return rc;
	}
	if (rc == 0)
		rc = tell_said(&log, err);
	if (rc == 0 && (!log.closed || log.table))
		rc = import_cut(import, ATTRIBUTE_NODE_INFO,
				"the table of stages that ends the log is not there: the run was "
				"broken off, or the file was", err);
	return rc;
}

static int detect_log(const struct probe *probe)
{
	if (probe_has_line(probe, "-I- ") &&
	    (probe_has(probe, "IBDIAGNET") || probe_has(probe, "Fabric Discover")))
		return 85;
	return 0;
}

const struct format format_ibdiagnet_log = {
	.id = "ibdiagnet2.log",
	.title = "ibdiagnet2 log (ibdiagnet2.log)",
	.rank = 30,
	.late = true,
	.one_look = true,
	.detect = detect_log,
	.read = read_log,
};
