#include "collector/import/configs.h"

#include <stdlib.h>

#include "collector/import/items.h"

int configs_refuse(const struct format *format, struct err *err)
{
	return err_set(err, ERR_INPUT,
		       "--config does not take a file of the format %s, but opensm.conf, "
		       "qos-policy.conf, partitions.conf, guid2lid and opensm.log of the SM's host; "
		       "`ibaudit import` and `ibaudit check PATH...` read captures",
		       format->id);
}

/* OpenSM's own view of the fabric may lie in the same directory: it is passed over. */
static bool is_foreign(const struct format *format, bool container)
{
	return format && !format->config && !(container && format->sm_view);
}

/* A format of this file, or of one in this archive, that --config does not take; NULL: none. */
static const struct format *foreign_to_config(const struct file_item *item, bool container)
{
	if (item->format)
		return is_foreign(item->format, container) ? item->format : NULL;
	for (size_t i = 0; item->index && i < item->index->count; i++) {
		const struct format *format = item->index->entries[i].format;

		if (is_foreign(format, true))
			return format;
	}
	return NULL;
}

int configs_check(const struct files *files, size_t first, struct err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct file_item *item = &files->items[i];
		const struct format *foreign = NULL;

		if (item->root >= first)
			foreign = foreign_to_config(item, files->roots[item->root].container);
		if (!foreign)
			continue;
		configs_refuse(foreign, err);
		err_prefix(err, "%s", item->path);
		return ERR_INPUT;
	}
	return 0;
}

int import_check_configs(const struct import_options *options, struct err *err)
{
	struct files *files = NULL;
	int rc = files_find(options->configs, options->config_count, 0, options, &files, err);

	if (rc == 0)
		rc = files_check_roots(files, err);
	if (rc == 0)
		rc = configs_check(files, 0, err);
	for (size_t i = 0; rc == 0 && i < files->count; i++) {
		if (item_is_refused(files, &files->items[i]))
			rc = item_refuse(files, &files->items[i], err);
	}
	files_free(files);
	return rc;
}
