#include "report/report_impl.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#include "store/text.h"

bool report_format_parse(const char *text, enum report_format *ret_format)
{
	static const char *const names[] = {
		[REPORT_TEXT] = "text",
		[REPORT_HTML] = "html",
		[REPORT_JSON] = "json",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*ret_format = (enum report_format)i;
			return true;
		}
	}
	return false;
}

const char *report_time(int64_t seconds, char out[TIME_TEXT_SIZE])
{
	time_t when = (time_t)seconds;
	struct tm parts;

	if (seconds == FIELD_UNKNOWN || !gmtime_r(&when, &parts) ||
	    strftime(out, TIME_TEXT_SIZE, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
		snprintf(out, TIME_TEXT_SIZE, "time unknown");
	return out;
}

const struct rule *report_rule_of(const struct rule *const *rules, const char *id)
{
	for (; *rules; rules++) {
		if (strcmp((*rules)->id, id) == 0)
			return *rules;
	}
	return NULL;
}

const char *report_snapshot_label(const struct snapshot *snapshot, char *out, size_t size)
{
	char when[TIME_TEXT_SIZE];
	char what[256] = "this snapshot";

	if (snapshot->id)
		snprintf(what, sizeof(what), "snapshot %lld%s%s%s%s", (long long)snapshot->id,
			 *snapshot->site ? " of site " : "", snapshot->site,
			 *snapshot->label ? " labelled " : "", snapshot->label);
	snprintf(out, size, "%s, taken %s", what, report_time(snapshot->taken_at, when));
	return out;
}

struct writer *report_writer(enum report_format format, const struct report_options *options,
			     FILE *out)
{
	assert(format != REPORT_JSON);
	return format == REPORT_HTML ? writer_html_new(out, options)
				     : writer_text_new(out, options);
}

void report_tally(const struct audit *audit, size_t ret_counts[4])
{
	memset(ret_counts, 0, 4 * sizeof(ret_counts[0]));
	for (size_t i = 0; i < audit->finding_count; i++) {
		if (!finding_is_past(&audit->findings[i]))
			ret_counts[audit->findings[i].severity]++;
	}
}
