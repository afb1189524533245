#include "collector/import/log_runs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/log_names.h"
#include "collector/import/opensm_log.h"

/* OpenSM's first words: "OpenSM 3.3.23", of old "OpenSM Rev:openib-1.2.0". */
static bool is_start(const char *text)
{
	return strncmp(text, "OpenSM ", 7) == 0 &&
	       (isdigit((unsigned char)text[7]) || strncmp(text + 7, "Rev:", 4) == 0);
}

static uint64_t bound_port(const char *text)
{
	static const char words[] = "binding to port GUID ";
	const char *at = strstr(text, words);

	return at ? strtoull(at + sizeof(words) - 1, NULL, 16) : 0;
}

static struct log_run *begin(struct opensm_log *log, struct err *err)
{
	struct log_run *run = config_log_run_add(log->config);

	if (!run) {
		err_no_memory(err);
		return NULL;
	}
	run->source = log->source;
	run->first_line = log->entry.first_line;
	log->run = log->config->log_run_count;
	log->run_told = false;
	memset(log->slots, 0, log->room * sizeof(*log->slots));
	log->last_state = 0;
	log->last_configured = 0;
	log->code_count = 0;
	/* An OpenSM that starts again and again must not cost its last run the room. */
	if (log->config->event_count - log->first_event > EVENTS_MAX / 2)
		log->config->event_count = log->first_event;
	return run;
}

static void extend(struct log_run *run, const struct log_entry *entry)
{
	run->last_line = entry->last_line;
	if (!entry->time[0])
		return;
	memcpy(run->last_time, entry->time, sizeof(run->last_time));
	if (!run->first_time[0])
		memcpy(run->first_time, entry->time, sizeof(run->first_time));
}

int log_run_follow(struct opensm_log *log, const char *text, struct err *err)
{
	struct log_run *run = log->run ? &log->config->log_runs[log->run - 1] : NULL;
	bool start = is_start(text);

	/* The start line is written twice. Where it was lost, the first state shows the start. */
	if (!run || (start && log->run_told) || (run->exited && strncmp(text, "Entering ", 9) == 0)) {
		run = begin(log, err);
		if (!run)
			return ERR_NOMEM;
	}
	run->started |= start;
	log->run_told |= !start;
	extend(run, &log->entry);
	run->exited |= strncmp(text, "Exiting SM", 10) == 0;
	if (run->port_guid == 0)
		run->port_guid = bound_port(text);
	return 0;
}

int log_run_follow_startup(struct opensm_log *log, struct err *err)
{
	struct log_run *run = log->run ? &log->config->log_runs[log->run - 1] : NULL;

	if (!run || run->exited)
		run = begin(log, err);
	if (!run)
		return ERR_NOMEM;
	run->started |= !log->run_told;
	extend(run, &log->entry);
	return 0;
}

/* One file's runs and events: parts of the config's lists. */
struct log_file {
	const struct source *source;
	struct log_name name;
	struct log_run *runs;
	size_t run_count;
	struct log_event *events;
	size_t event_count;
	uint64_t port_guid;
	const char *first_time;		/* "": none */
	const char *last_time;
	size_t group;			/* index of a file of the same SM's log */
	size_t newest;			/* index of the file of the group that was written last */
};

static struct log_file *list_files(const struct fabric *fabric, size_t *ret_count)
{
	const struct config *config = fabric->config;
	struct log_file *files = calloc(config->log_run_count + 1, sizeof(*files));
	size_t event = 0;

	*ret_count = 0;
	for (size_t i = 0, end; files && i < config->log_run_count; i = end) {
		struct log_file *file = &files[*ret_count];
		source_ref source = config->log_runs[i].source;

		file->source = &fabric->sources[source - 1];
		log_name_parse(file->source->name, &file->name);
		file->runs = &config->log_runs[i];
		file->events = event < config->event_count ? &config->events[event] : NULL;
		file->first_time = "";
		file->last_time = "";
		for (end = i; end < config->log_run_count && config->log_runs[end].source == source; end++) {
			const struct log_run *run = &config->log_runs[end];

			if (!file->port_guid)
				file->port_guid = run->port_guid;
			if (!file->first_time[0])
				file->first_time = run->first_time;
			if (run->last_time[0])
				file->last_time = run->last_time;
		}
		file->run_count = end - i;
		while (event < config->event_count && config->events[event].source == source) {
			file->event_count++;
			event++;
		}
		file->group = *ret_count;
		(*ret_count)++;
	}
	return files;
}

