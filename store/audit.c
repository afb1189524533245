/* The outcome of the rules beside its snapshot; equal findings are kept once. */
#include <stdlib.h>
#include <string.h>

#include "store/column.h"
#include "store/content.h"
#include "store/db.h"
#include "version.h"

struct audit_writer {
	struct column_writer columns;
	struct content *findings;
	struct stmt *insert_verdict;
	struct stmt *insert_finding;
	int64_t audit_id;
};

static int write_header(struct audit_writer *w, int64_t snapshot_id, int64_t baseline_id,
			int64_t audited_at, const struct audit *audit, struct err *err)
{
	int64_t counts[SEVERITY_CRITICAL + 1] = {0};
	struct stmt *insert = NULL;
	int rc;

	for (size_t i = 0; i < audit->finding_count; i++) {
		if (!finding_is_past(&audit->findings[i]))
			counts[audit->findings[i].severity]++;
	}
	rc = stmt_prepare(w->columns.store,
			  "INSERT INTO audit_row (snapshot_id, baseline_id, audited_at, info,"
			  " warning, error, critical, program)"
			  " VALUES (:snapshot, :baseline, :audited_at, :info, :warning, :error,"
			  " :critical, :program)",
			  &insert, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(insert, ":snapshot", snapshot_id);
	if (baseline_id)
		stmt_bind_i64(insert, ":baseline", baseline_id);
	stmt_bind_i64(insert, ":audited_at", audited_at);
	stmt_bind_i64(insert, ":info", counts[SEVERITY_INFO]);
	stmt_bind_i64(insert, ":warning", counts[SEVERITY_WARNING]);
	stmt_bind_i64(insert, ":error", counts[SEVERITY_ERROR]);
	stmt_bind_i64(insert, ":critical", counts[SEVERITY_CRITICAL]);
	stmt_bind_text(insert, ":program", IBAUDIT_VERSION);
	rc = stmt_run(insert, err);
	if (rc == 0)
		w->audit_id = stmt_insert_id(insert);
	stmt_free(insert);
	return rc;
}

static int write_verdict(struct audit_writer *w, const struct verdict *verdict, int64_t seq,
			 struct err *err)
{
	struct value reason;
	int rc;

	rc = column_text(&w->columns, verdict->reason, &reason, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(w->insert_verdict, 1, w->audit_id);
	stmt_bind_i64_at(w->insert_verdict, 2, seq);
	stmt_bind_text(w->insert_verdict, ":rule", verdict->rule);
	stmt_bind_i64(w->insert_verdict, ":kind", verdict->kind);
	value_bind(w->insert_verdict, 5, &reason);
	stmt_bind_i64(w->insert_verdict, ":findings", (int64_t)verdict->finding_count);
	return stmt_run(w->insert_verdict, err);
}

static int add_text(struct audit_writer *w, const char *text, struct err *err)
{
	struct value value;
	int rc;

	rc = column_text(&w->columns, text, &value, err);
	if (rc == 0)
		content_value(w->findings, value);
	return rc;
}

static int put_finding(struct audit_writer *w, const struct finding *finding, int64_t *ret_body,
		       struct err *err)
{
	const char *const texts[] = {finding->discriminator, finding->subject, finding->message,
				     finding->remedy, finding->source};
	int rc;

	content_begin(w->findings);
	rc = add_text(w, finding->rule, err);
	content_value(w->findings, value_integer(finding->severity));
	content_value(w->findings, value_guid(finding->node_guid));
	content_value(w->findings,
		      finding->port < 0 ? value_null() : value_integer(finding->port));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && rc == 0; i++)
		rc = add_text(w, texts[i], err);
	for (size_t i = 0; i < finding->evidence_count && rc == 0; i++) {
		content_part(w->findings, (int64_t)i);
		rc = add_text(w, finding->evidence[i].key, err);
		if (rc == 0)
			rc = add_text(w, finding->evidence[i].value, err);
	}
	return rc < 0 ? rc : content_put(w->findings, ret_body, err);
}

static int write_findings(struct audit_writer *w, const struct audit *audit, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < audit->finding_count && rc == 0; i++) {
		int64_t body = 0;

		rc = put_finding(w, &audit->findings[i], &body, err);
		if (rc < 0)
			break;
		stmt_bind_i64(w->insert_finding, ":audit", w->audit_id);
		stmt_bind_i64(w->insert_finding, ":seq", (int64_t)i + 1);
		stmt_bind_i64(w->insert_finding, ":body", body);
		stmt_bind_i64(w->insert_finding, ":status", audit->findings[i].status);
		rc = stmt_run(w->insert_finding, err);
	}
	return rc;
}

