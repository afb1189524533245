/*
 * opensm.conf: every key as written and as OpenSM 3.3.23 holds it. The reading
 * follows osm_subn_parse_conf_file line by line, its quirks included, since the
 * quirks are what an operator needs to hear about.
 */
#include "collector/import/opensm_conf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/opensm_values.h"

static const char hidden[] = OPENSM_HIDDEN;
static const char blanks[] = " \t\n";
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static int replace(char **text, const char *value, struct err *err)
{
	char *copy = NULL;

	if (value) {
		copy = strdup(value);
		if (!copy)
			return err_no_memory(err);
	}
	free(*text);
	*text = copy;
	return 0;
}

struct opensm_slot *opensm_conf_slot(struct opensm_conf *conf, const char *key)
{
	return &conf->slots[opensm_key_find(key) - opensm_key_table];
}

static const struct opensm_slot *slot_of(const struct opensm_conf *conf, const char *key)
{
	return &conf->slots[opensm_key_find(key) - opensm_key_table];
}

const char *opensm_conf_text(const struct opensm_conf *conf, const char *key)
{
	const char *text = slot_of(conf, key)->effective;

	return text ? text : "";
}

uint64_t opensm_conf_number(const struct opensm_conf *conf, const char *key)
{
	return strtoull(opensm_conf_text(conf, key), NULL, 0);
}

bool opensm_conf_true(const struct opensm_conf *conf, const char *key)
{
	return strcmp(opensm_conf_text(conf, key), "TRUE") == 0;
}

int opensm_conf_set(struct opensm_conf *conf, const char *key, const char *value, struct err *err)
{
	return replace(&opensm_conf_slot(conf, key)->effective, value, err);
}

static void conf_free(struct opensm_conf *conf)
{
	if (!conf)
		return;
	for (size_t i = 0; conf->slots && i < opensm_key_count; i++) {
		free(conf->slots[i].raw);
		free(conf->slots[i].effective);
		free(conf->slots[i].rejected);
		for (size_t sl = 0; sl < 16; sl++)
			free(conf->slots[i].per_sl[sl]);
	}
	for (size_t i = 0; i < conf->unknown_count; i++) {
		free(conf->unknown[i].name);
		free(conf->unknown[i].raw);
	}
	free(conf->slots);
	free(conf);
}

static int conf_new(struct config *config, source_ref source, struct opensm_conf **ret_conf,
		    struct err *err)
{
	struct opensm_conf *conf = calloc(1, sizeof(*conf));
	int rc = 0;

	if (!conf)
		return err_no_memory(err);
	conf->notes.config = config;
	conf->notes.source = source;
	conf->slots = calloc(opensm_key_count, sizeof(*conf->slots));
	if (!conf->slots)
		rc = err_no_memory(err);
	for (size_t i = 0; rc == 0 && i < opensm_key_count; i++)
		rc = replace(&conf->slots[i].effective, opensm_key_table[i].initial, err);
	if (rc < 0)
		conf_free(conf);
	else
		*ret_conf = conf;
	return rc;
}

/* What a person writes for true, OpenSM's own word left out. */
static bool means_true(const char *text)
{
	static const char *const words[] = {"true", "yes", "on", "1", "y", "t", "enable", "enabled"};
	char folded[16];
	size_t length = 0;

	for (; *text && length + 1 < sizeof(folded); text++) {
		if (isalnum((unsigned char)*text))
			folded[length++] = (char)tolower((unsigned char)*text);
	}
	folded[length] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(folded, words[i]) == 0)
			return true;
	}
	return false;
}

static bool means_false(const char *text)
{
	static const char *const words[] = {"FALSE", "False", "false", "no", "No", "NO", "off", "Off",
					    "OFF", "0", "(null)"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]) == 0)
			return true;
	}
	return false;
}

static int note_boolean(struct opensm_conf *conf, const char *key, const char *text, int64_t line,
			struct err *err)
{
	char shown[CONFIG_SHOW_SIZE];
	char remedy[160];

