#include "cli/args.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "version.h"

enum option_id {
	OPTION_HELP = 256,
	OPTION_STORE,
	OPTION_SITE,
	OPTION_LABEL,
	OPTION_WINDOW,
	OPTION_PER_DEVICE,
	OPTION_RETRIES,
	OPTION_ONLY,
	OPTION_SKIP,
	OPTION_M_KEY,
	OPTION_M_KEY_FILE,
	OPTION_SYSFS,
	OPTION_TRACE,
	OPTION_CONFIG,
	OPTION_NODE_NAME_MAP,
	OPTION_BASELINE,
	OPTION_FAIL_ON,
	OPTION_HTML,
	OPTION_FORMAT,
	OPTION_COLOR,
	OPTION_WIDTH,
	OPTION_KEYS,
	OPTION_KEEP,
};

struct option_row {
	const char *name;	/* NULL: only a letter */
	int id;			/* a letter or an enum option_id */
	const char *argument;	/* NULL: takes none */
	unsigned group;
	const char *help;
};

#define GROUP_NAMES                                                                               \
	"topology,portinfo,lft,mft,sl2vl,vlarb,pkeys,guids,sm,counters,host,vl-counters"

static const struct option_row option_rows[] = {
	{"store", OPTION_STORE, "FILE", OPTIONS_STORE,
	 "the store (default $IBAUDIT_STORE, else ibaudit.db here)"},
	{"site", OPTION_SITE, "NAME", OPTIONS_SITE, "the place this fabric belongs to"},
	{"label", OPTION_LABEL, "TEXT", OPTIONS_LABEL, "a name for the snapshot"},
	{"config", OPTION_CONFIG, "FILE", OPTIONS_CONFIG,
	 "a file of the SM's host: opensm.conf, qos-policy.conf, partitions.conf, opensm.log, guid2lid; repeatable"},
	{"node-name-map", OPTION_NODE_NAME_MAP, "FILE", OPTIONS_CONFIG, "names for node GUIDs"},
	{NULL, 'C', "CA", OPTIONS_LIVE, "collect through this HCA (default: the first active)"},
	{NULL, 'P', "PORT", OPTIONS_LIVE, "and this port of it, 1 to 254 (0, the default: the first active)"},
	{NULL, 't', "MS", OPTIONS_LIVE, "wait this long for an answer, per attempt (400)"},
	{"retries", OPTION_RETRIES, "N", OPTIONS_LIVE, "attempts after the first (2; at most 100)"},
	{"window", OPTION_WINDOW, "N", OPTIONS_LIVE, "most MADs in flight (128)"},
	{"per-device", OPTION_PER_DEVICE, "N", OPTIONS_LIVE, "most MADs in flight to one device (4)"},
	{"only", OPTION_ONLY, "GROUPS", OPTIONS_LIVE,
	 "read only these: " GROUP_NAMES "; topology (PortInfo with it) is always read, but for host alone; "
	 "portinfo is ExtendedPortInfo; vl-counters are read on request only"},
	{"skip", OPTION_SKIP, "GROUPS", OPTIONS_LIVE, "read all but these; topology cannot be skipped"},
	{"m-key", OPTION_M_KEY, "KEY", OPTIONS_LIVE,
	 "M_Key of a protected fabric; \"-\" reads it from the terminal, so that no process list shows it"},
	{"m-key-file", OPTION_M_KEY_FILE, "FILE", OPTIONS_LIVE, "M_Keys by GUID, as OpenSM's guid2mkey"},
	{"sysfs", OPTION_SYSFS, "ROOT", OPTIONS_LIVE, "a copied /sys to read the host's tables from"},
	{"trace", OPTION_TRACE, NULL, OPTIONS_LIVE, "print each MAD on standard error"},
	{"baseline", OPTION_BASELINE, "SNAPSHOT", OPTIONS_AUDIT,
	 "tell findings that are new, still there and gone since then"},
	{"fail-on", OPTION_FAIL_ON, "LEVEL", OPTIONS_AUDIT,
	 "exit 1 from this severity on: critical, error, warning (default), info, never"},
	{"html", OPTION_HTML, "FILE", OPTIONS_AUDIT, "write the HTML report there as well"},
	{"keys", OPTION_KEYS, "LIST", OPTIONS_KEYS,
	 "compare only these: node,link,port,state,lid,nodedesc,finding"},
	{"keep", OPTION_KEEP, "N", OPTIONS_KEEP, "keep the newest N snapshots of each site"},
	{"format", OPTION_FORMAT, "FORMAT", OPTIONS_FORMAT, "text (default), html or json"},
	{"output", 'o', "FILE", OPTIONS_FORMAT, "write the report there"},
	{"color", OPTION_COLOR, "WHEN", OPTIONS_FORMAT, "always, never, auto (default)"},
	{"width", OPTION_WIDTH, "COLUMNS", OPTIONS_FORMAT, "fold text there"},
	{"verbose", 'v', NULL, OPTIONS_VERBOSE,
	 "every place, every hole, every line; of a live run, where the time went"},
	{"help", OPTION_HELP, NULL, ~0u, "this text"},
};

