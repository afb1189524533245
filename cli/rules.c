#include "cli/gather.h"
#include "rules/rule.h"

int cmd_rules(int argc, char **argv, struct err *err)
{
	struct report_options options;
	FILE *out = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("rules"), OPTIONS_FORMAT, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 0, 0, err);
	if (rc == 0)
		rc = output_open(args.output, &out, err);
	if (rc < 0)
		return rc;
	options = args_report_options(&args, out);
	rc = report_rules(rule_table, args.format, &options, out, err);
	return output_finish(args.output, out, rc, err);
}

int cmd_explain(int argc, char **argv, struct err *err)
{
	struct report_options options;
	const struct rule *rule;
	FILE *out = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("explain"), OPTIONS_FORMAT, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 1, 1, err);
	if (rc < 0)
		return rc;
	rule = rule_find(args.operands[0]);
	if (!rule)
		return err_set(err, ERR_NOT_FOUND, "no rule \"%s\"; `ibaudit rules` lists them",
			       args.operands[0]);
	rc = output_open(args.output, &out, err);
	if (rc < 0)
		return rc;
	options = args_report_options(&args, out);
	rc = report_rule(rule, args.format, &options, out, err);
	return output_finish(args.output, out, rc, err);
}