static int audit_writer_open(struct audit_writer *w, struct err *err)
{
	int rc;

	rc = content_new(w->columns.store, &content_finding, &w->findings, err);
	if (rc == 0)
		rc = stmt_prepare(w->columns.store,
				  "INSERT INTO verdict_row (audit_id, seq, rule, kind, reason,"
				  " findings) VALUES (?1, ?2, :rule, :kind, ?5, :findings)",
				  &w->insert_verdict, err);
	if (rc == 0)
		rc = stmt_prepare(w->columns.store,
				  "INSERT INTO finding_row (audit_id, seq, body_id, status)"
				  " VALUES (:audit, :seq, :body, :status)",
				  &w->insert_finding, err);
	return rc;
}

static bool snapshot_exists(struct store *store, int64_t id, int *ret_rc, struct err *err)
{
	struct stmt *row = NULL;
	int rc;

	rc = stmt_prepare(store, "SELECT 1 FROM snapshot_row WHERE id = :id", &row, err);
	if (rc == 0) {
		stmt_bind_i64(row, ":id", id);
		rc = stmt_step(row, err);
	}
	stmt_free(row);
	*ret_rc = rc < 0 ? rc : 0;
	return rc == 1;
}

int store_audit_write(struct store *store, int64_t snapshot_id, int64_t baseline_id,
		      int64_t audited_at, const struct audit *audit, struct err *err)
{
	struct audit_writer w = {.columns = {.store = store}};
	int rc;

	rc = db_begin(store, err);
	if (rc < 0)
		return rc;
	if (!snapshot_exists(store, snapshot_id, &rc, err) && rc == 0)
		rc = err_set(err, ERR_NOT_FOUND, "%s has no snapshot %lld", store->path,
			     (long long)snapshot_id);
	if (rc == 0)
		rc = audit_writer_open(&w, err);
	if (rc == 0)
		rc = write_header(&w, snapshot_id, baseline_id, audited_at, audit, err);
	for (size_t i = 0; i < audit->verdict_count && rc == 0; i++)
		rc = write_verdict(&w, &audit->verdicts[i], (int64_t)i + 1, err);
	if (rc == 0)
		rc = write_findings(&w, audit, err);
	content_free(w.findings);
	stmt_free(w.insert_verdict);
	stmt_free(w.insert_finding);
	column_writer_free(&w.columns);
	if (rc == 0)
		rc = db_commit(store, err);
	db_rollback(store);
	return rc;
}

/* A cell as text of the audit; a NULL cell leaves *text. */
static bool read_text(struct stmt *row, int column, char **text)
{
	size_t length;
	const char *bytes = stmt_bytes(row, column, &length);

	/* A NUL inside, which only another program writes, ends it. */
	return !bytes || finding_text(text, "%.*s", length > INT32_MAX ? 0 : (int)length, bytes);
}

static const char *read_rule(struct audit *audit, struct stmt *row, int column, struct err *err)
{
	char *rule = NULL;
	const char *id = NULL;

	if (read_text(row, column, &rule))
		id = audit_rule_id(audit, rule ? rule : "");
	if (!id)
		err_no_memory(err);
	free(rule);
	return id;
}

static int read_verdicts(struct store *store, int64_t audit_id, struct audit *audit,
			 struct err *err)
{
	struct bytes verdicts = {0};
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(store,
			  "SELECT rule, kind, reason, findings FROM verdict_row"
			  " WHERE audit_id = :audit ORDER BY seq",
			  &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(rows, ":audit", audit_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		struct verdict verdict = {.rule = read_rule(audit, rows, 0, err)};
		void *place = bytes_add(&verdicts, sizeof(verdict));

		/* The list may have moved; its owner is the audit. */
		audit->verdicts = (void *)verdicts.data;
		if (!verdict.rule || !place || !read_text(rows, 2, &verdict.reason)) {
			rc = err_no_memory(err);
			break;
		}
		verdict.finding_count = (size_t)stmt_i64(rows, 3);
		verdict.kind = (enum verdict_kind)stmt_i64(rows, 1);
		memcpy(place, &verdict, sizeof(verdict));
		audit->verdict_count++;
		if (stmt_i64(rows, 1) < VERDICT_PASS || stmt_i64(rows, 1) > VERDICT_NOT_CHECKED) {
			rc = db_damaged(store, "a verdict is none", err);
			break;
		}
	}
	stmt_free(rows);
	return rc;
}

/* Columns as in content.c: rule, severity, node_guid, port, discriminator, ... */
static int read_finding(struct store *store, struct content *bodies, int64_t body, int64_t status,
			struct audit *audit, struct err *err)
{
	struct finding *finding;
	struct stmt *row = NULL;
	const char *rule;
	int64_t severity;
	int rc;

