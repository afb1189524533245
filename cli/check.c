#include "cli/gather.h"
#include "cli/timing.h"
#include "rules/rule.h"

#define GROUPS                                                                                    \
	(OPTIONS_STORE | OPTIONS_SITE | OPTIONS_LABEL | OPTIONS_LIVE | OPTIONS_CONFIG |           \
	 OPTIONS_AUDIT | OPTIONS_FORMAT | OPTIONS_VERBOSE)

int cmd_check(int argc, char **argv, struct err *err)
{
	struct fabric *fabric = NULL;
	struct fabric *baseline = NULL;
	struct snapshot snapshot = {0};
	struct snapshot baseline_snapshot = {0};
	struct audit *audit = NULL;
	struct report_audit report = {0};
	struct args args;
	double begun;
	int rc;

	rc = args_parse(argc, argv, command_find("check"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = output_check(&args, err);
	if (rc < 0)
		return rc;
	if (args.baseline) {
		rc = gather_snapshot(&args, args.baseline, &baseline_snapshot, &baseline, err);
		if (rc < 0)
			goto out;
	}
	rc = gather(&args, args.operand_count == 0, &fabric, err);
	if (rc < 0)
		goto out;
	begun = timing_now();
	rc = audit_against(fabric, baseline, &audit, err);
	if (rc < 0)
		goto out;
	timing_tell(args.verbose, "rules", begun);
	snapshot_describe(fabric, args.site, args.label, &snapshot);
	if (args_store_named(&args))
		rc = gather_store(&args, fabric, audit, baseline_snapshot.id, &snapshot.id, err);
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
