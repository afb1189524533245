#include "store/maintain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/block.h"
#include "store/content.h"
#include "store/db.h"
#include "store/stmt.h"

/* A file that is damaged throughout need not be told so a million times. */
#define MOST_PROBLEMS 100

struct verifier {
	struct store *store;
	verify_fn problem;
	void *context;
	size_t told;
	bool stopped;
};

static void tell(struct verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void tell(struct verifier *v, const char *format, ...)
{
	struct err sentence = {0};
	char text[sizeof(sentence.text)];
	va_list args;

	if (v->stopped)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* What a damaged file holds is foreign text. */
	err_set(&sentence, ERR_DB, "%s", text);
	v->told++;
	v->stopped = v->problem(v->context, sentence.text) != 0 || v->told >= MOST_PROBLEMS;
}

/* Tells a failure that is about the file's content; passes on the others. */
static int tell_error(struct verifier *v, int rc, const struct err *err)
{
	if (rc != ERR_DB && rc != ERR_NOT_FOUND)
		return rc;
	tell(v, "%s", err->text);
	return 0;
}

/* SQLite's report is of several lines, the first of which is a heading. */
static void tell_structure(struct verifier *v, const char *text, size_t length)
{
	while (length > 0) {
		const char *end = memchr(text, '\n', length);
		size_t line = end ? (size_t)(end - text) : length;

		if (line > 0 && text[0] != '*')
			tell(v, "structure: %.*s", (int)line, text);
		line += end != NULL;
		text += line;
		length -= line;
	}
}

static int check_structure(struct verifier *v, struct err *err)
{
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(v->store, "PRAGMA integrity_check(100)", &rows, err);
	while (rc >= 0 && !v->stopped && (rc = stmt_step(rows, err)) == 1) {
		size_t length;
		const char *text = stmt_bytes(rows, 0, &length);

		if (!text || length != 2 || text[0] != 'o' || text[1] != 'k')
			tell_structure(v, text ? text : "no answer", text ? length : 9);
	}
	stmt_free(rows);
	return rc < 0 ? rc : 0;
}

static int check_references(struct verifier *v, struct err *err)
{
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(v->store,
			  "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check"
			  " GROUP BY 1, 2",
			  &rows, err);
	while (rc >= 0 && !v->stopped && (rc = stmt_step(rows, err)) == 1) {
		size_t length;
		const char *table = stmt_bytes(rows, 0, &length);
		const char *parent = stmt_bytes(rows, 1, &length);

		tell(v, "%lld rows of %s refer to a row of %s that is not there",
		     (long long)stmt_i64(rows, 2), table ? table : "?", parent ? parent : "?");
	}
	stmt_free(rows);
	return rc < 0 ? rc : 0;
}

static int check_blocks(struct verifier *v, struct err *err)
{
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(v->store, "SELECT id, hash, kind, data FROM block", &rows, err);
	while (rc >= 0 && !v->stopped && (rc = stmt_step(rows, err)) == 1) {
		size_t length;
		const char *data = stmt_bytes(rows, 3, &length);
		enum block_kind kind = (enum block_kind)stmt_i64(rows, 2);

		if (!data || (int64_t)block_hash(kind, data, length) != stmt_i64(rows, 1))
			tell(v, "block %lld is not what its hash says",
			     (long long)stmt_i64(rows, 0));
	}
	stmt_free(rows);
	return rc < 0 ? rc : 0;
}

static int check_bodies(struct verifier *v, const struct content_kind *kind, struct err *err)
{
	struct content *content = NULL;
	struct stmt *rows = NULL;
	char sql[96];
	int rc;

	snprintf(sql, sizeof(sql), "SELECT id, hash FROM %s", kind->body);
	rc = content_new(v->store, kind, &content, err);
	if (rc == 0)
		rc = stmt_prepare(v->store, sql, &rows, err);
	while (rc >= 0 && !v->stopped && (rc = stmt_step(rows, err)) == 1) {
		int64_t id = stmt_i64(rows, 0);
		uint64_t hash = 0;

		rc = content_hash(content, id, &hash, err);
		if (rc == 0 && (int64_t)hash != stmt_i64(rows, 1))
			tell(v, "%s %lld is not what its hash says", kind->body, (long long)id);
	}
	content_free(content);
	stmt_free(rows);
	return rc < 0 ? rc : 0;
}

/* Every snapshot with its newest audit. */
static int check_snapshots(struct verifier *v, struct err *err)
{
	struct snapshot *list = NULL;
	size_t count = 0;
	int rc;

	rc = store_snapshot_list(v->store, NULL, &list, &count, err);
	for (size_t i = 0; i < count && rc == 0 && !v->stopped; i++) {
		struct fabric *fabric = NULL;
		struct audit *audit = NULL;

		rc = store_snapshot_read(v->store, list[i].id, &fabric, err);
		fabric_free(fabric);
		if (rc < 0) {
			err_prefix(err, "snapshot %lld", (long long)list[i].id);
			rc = tell_error(v, rc, err);
			continue;
		}
		if (list[i].findings[0] < 0)
			continue;
		rc = store_audit_read(v->store, list[i].id, &audit, err);
		audit_free(audit);
		if (rc < 0) {
			err_prefix(err, "audit of snapshot %lld", (long long)list[i].id);
			rc = tell_error(v, rc, err);
		}
	}
	free(list);
	return rc;
}

int store_verify(struct store *store, verify_fn problem, void *context, size_t *ret_problems,
		 struct err *err)
{
	struct verifier v = {.store = store, .problem = problem, .context = context};
	int rc;

	rc = check_structure(&v, err);
	/* From here on, what cannot be read is a problem to tell and not the end. */
	if (rc == 0)
		rc = tell_error(&v, check_references(&v, err), err);
	if (rc == 0)
		rc = tell_error(&v, check_blocks(&v, err), err);
	for (size_t i = 0; content_kinds[i] && rc == 0; i++)
		rc = tell_error(&v, check_bodies(&v, content_kinds[i], err), err);
	if (rc == 0)
		rc = check_snapshots(&v, err);
	*ret_problems = v.told;
	return rc;
}
