#include "cli/gather.h"

#include <string.h>

#include "rules/rule.h"
#include "store/diff.h"
#include "store/node_names.h"

#define GROUPS (OPTIONS_STORE | OPTIONS_SITE | OPTIONS_KEYS | OPTIONS_FORMAT | OPTIONS_VERBOSE)

static int parse_keys(const struct args *args, unsigned *ret_keys, struct err *err)
{
	const char *bad = NULL;

	*ret_keys = DIFF_ALL;
	if (args->keys && !diff_keys_parse(args->keys, ret_keys, &bad))
		return err_set(err, ERR_USAGE,
			       "--keys knows no \"%.*s\"; it takes "
			       "node,link,port,state,lid,nodedesc,finding",
			       (int)strcspn(bad, ","), bad);
	return 0;
}

static int write_diff(const struct args *args, const struct report_diff *report, struct err *err)
{
	struct report_options options;
	FILE *out = NULL;
	int rc;

	rc = output_open(args->output, &out, err);
	if (rc < 0)
		return rc;
	options = args_report_options(args, out);
	rc = report_diff(report, args->format, &options, out, err);
	return output_finish(args->output, out, rc, err);
}

int cmd_diff(int argc, char **argv, struct err *err)
{
	struct snapshot old_snapshot = {0};
	struct snapshot new_snapshot = {0};
	struct fabric *old_fabric = NULL;
	struct fabric *new_fabric = NULL;
	struct audit *audit = NULL;
	struct diff *diff = NULL;
	unsigned keys = 0;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("diff"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 2, 2, err);
	if (rc == 0)
		rc = output_check(&args, err);
	if (rc == 0)
		rc = parse_keys(&args, &keys, err);
	if (rc < 0)
		return rc;
	rc = gather_snapshot(&args, args.operands[0], &old_snapshot, &old_fabric, err);
	if (rc < 0)
		goto out;
	rc = gather_snapshot(&args, args.operands[1], &new_snapshot, &new_fabric, err);
	if (rc < 0)
		goto out;
	rc = keys & DIFF_FINDING ? audit_against(new_fabric, old_fabric, &audit, err)
				 : fabric_adopt_names(old_fabric, new_fabric, err);
	if (rc < 0)
		goto out;
	rc = diff_new(old_fabric, new_fabric, audit, keys, &diff, err);
	if (rc < 0)
		goto out;
	rc = write_diff(&args, &(struct report_diff){&old_snapshot, &new_snapshot, diff, rule_table},
			err);
	if (rc == 0)
		rc = diff_is_different(diff) ? EXIT_FOUND : EXIT_CLEAN;
out:
	diff_free(diff);
	audit_free(audit);
	fabric_free(new_fabric);
	fabric_free(old_fabric);
	return rc;
}
