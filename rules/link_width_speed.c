#include <inttypes.h>
#include <stdio.h>

#include "rules/link_ends.h"
#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"

/* One of the two things that are compared on a link. */
struct measure {
	const char *name;
	int64_t (*active)(const struct port *port);
	int64_t (*enabled)(const struct port *port);	/* mask */
	int64_t (*supported)(const struct port *port);	/* mask */
	int64_t (*best)(int64_t mask);
	bool (*has_unknown)(int64_t mask);
	void (*words)(int64_t value, char *out, size_t size);
	const char *many_low;
	const char *many_limited;
};

static int64_t width_active(const struct port *port)
{
	return port->info.link_width_active;
}

static int64_t width_enabled(const struct port *port)
{
	return port->info.link_width_enabled;
}

static int64_t width_supported(const struct port *port)
{
	return port->info.link_width_supported;
}

static bool width_has_unknown(int64_t mask)
{
	return (mask & ~INT64_C(31)) != 0;
}

static void width_words(int64_t value, char *out, size_t size)
{
	snprintf(out, size, "%" PRId64 "x", value);
}

static int64_t speed_active(const struct port *port)
{
	if (speed_code_has_unknown(port->info.link_speed_code))
		return FIELD_UNKNOWN;
	return port->info.link_speed_active;
}

static int64_t speed_enabled(const struct port *port)
{
	return port->info.link_speed_enabled;
}

static int64_t speed_supported(const struct port *port)
{
	return port->info.link_speed_supported;
}

static void speed_words(int64_t value, char *out, size_t size)
{
	const char *name = speed_name(value);

	if (name)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%" PRId64 " Mb/s a lane", value);
}

static const struct measure measures[] = {
	{"width", width_active, width_enabled, width_supported, width_widest, width_has_unknown,
	 width_words, "links run with fewer lanes than both ends enable",
	 "links run with fewer lanes than both ends support, since one end does not enable them"},
	{"speed", speed_active, speed_enabled, speed_supported, speed_of_code,
	 speed_code_has_unknown, speed_words, "links run at a lower speed than both ends enable",
	 "links run at a lower speed than both ends support, since one end does not enable it"},
};

#define MEASURES (sizeof(measures) / sizeof(measures[0]))

/* What a link runs at, and could; FIELD_UNKNOWN where an end does not say. */
struct link {
	int64_t active;
	int64_t enabled;	/* the best that both ends enable */
	int64_t supported;	/* the best that both ends support */
};

/* The best that both masks name; bits of no known meaning make it unknown. */
static int64_t best_of_both(const struct measure *measure, int64_t a, int64_t b)
{
	if (a == FIELD_UNKNOWN || b == FIELD_UNKNOWN || measure->has_unknown(a & b))
		return FIELD_UNKNOWN;
	return measure->best(a & b);
}

static struct link measure_link(const struct measure *measure, const struct port *port)
{
	const struct port *peer = port->peer;
	int64_t here = measure->active(port);
	int64_t there = measure->active(peer);
	struct link link;

	/* Two ends that disagree were read at different times: the better one counts. */
	link.active = here == FIELD_UNKNOWN || (there != FIELD_UNKNOWN && there > here) ? there
											: here;
	link.enabled = best_of_both(measure, measure->enabled(port), measure->enabled(peer));
	link.supported = best_of_both(measure, measure->supported(port), measure->supported(peer));
	return link;
}

struct tell_context {
	const struct fabric *fabric;
	const struct measure *measure;
	bool limited;
};

static bool add_end(struct finding *finding, const struct measure *measure, const char *key,
		    const struct port *port)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char enabled[48] = "unknown";
	char supported[48] = "unknown";
	int64_t best = measure->best(measure->enabled(port));

	if (best != FIELD_UNKNOWN)
		measure->words(best, enabled, sizeof(enabled));
	best = measure->best(measure->supported(port));
	if (best != FIELD_UNKNOWN)
		measure->words(best, supported, sizeof(supported));
	return finding_evidence(finding, key, "%s: up to %s enabled, %s supported",
				port_label(port, false, label, sizeof(label)), enabled, supported);
}

