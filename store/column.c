#include "store/column.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "store/text.h"

_Static_assert(sizeof(enum attribute) == sizeof(int), "enums are read and written as int");

void column_writer_free(struct column_writer *writer)
{
	stmt_free(writer->foreign);
	bytes_free(&writer->scratch);
	memset(writer, 0, sizeof(*writer));
}

static bool is_plain_ascii(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e)
			return false;
	}
	return true;
}

/* Keeps the printable form beside the bytes. */
static int foreign_put(struct column_writer *writer, const char *text, size_t length,
		       const char *shown, size_t shown_length, struct err *err)
{
	int rc = 0;

	if (!writer->foreign)
		rc = stmt_prepare(writer->store,
				  "INSERT OR IGNORE INTO foreign_text (raw, shown) VALUES (?, ?)",
				  &writer->foreign, err);
	if (rc < 0)
		return rc;
	stmt_bind_blob_at(writer->foreign, 1, text, length);
	stmt_bind_text_at(writer->foreign, 2, shown, shown_length);
	return stmt_run(writer->foreign, err);
}

int column_text(struct column_writer *writer, const char *text, struct value *ret_value,
		struct err *err)
{
	struct value value = {.type = VALUE_TEXT, .data = text};
	size_t size;
	size_t shown_length;
	char *shown;

	if (!text) {
		*ret_value = value_null();
		return 0;
	}
	value.length = strlen(text);
	*ret_value = value;
	if (is_plain_ascii(text, value.length))
		return 0;
	if (value.length > SIZE_MAX / 8)
		return err_no_memory(err);
	size = 4 * value.length + 1;
	writer->scratch.length = 0;
	shown = (char *)bytes_add(&writer->scratch, size);
	if (!shown)
		return err_no_memory(err);
	shown_length = text_escape(text, value.length, shown, size);
	if (shown_length == value.length && memcmp(shown, text, shown_length) == 0)
		return 0;
	ret_value->type = VALUE_BLOB;
	return foreign_put(writer, text, value.length, shown, shown_length, err);
}

static struct value device_value(const struct column_writer *writer, const struct device *device)
{
	return device ? value_integer(writer->body_of[device->index]) : value_null();
}

/* A number that could not be read again must not be written. */
static int number_value(const struct column *column, int64_t number, int64_t most,
			struct value *ret_value, struct err *err)
{
	if (number < 0 || number > most)
		return err_set(err, ERR_DB, "%lld is no %s a snapshot can hold", (long long)number,
			       column->name);
	*ret_value = value_integer(number);
	return 0;
}

int column_get(struct column_writer *writer, const struct column *column, const void *object,
	       struct value *ret_value, struct err *err)
{
	const char *member = (const char *)object + column->offset;

#define MEMBER(type) (*(const type *)(const void *)member)
	switch (column->type) {
	case COLUMN_FIELD:
		*ret_value = value_field(MEMBER(int64_t));
		break;
	case COLUMN_I64:
		*ret_value = value_integer(MEMBER(int64_t));
		break;
	case COLUMN_INT: {
		int number;

		memcpy(&number, member, sizeof(number));
		return number_value(column, number, column->max, ret_value, err);
	}
	case COLUMN_PORT:
		*ret_value = MEMBER(int) < 0 ? value_null() : value_integer(MEMBER(int));
		break;
	case COLUMN_U8:
		*ret_value = value_integer(MEMBER(uint8_t));
		break;
	case COLUMN_U16:
		*ret_value = value_integer(MEMBER(uint16_t));
		break;
	case COLUMN_BOOL:
		*ret_value = value_integer(MEMBER(bool));
		break;
	case COLUMN_GUID:
		*ret_value = value_guid(MEMBER(uint64_t));
		break;
	case COLUMN_SOURCE:
		if (MEMBER(source_ref) == 0)
			*ret_value = value_null();
		else
			return number_value(column, MEMBER(source_ref),
					    (int64_t)writer->source_count, ret_value, err);
		break;
	case COLUMN_TEXT:
	case COLUMN_WORDS:
		return column_text(writer, MEMBER(char *), ret_value, err);
	case COLUMN_GID:
		*ret_value = (struct value){.type = VALUE_BLOB, .data = member, .length = 16};
		break;
	case COLUMN_DEVICE:
		*ret_value = device_value(writer, MEMBER(struct device *));
		break;
	case COLUMN_PORT_DEVICE: {
		const struct port *port = MEMBER(struct port *);

		*ret_value = device_value(writer, port ? port->device : NULL);
		break;
	}
	case COLUMN_PORT_NUM: {
		const struct port *port = MEMBER(struct port *);

		*ret_value = port ? value_integer(port->num) : value_null();
		break;
	}
	}
#undef MEMBER
	return 0;
}

static int compare_places(const void *key, const void *element)
{
	int64_t body = *(const int64_t *)key;
	const struct body_place *place = element;

	return body < place->body ? -1 : body > place->body;
}

struct device *column_device(const struct column_reader *reader, int64_t body)
{
	const struct body_place *place = NULL;

