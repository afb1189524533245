#include "cli/gather.h"
#include "rules/rule.h"

#define GROUPS                                                                                    \
	(OPTIONS_STORE | OPTIONS_SITE | OPTIONS_AUDIT | OPTIONS_FORMAT | OPTIONS_VERBOSE)

int cmd_audit(int argc, char **argv, struct err *err)
{
	struct fabric *fabric = NULL;
	struct fabric *baseline = NULL;
	struct snapshot snapshot = {0};
	struct snapshot baseline_snapshot = {0};
	struct audit *audit = NULL;
	struct report_audit report = {0};
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("audit"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 0, 1, err);
	if (rc == 0)
		rc = output_check(&args, err);
	if (rc < 0)
		return rc;
	rc = gather_snapshot(&args, args.operand_count ? args.operands[0] : "latest", &snapshot,
			     &fabric, err);
	if (rc < 0)
		goto out;
	if (args.baseline) {
		rc = gather_snapshot(&args, args.baseline, &baseline_snapshot, &baseline, err);
		if (rc < 0)
			goto out;
	}
	rc = audit_against(fabric, baseline, &audit, err);
	if (rc < 0)
		goto out;
	rc = gather_keep_audit(&args, args.operand_count ? args.operands[0] : "latest", &snapshot,
			       baseline_snapshot.id, audit, err);
	if (rc < 0)
		goto out;
	report = (struct report_audit){&snapshot, fabric, audit, baseline ? &baseline_snapshot : NULL,
				       rule_table};
	rc = output_audit(&args, &report, err);
	if (rc == 0)
		rc = exit_of_audit(&args, audit);
out:
	audit_free(audit);
	fabric_free(baseline);
	fabric_free(fabric);
	return rc;
}
