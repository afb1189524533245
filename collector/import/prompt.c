#include "collector/import/prompt.h"

#include <ctype.h>

#include "collector/import/scan.h"

#define PROMPT_MAX 200		/* bytes in front of the command */
#define COMMAND_MAX 1000

static const char *const tools[] = {
	"ibnetdiscover", "iblinkinfo", "ibroute", "dump_", "smpquery", "perfquery",
	"ibqueryerrors", "saquery", "sminfo", "ibstat", "ibhosts", "ibswitches", "ibnodes",
	"ibrouters", "show_gids", "ibdiagnet",
};

static bool has_one(struct scan scan, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (scan_find(&scan, words[i]))
			return true;
	}
	return false;
}

/* What a user or a host may be called. */
static size_t name_length(const struct scan *scan)
{
	size_t length = 0;

	while (scan->at + length < scan->end &&
	       (isalnum((unsigned char)scan->at[length]) || strchr("-._", scan->at[length])) &&
	       scan->at[length] != '\0')
		length++;
	return length;
}

/* The end of a prompt, at the cursor or, with its directory, behind it. */
static bool take_sign(struct scan *scan)
{
	const char *at = scan->at;

	while (at < scan->end && at - scan->at < PROMPT_MAX) {
		if (strchr("#$%>", *at) && *at && (at + 1 == scan->end || at[1] == ' ')) {
			scan->at = at + 1;
			scan_blanks(scan);
			return true;
		}
		if (*at == '"' || *at == '\t' || *at == '(' || *at == '=')
			return false;
		at++;
	}
	return false;
}

/* "[root@sm ~]# ", "root@sm:~$ ", "root@sm ~ % ": a user, a host and a directory. */
static bool take_full(struct scan *scan, struct prompt *prompt)
{
	bool bracket = scan_char(scan, '[');
	size_t length = name_length(scan);

	scan->at += length;
	if (length == 0 || !scan_char(scan, '@'))
		return false;
	length = name_length(scan);
	prompt->host = scan->at;
	prompt->host_length = length;
	scan->at += length;
	if (length == 0)
		return false;
	if (bracket) {
		const char *stop = memchr(scan->at, ']', scan_left(scan));

		if (!stop || stop - scan->at > PROMPT_MAX)
			return false;
		scan->at = stop + 1;
		return scan_left(scan) > 0 && strchr("#$%>", *scan->at) && take_sign(scan);
	}
	if (!scan_done(scan) && *scan->at != ':' && *scan->at != ' ' && *scan->at != '#' &&
	    *scan->at != '$')
		return false;
	return take_sign(scan);
}

/* A tool of ours as the first word, or behind sudo; with its path or without. */
static bool is_tool(struct scan scan)
{
	scan_literal(&scan, "sudo ");
	for (const char *at = scan.at; at < scan.end && *at != ' '; at++) {
		if (*at == '/')
			scan.at = at + 1;
	}
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (scan_starts(&scan, tools[i]))
			return true;
	}
	return scan_starts(&scan, "cat /");
}

/* "# ibstat", "$ ibstat", "sm:~ # ibstat", "-bash-4.2# ibstat": only a tool of ours tells. */
static bool take_short(struct scan *scan)
{
	scan_char(scan, '-');
	scan->at += name_length(scan);
	if (scan_starts(scan, ":~") || scan_starts(scan, ":/") || scan_starts(scan, "~")) {
		while (!scan_done(scan) && *scan->at != ' ' && *scan->at != '$' && *scan->at != '#')
			scan->at++;
	}
	scan_char(scan, ' ');
	return scan_left(scan) > 2 && strchr("#$%", *scan->at) && *scan->at && scan->at[1] == ' ' &&
	       take_sign(scan) && is_tool(*scan);
}

/* The next word; false behind the last. */
static bool next_word(struct scan *scan, struct scan *ret_word)
{
	const char *text;
	size_t length;

	scan_blanks(scan);
	if (!scan_word(scan, &text, &length))
		return false;
	*ret_word = scan_of(text, length);
	return true;
}

static bool is_word(const struct scan *word, const char *text)
{
	return scan_left(word) == strlen(text) && scan_starts(word, text);
}

