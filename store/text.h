/*
 * Foreign text made safe to show, and the two spellings every room needs:
 * GUIDs and file names.
 *
 * Node descriptions, captures and paths are hostile: control bytes, escape
 * sequences, bytes that are not UTF-8. They are kept as they came and escaped
 * where they are shown.
 */
#ifndef STORE_TEXT_H
#define STORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes at most size bytes (NUL included) of `in` to `out`: well-formed
 * printable UTF-8 passes; control bytes (C0, DEL, C1, and the bidirectional and
 * line-separator characters) and bytes that are not UTF-8 become \xNN for each
 * byte. A backslash passes as it is: the escape is for eyes, not for round
 * trips. Never cuts an escape or a character in half. Returns the bytes written
 * without the NUL.
 */
size_t text_escape(const char *in, size_t length, char *out, size_t size);

/* Enough for the escaped form of a 64-byte NodeDescription. */
#define TEXT_DESCRIPTION_SIZE (64 * 4 + 1)

#define GUID_TEXT_SIZE 19	/* "0x" + 16 digits + NUL */

/* "0x0c42a10300d00010": always 16 digits, lower case. Returns `out`. */
const char *guid_format(uint64_t guid, char out[GUID_TEXT_SIZE]);

/* `one` when count is 1, else `many`: "%zu %s" with text_plural(n, "port has", "ports have"). */
const char *text_plural(size_t count, const char *one, const char *many);

/* Like strcmp, but numbers count as numbers: "leaf port 2" before "leaf port 10". */
int text_compare(const char *a, const char *b);

/*
 * Reads 1 to 16 hex digits with or without 0x, any case, any padding, the whole
 * of `text` (length bytes). False: not a GUID, *ret_guid untouched.
 */
bool guid_parse(const char *text, size_t length, uint64_t *ret_guid);

#endif
