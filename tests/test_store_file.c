#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/db.h"
#include "store/store.h"
#include "tests/support/same_fabric.h"

/* A directory of its own, and a path in it. */
struct place {
	char directory[64];
	char path[96];
};

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	if (!place)
		return -1;
	strcpy(place->directory, "/tmp/ibaudit-store-XXXXXX");
	if (!mkdtemp(place->directory))
		return -1;
	snprintf(place->path, sizeof(place->path), "%s/a.db", place->directory);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;
	char journal[128];

	snprintf(journal, sizeof(journal), "%s-journal", place->path);
	unlink(journal);
	chmod(place->directory, 0700);
	rmdir(place->path);
	unlink(place->path);
	rmdir(place->directory);
	free(place);
	return 0;
}

static void write_file(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* Opening must fail, name the file, and leave it as it was. */
static void assert_refused(const char *path, enum store_mode mode, const char *words)
{
	struct store *store = NULL;
	struct stat before = {0};
	struct stat after = {0};
	struct err err = {0};
	int existed = stat(path, &before);

	assert_int_equal(store_open(path, mode, &store, &err), ERR_DB);
	assert_null(store);
	if (!strstr(err.text, words) || !strstr(err.text, path))
		fail_msg("not the sentence: %s", err.text);
	assert_int_equal(stat(path, &after), existed);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_mtime, after.st_mtime);
}

static struct store *open_store(const char *path, enum store_mode mode)
{
	struct store *store = NULL;
	struct err err = {0};

