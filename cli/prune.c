#include "cli/gather.h"

#include <inttypes.h>
#include <stdlib.h>

#include "store/maintain.h"

#define GROUPS (OPTIONS_STORE | OPTIONS_SITE | OPTIONS_KEEP)

static int compare_ids(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The ids of the snapshots that are named, ascending, each once. */
static int named_ids(const struct args *args, struct store *store, int64_t **ret_ids,
		     size_t *ret_count, struct err *err)
{
	int64_t *ids = calloc((size_t)args->operand_count + 1, sizeof(*ids));
	size_t count = 0;

	if (!ids)
		return err_no_memory(err);
	for (int i = 0; i < args->operand_count; i++) {
		struct snapshot snapshot;
		int rc = store_snapshot_find(store, args->operands[i], args->site, &snapshot, err);

		if (rc < 0) {
			free(ids);
			return rc;
		}
		ids[i] = snapshot.id;
	}
	qsort(ids, (size_t)args->operand_count, sizeof(*ids), compare_ids);
	for (int i = 0; i < args->operand_count; i++) {
		if (count == 0 || ids[count - 1] != ids[i])
			ids[count++] = ids[i];
	}
	*ret_ids = ids;
	*ret_count = count;
	return 0;
}

static int print_result(const int64_t *ids, const struct prune_result *result, struct err *err)
{
	FILE *out = NULL;
	int rc;

	rc = output_open(NULL, &out, err);
	if (rc < 0)
		return rc;
	fprintf(out, "%" PRId64 " snapshot%s deleted", result->snapshots,
		result->snapshots == 1 ? "" : "s");
	for (int64_t i = 0; i < result->snapshots; i++)
		fprintf(out, "%s %" PRId64, i ? "," : ":", ids[i]);
	fprintf(out, "; %.1f MB are free in the file for the next ones\n",
		(double)result->bytes / 1e6);
	return output_finish(NULL, out, rc, err);
}

int cmd_prune(int argc, char **argv, struct err *err)
{
	struct prune_result result = {0};
	struct store *store = NULL;
	int64_t *ids = NULL;
	size_t count = 0;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find("prune"), GROUPS, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	if ((args.keep < 0) == (args.operand_count == 0))
		return err_set(err, ERR_USAGE,
			       "prune takes either --keep N or the snapshots to delete");
	/* A reader finds out that there is none; a writer would make one. */
	rc = store_open(args_store(&args), STORE_READ, &store, err);
	if (rc < 0)
		return rc;
	store_close(store);
	rc = store_open(args_store(&args), STORE_WRITE, &store, err);
	if (rc < 0)
		return rc;
	if (args.operand_count > 0) {
		rc = named_ids(&args, store, &ids, &count, err);
	} else {
		const struct prune_rule rule = {
			.site = args.site, .keep = args.keep, .before = FIELD_UNKNOWN};

		rc = store_prune_list(store, &rule, &ids, &count, err);
	}
	if (rc == 0)
		rc = store_prune(store, ids, count, false, &result, err);
	if (rc == 0)
		rc = print_result(ids, &result, err);
	free(ids);
	store_close(store);
	return rc;
}
