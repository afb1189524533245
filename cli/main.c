#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/gather.h"
#include "version.h"

static void usage(FILE *out)
{
	fputs("usage: ibaudit COMMAND [OPTION...]\n\nCommands:\n", out);
	for (const struct command *command = command_table; command->name; command++)
		fprintf(out, "  %-9s %s\n", command->name, command->summary);
	fputs("\n`ibaudit COMMAND --help` tells a command's options.\n", out);
}

/*
 * A stream that the caller closed would be the next file opened: a report in the
 * store. What stands there instead fails as the closed one does, but for stderr.
 */
static void hold_streams(void)
{
	static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", modes[fd]);
	}
}

/* The exit status, or why what was printed did not arrive. */
static int finish(const char *name, int rc, struct err *err)
{
	if (rc >= 0) {
		int written = output_finish(NULL, stdout, 0, err);

		if (written == 0)
			return rc;
	}
	fprintf(stderr, "ibaudit%s%s: %s\n", *name ? " " : "", name, err->text);
	return EXIT_FAILED;
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct err err = {0};

	hold_streams();
	/* A reader that goes away (head, less) is an error to tell, not a death. */
	signal(SIGPIPE, SIG_IGN);
	/* So is a file that may not grow further (ulimit -f). */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		usage(stderr);
		return EXIT_FAILED;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		usage(stdout);
		return finish("", EXIT_CLEAN, &err);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("ibaudit " IBAUDIT_VERSION);
		return finish("", EXIT_CLEAN, &err);
	}
	command = command_find(argv[1]);
	if (command)
		return finish(command->name, command->run(argc - 1, argv + 1, &err), &err);
	err_set(&err, ERR_USAGE, "no command \"%s\"; `ibaudit --help` lists them", argv[1]);
	return finish("", ERR_USAGE, &err);
}
