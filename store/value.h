/*
 * One cell of a row, and rows of them as bytes. A row's bytes serve to hash and
 * to compare it: two rows are equal when their bytes are.
 */
#ifndef STORE_VALUE_H
#define STORE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/stmt.h"

enum value_type {
	VALUE_NULL,
	VALUE_INTEGER,
	VALUE_TEXT,		/* printable UTF-8 */
	VALUE_BLOB,
};

struct value {
	enum value_type type;
	int64_t integer;
	const void *data;	/* text or blob, borrowed */
	size_t length;
};

static inline struct value value_null(void)
{
	return (struct value){.type = VALUE_NULL};
}

static inline struct value value_integer(int64_t integer)
{
	return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* FIELD_UNKNOWN is NULL. */
struct value value_field(int64_t field);

/* 0 is NULL. */
struct value value_guid(uint64_t guid);

/* A block's or body's id; 0 is NULL. */
struct value value_id(int64_t id);

/* Binds to parameter `index`, from 1. The data must stay until the statement is reset. */
void value_bind(struct stmt *stmt, int index, const struct value *value);

/* Column `index`, from 0; the data is good until the next step. */
struct value value_of_column(struct stmt *stmt, int index);

/* Bytes that grow. Zeroed is empty; bytes_free returns the memory. */
struct bytes {
	unsigned char *data;
	size_t length;
	size_t room;
};

void bytes_free(struct bytes *bytes);

/* `length` more bytes, for the caller to fill; NULL without memory. */
unsigned char *bytes_add(struct bytes *bytes, size_t length);

/* Appends a value so that no two rows of values give the same bytes. False: no memory. */
bool bytes_add_value(struct bytes *bytes, const struct value *value);

/* Big-endian numbers, as blocks hold them. */
static inline void put_be16(unsigned char *out, uint16_t number)
{
	out[0] = (unsigned char)(number >> 8);
	out[1] = (unsigned char)number;
}

static inline uint16_t get_be16(const unsigned char *in)
{
	return (uint16_t)(in[0] << 8 | in[1]);
}

void put_be64(unsigned char *out, uint64_t number);
uint64_t get_be64(const unsigned char *in);

#endif
