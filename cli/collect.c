#include "cli/gather.h"
#include "store/text.h"

#define GROUPS                                                                                    \
	(OPTIONS_STORE | OPTIONS_SITE | OPTIONS_LABEL | OPTIONS_CONFIG | OPTIONS_VERBOSE)

static int keep(const struct args *args, const struct fabric *fabric, struct err *err)
{
	struct snapshot snapshot = {0};
	int64_t id = 0;
	int rc = gather_store(args, fabric, NULL, 0, &id, err);

	if (rc < 0)
		return rc;
	snapshot_describe(fabric, args->site, args->label, &snapshot);
	printf("snapshot %lld in %s: %lld %s, %lld %s%s\n", (long long)id, args_store(args),
	       (long long)snapshot.devices,
	       text_plural((size_t)snapshot.devices, "device", "devices"),
	       (long long)snapshot.links, text_plural((size_t)snapshot.links, "link", "links"),
	       snapshot.partial ? "; partial: `ibaudit audit` tells what is missing" : "");
	return 0;
}

static int take(int argc, char **argv, const char *name, bool live, struct err *err)
{
	unsigned groups = live ? GROUPS | OPTIONS_LIVE : GROUPS;
	struct fabric *fabric = NULL;
	struct args args;
	int rc;

	rc = args_parse(argc, argv, command_find(name), groups, &args, err);
	if (rc != 0)
		return rc > 0 ? EXIT_CLEAN : rc;
	rc = args_operands(&args, live ? 0 : 1, live ? 0 : argc, err);
	if (rc < 0)
		return rc;
	rc = gather(&args, live, &fabric, err);
	if (rc == 0)
		rc = keep(&args, fabric, err);
	fabric_free(fabric);
	return rc < 0 ? rc : EXIT_CLEAN;
}

int cmd_collect(int argc, char **argv, struct err *err)
{
	return take(argc, argv, "collect", true, err);
}

int cmd_import(int argc, char **argv, struct err *err)
{
	return take(argc, argv, "import", false, err);
}
