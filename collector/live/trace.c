#include "collector/live/trace.h"

#include <inttypes.h>

#include "collector/live/wire.h"

static void destination(FILE *out, const uint8_t *mad, const struct mad_request *request)
{
	if (request->class != IB_SMI_DIRECT_CLASS) {
		fprintf(out, " to LID %u", request->lid);
		return;
	}
	fputs(" by DR path 0", out);
	for (unsigned i = 1; i <= mad[7] && i <= MAD_ROUTE_MAX; i++)
		fprintf(out, ",%u", mad[128 + i]);
}

static void question(FILE *out, const char *arrow, const char *method, const uint8_t *mad,
		     const struct mad_request *request)
{
	fprintf(out, "%s %s %s (0x%04x) modifier 0x%08" PRIx32 " TID 0x%08" PRIx32, arrow, method,
		mad_attribute_text(request->class, request->attribute), request->attribute,
		request->modifier, mad_tid(mad));
	if (request->class == IB_PERFORMANCE_CLASS)
		fprintf(out, " port %u", request->port_select);
}

void trace_sent(FILE *out, const uint8_t *mad, const struct mad_request *request, unsigned attempt)
{
	question(out, "->", mad_method_text(mad[3]), mad, request);
	destination(out, mad, request);
	if (attempt > 1)
		fprintf(out, " attempt %u", attempt);
	fputc('\n', out);
}

void trace_answered(FILE *out, const uint8_t *mad, const struct mad_request *request,
		    const struct answer *answer, int64_t rtt_ns)
{
	char status[96];

	question(out, "<-", mad_method_text(mad[3]), mad, request);
	if (answer->outcome == OUTCOME_BAD)
		fputs(" cannot be right (length or version)", out);
	else
		fprintf(out, " %s", mad_status_text(answer->status, status, sizeof(status)));
	fprintf(out, " after %" PRId64 " us\n", rtt_ns / 1000);
}

void trace_given_up(FILE *out, const uint8_t *mad, const struct mad_request *request,
		    unsigned attempts, int64_t waited_ns)
{
	question(out, "--", "no answer to", mad, request);
	destination(out, mad, request);
	fprintf(out, " after %u attempts, %" PRId64 " ms\n", attempts, waited_ns / 1000000);
}
