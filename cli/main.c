#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "version.h"

static void usage(FILE *out)
{
	fputs("usage: ibaudit COMMAND [OPTION...]\n\nCommands:\n", out);
	for (const struct command *command = command_table; command->name; command++)
		fprintf(out, "  %-9s %s\n", command->name, command->summary);
	fputs("\n`ibaudit COMMAND --help` tells a command's options.\n", out);
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct err err = {0};

	/* A reader that goes away (head, less) is an error to tell, not a death. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		usage(stderr);
		return EXIT_FAILED;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		usage(stdout);
		return fflush(stdout) == 0 ? EXIT_CLEAN : EXIT_FAILED;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("ibaudit " IBAUDIT_VERSION);
		return EXIT_CLEAN;
	}
	command = command_find(argv[1]);
	if (command) {
		int rc = command->run(argc - 1, argv + 1, &err);

		if (rc >= 0)
			return rc;
		fprintf(stderr, "ibaudit %s: %s\n", command->name, err.text);
		return EXIT_FAILED;
	}
	err_set(&err, ERR_USAGE, "no command \"%s\"; `ibaudit --help` lists them", argv[1]);
	fprintf(stderr, "ibaudit: %s\n", err.text);
	return EXIT_FAILED;
}
