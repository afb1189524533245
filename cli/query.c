#include "cli/gather.h"
#include "report/rows.h"

#define GROUPS (OPTIONS_STORE | OPTIONS_FORMAT)

int cmd_query(int argc, char **argv, struct err *err)
{
	struct report_rows *rows = NULL;
	struct store *store = NULL;
	FILE *out = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("query"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 1, 1, err);
	if (rc == 0)
		rc = output_check(&args, err);
	if (rc < 0)
		goto out;
	if (args.format == REPORT_HTML) {
		rc = err_set(err, ERR_USAGE, "query prints --format text or json");
		goto out;
	}
	rc = store_open(args_store(&args), STORE_READ, &store, err);
	if (rc < 0)
		goto out;
	rc = output_open(args.output, &out, err);
	if (rc < 0)
		goto out;
	rc = report_rows_new(args.format, out, &rows, err);
	if (rc == 0)
		rc = store_query(store, args.operands[0], report_rows_put, rows, err);
	rc = report_rows_finish(rows, rc, err);
	rc = output_finish(args.output, out, rc, err);
out:
	store_close(store);
	return rc;
}