	rc = content_get(bodies, body, &row, err);
	if (rc < 0)
		return rc;
	severity = stmt_i64(row, 1);
	if (severity < SEVERITY_INFO || severity > SEVERITY_CRITICAL || status < FINDING_OPEN ||
	    status > FINDING_UNCHECKED || stmt_i64(row, 3) < 0 || stmt_i64(row, 3) > INT32_MAX)
		return db_damaged(store, "a finding is none", err);
	rule = read_rule(audit, row, 0, err);
	if (!rule)
		return err->code;
	finding = audit_finding_add(audit, rule, (enum severity)severity, stmt_guid(row, 2),
				    stmt_is_null(row, 3) ? -1 : (int)stmt_i64(row, 3));
	if (!finding)
		return err_no_memory(err);
	finding->status = (enum finding_status)status;
	if (!read_text(row, 4, &finding->discriminator) || !read_text(row, 5, &finding->subject) ||
	    !read_text(row, 6, &finding->message) || !read_text(row, 7, &finding->remedy) ||
	    !read_text(row, 8, &finding->source))
		return err_no_memory(err);
	while ((rc = content_next_part(bodies, &row, err)) == 1) {
		char *key = NULL;
		bool ok = read_text(row, 1, &key) &&
			  finding_evidence(finding, key ? key : "", "%s", "") &&
			  read_text(row, 2, &finding->evidence[finding->evidence_count - 1].value);

		free(key);
		if (!ok)
			return err_no_memory(err);
	}
	return rc;
}

static int read_findings(struct store *store, int64_t audit_id, struct audit *audit,
			 struct err *err)
{
	struct content *bodies = NULL;
	struct stmt *rows = NULL;
	int rc;

	rc = content_new(store, &content_finding, &bodies, err);
	if (rc == 0)
		rc = stmt_prepare(store,
				  "SELECT body_id, status FROM finding_row"
				  " WHERE audit_id = :audit ORDER BY seq",
				  &rows, err);
	if (rc < 0)
		goto out;
	stmt_bind_i64(rows, ":audit", audit_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		rc = read_finding(store, bodies, stmt_i64(rows, 0), stmt_i64(rows, 1), audit, err);
		if (rc < 0)
			break;
	}
out:
	content_free(bodies);
	stmt_free(rows);
	return rc;
}

/* The id of the newest audit, 0 when there is none. */
static int newest_audit(struct store *store, int64_t snapshot_id, int64_t *ret_id,
			struct err *err)
{
	struct stmt *row = NULL;
	int rc;

	rc = stmt_prepare(store, "SELECT max(id) FROM audit_row WHERE snapshot_id = :snapshot",
			  &row, err);
	if (rc == 0) {
		stmt_bind_i64(row, ":snapshot", snapshot_id);
		rc = stmt_step(row, err);
	}
	if (rc == 1)
		*ret_id = stmt_i64(row, 0);
	stmt_free(row);
	return rc < 0 ? rc : 0;
}

int store_audit_read(struct store *store, int64_t snapshot_id, struct audit **ret_audit,
		     struct err *err)
{
	struct audit *audit = NULL;
	int64_t id = 0;
	int rc;

	rc = db_begin_read(store, err);
	if (rc < 0)
		return rc;
	rc = newest_audit(store, snapshot_id, &id, err);
	if (rc == 0 && id == 0)
		rc = err_set(err, ERR_NOT_FOUND,
			     "snapshot %lld was never audited; `ibaudit audit %lld` does it",
			     (long long)snapshot_id, (long long)snapshot_id);
	if (rc == 0)
		rc = audit_new(&audit, err);
	if (rc == 0)
		rc = read_verdicts(store, id, audit, err);
	if (rc == 0)
		rc = read_findings(store, id, audit, err);
	db_rollback(store);
	if (rc < 0) {
		audit_free(audit);
		return rc;
	}
	*ret_audit = audit;
	return 0;
}
