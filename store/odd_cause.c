#include "store/odd_cause.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(const char *text, size_t length)
{
	size_t n = 0;

	while (n < length && is_digit(text[n]))
		n++;
	return n;
}

/* "10:00:00", "2025-03-31" */
static bool is_stamp(const char *text, size_t length)
{
	size_t n = digits(text, length);

	if (n == 2)
		return length >= 8 && text[2] == ':' && digits(text + 3, 2) == 2 && text[5] == ':' &&
		       digits(text + 6, 2) == 2;
	return n == 4 && length >= 10 && text[4] == '-' && digits(text + 5, 2) == 2 && text[7] == '-' &&
	       digits(text + 8, 2) == 2;
}

/* "Nov 29 " */
static bool is_day(const char *text, size_t length)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	if (length < 15 || text[3] != ' ')
		return false;
	for (size_t i = 0; i < sizeof(months) - 1; i += 3) {
		if (memcmp(text, months + i, 3) == 0)
			return is_stamp(text + 7, length - 7);
	}
	return false;
}

static bool has(const char *text, size_t length, const char *words)
{
	size_t n = strlen(words);

	for (size_t i = 0; i + n <= length; i++) {
		if (memcmp(text + i, words, n) == 0)
			return true;
	}
	return false;
}

static bool has_any(const char *text, size_t length, const char *const *words)
{
	for (; *words; words++) {
		if (has(text, length, *words))
			return true;
	}
	return false;
}

static bool is_own_number(const char *text, size_t length, int64_t number)
{
	size_t n = digits(text, length);
	int64_t value = 0;

	for (size_t i = 0; i < n && i < 18; i++)
		value = value * 10 + (text[i] - '0');
	return n > 0 && value == number && n < length && (text[n] == ':' || text[n] == '\t' || text[n] == ' ');
}

/* "<guid>", "<port GUID>": the name of a value where the value should stand. */
static bool is_placeholder(const char *text, size_t length)
{
	const char *end = memchr(text, '>', length < 24 ? length : 24);

	return length > 2 && text[0] == '<' && end && end > text + 1 && text[1] != '/';
}

/*
 * "n1: ", "n1.ib.example:", " 3: " (srun -l): the word in front of the first colon, hashed;
 * 0: there is none. Names in front of values are words, too, but those of one record differ.
 */
static uint64_t label_of(const char *text, size_t length)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	size_t n = 0;

	while (n < length && n < 64 && text[n] != ':') {
		char c = text[n];

		if (!is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '.' && c != '-' &&
		    c != '_')
			return 0;
		hash = (hash ^ (unsigned char)c) * UINT64_C(1099511628211);
		n++;
	}
	if (n == 0 || n == length || text[n] != ':' ||
	    (n + 1 < length && text[n + 1] != ' ' && text[n + 1] != '\r'))
		return 0;
	return hash ? hash : 1;
}

/* Several hosts' lines may come in turns. */
static bool is_label_again(struct odd_look *look, uint64_t label)
{
	size_t room = sizeof(look->hosts) / sizeof(look->hosts[0]);

	if (label == 0)
		return false;
	for (size_t i = 0; i < room; i++) {
		if (look->hosts[i] == label)
			return true;
	}
	look->hosts[look->host_next++ % room] = label;
	return false;
}

void odd_look_at(struct odd_look *look, const char *text, size_t length, int64_t number)
{
	static const char *const word_processor[] = {
		"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9e", "\xe2\x80\x98", "\xe2\x80\x99",
		"\xc2\xa0", NULL,
	};
	static const char *const html[] = {"&quot;", "&gt;", "&lt;", "&amp;", "&nbsp;", "&#", NULL};
	static const char *const mail[] = {"=3D", "=20", "=09", NULL};
	const char *at = text;
	size_t left = length;

	while (left && (*at == ' ' || *at == '\t')) {
		at++;
		left--;
	}
	if (left == 0)
		return;
	look->lines++;
	look->blanked += is_placeholder(at, left);
	look->hosted += is_label_again(look, label_of(at, left));
	look->numbered += is_own_number(at, left, number);
	if (*at == '[') {
		at++;
		left--;
	}
	look->stamped += is_stamp(at, left) || is_day(at, left);
	look->typographic += has_any(text, length, word_processor);
	look->entities += has_any(text, length, html);
	look->printable += has_any(text, length, mail) || text[length - 1] == '=';
	if (length > look->longest) {
		look->longest = length;
		look->at_longest = 0;
	}
	look->at_longest += length == look->longest;
}

const char *odd_look_cause(const struct odd_look *look)
{
	size_t some = (look->lines + 3) / 4;
	size_t most = (look->lines * 3 + 3) / 4;

	if (look->lines == 0)
		return "";
	if (look->stamped >= most)
		return "a time stamp stands in front of the lines (ts, journalctl, a terminal's log): take "
		       "it off, with cut or sed";
	if (look->numbered >= most)
		return "the lines are numbered (nl, cat -n, grep -n): take the numbers off, with cut or sed";
	if (look->lines >= 4 && look->hosted >= (look->lines * 3) / 4)
		return "a host's name and a colon stand in front of the lines (pdsh, clush, srun -l): "
		       "dshbak -d DIR -f makes a file for each host of them";
	if (look->blanked >= most)
		return "placeholders like <guid> stand where the values should: who passed it on took them "
		       "out, so ask for the file as it is";
	if (look->entities >= some)
		return "it was copied out of HTML (&quot;): save what the tool prints, with > FILE";
	if (look->typographic >= some)
		return "a word processor or a mail program put its own quotes or blanks in: save what the "
		       "tool prints, with > FILE";
	if (look->printable >= some)
		return "it is the quoted-printable source of a mail (=3D): save the attachment or the "
		       "decoded text";
	if (look->lines >= 8 && look->longest >= 60 && look->longest < 200 && look->at_longest >= some)
		return "the lines seem to be wrapped or cut at one width: save what the tool prints, with "
		       "> FILE";
	return "";
}

const char *odd_cause(const struct fabric *fabric, source_ref source)
{
	struct odd_look look = {0};

	for (size_t i = 0; i < fabric->odd_line_count; i++) {
		const struct odd_line *line = &fabric->odd_lines[i];

		if (line->source == source && line->text)
			odd_look_at(&look, line->text, strlen(line->text), line->line);
	}
	return odd_look_cause(&look);
}

bool odd_is_most(const struct source *source)
{
	/* What other commands print in a log is nothing that was asked for. */
	if (source->odd_rows == 0 || strcmp(source->format, "unknown") == 0)
		return false;
	return source->rows == 0 || (source->odd_rows >= ODD_STRAY_LINES && source->odd_rows >= source->rows);
}
