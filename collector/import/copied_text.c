#include "collector/import/copied_text.h"

#include <string.h>

struct stand_for {
	const char *text;
	char is;
};

static const struct stand_for entities[] = {
	{"&quot;", '"'},  {"&#34;", '"'},   {"&gt;", '>'},    {"&#62;", '>'},	{"&lt;", '<'},
	{"&#60;", '<'},	  {"&amp;", '&'},   {"&#38;", '&'},   {"&apos;", '\''}, {"&#39;", '\''},
	{"&nbsp;", ' '},  {"&#160;", ' '},  {NULL, '\0'},
};
static const struct stand_for quotes[] = {
	{"\xe2\x80\x9c", '"'}, {"\xe2\x80\x9d", '"'}, {"\xe2\x80\x9e", '"'}, {NULL, '\0'},
};
static const struct stand_for apostrophes[] = {
	{"\xe2\x80\x98", '\''}, {"\xe2\x80\x99", '\''}, {NULL, '\0'},
};
static const struct stand_for blanks[] = {{"\xc2\xa0", ' '}, {NULL, '\0'}};

/* The one that begins at the text, or NULL. */
static const struct stand_for *find(const struct stand_for *list, const char *text, size_t length)
{
	for (; list->text; list++) {
		size_t n = strlen(list->text);

		if (n <= length && memcmp(text, list->text, n) == 0)
			return list;
	}
	return NULL;
}

/* What a text holds. */
struct look {
	size_t lines;				/* that are not blank */
	size_t entity_lines, quote_lines, blank_lines;
	bool raw[128];				/* characters as such */
	bool stands[128];			/* characters that an entity stands for */
	bool lone_amp;				/* an & that begins no entity */
	bool run;				/* two raw blanks, or a blank and U+00A0, side by side: */
	bool mixed_run;
};

static void look_at_line(struct look *look, const char *line, size_t length)
{
	bool entity = false, quote = false, blank = false, any = false;

	for (size_t i = 0; i < length;) {
		unsigned char c = (unsigned char)line[i];
		const struct stand_for *found = c == '&' ? find(entities, line + i, length - i) : NULL;

		if (found) {
			look->stands[(unsigned char)found->is] = true;
			entity = true;
			i += strlen(found->text);
			any = true;
			continue;
		}
		quote = quote || (c == 0xe2 && find(quotes, line + i, length - i));
		if (c == 0xc2 && find(blanks, line + i, length - i)) {
			blank = true;
			look->mixed_run = look->mixed_run || (i > 0 && line[i - 1] == ' ') ||
					  (i + 2 < length && (line[i + 2] == ' ' || line[i + 2] == '\xc2'));
		}
		if (c < 128)
			look->raw[c] = true;
		look->lone_amp = look->lone_amp || c == '&';
		look->run = look->run || (c == ' ' && i > 0 && line[i - 1] == ' ');
		any = any || (c != ' ' && c != '\t' && c != '\r');
		i++;
	}
	look->lines += any;
	look->entity_lines += entity;
	look->quote_lines += quote;
	look->blank_lines += blank;
}

static bool is_escaped(const struct look *look)
{
	static const char escaped[] = "\"<>";

	if (look->entity_lines == 0 || look->entity_lines * 8 < look->lines || look->lone_amp)
		return false;
	for (size_t i = 0; escaped[i]; i++) {
		unsigned char c = (unsigned char)escaped[i];

		if (look->stands[c] && look->raw[c])
			return false;
	}
	return true;
}

struct copied_text copied_text_look(const char *text, size_t length)
{
	struct copied_text copied = {false, false, false, false};
	struct look look = {.lines = 0};

	for (size_t i = 0; i < length;) {
		const char *lf = memchr(text + i, '\n', length - i);
		size_t line = lf ? (size_t)(lf - (text + i)) : length - i;

		look_at_line(&look, text + i, line);
		i += line + 1;
	}
	copied.entities = is_escaped(&look);
	copied.quotes = look.quote_lines > 0 && look.quote_lines * 8 >= look.lines && !look.raw['"'] &&
			!look.stands['"'];
	copied.apostrophes = copied.quotes && !look.raw['\''];
	/* Tools print runs of blanks: where none is left, these stand for them. */
	copied.blanks = look.blank_lines > 0 && look.blank_lines * 8 >= look.lines && !look.run &&
			(look.mixed_run || !look.raw[' ']);
	return copied;
}

bool copied_text_is_any(const struct copied_text *copied)
{
	return copied->entities || copied->quotes || copied->apostrophes || copied->blanks;
}

size_t copied_text_undo(const struct copied_text *copied, char *line, size_t length)
{
	const struct {
		bool does;
		const struct stand_for *list;
	} kinds[] = {
		{copied->entities, entities},
		{copied->quotes, quotes},
		{copied->apostrophes, apostrophes},
		{copied->blanks, blanks},
	};
	size_t out = 0;

	for (size_t i = 0; i < length;) {
		const struct stand_for *found = NULL;

		/* All begin with one of these bytes. */
		if (line[i] == '&' || (unsigned char)line[i] >= 0xc2) {
			for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && !found; k++)
				found = kinds[k].does ? find(kinds[k].list, line + i, length - i) : NULL;
		}
		line[out++] = found ? found->is : line[i];
		i += found ? strlen(found->text) : 1;
	}
	return out;
}

const char *copied_text_words(const struct copied_text *copied)
{
	if (copied->entities)
		return "it was copied out of HTML: &quot;, &gt; and their like were taken back";
	if (copied->quotes)
		return "a word processor or a mail program put its own quotes in: they were taken for \"";
	return "its blanks were copied as non-breaking ones: they were taken for blanks";
}
