/*
 * A host says at what rate its port runs, and not what the port could do: only a rate that
 * nothing is built for counts here, one lane or the lowest speed, and only beside others of
 * its kind that run faster.
 *
 * A kernel prints every speed that is newer than itself as the lowest one, with its name or
 * without: one lane is a fact, the lowest speed over several lanes is worth knowing.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/host_list.h"
#include "store/text.h"

#define SDR_LANE 2500		/* Mb/s */

enum slowness {
	NOT_SLOW,
	ONE_LANE,
	LOWEST_SPEED,
};

/* An Active InfiniBand port whose rate is known. */
static bool is_subject(const struct host_view *view)
{
	return host_is_layer(view, "InfiniBand") && host_is_active(view) && view->rate_mbps > 0;
}

/* ibstat prints no lanes, and 2 for 2.5: there is but one way to run at that. */
static enum slowness slowness_of(const struct host_view *view)
{
	if (view->width == 1 || view->rate_mbps <= SDR_LANE)
		return ONE_LANE;
	return view->width > 0 && view->rate_mbps <= view->width * SDR_LANE ? LOWEST_SPEED : NOT_SLOW;
}

/* The length of "mlx5" in "mlx5_0"; 0 for names that udev makes of the slot. */
static size_t driver_length(const char *device)
{
	const char *end = strchr(device, '_');

	return end ? (size_t)(end - device) : 0;
}

/* The first number of a firmware is the generation of the adapter, from ConnectX-4 on; 0: not known. */
static long generation_of(const struct host_view *view)
{
	long number = view->fw_version ? strtol(view->fw_version, NULL, 10) : 0;

	return number >= 10 ? number : 0;
}

/*
 * True when both can be held to run alike. At the lowest speed all lanes may be as intended,
 * on an old adapter: there it must be the same device or generation.
 */
static bool is_like(const struct host_view *slow, const struct host_view *other, enum slowness slowness)
{
	size_t length = driver_length(slow->device);
	long generation = generation_of(slow);
	bool proved = generation != 0 && generation == generation_of(other);

	if (host_is_same(slow, other) && strcmp(slow->device, other->device) == 0)
		return true;
	if (slowness == LOWEST_SPEED || length == 0)
		return proved;
	return length == driver_length(other->device) &&
	       strncmp(slow->device, other->device, length) == 0 &&
	       (proved || generation == 0 || generation_of(other) == 0);
}

/* The fastest port like this one that is not slow itself, of its own host if there is one; or NULL. */
static const struct host_view *find_faster(const struct host_views *views, const struct host_view *slow,
					   enum slowness slowness)
{
	const struct host_view *best = NULL;

	for (size_t i = 0; i < views->count; i++) {
		const struct host_view *other = &views->list[i];
		bool own = host_is_same(slow, other);

		if (!is_subject(other) || slowness_of(other) != NOT_SLOW ||
		    other->rate_mbps <= slow->rate_mbps || !is_like(slow, other, slowness))
			continue;
		if (!best || (own && !host_is_same(slow, best)) ||
		    (own == host_is_same(slow, best) && other->rate_mbps > best->rate_mbps))
			best = other;
	}
	return best;
}

/* The link is in the fabric too, with what both ends can: link-width-speed judges it. */
static bool is_in_fabric(const struct fabric *fabric, const struct host_view *view)
{
	const struct device *device =
		view->node_guid ? fabric_device_find(fabric, view->node_guid) : NULL;
	const struct port *port = device ? device_port(device, view->port) : NULL;

	return port && port->peer && port->info.link_width_active != FIELD_UNKNOWN &&
	       port->info.link_speed_active != FIELD_UNKNOWN;
}

/* "2.5 Gb/s (1X SDR)" */
#define RATE_SIZE 64

static const char *rate_words(const struct host_view *view, char out[RATE_SIZE])
{
	char speed[24];
	int used = snprintf(out, RATE_SIZE, "%" PRId64, view->rate_mbps / 1000);

	if (view->rate_mbps % 1000)
		used += snprintf(out + used, RATE_SIZE - (size_t)used, ".%" PRId64,
				 view->rate_mbps % 1000 / 100);
	used += snprintf(out + used, RATE_SIZE - (size_t)used, " Gb/s");
	text_escape(view->speed ? view->speed : "", view->speed ? strlen(view->speed) : 0, speed,
		    sizeof(speed));
	if (view->width > 0)
		snprintf(out + used, RATE_SIZE - (size_t)used, " (%" PRId64 "X%s%s)", view->width,
			 speed[0] ? " " : "", speed);
	return out;
}

/* It was found slow, so there is a faster one. */
static int tell(const struct rule_input *in, const struct host_view *slow, struct rule_output *out,
		struct err *err)
{
	const struct host_views *views = NULL;
	enum slowness slowness = slowness_of(slow);
	const struct host_view *faster;
	char label[HOST_LABEL_SIZE], other[HOST_LABEL_SIZE];
	char rate[RATE_SIZE], better[RATE_SIZE];
	struct finding *finding;
	int rc = analysis_hosts(in->analysis, &views, err);

