#include "store/tree.h"

#include <string.h>

#include "store/config.h"
#include "store/content.h"
#include "store/db.h"

static bool same_place(const struct fact *a, const struct fact *b)
{
	return a->device == b->device && a->port == b->port && a->source == b->source &&
	       strcmp(a->section, b->section) == 0;
}

/* Gathers the run of facts from `first` that share a place; *ret_next is the fact behind it. */
static int gather_facts(struct column_writer *writer, struct content *bodies,
			const struct fabric *fabric, size_t first, size_t *ret_next,
			struct err *err)
{
	static const struct column source_column = {"source", COLUMN_SOURCE,
						    offsetof(struct fact, source), 0};
	static const struct column pair_columns[] = {
		{"key", COLUMN_TEXT, offsetof(struct fact, key), 0},
		{"value", COLUMN_TEXT, offsetof(struct fact, value), 0},
	};
	const struct fact *fact = &fabric->facts[first];
	struct value value;
	size_t next = first;
	int rc;

	content_begin(bodies);
	content_value(bodies, fact->port < 0 ? value_null() : value_integer(fact->port));
	rc = column_text(writer, fact->section, &value, err);
	if (rc < 0)
		return rc;
	content_value(bodies, value);
	rc = column_get(writer, &source_column, fact, &value, err);
	if (rc < 0)
		return rc;
	content_value(bodies, value);
	for (; next < fabric->fact_count && same_place(fact, &fabric->facts[next]); next++) {
		content_part(bodies, (int64_t)(next - first));
		for (size_t i = 0; i < 2; i++) {
			rc = column_get(writer, &pair_columns[i], &fabric->facts[next], &value,
					err);
			if (rc < 0)
				return rc;
			content_value(bodies, value);
		}
	}
	*ret_next = next;
	return 0;
}

int facts_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		struct err *err)
{
	static const char *const columns[] = {"device", "body_id", NULL};
	struct content *bodies = NULL;
	struct stmt *insert = NULL;
	int64_t seq = 0;
	int rc;

	rc = content_new(writer->store, &content_fact, &bodies, err);
	if (rc == 0)
		rc = stmt_prepare_insert(writer->store, "fact_row", "snapshot_id", "seq", columns,
					 &insert, err);
	for (size_t i = 0; i < fabric->fact_count && rc == 0;) {
		const struct device *device = fabric->facts[i].device;
		int64_t body = 0;

		rc = gather_facts(writer, bodies, fabric, i, &i, err);
		if (rc == 0)
			rc = content_put(bodies, &body, err);
		if (rc < 0)
			break;
		stmt_bind_i64_at(insert, 1, snapshot_id);
		stmt_bind_i64_at(insert, 2, ++seq);
		if (device)
			stmt_bind_i64_at(insert, 3, writer->body_of[device->index]);
		else
			stmt_bind_null_at(insert, 3);
		stmt_bind_i64_at(insert, 4, body);
		rc = stmt_run(insert, err);
	}
	content_free(bodies);
	stmt_free(insert);
	return rc;
}

/* The facts of one body, on `device` (or NULL). */
static int read_fact_body(struct column_reader *reader, struct content *bodies, int64_t body,
			  struct device *device, struct err *err)
{
	static const struct column columns[] = {
		{"port", COLUMN_PORT, offsetof(struct fact, port), 0},
		{"section", COLUMN_WORDS, offsetof(struct fact, section), 0},
		{"source", COLUMN_SOURCE, offsetof(struct fact, source), 0},
		{"key", COLUMN_WORDS, offsetof(struct fact, key), 0},
		{"value", COLUMN_WORDS, offsetof(struct fact, value), 0},
	};
	struct fact place = {.device = device};
	struct stmt *row = NULL;
	int rc;

