#include "cli/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/stop.h"
#include "cli/timing.h"
#include "collector/import/import.h"
#include "rules/rule.h"
#include "store/node_names.h"

/* That a key was given, and never which: the remedy for what stays shut rests on it. */
static int note_m_key(struct fabric *fabric, struct err *err)
{
	struct fact *fact = fabric_fact_add(fabric);

	if (!fact)
		return err_no_memory(err);
	fact->port = -1;
	fact->source = fabric_source_newest(fabric);
	fact->section = fabric_text(fabric, "run", 3);
	fact->key = fabric_text(fabric, "M_Key", 5);
	fact->value = fabric_text(fabric, "given", 5);
	return fact->section && fact->key && fact->value ? 0 : err_no_memory(err);
}

static int collect_live(const struct live_options *wanted, struct fabric *fabric,
			struct live_stats *ret_stats, struct err *err)
{
	struct live_options options = *wanted;
	struct stop stop;
	int rc;

	stop_init(&stop);
	options.opened = stop_begin;
	options.stop = stop_asked;
	options.stop_context = &stop;
	rc = live_collect(&options, fabric, ret_stats, err);
	if (rc == 0 && (options.m_key || options.m_key_file))
		rc = note_m_key(fabric, err);
	if (rc == ERR_STOPPED)
		err_prefix(err, "%s", stop_name(&stop));
	stop_end(&stop);
	return rc;
}

int gather(const struct args *args, bool live, struct fabric **ret_fabric, struct err *err)
{
	struct import_options import = {
		.node_name_map = args->live.node_name_map,
		.configs = args->configs,
		.config_count = args->config_count,
	};
	struct live_options options = args->live;
	struct live_stats stats = {0};
	struct fabric *fabric = NULL;
	int rc;

	rc = fabric_new(&fabric, err);
	if (rc < 0)
		goto out;
	options.now = args_now();
	if (isatty(STDERR_FILENO) && !args->trace)
		options.progress = stderr;
	if (live) {
		/* What would be refused in the end is refused before the fabric is asked. */
		rc = import_check_configs(&import, err);
		if (rc == 0)
			rc = collect_live(&options, fabric, &stats, err);
	}
	if (rc < 0)
		goto out;
	if (live && args->verbose)
		timing_live(stderr, &stats);
	/* A live run has used the map; reading it as a file keeps the lines that are no entries. */
	if (!live || args->config_count > 0 || import.node_name_map)
		rc = import_paths((const char *const *)args->operands,
				  live ? 0 : (size_t)args->operand_count, &import, fabric, err);
	if (rc < 0)
		goto out;
	*ret_fabric = fabric;
	fabric = NULL;
out:
	fabric_free(fabric);
	return rc < 0 ? rc : 0;
}

/* A bare word is a label sooner than the file of another kind that happens to lie here. */
static bool is_meant(const char *text)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof(magic)] = "";
	FILE *file;

	if (strchr(text, '/'))
		return true;
	file = fopen(text, "rb");
	/* What cannot be read is told when the store is opened. */
	if (!file)
		return true;
	if (fread(head, 1, sizeof(head), file) < sizeof(head))
		head[0] = '\0';
	fclose(file);
	return memcmp(head, magic, sizeof(magic)) == 0;
}

/* Splits FILE[:name]; false when it names no file. */
static bool split_file(const char *text, char *path, size_t size, const char **ret_name)
{
	struct stat found;
	const char *colon = strrchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;

	*ret_name = "latest";
	if (strlen(text) < size && stat(text, &found) == 0 && S_ISREG(found.st_mode) &&
	    is_meant(text)) {
		strcpy(path, text);
		return true;
	}
	if (!colon || length == 0 || length >= size)
		return false;
	memcpy(path, text, length);
	path[length] = '\0';
	if (stat(path, &found) != 0)
		return false;
	if (colon[1])
		*ret_name = colon + 1;
	return true;
}

/* The path of the store that a snapshot's name is about; returns the name within it. */
static const char *store_of(const struct args *args, const char *name, char *path, size_t size)
{
	const char *within = NULL;

	if (split_file(name, path, size, &within))
		return within;
	snprintf(path, size, "%s", args_store(args));
	return name;
}

int gather_snapshot(const struct args *args, const char *name, struct snapshot *ret_snapshot,
		    struct fabric **ret_fabric, struct err *err)
{
	char path[4096];
	struct store *store = NULL;
	int rc;

	name = store_of(args, name, path, sizeof(path));
	rc = store_open(path, STORE_READ, &store, err);
	if (rc < 0)
		goto out;
	rc = store_snapshot_find(store, name, args->site, ret_snapshot, err);
	if (rc < 0)
		goto out;
	rc = store_snapshot_read(store, ret_snapshot->id, ret_fabric, err);
out:
	store_close(store);
	return rc < 0 ? rc : 0;
}

/* A store that this run made and could put nothing into leaves nothing behind. */
static void drop_if_empty(const char *path)
{
	struct snapshot *list = NULL;
	struct store *store = NULL;
	struct err err = {0};
	size_t count = 1;

	if (store_open(path, STORE_READ, &store, &err) == 0 &&
	    store_snapshot_list(store, NULL, &list, &count, &err) == 0 && count == 0)
		unlink(path);
	free(list);
	store_close(store);
}

/* Two snapshots may have one label; who has it now is worth a word. */
static void tell_label(const struct args *args, int64_t older, int64_t id)
{
	if (older > 0)
		fprintf(stderr,
			"the label \"%s\" means snapshot %lld from now on; snapshot %lld, which has "
			"it too, is found by that number\n",
			args->label, (long long)id, (long long)older);
}