#define OPTION_ROWS (sizeof(option_rows) / sizeof(option_rows[0]))

static void print_help(const struct command *command, unsigned groups)
{
	printf("usage: ibaudit %s [OPTION...]%s%s\n\n%s\n\n", command->name,
	       *command->usage ? " " : "", command->usage, command->summary);
	for (size_t i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *row = &option_rows[i];
		char left[48];
		char letter[4] = "";

		if (!(row->group & groups))
			continue;
		if (row->id < 256)
			snprintf(letter, sizeof(letter), "-%c", row->id);
		snprintf(left, sizeof(left), "%s%s%s%s %s", letter, *letter && row->name ? ", " : "",
			 row->name ? "--" : "", row->name ? row->name : "",
			 row->argument ? row->argument : "");
		printf("  %-24s  %s\n", left, row->help);
	}
}

static int parse_number(const char *name, const char *text, long least, long most,
			int64_t *ret_value, struct err *err)
{
	char *end = NULL;
	long value;

	errno = 0;
	value = strtol(text, &end, 0);
	if (errno || end == text || *end || value < least || value > most)
		return err_set(err, ERR_USAGE, "%s takes a whole number from %ld to %ld, not \"%s\"",
			       name, least, most, text);
	*ret_value = value;
	return 0;
}

static int parse_unsigned(const char *name, const char *text, long least, long most,
			  unsigned *ret_value, struct err *err)
{
	int64_t value = 0;
	int rc = parse_number(name, text, least, most, &value, err);

	if (rc == 0)
		*ret_value = (unsigned)value;
	return rc;
}

static int parse_groups(const char *name, const char *text, unsigned *ret_groups, struct err *err)
{
	const char *bad = NULL;

	if (live_groups_parse(text, ret_groups, &bad))
		return 0;
	if (*bad == ',' || *bad == '\0')
		return err_set(err, ERR_USAGE, "%s: a name is missing beside a comma in \"%s\"; it takes %s",
			       name, text, GROUP_NAMES);
	return err_set(err, ERR_USAGE, "%s knows no group \"%.*s\"; it takes %s", name,
		       (int)strcspn(bad, ","), bad, GROUP_NAMES);
}

/* Takes the key out of argv too, so that `ps` does not go on showing it. */
static int parse_m_key(char *text, uint64_t *ret_key, struct err *err)
{
	char line[64];
	char *end = NULL;
	size_t length = strlen(text);

	if (strcmp(text, "-") == 0) {
		fputs("M_Key: ", stderr);
		if (!fgets(line, sizeof(line), stdin))
			return err_set(err, ERR_USAGE, "--m-key -: no key on standard input");
		line[strcspn(line, "\r\n")] = '\0';
		text = line;
		length = 0;
	}
	errno = 0;
	*ret_key = strtoull(text, &end, 0);
	if (errno || end == text || *end)
		return err_set(err, ERR_USAGE, "--m-key takes a number such as 0x1234, or -");
	memset(text, 'x', length);
	return 0;
}

