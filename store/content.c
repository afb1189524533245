#include "store/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "store/db.h"
#include "store/field.h"

#define NAME(member, ...) #member,

static const char *const device_columns[] = {
	"node_guid", "twin", "node_type", "system_image_guid", "description", "alias",
	"fw_version", "psid", "sources", NODE_FIELDS(NAME) SWITCH_FIELDS(NAME) NULL,
};

static const char *const port_columns[] = {
	"port_guid", "peer_guid", "peer_twin", "peer_port", "peer_both", "sl2vl", "vlarb_high",
	"vlarb_low", "pkeys", "guids", "sources", PORT_FIELDS(NAME) NULL,
};

static const char *const lft_columns[] = {"lids", NULL};
static const char *const lft_part_columns[] = {"known", "block", NULL};
static const char *const fact_columns[] = {"port", "section", "source", NULL};
static const char *const pair_columns[] = {"key", "value", NULL};
static const char *const finding_columns[] = {
	"rule", "severity", "node_guid", "port", "discriminator",
	"subject", "message", "remedy", "source", NULL,
};

const struct content_kind content_device = {"device_body", device_columns, "port_part",
					    port_columns};
const struct content_kind content_lft = {"lft_body", lft_columns, "lft_part", lft_part_columns};
const struct content_kind content_fact = {"fact_body", fact_columns, "fact_part", pair_columns};
const struct content_kind content_finding = {"finding_body", finding_columns, "evidence_part",
					     pair_columns};

const struct content_kind *const content_kinds[] = {
	&content_device, &content_lft, &content_fact, &content_finding, NULL,
};

struct content {
	struct store *store;
	size_t body_count;	/* columns */
	size_t part_count;
	struct stmt *find;
	struct stmt *insert_body;
	struct stmt *insert_part;
	struct stmt *get_body;
	struct stmt *get_parts;
	struct bytes values;	/* struct value of the body, then of each part behind its number */
	struct bytes gathered;	/* their bytes */
	struct bytes stored;	/* bytes of a stored body to compare with */
	bool out_of_memory;
};

static size_t count_columns(const char *const *columns)
{
	size_t count = 0;

	while (columns[count])
		count++;
	return count;
}

int content_new(struct store *store, const struct content_kind *kind,
		struct content **ret_content, struct err *err)
{
	struct content *content = calloc(1, sizeof(*content));
	char find[96];
	int rc;

	if (!content)
		return err_no_memory(err);
	content->store = store;
	content->body_count = count_columns(kind->body_columns);
	content->part_count = count_columns(kind->part_columns);
	snprintf(find, sizeof(find), "SELECT id FROM %s WHERE hash = :hash", kind->body);
	rc = stmt_prepare(store, find, &content->find, err);
	if (rc == 0)
		rc = stmt_prepare_insert(store, kind->body, "hash", NULL, kind->body_columns,
					 &content->insert_body, err);
	if (rc == 0)
		rc = stmt_prepare_insert(store, kind->parts, "body_id", "part", kind->part_columns,
					 &content->insert_part, err);
	if (rc == 0)
		rc = stmt_prepare_select(store, NULL, kind->body_columns, kind->body,
					 "WHERE id = ?", &content->get_body, err);
	if (rc == 0)
		rc = stmt_prepare_select(store, "part", kind->part_columns, kind->parts,
					 "WHERE body_id = ? ORDER BY part", &content->get_parts,
					 err);
	if (rc < 0) {
		content_free(content);
		return rc;
	}
	*ret_content = content;
	return 0;
}

void content_free(struct content *content)
{
	if (!content)
		return;
	stmt_free(content->find);
	stmt_free(content->insert_body);
	stmt_free(content->insert_part);
	stmt_free(content->get_body);
	stmt_free(content->get_parts);
	bytes_free(&content->values);
	bytes_free(&content->gathered);
	bytes_free(&content->stored);
	free(content);
}

void content_begin(struct content *content)
{
	content->values.length = 0;
	content->gathered.length = 0;
	content->out_of_memory = false;
}

void content_value(struct content *content, struct value value)
{
	unsigned char *place = bytes_add(&content->values, sizeof(value));

	if (!place || !bytes_add_value(&content->gathered, &value)) {
		content->out_of_memory = true;
		return;
	}
	memcpy(place, &value, sizeof(value));
}

