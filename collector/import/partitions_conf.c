/*
 * partitions.conf, read as osm_prtn_config.c reads it: words by their
 * abbreviations, "full" for an empty word, one fault and the whole file is
 * dropped, so that every port is a full member of 0x7fff.
 *
 * OpenSM reads every line into one buffer, cuts it into words in place and
 * counts how far it came. Behind a ; that begins a line, and behind an mgid, it
 * counts one too many and goes on with what an earlier, longer line left in the
 * buffer, which mostly ends in a fault. So here, too, all lines share a buffer.
 * Where no line has written, what OpenSM finds is chance, and is told as that.
 */
#include "collector/import/partitions_reader.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/config_cross.h"
#include "collector/import/format.h"

/* `before` and `what` go around the text, in quotes; the rest of the sentence is always the same. */
static int fault_at(struct partitions_reader *reader, const char *before, const char *text,
		    const char *what, const char *remedy)
{
	char shown[CONFIG_SHOW_SIZE];

	if (config_note(&reader->table.notes, reader->err, "partitions-dropped", SEVERITY_ERROR, NULL,
			reader->line, remedy,
			"%s\"%s\"%s: OpenSM drops the whole file, and every port becomes a full member of "
			"0x7fff (\"Partition configuration in error; retrying with default config\")",
			before, config_show(text, strlen(text), shown), what) < 0)
		return ERR_NOMEM;
	return PARTITIONS_FAULT;
}

int partitions_fault(struct partitions_reader *reader, const char *text, const char *what,
		     const char *remedy)
{
	return fault_at(reader, "", text, what, remedy);
}

int partitions_warn(struct partitions_reader *reader, const char *id, const char *word,
		    const char *remedy, const char *what)
{
	char shown[CONFIG_SHOW_SIZE];

	return config_note(&reader->table.notes, reader->err, id, SEVERITY_ERROR, NULL, reader->line,
			   remedy, "\"%s\" %s", config_show(word, strlen(word), shown), what);
}

bool partitions_abbreviates(const char *word, const char *whole)
{
	return strncmp(word, whole, strlen(word)) == 0;
}

static const char blanks[] = " \t\n";

size_t partitions_split(char *text, char **ret_name, char **ret_value)
{
	char *equals = strchr(text, '=');
	char *parts[2] = {text, equals ? equals + 1 : NULL};
	size_t length = strlen(text) + 1;

	if (equals)
		*equals = '\0';
	for (size_t i = 0; i < 2 && parts[i]; i++) {
		char *end;

		parts[i] += strspn(parts[i], blanks);
		end = parts[i] + strlen(parts[i]);
		while (end > parts[i] + 1 && strchr(blanks, end[-1]))
			*--end = '\0';
	}
	*ret_name = parts[0];
	*ret_value = parts[1];
	return length;
}

static int own_membership(struct partitions_reader *reader, const char *word,
			  enum membership *ret_membership)
{
	if (*word == '\0' &&
	    partitions_warn(reader, "membership-word", "=", "Write full, limited or both behind it.",
			    "has nothing behind it: OpenSM makes the member full") < 0)
		return ERR_NOMEM;
	*ret_membership = partitions_abbreviates(word, "full")	 ? MEMBERSHIP_FULL
			  : partitions_abbreviates(word, "both") ? MEMBERSHIP_BOTH
								 : MEMBERSHIP_LIMITED;
	if (*ret_membership != MEMBERSHIP_LIMITED || partitions_abbreviates(word, "limited"))
		return 0;
	return partitions_warn(reader, "membership-word", word,
			       "Write full, limited or both, in lower case.",
			       "is no membership: OpenSM makes the member limited");
}

static const char *guid_hint(const char *name)
{
	size_t hex = strspn(name, "0123456789abcdefABCDEF");

	if (name[0] && name[hex] == '\0')
		return "Write 0x in front of the GUID.";
	if (strchr(name, ':'))
		return "Is there a ; missing at the end of the rule before?";
	return "Members are port GUIDs with 0x, ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS and SELF, in "
	       "upper case; rules end with a ;.";
}