/* What is written at one time cannot be of one log. */
static bool overlap(const struct log_file *a, const struct log_file *b)
{
	return a->first_time[0] && b->first_time[0] &&
	       log_time_compare(a->first_time, b->last_time) < 0 &&
	       log_time_compare(b->first_time, a->last_time) < 0;
}

static bool same_log(const struct log_file *a, const struct log_file *b)
{
	if (a->port_guid && b->port_guid && a->port_guid != b->port_guid)
		return false;
	return (log_name_same(&a->name, &b->name) || (a->port_guid && a->port_guid == b->port_guid)) &&
	       !overlap(a, b);
}

/* Which of two files of one log was written first: by name where that tells, else by time. */
static int compare_written(const struct log_file *a, const struct log_file *b)
{
	int order = log_name_same(&a->name, &b->name) ? log_name_compare(&a->name, &b->name) : 0;

	if (order == 0)
		order = log_time_compare(a->last_time, b->last_time);
	return order ? order : (a->source > b->source) - (a->source < b->source);
}

static void group_files(struct log_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			size_t from = files[j].group, to = files[i].group;

			if (from == to || !same_log(&files[i], &files[j]))
				continue;
			for (size_t k = 0; k <= i; k++) {
				if (files[k].group == from)
					files[k].group = to;
			}
		}
	}
	for (size_t i = 0; i < count; i++) {
		files[i].newest = i;
		for (size_t j = 0; j < count; j++) {
			if (files[j].group == files[i].group &&
			    compare_written(&files[j], &files[files[i].newest]) > 0)
				files[i].newest = j;
		}
	}
}

/* Times have no year: a comparison may run in a circle, and a stable insertion ends all the same. */
static void sort_files(struct log_file **order, const struct log_file *files, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		for (size_t at = i; at > 0; at--) {
			const struct log_file *a = order[at - 1], *b = order[at];
			int compared;
			struct log_file *moved = order[at];

			if (a->group == b->group)
				compared = compare_written(a, b);
			else
				compared = log_time_compare(files[a->newest].last_time,
							    files[b->newest].last_time);
			if (compared <= 0)
				break;
			order[at] = order[at - 1];
			order[at - 1] = moved;
		}
	}
}

/* True when the first run of `newer` is the one that `older` ends with: its start is not there. */
static bool goes_on(const struct log_file *older, const struct log_file *newer)
{
	return !newer->runs[0].started && !older->runs[older->run_count - 1].exited;
}

static int mark_event(struct fabric *fabric, struct log_event *event, enum log_run_state state,
		      const char *until, struct err *err)
{
	event->run = state;
	event->run_until = NULL;
	if (state == LOG_RUN_LAST || !until[0])
		return 0;
	event->run_until = fabric_text(fabric, until, strlen(until));
	return event->run_until ? 0 : err_no_memory(err);
}

/* The source says how much of it rules leave aside. */
static int tell_earlier(struct fabric *fabric, const struct log_file *file, int64_t line, struct err *err)
{
	struct source *source = &fabric->sources[file->source - fabric->sources];
	char text[400];

	snprintf(text, sizeof(text), "%.200s%s%s %lld %s an earlier run: rules judge nothing of %s",
		 source->detail ? source->detail : "", source->detail ? "; " : "",
		 line > 1 ? "lines 1 to" : "line", (long long)line, line > 1 ? "are of" : "is of",
		 line > 1 ? "them" : "it");
	source->detail = fabric_text(fabric, text, strlen(text));
	return source->detail ? 0 : err_no_memory(err);
}

/* Where the last run of a log begins: a file of `order` and a run in it. */
struct last_run {
	size_t file;
	size_t run;
	bool exited;
};

