#include "collector/name_map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

/* "0x1a2b "name"": false when the line is no entry. *ret_name is a part of it. */
static bool entry_parse(const char *line, uint64_t *ret_guid, const char **ret_name,
			size_t *ret_length)
{
	const char *guid = line + strspn(line, " \t");
	size_t length = strcspn(guid, " \t\r\n");
	const char *name = guid + length + strspn(guid + length, " \t");
	const char *end;

	if (!guid_parse(guid, length, ret_guid) || *name != '"')
		return false;
	end = strchr(++name, '"');
	if (!end || end == name)
		return false;
	*ret_name = name;
	*ret_length = (size_t)(end - name);
	return true;
}

static bool alias_set(struct fabric *fabric, uint64_t guid, const char *name, size_t length)
{
	char *alias = NULL;

	for (struct device *device = fabric_device_find(fabric, guid); device;
	     device = device->same_guid) {
		if (!alias)
			alias = fabric_text(fabric, name, length);
		if (!alias)
			return false;
		device->alias = alias;
	}
	return true;
}

int name_map_apply(const char *path, struct fabric *fabric, struct err *err)
{
	FILE *file = fopen(path, "r");
	char line[1024];
	size_t entries = 0;
	int rc = 0;

	if (!file)
		return err_set(err, ERR_INPUT, "cannot open the node name map %s: %s", path,
			       strerror(errno));
	while (rc == 0 && fgets(line, sizeof(line), file)) {
		uint64_t guid;
		const char *name;
		size_t length;

		if (!entry_parse(line, &guid, &name, &length))
			continue;
		entries++;
		if (!alias_set(fabric, guid, name, length))
			rc = err_no_memory(err);
	}
	if (rc == 0 && ferror(file))
		rc = err_set(err, ERR_INPUT, "cannot read the node name map %s: %s", path,
			     strerror(errno));
	else if (rc == 0 && entries == 0)
		rc = err_set(err, ERR_INPUT,
			     "%s holds no entry of a node name map (0xGUID \"name\")", path);
	fclose(file);
	return rc;
}