void content_part(struct content *content, int64_t part)
{
	content_value(content, value_integer(part));
}

static bool add_columns(struct bytes *bytes, struct stmt *stmt, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct value value = value_of_column(stmt, (int)i);

		if (!bytes_add_value(bytes, &value))
			return false;
	}
	return true;
}

/* The bytes of a stored body into content->stored; no further than they can matter. */
static int load_bytes(struct content *content, int64_t id, size_t limit, struct err *err)
{
	struct stmt *row = NULL;
	int rc;

	content->stored.length = 0;
	rc = content_get(content, id, &row, err);
	if (rc < 0)
		return rc;
	if (!add_columns(&content->stored, row, content->body_count))
		return err_no_memory(err);
	while ((rc = content_next_part(content, &row, err)) == 1) {
		if (!add_columns(&content->stored, row, content->part_count + 1)) {
			rc = err_no_memory(err);
			break;
		}
		if (content->stored.length > limit)
			break;
	}
	stmt_reset(content->get_body);
	stmt_reset(content->get_parts);
	return rc < 0 ? rc : 0;
}

/* 1 and the id of the equal body, 0 when there is none. */
static int find_equal(struct content *content, uint64_t hash, int64_t *ret_id, struct err *err)
{
	int rc;

	stmt_bind_i64(content->find, ":hash", (int64_t)hash);
	while ((rc = stmt_step(content->find, err)) == 1) {
		int64_t id = stmt_i64(content->find, 0);

		rc = load_bytes(content, id, content->gathered.length, err);
		if (rc < 0)
			break;
		if (content->stored.length == content->gathered.length &&
		    memcmp(content->stored.data, content->gathered.data,
			   content->stored.length) == 0) {
			*ret_id = id;
			rc = 1;
			break;
		}
	}
	stmt_reset(content->find);
	return rc;
}

static int insert(struct content *content, uint64_t hash, int64_t *ret_id, struct err *err)
{
	const struct value *values = (const void *)content->values.data;
	size_t count = content->values.length / sizeof(*values);
	size_t next = content->body_count;
	int64_t id;
	int rc;

	stmt_bind_i64_at(content->insert_body, 1, (int64_t)hash);
	for (size_t i = 0; i < content->body_count; i++)
		value_bind(content->insert_body, (int)i + 2, &values[i]);
	rc = stmt_run(content->insert_body, err);
	if (rc < 0)
		return rc;
	id = stmt_insert_id(content->insert_body);
	stmt_bind_i64_at(content->insert_part, 1, id);
	for (; next < count && rc == 0; next += content->part_count + 1) {
		for (size_t i = 0; i <= content->part_count; i++)
			value_bind(content->insert_part, (int)i + 2, &values[next + i]);
		rc = stmt_run(content->insert_part, err);
	}
	*ret_id = id;
	return rc;
}

int content_put(struct content *content, int64_t *ret_id, struct err *err)
{
	uint64_t hash;
	int rc;

	if (content->out_of_memory)
		return err_no_memory(err);
	hash = XXH3_64bits(content->gathered.data, content->gathered.length);
	rc = find_equal(content, hash, ret_id, err);
	if (rc == 0)
		rc = insert(content, hash, ret_id, err);
	return rc < 0 ? rc : 0;
}

int content_get(struct content *content, int64_t id, struct stmt **ret_body, struct err *err)
{
	int rc;

	stmt_reset(content->get_body);
	stmt_reset(content->get_parts);
	stmt_bind_i64_at(content->get_body, 1, id);
	stmt_bind_i64_at(content->get_parts, 1, id);
	rc = stmt_step(content->get_body, err);
	if (rc == 0)
		return db_damaged(content->store, "a body is missing", err);
	*ret_body = content->get_body;
	return rc;
}

int content_next_part(struct content *content, struct stmt **ret_part, struct err *err)
{
	*ret_part = content->get_parts;
	return stmt_step(content->get_parts, err);
}

int content_hash(struct content *content, int64_t id, uint64_t *ret_hash, struct err *err)
{
	int rc = load_bytes(content, id, SIZE_MAX, err);

	if (rc == 0)
		*ret_hash = XXH3_64bits(content->stored.data, content->stored.length);
	return rc;
}
