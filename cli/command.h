/*
 * A subcommand is one file with one function: it parses its arguments, calls
 * the other rooms and chooses the exit status. No logic of its own.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "store/err.h"

enum exit_status {
	EXIT_CLEAN = 0,		/* done, nothing at or above --fail-on, no difference */
	EXIT_FOUND = 1,		/* findings or differences */
	EXIT_FAILED = 2,	/* it could not be done */
};

struct command {
	const char *name;
	const char *usage;	/* "[PATH...]", behind the name */
	const char *summary;	/* one line for `ibaudit --help` */
	/* argv[0] is the command's name. An exit_status, or a negative enum err_code with err set. */
	int (*run)(int argc, char **argv, struct err *err);
};

/* Ended by a row whose name is NULL. */
extern const struct command command_table[];

/* NULL: no such command. */
const struct command *command_find(const char *name);

#define COMMAND(name, usage, summary) int cmd_##name(int argc, char **argv, struct err *err);
#include "cli/commands.h"
#undef COMMAND

#endif