	if (strcmp(text, "TRUE") == 0 || means_false(text))
		return 0;
	snprintf(remedy, sizeof(remedy), "Write `%s TRUE` or `%s FALSE`.", key, key);
	if (*text == '\0')
		return config_note(&conf->notes, err, "empty-value", SEVERITY_WARNING, key, line,
				   remedy, "%s has no value, which OpenSM reads as FALSE", key);
	config_show(text, strlen(text), shown);
	return config_note(&conf->notes, err, "lookalike-boolean",
			   means_true(text) ? SEVERITY_ERROR : SEVERITY_WARNING, key, line, remedy,
			   "%s is \"%s\": OpenSM takes only the exact word TRUE for true, so it reads "
			   "FALSE here, without a message", key, shown);
}

static int note_rejected(struct opensm_conf *conf, const struct opensm_key *key,
			 const struct opensm_slot *slot, enum opensm_reading reading,
			 const char *text, int64_t line, struct err *err)
{
	const char *kept = key->type == OPENSM_SECRET ? hidden : slot->effective;
	char shown[CONFIG_SHOW_SIZE];
	const char *why = "is not in the form OpenSM wants";
	const char *id = "value-rejected";

	if (reading == OPENSM_NO_NUMBER) {
		id = "not-a-number";
		why = "is not a number as a whole";
	} else if (reading == OPENSM_TOO_BIG) {
		id = "number-too-big";
		why = "is more than the field holds";
	}
	if (*text == '\0')
		return config_note(&conf->notes, err, "empty-value", SEVERITY_WARNING, key->name, line,
				   NULL, "%s has no value: OpenSM ignores the line and keeps %s",
				   key->name, kept ? kept : "it unset");
	config_show(key->type == OPENSM_SECRET ? hidden : text,
		    key->type == OPENSM_SECRET ? strlen(hidden) : strlen(text), shown);
	return config_note(&conf->notes, err, id, SEVERITY_ERROR, key->name, line, NULL,
			   "%s is \"%s\", which %s: OpenSM ignores the line and keeps %s", key->name,
			   shown, why, kept ? kept : "it unset");
}

/* All SLs of a cc_ca_cong_setting_* key as "sl value, sl value". */
static int join_per_sl(struct opensm_slot *slot, const char *taken, struct err *err)
{
	unsigned sl = (unsigned)strtoul(taken, NULL, 10) & 0xf;
	char joined[16 * 16];
	size_t length = 0;

	if (replace(&slot->per_sl[sl], taken, err) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < 16; i++) {
		if (slot->per_sl[i])
			length += (size_t)snprintf(joined + length, sizeof(joined) - length, "%s%s",
						   length ? ", " : "", slot->per_sl[i]);
	}
	return replace(&slot->effective, joined, err);
}

static int note_repeated(struct opensm_conf *conf, const struct opensm_key *key,
			 const struct opensm_slot *slot, const char *value, int64_t line,
			 struct err *err)
{
	const char *was = slot->effective ? slot->effective : "";

	if (slot->line == 0 || strcmp(was, value ? value : "") == 0)
		return 0;
	if (key->type == OPENSM_SECRET)
		return config_note(&conf->notes, err, "repeated-key", SEVERITY_WARNING, key->name, line,
				   NULL, "%s stands here again with another value than in line %lld; "
				   "the last one counts", key->name, (long long)slot->line);
	return config_note(&conf->notes, err, "repeated-key", SEVERITY_WARNING, key->name, line, NULL,
			   "%s stands here again and is now %.200s, no longer %.200s as in line %lld; "
			   "the last one counts", key->name, value ? value : "unset",
			   *was ? was : "unset", (long long)slot->line);
}

/* strtol without a look at the rest: "abc" is 0 and "12abc" is 12, and OpenSM says nothing. */
static int note_loose_number(struct opensm_conf *conf, const char *key, const char *text,
			     const char *effective, int64_t line, struct err *err)
{
	char shown[CONFIG_SHOW_SIZE];
	char *end;

	(void)strtoll(text, &end, 0);
	if ((end != text && *end == '\0') || strcmp(text, "(null)") == 0)
		return 0;
	return config_note(&conf->notes, err, "loose-number", SEVERITY_ERROR, key, line,
			   "Write a number, 0 to 254 (units of 4096 bytes); 255 means no limit.",
			   "%s is \"%s\", which is no number: OpenSM takes %s for it", key,
			   config_show(text, strlen(text), shown), effective ? effective : "none");
}