static int take_member(struct partitions_reader *reader, char *name, char *flag)
{
	enum partition_member_kind kind = MEMBER_GUID;
	enum membership membership = reader->membership;
	uint64_t guid = 0;
	char *end;
	int rc = 0;

	if (partitions_abbreviates(name, "NONE"))
		return 0;
	if (flag)
		rc = own_membership(reader, flag, &membership);
	if (partitions_abbreviates(name, "ALL")) {
		kind = MEMBER_ALL;
	} else if (partitions_abbreviates(name, "ALL_CAS")) {
		kind = MEMBER_ALL_CAS;
	} else if (partitions_abbreviates(name, "ALL_SWITCHES")) {
		kind = MEMBER_ALL_SWITCHES;
	} else if (partitions_abbreviates(name, "ALL_ROUTERS")) {
		kind = MEMBER_ALL_ROUTERS;
	} else if (partitions_abbreviates(name, "SELF")) {
		kind = MEMBER_SELF;
	} else {
		guid = strtoull(name, &end, 0);
		if (rc == 0 && (guid == 0 || *end))
			return partitions_fault(reader, name, " is no port GUID and no word for one",
				     guid_hint(name));
	}
	return rc < 0 ? rc : partition_table_member(&reader->table, reader->index, kind, guid, membership,
						    reader->line, reader->err);
}

/* Flags of a multicast group count for nothing here but the length of their text. */
static size_t skip_group_flags(char *text)
{
	size_t length = 0;
	char *next, *name, *value;

	do {
		next = strchr(text + length, ',');
		if (next)
			*next = '\0';
		length += partitions_split(text + length, &name, &value);
	} while (next);
	return length;
}

static bool is_multicast(const char *text)
{
	struct in6_addr address;

	return text && inet_pton(AF_INET6, text, &address) == 1 && address.s6_addr[0] == 0xff;
}

/* What stands between a header and the ;, of one line. An mgid takes the rest of the line. */
static int take_members(struct partitions_reader *reader, char *text, size_t *ret_length)
{
	char *next, *name, *value;
	size_t length;
	int rc;

	do {
		next = strchr(text, ',');
		if (next)
			*next++ = '\0';
		length = partitions_split(text, &name, &value);
		*ret_length += length;
		if (strcmp(name, "mgid") == 0) {
			if (is_multicast(value))
				*ret_length += skip_group_flags(text + length);
			return 0;
		}
		rc = take_member(reader, name, value);
		text += length;
	} while (rc == 0 && next);
	return rc;
}

static int no_rule(struct partitions_reader *reader, const char *text)
{
	if (reader->on_left_over)
		return fault_at(reader, "behind the ; that begins the line OpenSM reads on in what an earlier "
				"line left in its buffer, ", text, ", which is no rule",
				"Put the ; at the end of the last line with a member.");
	if (*text == '\r')
		return fault_at(reader, "the line ends with CR LF, and OpenSM takes the CR, ", text,
				", for the beginning of a rule", "Save the file with plain line ends.");
	return partitions_fault(reader, text, " begins no rule, since there is no colon in the line",
		     "A rule's flags and its colon stand in one line with its name.");
}

/* A line or its part up to a ;. *ret_length: how far OpenSM thinks it came. */
static int take_part(struct partitions_reader *reader, char *text, size_t *ret_length)
{
	char *colon;
	int rc;

	reader->any_text = true;
	/* A ; in the first place: its NUL is stepped over, the rest of the line is read as members. */
	*ret_length = *text == '\0';
	text += *ret_length;
	if (reader->in_rule)
		return take_members(reader, text, ret_length);
	colon = strchr(text, ':');
	if (!colon)
		return no_rule(reader, text);
	*colon = '\0';
	*ret_length += (size_t)(colon - text) + 1;
	rc = partitions_header(reader, text);
	return rc != 0 ? rc : take_members(reader, colon + 1, ret_length);
}

/* What OpenSM finds behind all that lines have written is its stack, a matter of chance. */
static int tell_chance(struct partitions_reader *reader)
{
	return config_note(&reader->table.notes, reader->err, "partitions-chance", SEVERITY_WARNING, NULL,
			   reader->line,
			   "Write the mgid on a line of its own and the ; behind a member on a later line.",
			   "behind an mgid that ends its rule OpenSM goes on reading where no line has "
			   "written: whether it takes the file or drops all of it, so that every port "
			   "becomes a full member of 0x7fff, is chance; it is read here as if it took it");
}

/* The line in the buffer. */
static int take_line(struct partitions_reader *reader)
{
	char *text = reader->buffer, *line_end, *end;
	size_t length;
	int rc;

	text[strcspn(text, "#")] = '\0';
	line_end = text + strlen(text);
	do {
		text += strspn(text, blanks);
		if (*text == '\0')
			return 0;
		reader->on_left_over = text > line_end;
		end = strchr(text, ';');
		if (end)
			*end = '\0';
		rc = take_part(reader, text, &length);
		if (rc != 0)
			return rc;
		text += length;
		if (end)
			reader->in_rule = false;
		if (end && text >= reader->buffer + reader->filled)
			return tell_chance(reader);
	} while (end && text < reader->buffer + PARTITIONS_BUFFER_SIZE);
	return 0;
}