	rc = content_get(bodies, body, &row, err);
	for (int i = 0; i < 3 && rc >= 0; i++)
		rc = column_set(reader, &columns[i], &place, row, i, err);
	if (rc < 0)
		return rc;
	while ((rc = content_next_part(bodies, &row, err)) == 1) {
		struct fact *fact = fabric_fact_add(reader->fabric);

		if (!fact)
			return err_no_memory(err);
		*fact = place;
		rc = column_set(reader, &columns[3], fact, row, 1, err);
		if (rc == 0)
			rc = column_set(reader, &columns[4], fact, row, 2, err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

int facts_read(struct column_reader *reader, int64_t snapshot_id, struct err *err)
{
	struct content *bodies = NULL;
	struct stmt *rows = NULL;
	int rc;

	rc = content_new(reader->store, &content_fact, &bodies, err);
	if (rc == 0)
		rc = stmt_prepare(reader->store,
				  "SELECT device, body_id FROM fact_row"
				  " WHERE snapshot_id = :snapshot ORDER BY seq",
				  &rows, err);
	if (rc < 0)
		goto out;
	stmt_bind_i64(rows, ":snapshot", snapshot_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		struct device *device = NULL;

		if (!stmt_is_null(rows, 0)) {
			device = column_device(reader, stmt_i64(rows, 0));
			if (!device)
				rc = db_damaged(reader->store, "a fact's device is missing", err);
		}
		if (rc >= 0)
			rc = read_fact_body(reader, bodies, stmt_i64(rows, 1), device, err);
		if (rc < 0)
			break;
	}
out:
	content_free(bodies);
	stmt_free(rows);
	return rc;
}

/* A node of the policy's tree that waits for its row. */
struct pending_node {
	const struct policy_node *node;
	int64_t parent;		/* its seq, 0 for the root */
};

static bool push_node(struct bytes *stack, const struct policy_node *node, int64_t parent)
{
	struct pending_node pending = {node, parent};
	unsigned char *place;

	if (!node)
		return true;
	place = bytes_add(stack, sizeof(pending));
	if (!place)
		return false;
	memcpy(place, &pending, sizeof(pending));
	return true;
}

static int write_node(struct column_writer *writer, struct stmt *insert,
		      const struct pending_node *pending, int64_t seq, struct err *err)
{
	struct value parent = value_id(pending->parent);
	struct value keyword;
	struct value value;
	int rc;

	rc = column_text(writer, pending->node->keyword, &keyword, err);
	if (rc == 0)
		rc = column_text(writer, pending->node->value, &value, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(insert, 2, seq);
	value_bind(insert, 3, &parent);
	value_bind(insert, 4, &keyword);
	value_bind(insert, 5, &value);
	stmt_bind_i64_at(insert, 6, pending->node->line);
	return stmt_run(insert, err);
}

int policy_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		 struct err *err)
{
	static const char *const columns[] = {"parent", "keyword", "value", "line", NULL};
	struct bytes stack = {0};
	struct stmt *insert = NULL;
	int64_t seq = 0;
	int rc;

	if (!fabric->config->policy.root)
		return 0;
	rc = stmt_prepare_insert(writer->store, "policy_row", "snapshot_id", "seq", columns,
				 &insert, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(insert, 1, snapshot_id);
	if (!push_node(&stack, fabric->config->policy.root, 0))
		rc = err_no_memory(err);
	while (stack.length > 0 && rc == 0) {
		struct pending_node pending;

		stack.length -= sizeof(pending);
		memcpy(&pending, stack.data + stack.length, sizeof(pending));
		rc = write_node(writer, insert, &pending, ++seq, err);
		/* The child comes off first, so a section's rows follow it. */
		if (rc == 0 && (!push_node(&stack, pending.node->next, pending.parent) ||
				!push_node(&stack, pending.node->first_child, seq)))
			rc = err_no_memory(err);
	}
	bytes_free(&stack);
	stmt_free(insert);
	return rc;
}

/* A node read, with the link its next child goes to. */
struct read_node {
	struct policy_node *node;
	struct policy_node **child_end;
};

/* Columns: seq, parent, keyword, value, line. */
static int read_policy_row(struct column_reader *reader, struct stmt *row, struct bytes *nodes,
			   struct err *err)
{
	static const struct column columns[] = {
		{"keyword", COLUMN_WORDS, offsetof(struct policy_node, keyword), 0},
		{"value", COLUMN_TEXT, offsetof(struct policy_node, value), 0},
		{"line", COLUMN_I64, offsetof(struct policy_node, line), 0},
	};
	int64_t count = (int64_t)(nodes->length / sizeof(struct read_node));
	int64_t parent = stmt_i64(row, 1);
	struct read_node made;
	unsigned char *place;
	int rc = 0;

	/* Only the first row is without a parent, and parents come first. */
	if (stmt_i64(row, 0) != count + 1 || (count == 0) != (parent == 0) || parent < 0 ||
	    parent > count)
		return db_damaged(reader->store, "the QoS policy's tree has a loose end", err);
	made.node = fabric_alloc(reader->fabric, 1, sizeof(*made.node));
	place = bytes_add(nodes, sizeof(made));
	if (!made.node || !place)
		return err_no_memory(err);
	for (int i = 0; i < 3 && rc == 0; i++)
		rc = column_set(reader, &columns[i], made.node, row, i + 2, err);
	if (rc < 0)
		return rc;
	made.child_end = &made.node->first_child;
	memcpy(place, &made, sizeof(made));
	if (parent == 0) {
		reader->fabric->config->policy.root = made.node;
	} else {
		struct read_node *around = (struct read_node *)(void *)nodes->data + parent - 1;

		*around->child_end = made.node;
		around->child_end = &made.node->next;
	}
	return 0;
}

int policy_read(struct column_reader *reader, int64_t snapshot_id, struct err *err)
{
	struct bytes nodes = {0};
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(reader->store,
			  "SELECT seq, parent, keyword, value, line FROM policy_row"
			  " WHERE snapshot_id = :snapshot ORDER BY seq",
			  &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(rows, ":snapshot", snapshot_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		rc = read_policy_row(reader, rows, &nodes, err);
		if (rc < 0)
			break;
	}
	bytes_free(&nodes);
	stmt_free(rows);
	return rc;
}

static const struct column member_columns[] = {
	{"kind", COLUMN_INT, offsetof(struct partition_member, kind), MEMBER_SELF},
	{"guid", COLUMN_GUID, offsetof(struct partition_member, guid), 0},
	{"membership", COLUMN_INT, offsetof(struct partition_member, membership), MEMBERSHIP_BOTH},
	{"line", COLUMN_I64, offsetof(struct partition_member, line), 0},
};

static int write_member(struct column_writer *writer, struct stmt *insert,
			const struct partition_member *member, struct err *err)
{
	for (int i = 0; i < 4; i++) {
		struct value value;
		int rc = column_get(writer, &member_columns[i], member, &value, err);

		if (rc < 0)
			return rc;
		value_bind(insert, i + 4, &value);
	}
	return stmt_run(insert, err);
}

int members_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		  struct err *err)
{
	static const char *const columns[] = {"seq", "kind", "guid", "membership", "line", NULL};
	const struct config *config = fabric->config;
	struct stmt *insert = NULL;
	int rc;

	rc = stmt_prepare_insert(writer->store, "partition_member_row", "snapshot_id", "partition",
				 columns, &insert, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(insert, 1, snapshot_id);
	for (size_t i = 0; i < config->partition_count && rc == 0; i++) {
		const struct partition *partition = &config->partitions[i];

		stmt_bind_i64_at(insert, 2, (int64_t)i + 1);
		for (size_t m = 0; m < partition->member_count && rc == 0; m++) {
			stmt_bind_i64_at(insert, 3, (int64_t)m + 1);
			rc = write_member(writer, insert, &partition->members[m], err);
		}
	}
	stmt_free(insert);
	return rc;
}

/* The members of one partition. */
static int read_members(struct column_reader *reader, struct stmt *rows,
			struct partition *partition, struct err *err)
{
	struct bytes members = {0};
	int rc;

	while ((rc = stmt_step(rows, err)) == 1) {
		void *member = bytes_add(&members, sizeof(*partition->members));

		if (!member) {
			rc = err_no_memory(err);
			break;
		}
		memset(member, 0, sizeof(*partition->members));
		for (int i = 0; i < 4 && rc >= 0; i++)
			rc = column_set(reader, &member_columns[i], member, rows, i, err);
		if (rc < 0)
			break;
	}
	if (rc == 0 && members.length > 0) {
		partition->member_count = members.length / sizeof(*partition->members);
		partition->members = fabric_alloc(reader->fabric, partition->member_count,
						  sizeof(*partition->members));
		if (partition->members)
			memcpy(partition->members, members.data, members.length);
		else
			rc = err_no_memory(err);
	}
	bytes_free(&members);
	return rc;
}

int members_read(struct column_reader *reader, int64_t snapshot_id, struct err *err)
{
	struct config *config = reader->fabric->config;
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(reader->store,
			  "SELECT kind, guid, membership, line FROM partition_member_row"
			  " WHERE snapshot_id = :snapshot AND partition = :partition ORDER BY seq",
			  &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(rows, ":snapshot", snapshot_id);
	for (size_t i = 0; i < config->partition_count && rc == 0; i++) {
		stmt_bind_i64(rows, ":partition", (int64_t)i + 1);
		rc = read_members(reader, rows, &config->partitions[i], err);
	}
	stmt_free(rows);
	return rc;
}
