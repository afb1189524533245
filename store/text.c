#include "store/text.h"

#include <stdio.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at `in`, or 0; *ret_code is its code point. */
static size_t utf8_sequence(const unsigned char *in, size_t length, uint32_t *ret_code)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t code;
	size_t need;

	if (in[0] < 0x80) {
		*ret_code = in[0];
		return 1;
	}
	if (in[0] >= 0xc2 && in[0] <= 0xdf) {
		need = 2;
		code = in[0] & 0x1f;
	} else if (in[0] >= 0xe0 && in[0] <= 0xef) {
		need = 3;
		code = in[0] & 0x0f;
	} else if (in[0] >= 0xf0 && in[0] <= 0xf4) {
		need = 4;
		code = in[0] & 0x07;
	} else {
		return 0;
	}
	if (length < need)
		return 0;
	for (size_t i = 1; i < need; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (in[i] & 0x3f);
	}
	if (code < least[need] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return need;
}

static bool is_shown(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
		return false;
	if (code == 0x061c || (code >= 0x200b && code <= 0x200f))
		return false;
	if ((code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f))
		return false;
	return code != 0xfeff && code < 0xe0000 && (code & 0xfffe) != 0xfffe;
}

size_t text_escape(const char *in, size_t length, char *out, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)in;
	size_t used = 0;

	if (size == 0)
		return 0;
	for (size_t i = 0; i < length;) {
		uint32_t code = 0;
		size_t sequence = utf8_sequence(bytes + i, length - i, &code);

		if (sequence > 0 && is_shown(code)) {
			if (used + sequence >= size)
				break;
			memcpy(out + used, bytes + i, sequence);
			used += sequence;
			i += sequence;
			continue;
		}
		if (sequence == 0)
			sequence = 1;
		if (used + 4 * sequence >= size)
			break;
		for (size_t k = 0; k < sequence; k++)
			used += (size_t)snprintf(out + used, size - used, "\\x%02x", bytes[i + k]);
		i += sequence;
	}
	out[used] = '\0';
	return used;
}

const char *guid_format(uint64_t guid, char out[GUID_TEXT_SIZE])
{
	snprintf(out, GUID_TEXT_SIZE, "0x%016llx", (unsigned long long)guid);
	return out;
}

bool guid_parse(const char *text, size_t length, uint64_t *ret_guid)
{
	uint64_t guid = 0;

	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		text += 2;
		length -= 2;
	}
	if (length == 0 || length > 16)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit;

		if (text[i] >= '0' && text[i] <= '9')
			digit = (unsigned)(text[i] - '0');
		else if (text[i] >= 'a' && text[i] <= 'f')
			digit = (unsigned)(text[i] - 'a') + 10;
		else if (text[i] >= 'A' && text[i] <= 'F')
			digit = (unsigned)(text[i] - 'A') + 10;
		else
			return false;
		guid = guid << 4 | digit;
	}
	*ret_guid = guid;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *text_plural(size_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

int text_compare(const char *a, const char *b)
{
	while (*a && *b) {
		size_t digits_a = 0;
		size_t digits_b = 0;
		int order;

		if (!is_digit(*a) || !is_digit(*b)) {
			if (*a != *b)
				return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
			a++;
			b++;
			continue;
		}
		while (*a == '0' && is_digit(a[1]))
			a++;
		while (*b == '0' && is_digit(b[1]))
			b++;
		while (is_digit(a[digits_a]))
			digits_a++;
		while (is_digit(b[digits_b]))
			digits_b++;
		if (digits_a != digits_b)
			return digits_a < digits_b ? -1 : 1;
		order = strncmp(a, b, digits_a);
		if (order != 0)
			return order;
		a += digits_a;
		b += digits_b;
	}
	return *a ? 1 : *b ? -1 : 0;
}
