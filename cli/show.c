#include "cli/gather.h"

#define GROUPS (OPTIONS_STORE | OPTIONS_SITE | OPTIONS_FORMAT)

int cmd_show(int argc, char **argv, struct err *err)
{
	struct report_options options;
	struct snapshot snapshot = {0};
	struct fabric *fabric = NULL;
	FILE *out = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("show"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 0, 1, err);
	if (rc == 0)
		rc = output_check(&args, err);
	if (rc < 0)
		goto out;
	rc = gather_snapshot(&args, args.operand_count ? args.operands[0] : "latest", &snapshot,
			     &fabric, err);
	if (rc < 0)
		goto out;
	rc = output_open(args.output, &out, err);
	if (rc < 0)
		goto out;
	options = args_report_options(&args, out);
	rc = report_show(&snapshot, fabric, args.format, &options, out, err);
	rc = output_finish(args.output, out, rc, err);
out:
	fabric_free(fabric);
	return rc;
}