int gather_store(const struct args *args, const struct fabric *fabric, const struct audit *audit,
		 int64_t baseline_id, int64_t *ret_id, struct err *err)
{
	const char *path = args_store(args);
	bool is_new = access(path, F_OK) != 0;
	double begun = timing_now();
	struct snapshot older = {0};
	struct store *store = NULL;
	struct err none = {0};
	int rc;

	rc = store_open(path, STORE_WRITE, &store, err);
	if (rc < 0)
		return rc;
	if (args->label && store_snapshot_find(store, args->label, args->site, &older, &none) < 0)
		older.id = 0;
	rc = store_snapshot_write(store, fabric, args->site, args->label, args_now(), ret_id, err);
	if (rc == 0)
		tell_label(args, older.id, *ret_id);
	if (rc == 0 && audit)
		rc = store_audit_write(store, *ret_id, baseline_id, args_now(), audit, err);
	store_close(store);
	if (rc == 0)
		timing_tell(args->verbose, "written to the store", begun);
	if (rc < 0 && is_new)
		drop_if_empty(path);
	return rc;
}

int gather_keep_audit(const struct args *args, const char *name, const struct snapshot *snapshot,
		      int64_t baseline_id, const struct audit *audit, struct err *err)
{
	char path[4096];
	struct store *store = NULL;
	int rc;

	store_of(args, name, path, sizeof(path));
	/* A store that we may only read can still be audited. */
	if (access(path, W_OK) != 0)
		return 0;
	rc = store_open(path, STORE_WRITE, &store, err);
	if (rc == 0)
		rc = store_audit_write(store, snapshot->id, baseline_id, args_now(), audit, err);
	store_close(store);
	return rc;
}

int audit_against(const struct fabric *fabric, struct fabric *baseline,
		  struct audit **ret_audit, struct err *err)
{
	struct audit *audit = NULL;
	struct audit *before = NULL;
	int rc;

	rc = baseline ? fabric_adopt_names(baseline, fabric, err) : 0;
	if (rc == 0)
		rc = rules_run(fabric, baseline, &audit, err);
	if (rc < 0 || !baseline)
		goto out;
	rc = rules_run(baseline, NULL, &before, err);
	if (rc == 0)
		rc = audit_compare(audit, before, baseline, fabric, err);
	if (rc == 0)
		audit_sort(audit);
out:
	audit_free(before);
	if (rc < 0)
		audit_free(audit);
	else
		*ret_audit = audit;
	return rc;
}

static bool is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* True when the two paths are one regular file. */
static bool same_file(const char *a, const char *b)
{
	struct stat of_a;
	struct stat of_b;

	if (!a || !b || strcmp(a, b) == 0)
		return a && b && strcmp(a, "-") != 0;
	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
	       of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool is_read(const struct args *args, const char *path)
{
	char file[4096];
	const char *within;

	if (same_file(path, args_store(args)) || same_file(path, args->live.node_name_map) ||
	    same_file(path, args->live.m_key_file))
		return true;
	if (args->baseline && split_file(args->baseline, file, sizeof(file), &within) &&
	    same_file(path, file))
		return true;
	for (size_t i = 0; i < args->config_count; i++) {
		if (same_file(path, args->configs[i]))
			return true;
	}
	for (int i = 0; i < args->operand_count; i++) {
		if (same_file(path, args->operands[i]) ||
		    (split_file(args->operands[i], file, sizeof(file), &within) &&
		     same_file(path, file)))
			return true;
	}
	return false;
}

int output_check(const struct args *args, struct err *err)
{
	const char *written[] = {args->output, args->html};

	for (size_t i = 0; i < 2; i++) {
		if (!is_stdout(written[i]) && is_read(args, written[i]))
			return err_set(err, ERR_USAGE,
				       "%s is read by this command: a report written there would "
				       "destroy it; name another file", written[i]);
	}
	if (!is_stdout(args->output) && same_file(args->output, args->html))
		return err_set(err, ERR_USAGE, "-o and --html name one file, %s", args->html);
	return 0;
}

int output_open(const char *path, FILE **ret_out, struct err *err)
{
	if (is_stdout(path)) {
		*ret_out = stdout;
		return 0;
	}
	*ret_out = fopen(path, "w");
	if (!*ret_out)
		return err_set(err, ERR_IO, "%s cannot be written: %s", path, strerror(errno));
	return 0;
}

int output_finish(const char *path, FILE *out, int rc, struct err *err)
{
	int failed;

	errno = 0;
	failed = is_stdout(path) ? fflush(out) != 0 || ferror(out) : fclose(out) != 0;
	if (failed && rc == 0)
		return err_set(err, ERR_IO, "%s was not written whole: %s",
			       is_stdout(path) ? "standard output" : path,
			       errno == EBADF ? "it is closed"
			       : errno	      ? strerror(errno)
					      : "output error");
	if (rc == ERR_IO)
		err_prefix(err, "%s", is_stdout(path) ? "standard output" : path);
	return rc;
}

static int write_audit(const struct args *args, const struct report_audit *report, const char *path,
		       enum report_format format, struct err *err)
{
	struct report_options options;
	FILE *out = NULL;
	int rc;

	rc = output_open(path, &out, err);
	if (rc < 0)
		return rc;
	options = args_report_options(args, out);
	rc = report_audit(report, format, &options, out, err);
	return output_finish(path, out, rc, err);
}

int output_audit(const struct args *args, const struct report_audit *report, struct err *err)
{
	int rc = write_audit(args, report, args->output, args->format, err);

	if (rc == 0 && args->html)
		rc = write_audit(args, report, args->html, REPORT_HTML, err);
	return rc;
}

int exit_of_audit(const struct args *args, const struct audit *audit)
{
	if (args->never_fail || audit_count_at(audit, args->fail_on) == 0)
		return EXIT_CLEAN;
	return EXIT_FOUND;
}