/* Into the buffer as fgets does it, piece by piece if it is too long. */
static int take_whole_line(struct partitions_reader *reader, const char *line, size_t length,
			   bool bom, bool cr, bool ended)
{
	char tail[3] = "";
	size_t tail_length = 0, at = 0;
	size_t bom_length = bom ? 3 : 0;
	size_t whole;
	int rc = 0;

	if (cr)
		tail[tail_length++] = '\r';
	if (ended)
		tail[tail_length++] = '\n';
	whole = bom_length + length + tail_length;
	while (rc == 0 && at < whole) {
		size_t size = 0;

		for (; size < PARTITIONS_LINE_LENGTH && at < whole; at++)
			reader->buffer[size++] = at < bom_length ? "\xef\xbb\xbf"[at]
						 : at < bom_length + length
							 ? line[at - bom_length]
							 : tail[at - bom_length - length];
		reader->buffer[size] = '\0';
		if (size + 1 > reader->filled)
			reader->filled = size + 1;
		rc = take_line(reader);
	}
	return rc;
}

static int finish(struct partitions_reader *reader, bool dropped)
{
	struct config *config = reader->table.notes.config;
	int rc = 0;

	if (!dropped && !reader->any_text) {
		dropped = true;
		rc = config_note(&reader->table.notes, reader->err, "partitions-dropped", SEVERITY_ERROR,
				 NULL, 0, "Remove the file or write a rule.",
				 "the file holds no rule: OpenSM takes that for an error, and every port "
				 "becomes a full member of 0x7fff");
	}
	/* Of several files the first one read stays. */
	if (rc == 0 && config->partitions_conf == 0) {
		config->partitions_conf = reader->table.notes.source;
		rc = partition_table_store(&reader->table, dropped, reader->err);
		if (rc == 0)
			rc = config_cross_policy(config, reader->err);
	}
	return rc < 0 ? rc : config_notes_end(&reader->table.notes, reader->err);
}

static int read_partitions(struct import *import, struct input *input, struct err *err)
{
	struct partitions_reader *reader = calloc(1, sizeof(*reader));
	bool dropped = false;
	size_t length;
	char *line;
	int rc;

	if (!reader)
		return err_no_memory(err);
	reader->err = err;
	rc = partition_table_new(&reader->table, import_fabric(import)->config,
				 import_source_ref(import), err);
	input_like_fgets(input);
	while (rc == 0 && (rc = input_line(input, &line, &length, err)) == 1) {
		reader->line = input_line_number(input);
		rc = 0;
		if (length > 0)
			import_row(import);
		if (dropped)
			continue;
		rc = take_whole_line(reader, line, length, reader->line == 1 && input_had_bom(input),
				     input_line_had_cr(input), input_line_had_end(input));
		if (rc == PARTITIONS_FAULT) {
			dropped = true;
			rc = 0;
		}
	}
	if (rc == 0)
		rc = finish(reader, dropped);
	partition_table_free(&reader->table);
	free(reader);
	return rc;
}

/* "Name=0x7fff, ipoib : ALL=full;", however it is broken into lines. */
static bool is_header(const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	const char *equals = memchr(line, '=', length);
	const char *at;

	if (!colon || !equals || equals > colon)
		return false;
	for (at = equals + 1; at < colon && (*at == ' ' || *at == '\t');)
		at++;
	if (colon - at < 3 || at[0] != '0' || (at[1] != 'x' && at[1] != 'X'))
		return false;
	for (at += 2; at < colon && isxdigit((unsigned char)*at);)
		at++;
	while (at < colon && (*at == ' ' || *at == '\t'))
		at++;
	return at == colon || *at == ',';
}

static int detect_partitions(const struct probe *probe)
{
	size_t offset = 0, length, headers = 0, other = 0;
	const char *line;
	bool named = strstr(probe->name, "partition") != NULL;

	while (probe_line(probe, &offset, &line, &length)) {
		const char *hash = memchr(line, '#', length);

		if (hash)
			length = (size_t)(hash - line);
		import_trim(&line, &length);
		if (length == 0)
			continue;
		if (is_header(line, length))
			headers++;
		else
			other++;
	}
	if (headers > 0)
		return named || headers >= 2 ? 85 : 65;
	/* Only the name tells: a rule without a key or members, a file of comments. */
	if (!named)
		return 0;
	if (other == 0 || strcmp(probe->name, "partitions.conf") == 0)
		return 20;
	return probe_has(probe, ":") && probe_has(probe, ";") ? 40 : 0;
}

const struct format format_partitions = {
	.id = "partitions.conf",
	.title = "OpenSM partitions",
	.rank = 50,
	.by_hand = true,
	.copied = true,
	.config = true,
	.detect = detect_partitions,
	.read = read_partitions,
};