static int parse_level(const char *text, struct args *args, struct err *err)
{
	args->never_fail = strcmp(text, "never") == 0;
	if (!args->never_fail && !severity_parse(text, &args->fail_on))
		return err_set(err, ERR_USAGE,
			       "--fail-on takes critical, error, warning, info or never, not \"%s\"",
			       text);
	return 0;
}

static int parse_color(const char *text, struct args *args, struct err *err)
{
	if (strcmp(text, "always") == 0)
		args->color = 1;
	else if (strcmp(text, "never") == 0)
		args->color = 0;
	else if (strcmp(text, "auto") == 0)
		args->color = -1;
	else
		return err_set(err, ERR_USAGE, "--color takes always, never or auto, not \"%s\"", text);
	return 0;
}

static int take_live_option(int id, char *value, struct args *args, unsigned *skip, struct err *err)
{
	struct live_options *live = &args->live;
	int64_t number = 0;
	int rc = 0;

	switch (id) {
	case 'C':
		if (!*value)
			return err_set(err, ERR_USAGE, "-C takes the name of a device, such as mlx5_0; "
						       "`ibstat -l` lists them");
		live->ca = value;
		break;
	case 'P':
		rc = parse_number("-P", value, 0, 254, &number, err);
		live->port = (int)number;
		break;
	case 't':
		rc = parse_unsigned("-t", value, 1, 600000, &live->timeout_ms, err);
		break;
	case OPTION_RETRIES:
		rc = parse_unsigned("--retries", value, 0, 100, &live->retries, err);
		break;
	case OPTION_WINDOW:
		rc = parse_unsigned("--window", value, 1, 4096, &live->window, err);
		break;
	case OPTION_PER_DEVICE:
		rc = parse_unsigned("--per-device", value, 1, 4096, &live->per_device, err);
		break;
	case OPTION_ONLY:
		rc = parse_groups("--only", value, &live->groups, err);
		/* All but the host's own tables hangs on what is found. */
		if (live->groups != LIVE_HOST)
			live->groups |= LIVE_TOPOLOGY;
		break;
	case OPTION_SKIP:
		rc = parse_groups("--skip", value, skip, err);
		if (rc == 0 && (*skip & LIVE_TOPOLOGY))
			rc = err_set(err, ERR_USAGE,
				     "--skip topology: everything else is read of the devices that it "
				     "finds; `--only host` reads this host's tables and nothing of the "
				     "fabric");
		break;
	case OPTION_M_KEY:
		rc = parse_m_key(value, &live->m_key, err);
		break;
	case OPTION_M_KEY_FILE:
		live->m_key_file = value;
		break;
	case OPTION_SYSFS:
		live->sysfs = value;
		break;
	case OPTION_TRACE:
		args->trace = true;
		live->trace = stderr;
		break;
	default:
		break;
	}
	return rc;
}

static int take_option(int id, char *value, struct args *args, struct err *err)
{
	switch (id) {
	case OPTION_STORE:
		args->store = value;
		break;
	case OPTION_SITE:
		args->site = value;
		break;
	case OPTION_LABEL:
		args->label = value;
		break;
	case OPTION_CONFIG:
		if (args->config_count == ARGS_CONFIGS_MAX)
			return err_set(err, ERR_USAGE, "more than %d --config", ARGS_CONFIGS_MAX);
		args->configs[args->config_count++] = value;
		break;
	case OPTION_NODE_NAME_MAP:
		args->live.node_name_map = value;
		break;
	case OPTION_BASELINE:
		args->baseline = value;
		break;
	case OPTION_FAIL_ON:
		return parse_level(value, args, err);
	case OPTION_HTML:
		args->html = value;
		break;
	case OPTION_KEYS:
		args->keys = value;
		break;
	case OPTION_KEEP:
		return parse_number("--keep", value, 0, 1000000, &args->keep, err);
	case OPTION_FORMAT:
		if (!report_format_parse(value, &args->format))
			return err_set(err, ERR_USAGE, "--format takes text, html or json, not \"%s\"",
				       value);
		break;
	case 'o':
		args->output = value;
		break;
	case OPTION_COLOR:
		return parse_color(value, args, err);
	case OPTION_WIDTH:
		return parse_unsigned("--width", value, 0, 10000, &args->width, err);
	case 'v':
		args->verbose = true;
		break;
	default:
		break;
	}
	return 0;
}