	if (rc < 0)
		return rc;
	faster = find_faster(views, slow, slowness);
	assert(faster);
	host_label(slow, label);
	host_label(faster, other);
	rate_words(slow, rate);
	rate_words(faster, better);
	if (slowness == ONE_LANE)
		finding = host_finding(in->fabric, out, SEVERITY_WARNING, slow, "rate",
				       "%s runs at %s, while others of its kind run faster: %s at %s", label,
				       rate, other, better);
	else
		finding = host_finding(in->fabric, out, SEVERITY_INFO, slow, "speed",
				       "%s is said to run at %s, while others of its kind run faster (%s at "
				       "%s); a kernel says so too of a speed that it does not know", label,
				       rate, other, better);
	if (!finding || !finding_evidence(finding, "rate", "%s", rate) ||
	    !finding_evidence(finding, "faster", "%s at %s", other, better))
		return err_no_memory(err);
	return 0;
}

/* What was not judged, and the verdict where nothing was. */
struct census {
	size_t infiniband, unrated, judged, alone;
	const struct host_view *first_unrated, *first_alone;
	struct host_list one_lane, lowest_speed;
};

static int tell_left_out(const struct census *census, struct rule_output *out, struct err *err)
{
	char label[HOST_LABEL_SIZE];
	int rc = 0;

	if (census->infiniband == 0)
		return rule_not_applicable(out, err, "no port of a host is known to be an InfiniBand port");
	if (census->unrated > 0) {
		host_label(census->first_unrated, label);
		rc = (census->judged == 0 ? rule_not_checked : rule_left_out)(
			out, err, "neither a rate nor that it is down was read of %zu InfiniBand %s of hosts, %s%s",
			census->unrated, text_plural(census->unrated, "port", "ports"),
			text_plural(census->unrated, "", "first "), label);
	}
	if (rc == 0 && census->alone > 0) {
		host_label(census->first_alone, label);
		rc = rule_left_out(out, err,
				   "%zu %s at one lane or the lowest speed, and no faster port of that "
				   "kind is at hand to show that it could do more, %s%s",
				   census->alone, text_plural(census->alone, "port runs", "ports run"),
				   text_plural(census->alone, "", "first "), label);
	}
	return rc;
}

static int judge(const struct rule_input *in, const struct host_views *views,
		 const struct host_view *view, struct census *census, struct err *err)
{
	enum slowness slowness;

	if (!host_is_layer(view, "InfiniBand"))
		return 0;
	census->infiniband++;
	if (!is_subject(view)) {
		/* The rate of a port that is not Active is that of an earlier link, or none. */
		if (view->state != FIELD_UNKNOWN && !host_is_active(view))
			census->judged++;
		else if (census->unrated++ == 0)
			census->first_unrated = view;
		return 0;
	}
	census->judged++;
	slowness = slowness_of(view);
	if (slowness == NOT_SLOW || is_in_fabric(in->fabric, view))
		return 0;
	if (find_faster(views, view, slowness))
		return host_list_add(slowness == ONE_LANE ? &census->one_lane : &census->lowest_speed,
				     view, err);
	if (census->alone++ == 0)
		census->first_alone = view;
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct host_views *views = NULL;
	struct census census = {0};
	int rc = analysis_hosts(in->analysis, &views, err);

	if (rc < 0)
		return rc;
	if (views->count == 0)
		return rule_not_checked(out, err, "no port of any host was read by itself (ibstat, or a copy "
						  "of /sys/class/infiniband)");
	for (size_t i = 0; rc == 0 && i < views->count; i++)
		rc = judge(in, views, &views->list[i], &census, err);
	if (rc == 0)
		rc = host_list_tell(&census.one_lane, SEVERITY_WARNING, "rate",
				    "ports of hosts run at one lane, while others of their kind run faster",
				    tell, in, out, err);
	if (rc == 0)
		rc = host_list_tell(&census.lowest_speed, SEVERITY_INFO, "speed",
				    "ports of hosts are said to run at the lowest speed, while others of "
				    "their kind run faster; a kernel says so too of a speed that it does not "
				    "know",
				    tell, in, out, err);
	if (rc == 0)
		rc = tell_left_out(&census, out, err);
	host_list_clear(&census.one_lane);
	host_list_clear(&census.lowest_speed);
	return rc;
}

const struct rule rule_host_port_slow = {
	.id = "host-port-slow",
	.title = "A host's InfiniBand port runs at one lane or at the lowest speed",
	.severity = SEVERITY_WARNING,
	.why = "A cable or a port that is damaged trains to what it still can. The port is Active, the host "
	       "works, and everything that waits for it is as slow as one lane: 2.5 Gb/s where the "
	       "others have 200.",
	.needs = "rate, state and link layer of hosts' ports (ibstat, ibstatus, /sys/class/infiniband), and a "
		 "faster port of the same kind; what both ends support is for link-width-speed",
	.reads = "host_ports",
	.remedy = "Reseat or swap the cable at both ends; that takes down this link alone, for seconds. If "
		  "it comes back the same, try another switch port, then another adapter. Where only the "
		  "speed is in doubt ask the port itself first: smpquery portinfo, at no cost.",
	.source = "Linux Documentation/ABI/stable/sysfs-class-infiniband (rate, state) and "
		  "drivers/infiniband/core/sysfs.c; IBA Volume 1, PortInfo LinkWidthActive, "
		  "LinkSpeedActive",
	.check = check,
};