/* A line with a key that OpenSM knows. */
static int take_value(struct opensm_conf *conf, const struct opensm_key *key, const char *text,
		      int64_t line, struct err *err)
{
	struct opensm_slot *slot = opensm_conf_slot(conf, key->name);
	const char *raw = key->type == OPENSM_SECRET ? hidden : text;
	char value[OPENSM_VALUE_SIZE] = "";
	enum opensm_reading reading = opensm_value_read(key, text, value);
	bool per_sl = key->type == OPENSM_SL_U8 || key->type == OPENSM_SL_U16;
	const char *effective = reading == OPENSM_UNSET ? NULL : value;
	int rc = 0;

	slot->written_line = line;
	if (reading != OPENSM_TAKEN && reading != OPENSM_UNSET) {
		rc = note_rejected(conf, key, slot, reading, text, line, err);
		if (rc == 0)
			rc = replace(&slot->rejected, raw, err);
		if (rc == 0 && slot->line == 0)
			rc = replace(&slot->raw, raw, err);
		return rc;
	}
	if (key->type == OPENSM_BOOL)
		rc = note_boolean(conf, key->name, text, line, err);
	if (key->type == OPENSM_HIGH_LIMIT)
		rc = note_loose_number(conf, key->name, text, effective, line, err);
	if (rc == 0 && !per_sl)
		rc = note_repeated(conf, key, slot, effective, line, err);
	if (rc == 0)
		rc = replace(&slot->raw, raw, err);
	if (rc == 0)
		rc = per_sl ? join_per_sl(slot, value, err) : replace(&slot->effective, effective, err);
	slot->line = line;
	if (rc == 0 && strcmp(key->name, "dimn_ports_file") == 0) {
		/* The old name of another key: both are one option. */
		opensm_conf_slot(conf, "port_search_ordering_file")->line = line;
		rc = opensm_conf_set(conf, "port_search_ordering_file", effective, err);
	}
	return rc;
}

static int add_unknown(struct opensm_conf *conf, const char *name, const char *text, int64_t line,
		       bool vendor, struct err *err)
{
	struct opensm_unknown *unknown = NULL;

	/* A known key behind a byte that spoils it is told, but is no option of its own. */
	if (opensm_key_find(name))
		return 0;
	for (size_t i = 0; i < conf->unknown_count && !unknown; i++) {
		if (strcmp(conf->unknown[i].name, name) == 0)
			unknown = &conf->unknown[i];
	}
	if (!unknown) {
		if (conf->unknown_count == OPENSM_UNKNOWN_MAX)
			return 0;
		unknown = &conf->unknown[conf->unknown_count++];
	}
	unknown->line = line;
	unknown->vendor = vendor;
	if (replace(&unknown->name, name, err) < 0)
		return ERR_NOMEM;
	return replace(&unknown->raw, opensm_key_is_secret(name) ? hidden : text, err);
}

