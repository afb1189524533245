/*
 * One table of options for all subcommands: parsing, `--help` and the man page
 * test read the same rows. A subcommand names the groups it takes.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/command.h"
#include "collector/live/live.h"
#include "report/report.h"
#include "store/finding.h"

enum option_group {
	OPTIONS_STORE = 1 << 0,		/* --store */
	OPTIONS_SITE = 1 << 1,		/* --site */
	OPTIONS_LABEL = 1 << 2,		/* --label */
	OPTIONS_LIVE = 1 << 3,		/* what the live collector takes */
	OPTIONS_CONFIG = 1 << 4,	/* --config, --node-name-map */
	OPTIONS_AUDIT = 1 << 5,		/* --baseline, --fail-on, --html */
	OPTIONS_FORMAT = 1 << 6,	/* --format, -o, --color, --width */
	OPTIONS_KEYS = 1 << 7,		/* --keys */
	OPTIONS_VERBOSE = 1 << 8,	/* -v */
	OPTIONS_KEEP = 1 << 9,		/* --keep */
};

#define ARGS_CONFIGS_MAX 64

struct args {
	char **operands;		/* what is not an option; into argv */
	int operand_count;
	const char *store;		/* NULL: not named */
	const char *site;
	const char *label;
	const char *configs[ARGS_CONFIGS_MAX];
	size_t config_count;
	const char *baseline;
	const char *html;
	const char *output;		/* NULL or "-": standard output */
	const char *keys;
	enum report_format format;
	bool never_fail;
	enum severity fail_on;
	int color;			/* -1 automatic, 0, 1 */
	unsigned width;			/* 0: the terminal's */
	bool verbose;
	bool trace;
	int64_t keep;			/* snapshots; -1: not given */
	struct live_options live;
};

/*
 * Fills args from argv (argv[0] is the command's name). Returns 0; 1 when help
 * was asked for and printed; ERR_USAGE with a sentence that names the option.
 */
int args_parse(int argc, char **argv, const struct command *command, unsigned groups,
	       struct args *args, struct err *err);

/* ERR_USAGE unless there are least..most operands. */
int args_operands(const struct args *args, int least, int most, struct err *err);

/* The store to use: --store, else $IBAUDIT_STORE, else ibaudit.db here. */
const char *args_store(const struct args *args);

/* True when --store or $IBAUDIT_STORE names one. */
bool args_store_named(const struct args *args);

/* Seconds since 1970 UTC; $SOURCE_DATE_EPOCH stands in for the clock when it is set. */
int64_t args_now(void);

/* Report options for writing to `out`. */
struct report_options args_report_options(const struct args *args, FILE *out);

#endif
