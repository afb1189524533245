#include "store/value.h"

#include <stdlib.h>
#include <string.h>

#include "store/field.h"

struct value value_field(int64_t field)
{
	return field == FIELD_UNKNOWN ? value_null() : value_integer(field);
}

struct value value_guid(uint64_t guid)
{
	return guid == 0 ? value_null() : value_integer((int64_t)guid);
}

struct value value_id(int64_t id)
{
	return id == 0 ? value_null() : value_integer(id);
}

void value_bind(struct stmt *stmt, int index, const struct value *value)
{
	switch (value->type) {
	case VALUE_NULL:
		stmt_bind_null_at(stmt, index);
		break;
	case VALUE_INTEGER:
		stmt_bind_i64_at(stmt, index, value->integer);
		break;
	case VALUE_TEXT:
		stmt_bind_text_at(stmt, index, value->data, value->length);
		break;
	case VALUE_BLOB:
		stmt_bind_blob_at(stmt, index, value->data, value->length);
		break;
	}
}

struct value value_of_column(struct stmt *stmt, int index)
{
	struct value value = {.type = VALUE_NULL};

	switch (stmt_type(stmt, index)) {
	case CELL_NULL:
		break;
	case CELL_INTEGER:
		return value_integer(stmt_i64(stmt, index));
	case CELL_TEXT:
		value.type = VALUE_TEXT;
		value.data = stmt_bytes(stmt, index, &value.length);
		break;
	case CELL_REAL:		/* in no column of ours: equal to none of our values */
	case CELL_BLOB:
		value.type = VALUE_BLOB;
		value.data = stmt_bytes(stmt, index, &value.length);
		break;
	}
	return value;
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	memset(bytes, 0, sizeof(*bytes));
}

unsigned char *bytes_add(struct bytes *bytes, size_t length)
{
	unsigned char *place;

	if (length > bytes->room - bytes->length) {
		size_t room = bytes->room ? bytes->room * 2 : 4096;
		unsigned char *grown;

		while (room - bytes->length < length && room < SIZE_MAX / 4)
			room *= 2;
		if (room - bytes->length < length)
			return NULL;
		grown = realloc(bytes->data, room);
		if (!grown)
			return NULL;
		bytes->data = grown;
		bytes->room = room;
	}
	place = bytes->data + bytes->length;
	bytes->length += length;
	return place;
}

bool bytes_add_value(struct bytes *bytes, const struct value *value)
{
	bool has_data = value->type == VALUE_TEXT || value->type == VALUE_BLOB;
	unsigned char *out;

	if (value->type == VALUE_NULL) {
		out = bytes_add(bytes, 1);
		if (out)
			*out = VALUE_NULL;
		return out != NULL;
	}
	out = bytes_add(bytes, 9 + (has_data ? value->length : 0));
	if (!out)
		return false;
	out[0] = (unsigned char)value->type;
	put_be64(out + 1, has_data ? value->length : (uint64_t)value->integer);
	if (has_data && value->length > 0)
		memcpy(out + 9, value->data, value->length);
	return true;
}

void put_be64(unsigned char *out, uint64_t number)
{
	for (int i = 7; i >= 0; i--) {
		out[i] = (unsigned char)number;
		number >>= 8;
	}
}

uint64_t get_be64(const unsigned char *in)
{
	uint64_t number = 0;

	for (int i = 0; i < 8; i++)
		number = number << 8 | in[i];
	return number;
}
