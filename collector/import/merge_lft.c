/* Forwarding tables that lost rows in one file, and that another file may tell whole. */
#include <stdio.h>
#include <string.h>

#include "collector/import/merge.h"
#include "store/array.h"

struct torn_lft {
	uint64_t guid;		/* devices may go until the end of the run */
	unsigned last;		/* LID */
	bool doubtful;		/* although no block of it lacks anything */
	char *text;
	source_ref source;
};

int import_torn_lft(struct import *import, const struct device *device, unsigned last,
		    bool doubtful, char *text, struct err *err)
{
	int64_t tables = 1;
	struct torn_lft *torn = array_grow(import->torn_lfts, import->torn_lft_count,
					   &import->torn_lft_room, sizeof(*torn));

	if (!torn)
		return err_no_memory(err);
	import->torn_lfts = torn;
	for (size_t i = import->torn_lft_count; i-- > 0 && torn[i].source == import->ref;)
		tables++;
	/* The lines that were not understood are those that count the rows: nothing else stood in them. */
	if (tables >= import_source(import)->odd_rows)
		import->notes[import->ref].unclear = true;
	torn[import->torn_lft_count++] =
		(struct torn_lft){device->guid, last, doubtful, text, import->ref};
	return 0;
}

/* Whatever the file lost, another one has told. */
static bool is_known(const struct device *device, unsigned last)
{
	for (unsigned lid = 0; lid <= last; lid += 64) {
		if (!lft_known(device, lid))
			return false;
	}
	return true;
}

/* The file's detail says what another one made up for; the first such table stands for all. */
static int note_made_up(struct import *import, const struct torn_lft *torn,
			const struct device *device, struct err *err)
{
	struct source *source = &import->fabric->sources[torn->source - 1];
	char label[DEVICE_LABEL_SIZE];
	char text[DEVICE_LABEL_SIZE + 240];

	if (source->detail)
		return 0;
	snprintf(text, sizeof(text), "the table of %s: %s; another file tells it whole",
		 device_label(device, label, sizeof(label)), torn->text);
	source->detail = import_intern(import, text, strlen(text));
	return source->detail ? 0 : err_no_memory(err);
}

int import_settle_lfts(struct import *import, struct err *err)
{
	for (size_t i = 0; i < import->torn_lft_count; i++) {
		const struct torn_lft *torn = &import->torn_lfts[i];
		struct device *device = fabric_device_find(import->fabric, torn->guid);
		struct hole *hole;

		if (device && !torn->doubtful && is_known(device, torn->last)) {
			if (note_made_up(import, torn, device, err) < 0)
				return ERR_NOMEM;
			continue;
		}
		if (!device)
			continue;
		hole = fabric_hole_add(import->fabric);
		if (!hole)
			return err_no_memory(err);
		*hole = (struct hole){.device = device,
				      .port = -1,
				      .attribute = ATTRIBUTE_LFT,
				      .reason = HOLE_INCONSISTENT,
				      .text = torn->text,
				      .source = torn->source};
		import->fabric->partial = true;
	}
	return 0;
}
