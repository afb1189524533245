#include "collector/import/opensm_values.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASK_DIGITS 64
#define CCT_ENTRIES_MAX 128

/* opts_strtoul and opts_strtoull: base 0, so 010 is eight; "-1" is the largest number there is. */
static enum opensm_reading read_number(const char *text, uint64_t most, uint64_t *ret_value)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (*text == '\0' || *end != '\0')
		return OPENSM_NO_NUMBER;
	if (value > most || (value == UINT64_MAX && errno == ERANGE))
		return OPENSM_TOO_BIG;
	*ret_value = value;
	return OPENSM_TAKEN;
}

static enum opensm_reading read_unsigned(const char *text, uint64_t most, char *out)
{
	uint64_t value = 0;
	enum opensm_reading reading = read_number(text, most, &value);

	if (reading == OPENSM_TAKEN)
		snprintf(out, OPENSM_VALUE_SIZE, "%" PRIu64, value);
	return reading;
}

/* strtol without a look at the rest; the long is then cut to 32 bits. */
static enum opensm_reading read_high_limit(const char *text, char *out)
{
	long long wide;
	int32_t value;

	errno = 0;
	wide = strtoll(text, NULL, 0);
	value = (int32_t)(uint32_t)(uint64_t)wide;
	if (value < 0)
		return OPENSM_UNSET;
	snprintf(out, OPENSM_VALUE_SIZE, "%" PRId32, value);
	return OPENSM_TAKEN;
}

static const char *next_number(const char *text, unsigned *ret_value)
{
	char *end;

	*ret_value = (unsigned)strtoull(text, &end, 0);
	return *end ? end + 1 : end;
}

size_t opensm_vlarb_read(const char *text, struct vlarb_entry entries[64])
{
	size_t count = 0;
	unsigned number;

	memset(entries, 0, 64 * sizeof(entries[0]));
	while (*text && count < 64) {
		text = next_number(text, &number);
		entries[count].vl = (uint8_t)(number % 15);
		text = next_number(text, &number);
		entries[count].weight = (uint8_t)number;
		count++;
	}
	return count;
}

size_t opensm_sl2vl_read(const char *text, uint8_t vl[16])
{
	size_t count = 0;
	unsigned number;

	memset(vl, 0, 16);
	while (*text && count < 16) {
		text = next_number(text, &number);
		vl[count++] = number & 0xf;
	}
	return count;
}

static enum opensm_reading read_vlarb(const char *text, char *out)
{
	struct vlarb_entry entries[64];
	size_t count = opensm_vlarb_read(text, entries);
	size_t length = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(out + length, OPENSM_VALUE_SIZE - length, "%s%u:%u",
					   i ? "," : "", entries[i].vl, entries[i].weight);
	return OPENSM_TAKEN;
}

static enum opensm_reading read_sl2vl(const char *text, char *out)
{
	size_t length = 0;
	uint8_t vl[16];

	opensm_sl2vl_read(text, vl);
	for (size_t sl = 0; sl < 16; sl++)
		length += (size_t)snprintf(out + length, OPENSM_VALUE_SIZE - length, "%s%u",
					   sl ? "," : "", vl[sl]);
	return OPENSM_TAKEN;
}

/* Hex digits with or without 0x; too many lose the last ones. */
static enum opensm_reading read_mask(const char *text, char *out)
{
	size_t digits;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	digits = strspn(text, "0123456789abcdefABCDEF");
	if (digits == 0 || text[digits] != '\0')
		return OPENSM_BAD_FORM;
	if (digits > MASK_DIGITS)
		digits = MASK_DIGITS;
	memcpy(out, "0x", 2);
	memset(out + 2, '0', MASK_DIGITS);
	for (size_t i = 0; i < digits; i++)
		out[2 + MASK_DIGITS - digits + i] = (char)toupper((unsigned char)text[i]);
	out[2 + MASK_DIGITS] = '\0';
	return OPENSM_TAKEN;
}

static enum opensm_reading read_cct_entry(const char *text, char *out)
{
	const char *colon = strchr(text, ':');

	if (!colon)
		return OPENSM_BAD_FORM;
	snprintf(out, OPENSM_VALUE_SIZE, "%u:%u", (unsigned)(strtoull(text, NULL, 0) & 0xff),
		 (unsigned)(strtoull(colon + 1, NULL, 0) & 0xffff));
	return OPENSM_TAKEN;
}

