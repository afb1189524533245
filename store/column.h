/*
 * Members of the structs of fabric.h and config.h as columns: one description
 * serves writing and reading, so that the two cannot drift apart.
 */
#ifndef STORE_COLUMN_H
#define STORE_COLUMN_H

#include "store/fabric.h"
#include "store/value.h"

enum column_type {
	COLUMN_FIELD,		/* int64_t; FIELD_UNKNOWN is NULL */
	COLUMN_I64,		/* int64_t */
	COLUMN_INT,		/* int or enum, 0..max */
	COLUMN_PORT,		/* int, 0..INT_MAX; -1 is NULL */
	COLUMN_U8,
	COLUMN_U16,
	COLUMN_BOOL,
	COLUMN_GUID,		/* uint64_t; 0 is NULL */
	COLUMN_SOURCE,		/* source_ref; 0 is NULL */
	COLUMN_TEXT,		/* char *; NULL is NULL */
	COLUMN_WORDS,		/* char * that is never NULL: NULL reads as "" */
	COLUMN_GID,		/* 16 bytes */
	COLUMN_DEVICE,		/* struct device *; NULL is NULL */
	COLUMN_PORT_DEVICE,	/* struct port *: its device; NULL is NULL */
	COLUMN_PORT_NUM,	/* the same pointer: its number. Comes right after COLUMN_PORT_DEVICE */
};

struct column {
	const char *name;
	enum column_type type;
	size_t offset;
	int64_t max;		/* with COLUMN_INT */
};

/* What turns members into values. Zeroed but for `store` at first. */
struct column_writer {
	struct store *store;
	const int64_t *body_of;	/* body id by device index */
	size_t source_count;	/* the most a source_ref may be */
	struct stmt *foreign;	/* made when the first foreign text comes */
	struct bytes scratch;
};

void column_writer_free(struct column_writer *writer);

/*
 * Foreign text: VALUE_TEXT when printable UTF-8, else VALUE_BLOB, with its
 * printable form in table foreign_text. NULL is VALUE_NULL. Borrows `text`.
 */
int column_text(struct column_writer *writer, const char *text, struct value *ret_value,
		struct err *err);

/* ERR_DB when the member holds what could not be read again (a number no enum has). */
int column_get(struct column_writer *writer, const struct column *column, const void *object,
	       struct value *ret_value, struct err *err);

/* What turns values into members of a fabric's objects. */
struct column_reader {
	struct store *store;
	struct fabric *fabric;
	const struct body_place *places;	/* by body id */
	size_t place_count;
	struct device *port_device;	/* of a COLUMN_PORT_DEVICE just read */
};

struct body_place {
	int64_t body;
	struct device *device;
};

/* The device of a body id, or NULL. */
struct device *column_device(const struct column_reader *reader, int64_t body);

/* A copy in the fabric's memory; NULL for NULL. */
int column_read_text(struct column_reader *reader, struct stmt *stmt, int index, char **ret_text,
		     struct err *err);

/* ERR_DB when the cell is not what a member can hold. */
int column_set(struct column_reader *reader, const struct column *column, void *object,
	       struct stmt *stmt, int index, struct err *err);

#endif
