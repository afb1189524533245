/* Prompts of a shell in a terminal's log, and what else such a log holds besides the dump. */
#ifndef COLLECTOR_IMPORT_PROMPT_H
#define COLLECTOR_IMPORT_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prompt {
	const char *command;	/* inside the line; not ended by NUL */
	size_t length;		/* 0: nothing was typed */
	/*
	 * Where the command ran: the prompt's host, or the one that ssh names. NULL: nobody
	 * can tell (no host in the prompt; pdsh, kubectl exec, ...). Inside the line, too.
	 */
	const char *host;
	size_t host_length;
	bool full;		/* with a user and a host */
	bool ours;		/* a tool whose output is read here is in the command */
};

/*
 * The line as a prompt: "[root@sm ~]# ibstat", "root@sm:~$ ibstat", with any
 * command or none; or a shorter one ("# ibstat", "sm:~ # ibstat", "$ ibstat") in
 * front of a tool whose output is read here. False: none, *ret_prompt untouched.
 */
bool prompt_find(const char *text, size_t length, struct prompt *ret_prompt);

/*
 * The line is what `date` prints in the C locale, and nothing else: "Sun Nov 29 03:00:01
 * UTC 2026". *ret_time: in UTC seconds as if the zone were UTC, so a day may be half off.
 */
bool prompt_date(const char *text, size_t length, int64_t *ret_time);

/* The command shows a whole file, nothing left out: cat, more, less without a pipe. */
bool prompt_shows_file(const struct prompt *prompt);

/* True for blank lines, shell prompts with or without a command, what `date` prints, log headers, code fences. */
bool line_is_noise(const char *text, size_t length);

#endif