static enum opensm_reading read_cct(const char *text, char *out)
{
	size_t count = 0;
	size_t length = 0;

	out[0] = '\0';
	for (text += strspn(text, ","); *text && count < CCT_ENTRIES_MAX; text += strspn(text, ",")) {
		size_t size = strcspn(text, ",");
		const char *colon = memchr(text, ':', size);

		if (!colon)
			return OPENSM_BAD_FORM;
		length += (size_t)snprintf(out + length, OPENSM_VALUE_SIZE - length, "%s%u:%u",
					   count ? "," : "",
					   (unsigned)(strtoull(text, NULL, 0) & 0xff),
					   (unsigned)(strtoull(colon + 1, NULL, 0) & 0xffff));
		if (length >= OPENSM_VALUE_SIZE)
			length = OPENSM_VALUE_SIZE - 1;
		count++;
		text += size;
	}
	return count ? OPENSM_TAKEN : OPENSM_UNSET;
}

bool opensm_sl_value_split(const char *text, unsigned *ret_sl, const char **ret_value)
{
	size_t size = strcspn(text, " \t");
	const char *value = text + size + strspn(text + size, " \t");

	/* The SL is cut to eight bits before it is looked at. */
	*ret_sl = (unsigned)(strtoull(text, NULL, 0) & 0xff);
	*ret_value = value;
	return size > 0 && *value && *ret_sl < 16;
}

static enum opensm_reading read_sl_value(const char *text, uint64_t most, char *out)
{
	uint64_t value = 0;
	enum opensm_reading reading;
	unsigned sl;

	if (!opensm_sl_value_split(text, &sl, &text))
		return OPENSM_BAD_FORM;
	reading = read_number(text, most, &value);
	if (reading == OPENSM_TAKEN)
		snprintf(out, OPENSM_VALUE_SIZE, "%u %" PRIu64, sl, value);
	return reading;
}

enum opensm_reading opensm_value_read(const struct opensm_key *key, const char *text,
				      char out[OPENSM_VALUE_SIZE])
{
	bool null = strcmp(text, "(null)") == 0;
	enum opensm_reading reading;
	uint64_t value = 0;

	switch (key->type) {
	case OPENSM_BOOL:
		strcpy(out, strcmp(text, "TRUE") == 0 ? "TRUE" : "FALSE");
		return OPENSM_TAKEN;
	case OPENSM_U8:
		return read_unsigned(text, UINT8_MAX, out);
	case OPENSM_U16:
		return read_unsigned(text, UINT16_MAX, out);
	case OPENSM_U32:
		return read_unsigned(text, UINT32_MAX, out);
	case OPENSM_MAX_VLS:
		reading = read_unsigned(text, UINT32_MAX, out);
		return reading == OPENSM_TAKEN && strcmp(out, "0") == 0 ? OPENSM_UNSET : reading;
	case OPENSM_U64:
	case OPENSM_SECRET:
		reading = read_number(text, UINT64_MAX, &value);
		snprintf(out, OPENSM_VALUE_SIZE, "0x%016" PRIx64, value);
		return reading;
	case OPENSM_HIGH_LIMIT:
		return read_high_limit(text, out);
	case OPENSM_VLARB:
		return null ? OPENSM_UNSET : read_vlarb(text, out);
	case OPENSM_SL2VL:
		return null ? OPENSM_UNSET : read_sl2vl(text, out);
	case OPENSM_MASK:
		return read_mask(text, out);
	case OPENSM_CCT_ENTRY:
		return read_cct_entry(text, out);
	case OPENSM_CCT:
		return null ? OPENSM_UNSET : read_cct(text, out);
	case OPENSM_SL_U8:
		return read_sl_value(text, UINT8_MAX, out);
	case OPENSM_SL_U16:
		return read_sl_value(text, UINT16_MAX, out);
	case OPENSM_TEXT:
		break;
	}
	snprintf(out, OPENSM_VALUE_SIZE, "%s", text);
	return null ? OPENSM_UNSET : OPENSM_TAKEN;
}

char *opensm_value_clean(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text + 1 && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	/* A single quote mark is both the first and the last: it goes, too. */
	if ((*text == '"' || *text == '\'') && end[-1] == *text) {
		end[-1] = '\0';
		if (end - text > 1)
			text++;
	}
	return text;
}