static struct last_run find_last(struct log_file **order, size_t first, size_t end)
{
	const struct log_file *file = order[end - 1];
	struct last_run last = {end - 1, file->run_count - 1, file->runs[file->run_count - 1].exited};

	while (last.run == 0 && last.file > first && goes_on(order[last.file - 1], order[last.file])) {
		last.file--;
		last.run = order[last.file]->run_count - 1;
	}
	return last;
}

static int mark_log(struct fabric *fabric, struct log_file **order, size_t first, size_t end,
		    bool another_runs, struct err *err)
{
	struct last_run last = find_last(order, first, end);
	const struct log_file *newest = order[end - 1];
	int rc = 0;

	for (size_t i = first; rc == 0 && i < end; i++) {
		struct log_file *file = order[i];
		int64_t earlier = 0;

		for (size_t r = 0, e = 0; rc == 0 && r < file->run_count; r++) {
			const struct log_run *run = &file->runs[r];
			bool is_last = i > last.file || (i == last.file && r >= last.run);
			const char *until = is_last ? newest->last_time : run->last_time;
			enum log_run_state state = !is_last			? LOG_RUN_EARLIER
						   : !last.exited		? LOG_RUN_LAST
						   : another_runs		? LOG_RUN_EARLIER
										: LOG_RUN_EXITED;

			if (state == LOG_RUN_EARLIER)
				earlier = run->last_line;
			for (; rc == 0 && file->events && e < file->event_count &&
			       (r + 1 == file->run_count ||
				file->events[e].first_line < file->runs[r + 1].first_line);
			     e++)
				rc = mark_event(fabric, &file->events[e], state, until, err);
		}
		if (rc == 0 && earlier > 0)
			rc = tell_earlier(fabric, file, earlier, err);
	}
	return rc;
}

static int mark_logs(struct fabric *fabric, struct log_file **order, size_t count, struct err *err)
{
	bool runs = false;
	int rc = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0, end; rc == 0 && i < count; i = end) {
			for (end = i + 1; end < count && order[end]->group == order[i]->group;)
				end++;
			if (pass == 0)
				runs |= !find_last(order, i, end).exited;
			else
				rc = mark_log(fabric, order, i, end, runs, err);
		}
	}
	return rc;
}

/* Files of one log behind one another, whatever the order by time made of them. */
static void gather(struct log_file **order, size_t count)
{
	for (size_t i = 0; i + 1 < count;) {
		size_t group = order[i]->group;

		for (size_t j = ++i; j < count; j++) {
			struct log_file *file = order[j];

			if (file->group != group)
				continue;
			memmove(&order[i + 1], &order[i], (j - i) * sizeof(struct log_file *));
			order[i++] = file;
		}
	}
}

/* The events in the order of the files. */
static int move_events(struct config *config, struct log_file **order, size_t count, struct err *err)
{
	struct log_event *moved;
	size_t used = 0;

	if (config->event_count == 0)
		return 0;
	moved = malloc(config->event_count * sizeof(*moved));
	if (!moved)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		memcpy(&moved[used], order[i]->events, order[i]->event_count * sizeof(*moved));
		used += order[i]->event_count;
	}
	if (used == config->event_count)
		memcpy(config->events, moved, used * sizeof(*moved));
	free(moved);
	return 0;
}

int log_runs_settle(struct fabric *fabric, struct err *err)
{
	struct config *config = fabric->config;
	struct log_file *files;
	struct log_file **order;
	size_t count = 0;
	int rc;

	if (config->log_run_count == 0)
		return 0;
	files = list_files(fabric, &count);
	order = calloc(config->log_run_count + 1, sizeof(struct log_file *));
	if (!files || !order) {
		free(files);
		free(order);
		return err_no_memory(err);
	}
	group_files(files, count);
	for (size_t i = 0; i < count; i++)
		order[i] = &files[i];
	sort_files(order, files, count);
	gather(order, count);
	rc = mark_logs(fabric, order, count, err);
	if (rc == 0)
		rc = move_events(config, order, count, err);
	config->log_run_count = 0;
	free(order);
	free(files);
	return rc;
}
