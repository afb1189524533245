#include "cli/gather.h"

#include "store/maintain.h"

#define GROUPS OPTIONS_STORE

static int print_problem(void *context, const char *problem)
{
	return fprintf(context, "%s\n", problem) < 0;
}

int cmd_verify(int argc, char **argv, struct err *err)
{
	struct store *store = NULL;
	FILE *out = NULL;
	size_t problems = 0;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("verify"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, 0, 0, err);
	if (rc < 0)
		return rc;
	rc = store_open(args_store(&args), STORE_READ, &store, err);
	if (rc < 0)
		return rc;
	rc = output_open(NULL, &out, err);
	if (rc < 0)
		goto out;
	rc = store_verify(store, print_problem, out, &problems, err);
	if (rc == 0)
		fprintf(out, "%s\n",
			problems ? "The store is damaged: keep a copy of it before anything else, then "
				   "go on with a backup or a new store."
				 : "The store is whole.");
	rc = output_finish(NULL, out, rc, err);
	if (rc == 0 && problems > 0)
		rc = EXIT_FOUND;
out:
	store_close(store);
	return rc;
}
