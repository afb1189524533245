#include "collector/live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/host/host.h"
#include "collector/live/collect.h"
#include "collector/live/local.h"
#include "collector/name_map.h"

#define TIMEOUT_MS 400
/*
 * What an AF_UNIX socket holds by default is some 270 MADs, and ibsim never goes on
 * when that is full: half of it leaves room for those that are asked again.
 */
#define WINDOW 128
#define PER_DEVICE 4

static int64_t monotonic_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t collect_now(const struct collect *collect)
{
	return collect->options->now + (monotonic_ms() - collect->started_ms) / 1000;
}

/* Every answer of the engine comes here. */
static int on_done(void *context, const struct mad_request *request, const struct answer *answer,
		   struct err *err)
{
	struct collect *collect = context;

	switch ((enum ask)request->kind) {
	case ASK_NEIGHBOR:
		if (!request->owner)
			return discover_local(collect, answer, err);
		return discover_answer(collect, request, answer, err);
	case ASK_OTHER_WAY:
		return again_other_way(collect, request, answer);
	case ASK_IDENTITY:
		return identity_answer(collect, request, answer, err);
	default:
		return target_answer(collect, request->owner, request, answer, err);
	}
}

/* Sends as much as there is room for. 0 or an error. */
static int fill(struct collect *collect, struct err *err)
{
	int rc = 0;

	while (rc == 0 && engine_has_room(collect->engine)) {
		struct target *target;
		struct question question;
		struct probe probe;

		if (collect->identities_first) {
			rc = identity_send(collect, err);
			continue;
		}
		switch (agenda_take(&collect->agenda, &probe, &target)) {
		case AGENDA_NOTHING:
			return 0;
		case AGENDA_PROBE:
			rc = discover_send(collect, &probe, err);
			continue;
		case AGENDA_TARGET:
			break;
		}
		rc = target_next(collect, target, &question, err);
		if (rc != 1)
			continue;
		rc = target_ask(collect, target, &question, err);
		target->out++;
		if (target->out < collect->per_device)
			target_wake(collect, target);
	}
	return rc;
}

static void show_progress(struct collect *collect, const char *phase, bool last)
{
	FILE *out = collect->options->progress;
	int64_t now = monotonic_ms();
	struct live_stats stats = {0};
	double seconds;

	if (!out || (!last && now - collect->progress_ms < 200))
		return;
	collect->progress_ms = now;
	engine_stats(collect->engine, &stats);
	seconds = (double)(now - collect->started_ms) / 1000;
	fprintf(out, "\r%-12s %zu/%zu devices read, %.0f MADs/s, %zu hole%s \033[K%s", phase,
		collect->target_done, collect->target_count,
		seconds > 0 ? (double)stats.answered / seconds : 0, collect->hole_count,
		collect->hole_count == 1 ? "" : "s", last ? "\n" : "");
	fflush(out);
}

static bool has_work(const struct collect *collect)
{
	return collect->identities_first || !agenda_is_empty(&collect->agenda);
}

/* Until nothing is asked and nothing waits to be asked. */
static int run(struct collect *collect, const char *phase, struct err *err)
{
	int rc;

	do {
		rc = fill(collect, err);
		if (rc == 0)
			rc = engine_pump(collect->engine, err);
		show_progress(collect, phase, false);
		if (rc == 0 && collect->options->stop &&
		    collect->options->stop(collect->options->stop_context))
			rc = err_set(err, ERR_STOPPED,
				     "stopped with %zu of %zu devices read that were found so far; "
				     "nothing of them is kept",
				     collect->target_done, collect->target_count);
	} while (rc == 0 && (engine_pending(collect->engine) > 0 || has_work(collect)));
	return rc;
}

/* And what was lost once more. */
static int read_all(struct collect *collect, const char *phase, struct err *err)
{
	int rc = run(collect, phase, err);

	while (rc == 0 && (rc = again_start(collect, err)) == 1)
		rc = run(collect, "once more", err);
	return rc;
}

/* A run that reads the host's tables alone goes out by no port: local is NULL. */
static int add_source(struct collect *collect, const struct local_port *local, struct err *err)
{
	char name[288] = "tables of this host";

	if (local)
		snprintf(name, sizeof(name), "%s port %d", local->ca, local->port);
	collect->source = fabric_source_add(collect->fabric, SOURCE_LIVE, name, "live");
	if (!collect->source)
		return err_no_memory(err);
	collect->source->taken_at = collect->options->now;
	collect->source_ref = fabric_source_newest(collect->fabric);
	collect->fabric->live = true;
	collect->fabric->taken_at = collect->options->now;
	return 0;
}

static void note_asked(struct collect *collect)
{
	static const struct {
		unsigned group;
		enum attribute attribute;
	} rows[] = {
		{LIVE_TOPOLOGY, ATTRIBUTE_NODE_INFO},
		{LIVE_TOPOLOGY, ATTRIBUTE_NODE_DESCRIPTION},
		{LIVE_TOPOLOGY, ATTRIBUTE_SWITCH_INFO},
		{LIVE_TOPOLOGY, ATTRIBUTE_NEIGHBOR},
		{LIVE_TOPOLOGY, ATTRIBUTE_PORT_INFO},
		{LIVE_PORTINFO, ATTRIBUTE_EXTENDED_PORT_INFO},
		{LIVE_LFT, ATTRIBUTE_LFT},
		{LIVE_MFT, ATTRIBUTE_MFT},
		{LIVE_SL2VL, ATTRIBUTE_SL2VL},
		{LIVE_VLARB, ATTRIBUTE_VLARB},
		{LIVE_PKEYS, ATTRIBUTE_PKEY_TABLE},
		{LIVE_GUIDS, ATTRIBUTE_GUID_INFO},
		{LIVE_SM, ATTRIBUTE_SM_INFO},
	};
	static const enum attribute by_lid[] = {
		ATTRIBUTE_CLASS_PORT_INFO, ATTRIBUTE_COUNTERS, ATTRIBUTE_COUNTERS_EXTENDED,
		ATTRIBUTE_COUNTER_DETAILS};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (collect->groups & rows[i].group)
			collect->fabric->asked |= UINT32_C(1) << rows[i].attribute;
	}
	/* Without LIDs nobody can be asked for counters; that is no hole. */
	if (!collect->has_lid || !(collect->groups & LIVE_COUNTERS))
		return;
	for (size_t i = 0; i < sizeof(by_lid) / sizeof(by_lid[0]); i++)
		collect->fabric->asked |= UINT32_C(1) << by_lid[i];
}

