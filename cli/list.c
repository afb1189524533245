#include "cli/gather.h"

#include <stdlib.h>

#define GROUPS (OPTIONS_STORE | OPTIONS_SITE | OPTIONS_FORMAT)

int cmd_list(int argc, char **argv, struct err *err)
{
	struct report_options options;
	struct snapshot *list = NULL;
	struct store *store = NULL;
	size_t count = 0;
	FILE *out = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("list"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 0, 0, err);
	if (rc == 0)
		rc = output_check(&args, err);
	if (rc < 0)
		goto out;
	rc = store_open(args_store(&args), STORE_READ, &store, err);
	if (rc < 0)
		goto out;
	rc = store_snapshot_list(store, args.site, &list, &count, err);
	if (rc < 0)
		goto out;
	rc = output_open(args.output, &out, err);
	if (rc < 0)
		goto out;
	options = args_report_options(&args, out);
	rc = report_snapshots(list, count, args.format, &options, out, err);
	rc = output_finish(args.output, out, rc, err);
out:
	free(list);
	store_close(store);
	return rc;
}
