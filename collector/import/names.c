#include "collector/import/names.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

static struct name *name_of(struct names *names, const struct device *device, struct err *err)
{
	struct name *items = array_reach(names->items, device->index, &names->room, sizeof(*items));

	if (!items) {
		err_no_memory(err);
		return NULL;
	}
	names->items = items;
	return &names->items[device->index];
}

static int keep(struct import *import, struct name *name, char **slot, const char *text,
		size_t length, struct err *err)
{
	if (*slot)
		return 0;
	name->torn = name->torn || memchr(text, '\0', length);
	*slot = import_intern(import, text, length);
	return *slot ? 0 : err_no_memory(err);
}

int names_own(struct names *names, struct import *import, const struct device *device,
	      const char *text, size_t length, struct err *err)
{
	struct name *name = name_of(names, device, err);

	return name ? keep(import, name, &name->own, text, length, err) : ERR_NOMEM;
}

int names_others(struct names *names, struct import *import, const struct device *device,
		 const char *text, size_t length, struct err *err)
{
	struct name *name = name_of(names, device, err);

	return name ? keep(import, name, &name->others, text, length, err) : ERR_NOMEM;
}

/* Of two devices with one GUID, others' lines cannot tell which they mean. */
static bool guid_is_single(const struct fabric *fabric, const struct device *device)
{
	return !device->same_guid && fabric_device_find(fabric, device->guid) == device;
}

static bool names_are_mapped(const struct names *names, const struct fabric *fabric, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct name *name = &names->items[i];
		const struct device *device = fabric->devices[i];

		if (!name->torn && name->own && name->others && device->type != NODE_TYPE_SWITCH &&
		    strcmp(name->own, name->others) != 0 && guid_is_single(fabric, device))
			return true;
	}
	return false;
}

static int name_settle(const struct name *name, struct import *import, struct device *device,
		       bool mapped, struct err *err)
{
	const char *text = name->own ? name->own : name->others;
	bool raw = name->own && device->type != NODE_TYPE_SWITCH;
	int rc;

	if (!text)
		return 0;
	if (mapped && !raw)
		return import_alias(import, device, text, strlen(text), err);
	import_device_read(import, device, ATTRIBUTE_NODE_DESCRIPTION);
	rc = import_description(import, device, text, strlen(text), err);
	if (rc == 0 && mapped && name->others && strcmp(name->others, text) != 0 &&
	    guid_is_single(import_fabric(import), device))
		rc = import_alias(import, device, name->others, strlen(name->others), err);
	return rc;
}

int names_settle(const struct names *names, struct import *import, struct err *err)
{
	struct fabric *fabric = import_fabric(import);
	size_t count = names->room < fabric->device_count ? names->room : fabric->device_count;
	bool mapped = names_are_mapped(names, fabric, count);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = name_settle(&names->items[i], import, fabric->devices[i], mapped, err);
	return rc;
}

void names_free(struct names *names)
{
	free(names->items);
	*names = (struct names){NULL, 0};
}