static int tell(void *opaque, const struct port *port, struct rule_output *out, struct err *err)
{
	const struct tell_context *context = opaque;
	const struct measure *measure = context->measure;
	struct link link = measure_link(measure, port);
	char label[DEVICE_LABEL_SIZE + 16];
	char other[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;
	char active[48];
	char best[48];
	char id[32];

	port_label(port, false, label, sizeof(label));
	port_label(port->peer, false, other, sizeof(other));
	measure->words(link.active, active, sizeof(active));
	measure->words(context->limited || link.enabled == FIELD_UNKNOWN ? link.supported
									  : link.enabled,
		       best, sizeof(best));
	snprintf(id, sizeof(id), "%s%s", measure->name, context->limited ? "-limited" : "");
	finding = rule_finding(out, context->limited ? SEVERITY_INFO : SEVERITY_WARNING, NULL, port,
			       id,
			       context->limited
				       ? "The link from %s to %s runs at %s; both ends support %s, "
					 "but not both enable it"
			       : link.enabled == FIELD_UNKNOWN
				       ? "The link from %s to %s runs at %s; both ends support %s "
					 "(what they enable was not read)"
				       : "The link from %s to %s runs at %s; both ends enable %s",
			       label, other, active, best);
	if (!finding || !finding_evidence(finding, "active", "%s", active) ||
	    !add_end(finding, measure, "end_1", port) ||
	    !add_end(finding, measure, "end_2", port->peer) ||
	    !finding_source(finding, context->fabric, port->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	if (context->limited &&
	    !finding_text(&finding->remedy,
			  "Somebody limited this port: leave it if that was meant, else enable all it "
			  "supports (ibportstate, or the switch's own settings), which takes this "
			  "link down and up."))
		return err_no_memory(err);
	return 0;
}

struct links {
	struct port_list low;		/* below what both ends enable */
	struct port_list limited;	/* below what both support */
	size_t judged;
	size_t unknown;
};

/* Links that are limited alike. */
struct limit {
	int64_t active;
	int64_t supported;
	size_t count;
};

#define LIMITS_MOST 32

/*
 * A limit that most links of a fabric share is how it is meant to run (12x
 * silicon behind 4x connectors, a site held at one speed): those links are
 * taken from the list and counted.
 */
static struct limit drop_common_limit(const struct measure *measure, struct links *links)
{
	struct limit limits[LIMITS_MOST] = {{0}};
	struct limit common = {0};
	size_t count = 0;
	size_t kept = 0;

	for (size_t i = 0; i < links->limited.count; i++) {
		struct link link = measure_link(measure, links->limited.list[i]);
		size_t at = 0;

		while (at < count && (limits[at].active != link.active ||
				      limits[at].supported != link.supported))
			at++;
		if (at == LIMITS_MOST)
			continue;
		if (at == count)
			limits[count++] = (struct limit){link.active, link.supported, 0};
		limits[at].count++;
		if (limits[at].count > common.count)
			common = limits[at];
	}
	if (2 * common.count <= links->judged) {
		common.count = 0;
		return common;
	}
	for (size_t i = 0; i < links->limited.count; i++) {
		struct link link = measure_link(measure, links->limited.list[i]);

		if (link.active != common.active || link.supported != common.supported)
			links->limited.list[kept++] = links->limited.list[i];
	}
	links->limited.count = kept;
	return common;
}

static int tell_common(const struct measure *measure, const struct limit *common,
		       struct rule_output *out, struct err *err)
{
	char active[48];
	char supported[48];

	if (common->count == 0)
		return 0;
	measure->words(common->active, active, sizeof(active));
	measure->words(common->supported, supported, sizeof(supported));
	return rule_left_out(out, err,
			     "%zu %s at %s where both ends support %s and not both enable "
			     "it: most of the fabric does, so it is taken as meant",
			     common->count, text_plural(common->count, "link runs", "links run"), active,
			     supported);
}

static int collect(const struct fabric *fabric, const struct measure *measure, struct links *links,
		   struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 1; rc == 0 && num < device->port_slots; num++) {
			const struct port *port = device->ports[num];
			struct link link;

			if (!port || !port_is_first_end(port) ||
			    (!port_is_up(port) && !port_is_up(port->peer)))
				continue;
			link = measure_link(measure, port);
			if (link.active == FIELD_UNKNOWN ||
			    (link.enabled == FIELD_UNKNOWN && link.supported == FIELD_UNKNOWN)) {
				links->unknown++;
				continue;
			}
			links->judged++;
			if (link.active < (link.enabled != FIELD_UNKNOWN ? link.enabled
									 : link.supported))
				rc = port_list_add(&links->low, port, err);
			else if (link.active < link.supported)
				rc = port_list_add(&links->limited, port, err);
		}
	}
	return rc;
}

static int check_measure(const struct fabric *fabric, const struct measure *measure,
			 struct rule_output *out, size_t *ret_judged, struct err *err)
{
	struct tell_context context = {fabric, measure, false};
	struct links links = {.judged = 0};
	struct limit common = {0};
	char id[32];
	int rc;

	rc = collect(fabric, measure, &links, err);
	if (rc == 0)
		rc = port_list_tell(&links.low, SEVERITY_WARNING, measure->name, measure->many_low,
				    tell, &context, out, err);
	if (rc == 0) {
		common = drop_common_limit(measure, &links);
		rc = tell_common(measure, &common, out, err);
	}
	context.limited = true;
	snprintf(id, sizeof(id), "%s-limited", measure->name);
	if (rc == 0)
		rc = port_list_tell(&links.limited, SEVERITY_INFO, id, measure->many_limited, tell,
				    &context, out, err);
	if (rc == 0 && links.judged > 0 && links.unknown > 0)
		rc = rule_left_out(out, err, "the %s of %zu of %zu links is not known at both ends",
				   measure->name, links.unknown, links.unknown + links.judged);
	*ret_judged += links.judged;
	port_list_clear(&links.low);
	port_list_clear(&links.limited);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	size_t judged = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < MEASURES; i++)
		rc = check_measure(in->fabric, &measures[i], out, &judged, err);
	if (rc == 0)
		rc = link_ends_check(in, out, err);
	if (rc == 0 && judged == 0)
		rc = rule_not_checked(out, err, "no link was read with what both of its ends enable "
						"or support");
	return rc;
}

const struct rule rule_link_width_speed = {
	.id = "link-width-speed",
	.title = "A link runs below what both its ends enable, or its ends disagree on what it runs at",
	.severity = SEVERITY_WARNING,
	.why = "A link that trained to fewer lanes or to a lower speed is a bottleneck that routing "
	       "does not know of: a 4x link at 1x carries a quarter of its share, and everything that "
	       "passes it waits.",
	.needs = "LinkWidth and LinkSpeed (active, enabled, supported) and NeighborMTU of both ends of links "
		 "that are up",
	.reads = "link_width_active link_speed_active link_width_supported "
		 "link_width_enabled link_speed_supported link_speed_enabled neighbor_mtu",
	.remedy = "Reseat or swap the cable and look at its error counters; a cable made for a lower "
		  "speed shows the same. Retraining takes this link down for seconds.",
	.source = "IBA Volume 1, 14.2.5.6 PortInfo (LinkWidth, LinkSpeed, LinkSpeedExt); Mellanox "
		  "ExtendedPortInfo",
	.check = check,
};