	if (store_open(path, mode, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

static void run_sql(const char *path, const char *sql)
{
	sqlite3 *handle = NULL;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

/* A store with one snapshot. */
static void make_store(const char *path)
{
	struct store *store = open_store(path, STORE_WRITE);
	struct fabric *fabric = full_fabric();
	struct err err = {0};
	int64_t id = 0;

	assert_int_equal(store_snapshot_write(store, fabric, NULL, NULL, 0, &id, &err), 0);
	fabric_free(fabric);
	store_close(store);
}

static size_t count_snapshots(const char *path)
{
	struct store *store = open_store(path, STORE_READ);
	struct snapshot *list = NULL;
	struct err err = {0};
	size_t count = 0;

	if (store_snapshot_list(store, NULL, &list, &count, &err) < 0)
		fail_msg("%s", err.text);
	free(list);
	store_close(store);
	return count;
}

static void what_is_written_is_there_for_the_next_program(void **state)
{
	struct place *place = *state;

	make_store(place->path);
	make_store(place->path);

	assert_int_equal(count_snapshots(place->path), 2);
}

static void a_missing_store_is_said_to_a_reader(void **state)
{
	struct place *place = *state;

	assert_refused(place->path, STORE_READ, "there is no store");
	assert_int_equal(access(place->path, F_OK), -1);
}

static void a_file_that_is_no_database_is_refused(void **state)
{
	struct place *place = *state;
	char rubbish[5000];

	memset(rubbish, 'x', sizeof(rubbish));
	write_file(place->path, rubbish, sizeof(rubbish));

	assert_refused(place->path, STORE_READ, "is not a store of ibaudit");
	assert_refused(place->path, STORE_WRITE, "is not a store of ibaudit");
}

static void an_empty_file_holds_nothing_yet(void **state)
{
	struct place *place = *state;

	write_file(place->path, "", 0);

	assert_refused(place->path, STORE_READ, "holds nothing yet");
	store_close(open_store(place->path, STORE_WRITE));
}

static void the_database_of_another_program_is_refused(void **state)
{
	struct place *place = *state;

	run_sql(place->path, "CREATE TABLE t (x); PRAGMA user_version = 1");

	assert_refused(place->path, STORE_READ, "another program");
	assert_refused(place->path, STORE_WRITE, "another program");
}

static void a_newer_schema_is_refused(void **state)
{
	struct place *place = *state;

	make_store(place->path);
	run_sql(place->path, "PRAGMA user_version = 99");

	assert_refused(place->path, STORE_READ, "newer ibaudit");
	assert_refused(place->path, STORE_WRITE, "newer ibaudit");
}

static void a_directory_is_refused(void **state)
{
	struct place *place = *state;

	assert_int_equal(mkdir(place->path, 0700), 0);

	assert_refused(place->path, STORE_READ, "is a directory");
	assert_refused(place->path, STORE_WRITE, "is a directory");
}

static void a_device_is_refused(void **state)
{
	(void)state;

	assert_refused("/dev/null", STORE_WRITE, "not a regular file");
}

static void a_missing_directory_is_said(void **state)
{
	struct place *place = *state;
	char path[128];

	snprintf(path, sizeof(path), "%s/none/a.db", place->directory);

	assert_refused(path, STORE_WRITE, "cannot be made: its directory");
}

static void a_name_that_reads_as_a_uri_is_a_name(void **state)
{
	struct place *place = *state;
	char here[256];

	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(place->directory), 0);
	store_close(open_store("file:a.db?mode=memory", STORE_WRITE));

	assert_int_equal(access("file:a.db?mode=memory", F_OK), 0);
	unlink("file:a.db?mode=memory");
	assert_int_equal(chdir(here), 0);
}

/* Runs in a child whose user is nobody, if we may; permissions do not bind root. */
static void as_nobody(const struct place *place, enum store_mode mode, const char *words)
{
	pid_t child = fork();
	int status = 0;

	assert_true(child >= 0);
	if (child == 0) {
		struct store *store = NULL;
		struct err err = {0};
		int rc;

		if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(2);
		rc = store_open(place->path, mode, &store, &err);
		store_close(store);
		_exit(words ? rc == ERR_DB && strstr(err.text, words) ? 0 : 1 : rc == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void permission_denied_is_said(void **state)
{
	struct place *place = *state;

	make_store(place->path);
	chmod(place->directory, 0755);
	chmod(place->path, 0644);

	/* Root's file is nobody's to write; our own is made so. */
	if (geteuid() != 0)
		chmod(place->path, 0444);
	as_nobody(place, STORE_READ, NULL);
	as_nobody(place, STORE_WRITE, "cannot be written");
	chmod(place->path, 0000);
	as_nobody(place, STORE_READ, "cannot be read");
}

static void a_second_writer_is_told_who_holds_the_store(void **state)
{
	struct place *place = *state;
	struct fabric *fabric = full_fabric();
	struct store *first;
	struct store *second;
	struct err err = {0};
	int64_t id = -1;

	make_store(place->path);
	first = open_store(place->path, STORE_WRITE);
	second = open_store(place->path, STORE_WRITE);
	sqlite3_busy_timeout(second->handle, 10);
	assert_int_equal(db_begin(first, &err), 0);

	assert_int_equal(store_snapshot_write(second, fabric, NULL, NULL, 0, &id, &err), ERR_DB);
	assert_non_null(strstr(err.text, "in use by another process"));
	assert_int_equal(id, -1);
	db_rollback(first);
	assert_int_equal(store_snapshot_write(second, fabric, NULL, NULL, 0, &id, &err), 0);
	fabric_free(fabric);
	store_close(first);
	store_close(second);
}

static void a_full_store_stays_as_it_was(void **state)
{
	struct place *place = *state;
	struct fabric *fabric = full_fabric();
	struct store *store;
	struct err err = {0};
	int64_t id = -1;

	make_store(place->path);
	store = open_store(place->path, STORE_WRITE);
	fabric->devices[0]->description = fabric_text(fabric, "other", 5);
	assert_int_equal(db_exec(store, "PRAGMA max_page_count = 1", &err), 0);

	assert_int_equal(store_snapshot_write(store, fabric, NULL, NULL, 0, &id, &err), ERR_DB);
	assert_non_null(strstr(err.text, "no space left"));
	store_close(store);
	assert_int_equal(count_snapshots(place->path), 1);
	fabric_free(fabric);
}

/* The file cannot grow: what a quota does. */
static void a_file_that_may_not_grow_stays_as_it_was(void **state)
{
	struct place *place = *state;
	struct stat before;
	struct stat after;
	pid_t child;
	int status = 0;

	make_store(place->path);
	assert_int_equal(stat(place->path, &before), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct rlimit limit = {(rlim_t)before.st_size, (rlim_t)before.st_size};
		struct fabric *fabric = full_fabric();
		struct store *store = NULL;
		struct err err = {0};
		int64_t id = 0;
		int rc;

		signal(SIGXFSZ, SIG_IGN);
		for (size_t i = 0; i < fabric->device_count; i++)
			fabric->devices[i]->info.revision += 1;
		setrlimit(RLIMIT_FSIZE, &limit);
		rc = store_open(place->path, STORE_WRITE, &store, &err);
		for (int i = 0; i < 50 && rc == 0; i++) {
			fabric->devices[0]->info.revision += 1;
			rc = store_snapshot_write(store, fabric, NULL, NULL, 0, &id, &err);
		}
		store_close(store);
		_exit(rc == ERR_DB && strstr(err.text, place->path) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(stat(place->path, &after), 0);
	assert_int_equal(count_snapshots(place->path), 1);
}

static void a_first_opening_that_fails_leaves_no_file(void **state)
{
	struct place *place = *state;
	pid_t child = fork();
	int status = 0;

	assert_true(child >= 0);
	if (child == 0) {
		struct rlimit limit = {20000, 20000};
		struct store *store = NULL;
		struct err err = {0};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(store_open(place->path, STORE_WRITE, &store, &err) == ERR_DB ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(access(place->path, F_OK), -1);
}

/* Dies in the middle of a snapshot, with pages of it in the file. */
static void die_while_writing(const char *path)
{
	struct store *store = NULL;
	struct err err = {0};

	if (store_open(path, STORE_WRITE, &store, &err) < 0 || db_begin(store, &err) < 0 ||
	    db_exec(store,
		    "PRAGMA cache_size = 5;"
		    "DELETE FROM device_row; DELETE FROM snapshot_row; DELETE FROM port_part;"
		    "INSERT INTO block (hash, kind, data) SELECT value, 1, zeroblob(90000) FROM byte",
		    &err) < 0)
		_exit(1);
	kill(getpid(), SIGKILL);
}

static void a_crash_leaves_the_store_as_it_was_even_for_a_reader(void **state)
{
	struct place *place = *state;
	char journal[128];
	struct fabric *fabric = full_fabric();
	struct fabric *again = NULL;
	struct store *store;
	struct err err = {0};
	int status = 0;
	pid_t child;

	make_store(place->path);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		die_while_writing(place->path);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	snprintf(journal, sizeof(journal), "%s-journal", place->path);
	assert_int_equal(access(journal, F_OK), 0);

	store = open_store(place->path, STORE_READ);
	if (store_snapshot_read(store, 1, &again, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(same_fabric(fabric, again));
	store_close(store);
	fabric_free(fabric);
	fabric_free(again);
}

static void a_reader_cannot_write(void **state)
{
	struct place *place = *state;
	struct fabric *fabric = full_fabric();
	struct store *store;
	struct err err = {0};
	int64_t id = 0;

	make_store(place->path);
	store = open_store(place->path, STORE_READ);

	assert_int_equal(store_snapshot_write(store, fabric, NULL, NULL, 0, &id, &err), ERR_DB);
	assert_int_equal(db_exec(store, "DELETE FROM snapshot_row", &err), ERR_DB);
	store_close(store);
	fabric_free(fabric);
}

static void copy_store(struct store *from, struct store *to)
{
	sqlite3_backup *backup = sqlite3_backup_init(to->handle, "main", from->handle, "main");

	assert_non_null(backup);
	assert_int_equal(sqlite3_backup_step(backup, -1), SQLITE_DONE);
	assert_int_equal(sqlite3_backup_finish(backup), SQLITE_OK);
}

/* One column of one table set to what cannot be; what is read must be whole, or refused. */
static void tamper(struct store *good, struct store *work, const char *table, const char *column,
		   const char *value)
{
	struct fabric *fabric = NULL;
	struct audit *audit = NULL;
	struct err err = {0};
	char sql[256];

	copy_store(good, work);
	snprintf(sql, sizeof(sql), "UPDATE OR IGNORE %s SET %s = %s", table, column, value);
	sqlite3_exec(work->handle, sql, NULL, NULL, NULL);
	if (store_snapshot_read(work, 1, &fabric, &err) == 0) {
		/* Walks everything. */
		same_fabric(fabric, fabric);
		fabric_free(fabric);
	} else if (err.code != ERR_DB && err.code != ERR_NOT_FOUND) {
		fail_msg("%s: %s", sql, err.text);
	}
	if (store_audit_read(work, 1, &audit, &err) == 0)
		audit_free(audit);
}

static void a_store_that_was_tampered_with_is_read_or_refused(void **state)
{
	static const char *const values[] = {"NULL", "-1", "70000", "9223372036854775807",
					     "zeroblob(7)"};
	struct store *good = open_store(":memory:", STORE_WRITE);
	struct store *work = open_store(":memory:", STORE_WRITE);
	struct fabric *fabric = full_fabric();
	struct audit *audit = NULL;
	sqlite3_stmt *columns = NULL;
	struct err err = {0};
	int64_t id = 0;

	(void)state;
	/* Small tables make the many copies cheap. */
	for (size_t i = 0; i < fabric->device_count; i++)
		fabric->devices[i]->lft_size = fabric->devices[i]->lft_size ? 1024 : 0;
	assert_int_equal(store_snapshot_write(good, fabric, NULL, NULL, 0, &id, &err), 0);
	assert_int_equal(audit_new(&audit, &err), 0);
	assert_true(finding_evidence(audit_finding_add(audit, "r", SEVERITY_ERROR, 1, 2), "k", "v"));
	assert_int_equal(store_audit_write(good, id, 0, 0, audit, &err), 0);
	assert_int_equal(sqlite3_prepare_v2(good->handle,
					    "SELECT m.name, c.name FROM sqlite_master m,"
					    " pragma_table_info(m.name) c WHERE m.type = 'table'"
					    " AND m.name NOT IN ('sqlite_sequence', 'byte', 'word')"
					    " AND c.cid < 24",
					    -1, &columns, NULL),
			 SQLITE_OK);
	while (sqlite3_step(columns) == SQLITE_ROW) {
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
			tamper(good, work, (const char *)sqlite3_column_text(columns, 0),
			       (const char *)sqlite3_column_text(columns, 1), values[i]);
	}
	sqlite3_finalize(columns);
	fabric_free(fabric);
	audit_free(audit);
	store_close(good);
	store_close(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)
		FILE_TEST(what_is_written_is_there_for_the_next_program),
		FILE_TEST(a_missing_store_is_said_to_a_reader),
		FILE_TEST(a_file_that_is_no_database_is_refused),
		FILE_TEST(an_empty_file_holds_nothing_yet),
		FILE_TEST(the_database_of_another_program_is_refused),
		FILE_TEST(a_newer_schema_is_refused),
		FILE_TEST(a_directory_is_refused),
		FILE_TEST(a_device_is_refused),
		FILE_TEST(a_missing_directory_is_said),
		FILE_TEST(a_name_that_reads_as_a_uri_is_a_name),
		FILE_TEST(permission_denied_is_said),
		FILE_TEST(a_second_writer_is_told_who_holds_the_store),
		FILE_TEST(a_full_store_stays_as_it_was),
		FILE_TEST(a_file_that_may_not_grow_stays_as_it_was),
		FILE_TEST(a_first_opening_that_fails_leaves_no_file),
		FILE_TEST(a_crash_leaves_the_store_as_it_was_even_for_a_reader),
		FILE_TEST(a_reader_cannot_write),
		FILE_TEST(a_store_that_was_tampered_with_is_read_or_refused),
	};

	return cmocka_run_group_tests_name("store_file", tests, NULL, NULL);
}