/* The rows of these groups as getopt wants them: letters and long names. */
static void build_tables(unsigned groups, char *letters, struct option *names)
{
	*letters++ = ':';
	for (size_t i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *row = &option_rows[i];

		if (!(row->group & groups))
			continue;
		if (row->id < 256) {
			*letters++ = (char)row->id;
			if (row->argument)
				*letters++ = ':';
		}
		if (row->name)
			*names++ = (struct option){row->name,
						   row->argument ? required_argument : no_argument,
						   NULL, row->id};
	}
	*letters = '\0';
	*names = (struct option){NULL, 0, NULL, 0};
}

int args_parse(int argc, char **argv, const struct command *command, unsigned groups,
	       struct args *args, struct err *err)
{
	char letters[2 * OPTION_ROWS + 2];
	struct option names[OPTION_ROWS + 1];
	unsigned skip = 0;
	int id;
	int rc = 0;

	*args = (struct args){.fail_on = SEVERITY_WARNING, .color = -1, .keep = -1};
	args->live.retries = 2;
	args->live.groups = LIVE_DEFAULT;
	build_tables(groups, letters, names);
	opterr = 0;
	optind = 1;
	while (rc == 0 && (id = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const char *word = argv[optind - 1];

		if (id == OPTION_HELP) {
			print_help(command, groups);
			return 1;
		}
		if (id == ':')
			return err_set(err, ERR_USAGE, "%s needs a value; `ibaudit %s --help` tells more",
				       word, command->name);
		if (id == '?' && optopt && optopt < 256)
			return err_set(err, ERR_USAGE,
				       "no option -%c here; `ibaudit %s --help` lists them", optopt,
				       command->name);
		if (id == '?')
			return err_set(err, ERR_USAGE,
				       "no option %s here; `ibaudit %s --help` lists them", word,
				       command->name);
		rc = take_option(id, optarg, args, err);
		if (rc == 0)
			rc = take_live_option(id, optarg, args, &skip, err);
	}
	args->live.groups &= ~skip;
	if (rc == 0 && args->live.groups == 0)
		return err_set(err, ERR_USAGE, "--only and --skip together leave nothing to read");
	args->operands = argv + optind;
	args->operand_count = argc - optind;
	return rc;
}

int args_operands(const struct args *args, int least, int most, struct err *err)
{
	if (args->operand_count < least)
		return err_set(err, ERR_USAGE, "%d more operand%s expected; --help tells which",
			       least - args->operand_count,
			       least - args->operand_count == 1 ? "" : "s");
	if (args->operand_count > most)
		return err_set(err, ERR_USAGE, "\"%s\" is one operand too many; --help tells which",
			       args->operands[most]);
	return 0;
}

const char *args_store(const struct args *args)
{
	const char *named = getenv("IBAUDIT_STORE");

	if (args->store)
		return args->store;
	return named && *named ? named : "ibaudit.db";
}

bool args_store_named(const struct args *args)
{
	const char *named = getenv("IBAUDIT_STORE");

	return args->store || (named && *named);
}

int64_t args_now(void)
{
	const char *fixed = getenv("SOURCE_DATE_EPOCH");
	char *end = NULL;

	if (fixed && *fixed) {
		long long seconds = strtoll(fixed, &end, 10);

		if (!*end)
			return seconds;
	}
	return (int64_t)time(NULL);
}

static unsigned terminal_width(FILE *out)
{
	struct winsize size = {0};

	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col >= 40 ? size.ws_col : 0;
}

struct report_options args_report_options(const struct args *args, FILE *out)
{
	const char *no_color = getenv("NO_COLOR");
	struct report_options options = {
		.verbose = args->verbose,
		.width = args->width ? args->width : terminal_width(out),
		.now = args_now(),
		.version = IBAUDIT_VERSION,
	};

	if (args->color >= 0)
		options.color = args->color == 1;
	else
		options.color = isatty(fileno(out)) && !(no_color && *no_color);
	return options;
}
