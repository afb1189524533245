#include "cli/gather.h"
#include "collector/import/detect.h"
#include "report/table.h"

int cmd_formats(int argc, char **argv, struct err *err)
{
	static const char *const head[] = {"format", "what it is"};
	struct report_options options;
	struct report_table *table = NULL;
	FILE *out = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("formats"), OPTIONS_FORMAT, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 0, 0, err);
	if (rc == 0)
		rc = output_open(args.output, &out, err);
	if (rc < 0)
		return rc;
	options = args_report_options(&args, out);
	rc = report_table_new("ibaudit: the capture formats, told by content", head, 2, args.format,
			      &options, out, &table, err);
	for (size_t i = 0; rc == 0 && import_format_at(i); i++) {
		const struct format *format = import_format_at(i);
		const char *const cells[2] = {format->id, format->title};

		report_table_row(table, cells);
	}
	rc = report_table_finish(table, rc, err);
	return output_finish(args.output, out, rc, err);
}