/* A line whose first word OpenSM does not know. `token` may be `key=value`. */
static int take_unknown(struct opensm_conf *conf, char *token, const char *text, int64_t line,
			struct err *err)
{
	size_t length = strspn(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	char mark = token[length];
	char remedy[160];
	const char *meant;
	char shown[CONFIG_SHOW_SIZE];
	bool vendor;
	int rc;

	/* An empty line of a file with CRLF: OpenSM only says that it does not know it. */
	if (strcmp(token, "\r") == 0)
		return 0;
	/* Told once for the file. */
	if (conf->quoted && *token == '>')
		return 0;
	/* What follows the name may be a key's value: it is not shown. */
	if (length > 0)
		token[length] = '\0';
	meant = opensm_key_find(token) ? token : opensm_key_nearest(token);
	vendor = !opensm_key_find(token) && opensm_key_is_vendor(token);
	if (vendor)
		meant = NULL;
	config_show(token, strlen(token), shown);
	if (meant)
		snprintf(remedy, sizeof(remedy), "If %s was meant, write `%s VALUE`, with a blank between.",
			 meant, meant);
	rc = add_unknown(conf, shown, text, line, vendor, err);
	if (rc < 0 || vendor) {
		conf->vendor_count += vendor;
		return rc;
	}
	if (mark == '\r' && meant && strcmp(meant, token) == 0)
		return config_note(&conf->notes, err, "unknown-key", SEVERITY_WARNING, shown, line,
				   "Write a value behind it, or save the file with plain line ends.",
				   "%s has no value and the line ends with CR LF: OpenSM takes the CR for "
				   "a part of the key, does not know it and ignores the line", shown);
	if (meant && mark && strcmp(meant, token) == 0)
		return config_note(&conf->notes, err, "unknown-key", SEVERITY_ERROR, shown, line, remedy,
				   "%s is followed by `%c`: OpenSM wants a blank there, does not know "
				   "the word and ignores the line", shown,
				   isprint((unsigned char)mark) ? mark : '?');
	return config_note(&conf->notes, err, "unknown-key", SEVERITY_WARNING, shown, line,
			   meant ? remedy : NULL,
			   "OpenSM does not know %s and ignores the line", shown);
}

static int note_hash(struct opensm_conf *conf, const struct opensm_key *key, const char *text,
		     int64_t line, struct err *err)
{
	char shown[CONFIG_SHOW_SIZE];

	if (key->type == OPENSM_SECRET)
		return 0;
	return config_note(&conf->notes, err, "hash-in-value", SEVERITY_WARNING, key->name, line, NULL,
			   "the value of %s has a # in it: OpenSM drops the line from there on and holds "
			   "\"%s\"", key->name, config_show(text, strlen(text), shown));
}

/* One line as fgets gives it: at most OPENSM_LINE_MAX bytes and a NUL. */
static int take_line(struct opensm_conf *conf, char *line, int64_t number, bool spoilt,
		     struct err *err)
{
	char *hash = strchr(line, '#');
	bool glued = hash && hash > line && !isspace((unsigned char)hash[-1]);
	const struct opensm_key *key;
	char *token, *text;
	int rc;

	if (hash)
		*hash = '\0';
	token = line + strspn(line, blanks);
	if (*token == '\0')
		return 0;
	text = token + strcspn(token, blanks);
	if (*text)
		*text++ = '\0';
	text = opensm_value_clean(text);
	key = opensm_key_find(token);
	if (spoilt)
		return config_note(&conf->notes, err, "byte-order-mark",
				   key ? SEVERITY_ERROR : SEVERITY_WARNING, key ? token : NULL, number,
				   "Save the file without a byte order mark.",
				   "the file begins with a byte order mark, which makes its first line "
				   "unknown to OpenSM%s%s", key ? ": it ignores " : "", key ? token : "");
	if (!key)
		return take_unknown(conf, token, text, number, err);
	rc = take_value(conf, key, text, number, err);
	if (rc == 0 && glued && *text)
		rc = note_hash(conf, key, text, number, err);
	return rc;
}

/* Cuts the line as fgets would. */
static int take_whole_line(struct opensm_conf *conf, const char *text, size_t length, bool cr,
			   int64_t number, struct err *err)
{
	bool spoilt = number == 1 && conf->after_bom;
	/* The mark is bytes like any others to fgets. */
	size_t room = OPENSM_LINE_MAX - (spoilt ? strlen(BYTE_ORDER_MARK) : 0);
	char line[OPENSM_LINE_MAX + 2];
	size_t size;
	int rc = 0;

	if (length > room && !memchr(text, '#', room))
		rc = config_note(&conf->notes, err, "line-too-long", SEVERITY_WARNING, NULL, number,
				 NULL, "the line has %zu bytes: OpenSM reads %d at once and takes the "
				 "rest for another line", length, OPENSM_LINE_MAX);
	do {
		size = length < room ? length : room;
		room = OPENSM_LINE_MAX;
		memcpy(line, text, size);
		/* A CR is a blank behind a value, but a part of a key that has none. */
		line[size] = cr && size == length ? '\r' : '\0';
		line[size + 1] = '\0';
		if (rc == 0)
			rc = take_line(conf, line, number, spoilt, err);
		spoilt = false;
		text += size;
		length -= size;
	} while (rc == 0 && length > 0);
	return rc;
}

/* The line ends of an old Macintosh, or of a program that means them well. */
static int note_lone_cr(struct opensm_conf *conf, const char *line, size_t length, int64_t number,
			struct err *err)
{
	const char *cr = memchr(line, '\r', length);