/* The host that the command runs on when that is another than the prompt's. */
static void find_remote(struct prompt *prompt)
{
	static const char *const runners[] = {"pdsh", "clush", "pssh", "rsh", "ansible", "salt", "docker",
					      "podman", "kubectl", "srun", "xdsh", "psh", "mpssh"};
	struct scan scan = scan_of(prompt->command, prompt->length);
	struct scan word;

	if (!next_word(&scan, &word) || (is_word(&word, "sudo") && !next_word(&scan, &word)))
		return;
	for (size_t i = 0; i < sizeof(runners) / sizeof(runners[0]); i++) {
		if (is_word(&word, runners[i]))
			prompt->host = NULL;
	}
	if (!is_word(&word, "ssh"))
		return;
	prompt->host = NULL;
	while (next_word(&scan, &word)) {
		const char *at;

		/* Options, of which these have a value. */
		if (*word.at == '-') {
			if (scan_left(&word) == 2 && strchr("bcDeFIiJLlmOopQRSWw", word.at[1]))
				next_word(&scan, &word);
			continue;
		}
		at = memchr(word.at, '@', scan_left(&word));
		prompt->host = at ? at + 1 : word.at;
		prompt->host_length = (size_t)(word.end - prompt->host);
		return;
	}
}

bool prompt_find(const char *text, size_t length, struct prompt *ret_prompt)
{
	struct scan whole = scan_of(text, length);
	struct prompt prompt;
	struct scan scan;
	bool full;

	scan_blanks(&whole);
	/* Nearly all lines of all dumps end here. */
	if (scan_done(&whole) || isdigit((unsigned char)*whole.at) || *whole.at == '"' ||
	    (*whole.at == '[' && (scan_left(&whole) < 2 || isdigit((unsigned char)whole.at[1]))) ||
	    scan_left(&whole) > PROMPT_MAX + COMMAND_MAX)
		return false;
	scan = whole;
	prompt = (struct prompt){0};
	full = take_full(&scan, &prompt);
	if (!full) {
		prompt.host = NULL;
		scan = whole;
		if (!take_short(&scan))
			return false;
	}
	prompt.full = full;
	prompt.command = scan.at;
	prompt.length = scan_left(&scan);
	prompt.ours = has_one(scan, tools, sizeof(tools) / sizeof(tools[0]));
	find_remote(&prompt);
	*ret_prompt = prompt;
	return true;
}

bool prompt_date(const char *text, size_t length, int64_t *ret_time)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	struct scan scan = scan_of(text, length);
	struct scan words[6];
	size_t count = 0;
	bool day = false;

	import_trim(&text, &length);
	if (length < 24 || length > 40)
		return false;
	for (size_t i = 0; i < sizeof(days) - 1; i += 3)
		day = day || (memcmp(text, days + i, 3) == 0 && text[3] == ' ');
	if (!day)
		return false;
	scan = scan_of(text, length);
	while (count < 6 && next_word(&scan, &words[count]))
		count++;
	/* Half of the days' hours have two meanings without what stands behind them. */
	if (!scan_done(&scan) || count < 5 || scan_left(&words[count - 1]) != 4 ||
	    (count == 6 && (is_word(&words[4], "AM") || is_word(&words[4], "PM"))))
		return false;
	return import_parse_time(text, length, ret_time);
}

bool prompt_shows_file(const struct prompt *prompt)
{
	static const char *const words[] = {"cat ", "more ", "less "};
	struct scan scan = scan_of(prompt->command, prompt->length);

	return has_one(scan, words, sizeof(words) / sizeof(words[0])) &&
	       !memchr(prompt->command, '|', prompt->length);
}

bool line_is_noise(const char *text, size_t length)
{
	static const char *const others[] = {"cat ", "exit", "logout"};
	struct scan scan = scan_of(text, length);
	struct prompt shell;
	const char *prompt = NULL;
	int64_t time;

	scan_blanks(&scan);
	while (scan.end > scan.at && (scan.end[-1] == ' ' || scan.end[-1] == '\t'))
		scan.end--;
	if (scan_done(&scan) || scan_starts(&scan, "=~=~") || scan_starts(&scan, "```") ||
	    scan_starts(&scan, "Script started") || scan_starts(&scan, "Script done"))
		return true;
	/* An empty comment has nothing to say in any format. */
	if (scan_left(&scan) == 1 && *scan.at == '#')
		return true;
	if (prompt_find(text, length, &shell) || prompt_date(text, length, &time))
		return true;
	if (scan_left(&scan) > 400 || *scan.at == '#')
		return false;
	/* "user@host:~$ tool", "[root@host dir]# tool", "host# " */
	for (const char *at = scan.at; at < scan.end; at++) {
		if ((*at == '#' || *at == '$' || *at == '>' || *at == '%') &&
		    (at + 1 == scan.end || at[1] == ' ')) {
			prompt = at;
			break;
		}
		if (*at == '"' || *at == '\t')
			return false;
	}
	if (!prompt)
		return false;
	if (prompt + 1 == scan.end)
		return true;
	scan.at = prompt + 2;
	return has_one(scan, tools, sizeof(tools) / sizeof(tools[0])) ||
	       has_one(scan, others, sizeof(others) / sizeof(others[0]));
}
