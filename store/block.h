/*
 * Bulk tables by content: equal bytes of one kind are one row of table block,
 * in a night and across nights. Found by hash, then compared.
 */
#ifndef STORE_BLOCK_H
#define STORE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/store.h"

/* As in column block.kind. */
enum block_kind {
	BLOCK_LFT = 1,		/* out-ports of BLOCK_LFT_LIDS LIDs */
	BLOCK_SL2VL,		/* runs of in_first, in_last, 16 VLs */
	BLOCK_VLARB,		/* VL, weight */
	BLOCK_PKEY,		/* 2 bytes each */
	BLOCK_GUID,		/* 8 bytes each */
	BLOCK_MFT,		/* a byte n, then MLID (2 bytes) and n bytes of port bits each */
	BLOCK_SOURCE,		/* 2 bytes per attribute: source_ref */
};

#define BLOCK_LFT_LIDS 960

const char *block_kind_name(enum block_kind kind);

uint64_t block_hash(enum block_kind kind, const void *data, size_t length);

struct block_writer;

int block_writer_new(struct store *store, struct block_writer **ret_writer, struct err *err);
void block_writer_free(struct block_writer *writer);	/* NULL is fine */

/* The id of the block with this content, stored if it is new. ERR_DB, ERR_NOMEM. */
int block_put(struct block_writer *writer, enum block_kind kind, const void *data, size_t length,
	      int64_t *ret_id, struct err *err);

struct block_reader;

int block_reader_new(struct store *store, struct block_reader **ret_reader, struct err *err);
void block_reader_free(struct block_reader *reader);	/* NULL is fine */

/* Borrowed until the next call. ERR_DB also when there is no such block of that kind. */
int block_get(struct block_reader *reader, enum block_kind kind, int64_t id,
	      const unsigned char **ret_data, size_t *ret_length, struct err *err);

#endif