	if (!cr || cr + 1 == line + length || cr[1] == '\r')
		return 0;
	return config_note(&conf->notes, err, "line-ends", SEVERITY_ERROR, NULL, number,
			   "Save the file with plain line ends (LF).",
			   "a CR stands in the midst of the line: OpenSM ends lines at LF alone, so what "
			   "looks like several lines is one to it");
}

static int finish(struct opensm_conf *conf, struct err *err)
{
	int rc = opensm_conf_correct(conf, err);

	if (rc == 0)
		rc = opensm_conf_check(conf, err);
	if (rc == 0)
		rc = config_notes_end(&conf->notes, err);
	return rc < 0 ? rc : opensm_conf_store(conf, err);
}

static int read_opensm_conf(struct import *import, struct input *input, struct err *err)
{
	struct config *config = import_fabric(import)->config;
	struct opensm_conf *conf = NULL;
	size_t length;
	char *line;
	int rc;

	rc = conf_new(config, import_source_ref(import), &conf, err);
	if (rc < 0)
		return rc;
	conf->after_bom = input_had_bom(input);
	conf->quoted = input_keeps_quotes(input);
	input_like_fgets(input);
	if (conf->quoted)
		rc = config_note(&conf->notes, err, "quoted", SEVERITY_ERROR, NULL, 1,
				 "Save the file without them (sed 's/^> *//').",
				 "the lines begin with a mail's quotation mark `>`: OpenSM knows none of "
				 "them and keeps its defaults");
	if (rc < 0)
		goto out;
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		/* fgets and strchr see nothing behind a NUL, a CR neither. */
		bool cr = input_line_had_cr(input) && !memchr(line, '\0', length);

		length = strnlen(line, length);
		rc = note_lone_cr(conf, line, length, input_line_number(input), err);
		if (rc < 0)
			break;
		if (length > 0)
			import_row(import);
		rc = take_whole_line(conf, line, length, cr,
				     input_line_number(input), err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = finish(conf, err);
out:
	conf_free(conf);
	return rc;
}

/*
 * Lines that begin with a key OpenSM (or the vendor's) knows, against all that
 * are not comments. With few of those, the name alone tells.
 */
static int detect_opensm_conf(const struct probe *probe)
{
	size_t known = 0, other = 0, offset = 0, length;
	const char *line;
	char token[64];

	while (probe_line(probe, &offset, &line, &length)) {
		size_t start = 0, size = 0;

		while (start < length && (line[start] == ' ' || line[start] == '\t'))
			start++;
		while (start + size < length && size + 1 < sizeof(token) &&
		       !strchr(" \t#=", line[start + size]))
			size++;
		if (size == 0)
			continue;
		memcpy(token, line + start, size);
		token[size] = '\0';
		if (opensm_key_find(token) || opensm_key_is_vendor(token))
			known++;
		else
			other++;
	}
	if (known > 0 && known >= other)
		return known >= 3 ? 90 : 75;
	if (known >= 3 && known * 4 >= other)
		return 50;
	return strstr(probe->name, "opensm") && strstr(probe->name, ".conf") ? 10 : 0;
}

const struct format format_opensm_conf = {
	.id = "opensm.conf",
	.title = "OpenSM configuration",
	.rank = 50,
	.by_hand = true,
	.copied = true,
	.config = true,
	.detect = detect_opensm_conf,
	.read = read_opensm_conf,
};