	if (reader->place_count > 0)
		place = bsearch(&body, reader->places, reader->place_count, sizeof(*place),
				compare_places);
	return place ? place->device : NULL;
}

int column_read_text(struct column_reader *reader, struct stmt *stmt, int index, char **ret_text,
		     struct err *err)
{
	size_t length;
	const char *bytes = stmt_bytes(stmt, index, &length);
	char *text = NULL;

	if (bytes) {
		text = fabric_text(reader->fabric, bytes, length);
		if (!text)
			return err_no_memory(err);
	}
	*ret_text = text;
	return 0;
}

static int read_words(struct column_reader *reader, struct stmt *stmt, int index, char **ret_text,
		      struct err *err)
{
	int rc = column_read_text(reader, stmt, index, ret_text, err);

	if (rc == 0 && !*ret_text) {
		*ret_text = fabric_text(reader->fabric, "", 0);
		if (!*ret_text)
			rc = err_no_memory(err);
	}
	return rc;
}

static int out_of_range(const struct column_reader *reader, const struct column *column,
			struct err *err)
{
	char what[64];

	snprintf(what, sizeof(what), "column %s holds a value that cannot be", column->name);
	return db_damaged(reader->store, what, err);
}

/* The largest number a member of this type holds. */
static int64_t largest(const struct column_reader *reader, const struct column *column)
{
	switch (column->type) {
	case COLUMN_INT:
		return column->max;
	case COLUMN_PORT:
		return INT_MAX;
	case COLUMN_U8:
		return UINT8_MAX;
	case COLUMN_U16:
		return UINT16_MAX;
	case COLUMN_BOOL:
		return 1;
	case COLUMN_SOURCE:
		return (int64_t)reader->fabric->source_count;
	default:
		return INT64_MAX;
	}
}

static int set_pointer(struct column_reader *reader, const struct column *column, void *member,
		       struct stmt *stmt, int index, struct err *err)
{
	struct device *device = NULL;
	struct port *port = NULL;

	if (column->type == COLUMN_PORT_NUM) {
		if (stmt_is_null(stmt, index) || !reader->port_device)
			return 0;
		if (stmt_i64(stmt, index) < 0 || stmt_i64(stmt, index) > 254)
			return out_of_range(reader, column, err);
		port = fabric_port(reader->fabric, reader->port_device,
				   (uint8_t)stmt_i64(stmt, index));
		if (!port)
			return err_no_memory(err);
		memcpy(member, &port, sizeof(struct port *));
		return 0;
	}
	if (!stmt_is_null(stmt, index)) {
		device = column_device(reader, stmt_i64(stmt, index));
		if (!device)
			return out_of_range(reader, column, err);
	}
	if (column->type == COLUMN_DEVICE)
		memcpy(member, &device, sizeof(struct device *));
	else
		reader->port_device = device;
	return 0;
}

int column_set(struct column_reader *reader, const struct column *column, void *object,
	       struct stmt *stmt, int index, struct err *err)
{
	char *member = (char *)object + column->offset;
	int64_t number = stmt_i64(stmt, index);
	bool is_null = stmt_is_null(stmt, index);

#define MEMBER(type) (*(type *)(void *)member)
	switch (column->type) {
	case COLUMN_TEXT:
		return column_read_text(reader, stmt, index, &MEMBER(char *), err);
	case COLUMN_WORDS:
		return read_words(reader, stmt, index, &MEMBER(char *), err);
	case COLUMN_DEVICE:
	case COLUMN_PORT_DEVICE:
	case COLUMN_PORT_NUM:
		return set_pointer(reader, column, member, stmt, index, err);
	case COLUMN_GID: {
		size_t length;
		const char *bytes = stmt_bytes(stmt, index, &length);

		if (!bytes || length != 16)
			return out_of_range(reader, column, err);
		memcpy(member, bytes, 16);
		return 0;
	}
	case COLUMN_FIELD:
		MEMBER(int64_t) = is_null ? FIELD_UNKNOWN : number;
		return 0;
	case COLUMN_I64:
		MEMBER(int64_t) = number;
		return 0;
	case COLUMN_GUID:
		MEMBER(uint64_t) = (uint64_t)number;
		return 0;
	default:
		break;
	}
	if (number < 0 || number > largest(reader, column) ||
	    (is_null && column->type == COLUMN_INT))
		return out_of_range(reader, column, err);
	switch (column->type) {
	case COLUMN_INT:
	case COLUMN_PORT: {
		int value = is_null ? -1 : (int)number;

		memcpy(member, &value, sizeof(value));
		break;
	}
	case COLUMN_U8:
		MEMBER(uint8_t) = (uint8_t)number;
		break;
	case COLUMN_U16:
		MEMBER(uint16_t) = (uint16_t)number;
		break;
	case COLUMN_BOOL:
		MEMBER(bool) = number != 0;
		break;
	default:
		MEMBER(source_ref) = (source_ref)number;
		break;
	}
#undef MEMBER
	return 0;
}
