#include "store/block.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "store/db.h"
#include "store/stmt.h"

/*
 * Most ports share a handful of small tables: those met last are answered from
 * memory, by hash and comparison as in the file.
 */
#define CACHE_SLOTS 1024
#define CACHE_DATA 256

struct cached {
	int64_t id;		/* 0: empty */
	uint64_t hash;
	enum block_kind kind;
	size_t length;
	unsigned char data[CACHE_DATA];
};

struct block_writer {
	struct stmt *find;
	struct stmt *insert;
	struct cached *cache;
};

const char *block_kind_name(enum block_kind kind)
{
	static const char *const names[] = {
		[BLOCK_LFT] = "lft",   [BLOCK_SL2VL] = "sl2vl", [BLOCK_VLARB] = "vlarb",
		[BLOCK_PKEY] = "pkey", [BLOCK_GUID] = "guid",   [BLOCK_MFT] = "mft",
		[BLOCK_SOURCE] = "source",
	};

	return kind >= BLOCK_LFT && kind <= BLOCK_SOURCE ? names[kind] : NULL;
}

uint64_t block_hash(enum block_kind kind, const void *data, size_t length)
{
	return XXH3_64bits_withSeed(data, length, (uint64_t)kind);
}

int block_writer_new(struct store *store, struct block_writer **ret_writer, struct err *err)
{
	struct block_writer *writer = calloc(1, sizeof(*writer));
	int rc = 0;

	if (writer)
		writer->cache = calloc(CACHE_SLOTS, sizeof(*writer->cache));
	if (!writer || !writer->cache) {
		rc = err_no_memory(err);
		goto out;
	}
	rc = stmt_prepare(store, "SELECT id, data FROM block WHERE hash = :hash AND kind = :kind",
			  &writer->find, err);
	if (rc == 0)
		rc = stmt_prepare(store,
				  "INSERT INTO block (hash, kind, data) VALUES (:hash, :kind, :data)",
				  &writer->insert, err);
	if (rc < 0)
		goto out;
	*ret_writer = writer;
	writer = NULL;
out:
	block_writer_free(writer);
	return rc;
}

void block_writer_free(struct block_writer *writer)
{
	if (!writer)
		return;
	stmt_free(writer->find);
	stmt_free(writer->insert);
	free(writer->cache);
	free(writer);
}

/* 1 and the id, 0 when there is none. */
static int block_find(struct block_writer *writer, enum block_kind kind, uint64_t hash,
		      const void *data, size_t length, int64_t *ret_id, struct err *err)
{
	int rc;

	stmt_bind_i64(writer->find, ":hash", (int64_t)hash);
	stmt_bind_i64(writer->find, ":kind", kind);
	while ((rc = stmt_step(writer->find, err)) == 1) {
		size_t stored_length;
		const char *stored = stmt_bytes(writer->find, 1, &stored_length);

		if (stored && stored_length == length && memcmp(stored, data, length) == 0) {
			*ret_id = stmt_i64(writer->find, 0);
			stmt_reset(writer->find);
			return 1;
		}
	}
	return rc;
}

int block_put(struct block_writer *writer, enum block_kind kind, const void *data, size_t length,
	      int64_t *ret_id, struct err *err)
{
	uint64_t hash = block_hash(kind, data, length);
	struct cached *cached = &writer->cache[hash % CACHE_SLOTS];
	int64_t id = 0;
	int rc;

	if (cached->id != 0 && cached->hash == hash && cached->kind == kind &&
	    cached->length == length && memcmp(cached->data, data, length) == 0) {
		*ret_id = cached->id;
		return 0;
	}
	rc = block_find(writer, kind, hash, data, length, &id, err);
	if (rc < 0)
		return rc;
	if (rc == 0) {
		stmt_bind_i64(writer->insert, ":hash", (int64_t)hash);
		stmt_bind_i64(writer->insert, ":kind", kind);
		stmt_bind_blob(writer->insert, ":data", data, length);
		rc = stmt_run(writer->insert, err);
		if (rc < 0)
			return rc;
		id = stmt_insert_id(writer->insert);
	}
	if (length <= CACHE_DATA) {
		cached->id = id;
		cached->hash = hash;
		cached->kind = kind;
		cached->length = length;
		memcpy(cached->data, data, length);
	}
	*ret_id = id;
	return 0;
}

struct block_reader {
	struct store *store;
	struct stmt *find;
	struct cached *cache;
};

int block_reader_new(struct store *store, struct block_reader **ret_reader, struct err *err)
{
	struct block_reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return err_no_memory(err);
	reader->store = store;
	reader->cache = calloc(CACHE_SLOTS, sizeof(*reader->cache));
	if (!reader->cache) {
		block_reader_free(reader);
		return err_no_memory(err);
	}
	rc = stmt_prepare(store, "SELECT kind, data FROM block WHERE id = :id", &reader->find, err);
	if (rc < 0) {
		block_reader_free(reader);
		return rc;
	}
	*ret_reader = reader;
	return 0;
}

void block_reader_free(struct block_reader *reader)
{
	if (!reader)
		return;
	stmt_free(reader->find);
	free(reader->cache);
	free(reader);
}

int block_get(struct block_reader *reader, enum block_kind kind, int64_t id,
	      const unsigned char **ret_data, size_t *ret_length, struct err *err)
{
	struct cached *cached = &reader->cache[(uint64_t)id % CACHE_SLOTS];
	int rc;

	if (cached->id != 0 && cached->id == id && cached->kind == kind) {
		*ret_data = cached->data;
		*ret_length = cached->length;
		return 0;
	}
	stmt_reset(reader->find);
	stmt_bind_i64(reader->find, ":id", id);
	rc = stmt_step(reader->find, err);
	if (rc < 0)
		return rc;
	if (rc == 0 || stmt_i64(reader->find, 0) != kind || stmt_type(reader->find, 1) != CELL_BLOB)
		return db_damaged(reader->store, "a block is missing", err);
	*ret_data = (const unsigned char *)stmt_bytes(reader->find, 1, ret_length);
	if (*ret_length <= CACHE_DATA) {
		cached->id = id;
		cached->kind = kind;
		cached->length = *ret_length;
		memcpy(cached->data, *ret_data, *ret_length);
	}
	return 0;
}