static int begin(struct collect *collect, const struct wire *wire, struct err *err)
{
	const struct live_options *options = collect->options;
	struct engine_options engine_options = {
		.timeout_ms = options->timeout_ms ? options->timeout_ms : TIMEOUT_MS,
		.retries = options->retries,
		.window = options->window ? options->window : WINDOW,
		.trace = options->trace,
		.began_ms = collect->started_ms,
		.done = on_done,
		.context = collect,
	};
	int rc = 0;

	if (options->m_key_file) {
		rc = keys_read(options->m_key_file, &collect->keys, err);
		if (rc < 0)
			return rc;
	}
	rc = engine_new(wire, &engine_options, &collect->engine, err);
	if (rc == 0)
		rc = discover_start(collect, err);
	return rc;
}

/* The host's own tables; a tree that was copied is a source of its own, named by its path. */
static int read_host(struct collect *collect, struct err *err)
{
	const char *root = collect->options->sysfs;
	source_ref source = collect->source_ref;
	char host[256] = "";

	if (!(collect->groups & LIVE_HOST))
		return 0;
	if (root) {
		struct source *copied =
			fabric_source_add(collect->fabric, SOURCE_FILE, root, "sysfs");

		if (!copied)
			return err_no_memory(err);
		/* The list may have moved. */
		collect->source = &collect->fabric->sources[collect->source_ref - 1];
		source = fabric_source_newest(collect->fabric);
		host_name_of_tree(root, host, sizeof(host));
	} else if (gethostname(host, sizeof(host) - 1) < 0) {
		host[0] = '\0';
	}
	collect->fabric->asked |= UINT32_C(1) << ATTRIBUTE_HOST;
	return host_read(root ? root : "/sys", host[0] ? host : NULL, source, collect->fabric,
			 err);
}

/* Nothing is sent, and no device is needed. */
static int host_alone(struct collect *collect, struct err *err)
{
	int rc = add_source(collect, NULL, err);

	return rc < 0 ? rc : read_host(collect, err);
}

static void end(struct collect *collect)
{
	engine_free(collect->engine);
	keys_free(collect->keys);
	while (collect->targets) {
		struct target *next = collect->targets->next;

		target_free(collect->targets);
		collect->targets = next;
	}
	identity_free_all(collect);
	free(collect->target_of);
	free(collect->lids);
	free(collect->lost_probes);
	agenda_free(&collect->agenda);
}

static void tell_opened(const struct live_options *options)
{
	if (options->opened)
		options->opened(options->stop_context);
}

int live_collect(const struct live_options *options, struct fabric *fabric,
		 struct live_stats *ret_stats, struct err *err)
{
	struct collect collect = {.options = options, .fabric = fabric};
	struct local_port local = {0};
	struct wire wire = {.fd = -1};
	struct live_stats stats = {0};
	int rc;

	collect.started_ms = monotonic_ms();
	collect.groups = options->groups ? options->groups : LIVE_DEFAULT;
	if (collect.groups == LIVE_HOST) {
		tell_opened(options);
		return host_alone(&collect, err);
	}
	collect.groups |= LIVE_TOPOLOGY;
	collect.per_device = options->per_device ? options->per_device : PER_DEVICE;
	rc = local_choose(options->ca, options->port, &local, err);
	if (rc < 0)
		goto out;
	rc = wire_open(local.ca, local.port, &wire, err);
	if (rc < 0)
		goto out;
	tell_opened(options);
	collect.has_lid = local.has_lid;
	rc = add_source(&collect, &local, err);
	if (rc == 0)
		rc = read_host(&collect, err);
	/* Read once now, so that a wrong path ends the run before it begins. */
	if (rc == 0 && options->node_name_map)
		rc = name_map_apply(options->node_name_map, fabric, err);
	if (rc == 0)
		rc = begin(&collect, &wire, err);
	if (rc == 0)
		rc = read_all(&collect, "reading", err);
	if (rc == 0)
		rc = lids_gather(&collect, err);
	if (rc == 0)
		rc = read_all(&collect, "SM, counters", err);
	if (rc == 0)
		rc = again_finish(&collect, err);
	/* Holes name their places by what the map calls them. */
	if (rc == 0 && options->node_name_map)
		rc = name_map_apply(options->node_name_map, fabric, err);
	if (rc == 0)
		rc = fabric_mark_shared_names(fabric, err);
	if (rc == 0)
		rc = holes_write(&collect, err);
	if (rc < 0)
		goto out;
	note_asked(&collect);
	show_progress(&collect, "done", true);
	engine_stats(collect.engine, &stats);
	stats.seconds = (double)(monotonic_ms() - collect.started_ms) / 1000;
	if (ret_stats)
		*ret_stats = stats;
out:
	/* What is said next begins a line of its own. */
	if (rc < 0 && collect.progress_ms > 0)
		fputc('\n', options->progress);
	end(&collect);
	wire_close(&wire);
	return rc;
}
