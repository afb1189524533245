#include "store/diff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/diff_parts.h"
#include "store/text.h"

static const struct {
	const char *word;
	unsigned keys;
} key_words[] = {
	{"node", DIFF_NODE},	   {"link", DIFF_LINK},	  {"port", DIFF_PORT},
	{"state", DIFF_STATE},	   {"lid", DIFF_LID},	  {"nodedesc", DIFF_NODEDESC},
	{"finding", DIFF_FINDING}, {"all", DIFF_ALL},
};

/* The bits of one word, 0 when there is no such word. */
static unsigned key_of(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(key_words) / sizeof(key_words[0]); i++) {
		if (strlen(key_words[i].word) == length &&
		    strncmp(key_words[i].word, word, length) == 0)
			return key_words[i].keys;
	}
	return 0;
}

bool diff_keys_parse(const char *text, unsigned *ret_keys, const char **ret_bad)
{
	unsigned keys = 0;

	for (;;) {
		size_t length = strcspn(text, ",");
		unsigned key = key_of(text, length);

		if (key == 0) {
			*ret_bad = text;
			return false;
		}
		keys |= key;
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	*ret_keys = keys;
	return true;
}

const char *diff_kind_name(enum diff_kind kind)
{
	static const char *const names[DIFF_KIND_COUNT] = {
		[DIFF_DEVICE_ADDED] = "device-added",
		[DIFF_DEVICE_REMOVED] = "device-removed",
		[DIFF_DEVICE_NOT_REACHED] = "device-not-reached",
		[DIFF_LINK_ADDED] = "link-added",
		[DIFF_LINK_REMOVED] = "link-removed",
		[DIFF_LINK_MOVED] = "link-moved",
		[DIFF_PORT_STATE] = "port-state",
		[DIFF_PORT_FIELD] = "port-field",
		[DIFF_LID_CHANGED] = "lid-changed",
		[DIFF_DESCRIPTION] = "description",
		[DIFF_DEVICE_FIELD] = "device-field",
	};

	return (unsigned)kind < DIFF_KIND_COUNT ? names[kind] : "unknown";
}

/* Room for one more; it follows from the count alone, which only grows by one. */
static void *list_grow(void *list, size_t count, size_t size)
{
	size_t room = count < 16 ? 16 : 2 * count;

	if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
		return list;
	return room > SIZE_MAX / 2 / size ? NULL : realloc(list, room * size);
}

struct change *diff_add_row(struct diff *diff)
{
	struct change *changes = list_grow(diff->changes, diff->change_count, sizeof(*changes));

	if (!changes)
		return NULL;
	diff->changes = changes;
	memset(&changes[diff->change_count], 0, sizeof(*changes));
	return &changes[diff->change_count++];
}

struct change *diff_add(struct diff *diff, enum diff_kind kind, const struct device *device,
			const struct port *port)
{
	char label[DEVICE_LABEL_SIZE + 16];
	struct change *change = diff_add_row(diff);

	if (!change)
		return NULL;
	change->kind = kind;
	change->node_guid = device->guid;
	change->port = port ? port->num : -1;
	if (port)
		port_label(port, false, label, sizeof(label));
	else
		device_label(device, label, sizeof(label));
	return finding_text(&change->subject, "%s", label) ? change : NULL;
}

int diff_note(struct diff *diff, struct err *err, const char *format, ...)
{
	char **notes = list_grow(diff->notes, diff->note_count, sizeof(*notes));
	char text[512];
	va_list args;

	if (!notes)
		return err_no_memory(err);
	diff->notes = notes;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	notes[diff->note_count] = strdup(text);
	if (!notes[diff->note_count])
		return err_no_memory(err);
	diff->note_count++;
	return 0;
}

bool diff_was_asked(const struct fabric *fabric, enum attribute attribute)
{
	return (fabric->asked >> attribute & 1) != 0;
}

bool diff_lists_devices(const struct fabric *fabric)
{
	return diff_was_asked(fabric, ATTRIBUTE_NODE_INFO) || diff_was_asked(fabric, ATTRIBUTE_NEIGHBOR);
}

bool diff_lists_links(const struct fabric *fabric)
{
	return diff_was_asked(fabric, ATTRIBUTE_NEIGHBOR);
}

struct sorted {
	struct change change;
	size_t place;
};

static int compare_changes(const void *left, const void *right)
{
	const struct sorted *a = left;
	const struct sorted *b = right;
	int order;

	if (a->change.kind != b->change.kind)
		return a->change.kind < b->change.kind ? -1 : 1;
	order = text_compare(a->change.subject, b->change.subject);
	if (order != 0)
		return order;
	return a->place < b->place ? -1 : 1;
}

static int sort_changes(struct diff *diff, struct err *err)
{
	struct sorted *sorted = malloc((diff->change_count + 1) * sizeof(*sorted));

	if (!sorted)
		return err_no_memory(err);
	for (size_t i = 0; i < diff->change_count; i++)
		sorted[i] = (struct sorted){diff->changes[i], i};
	qsort(sorted, diff->change_count, sizeof(*sorted), compare_changes);
	for (size_t i = 0; i < diff->change_count; i++)
		diff->changes[i] = sorted[i].change;
	free(sorted);
	return 0;
}

int diff_new(const struct fabric *old_fabric, const struct fabric *new_fabric,
	     const struct audit *audit, unsigned keys, struct diff **ret_diff, struct err *err)
{
	struct diff_match match = {0};
	struct diff *diff = calloc(1, sizeof(*diff));
	int rc;

	if (!diff)
		return err_no_memory(err);
	diff->audit = keys & DIFF_FINDING ? audit : NULL;
	rc = diff_match_new(old_fabric, new_fabric, &match, err);
	if (rc == 0)
		rc = diff_devices(&match, keys, diff, err);
	if (rc == 0 && (keys & DIFF_LINK))
		rc = diff_links(&match, diff, err);
	if (rc == 0)
		rc = diff_ports(&match, keys, diff, err);
	if (rc == 0)
		rc = diff_hosts(&match, keys, diff, err);
	if (rc == 0 && (keys & DIFF_PORT))
		rc = diff_counters(&match, diff, err);
	if (rc == 0)
		rc = sort_changes(diff, err);
	diff_match_free(&match);
	if (rc < 0) {
		diff_free(diff);
		return rc;
	}
	*ret_diff = diff;
	return 0;
}

void diff_free(struct diff *diff)
{
	if (!diff)
		return;
	for (size_t i = 0; i < diff->change_count; i++) {
		free(diff->changes[i].subject);
		free(diff->changes[i].field);
		free(diff->changes[i].before);
		free(diff->changes[i].after);
	}
	for (size_t i = 0; i < diff->note_count; i++)
		free(diff->notes[i]);
	free(diff->changes);
	free(diff->notes);
	free(diff);
}

bool diff_is_different(const struct diff *diff)
{
	if (diff->change_count > 0)
		return true;
	for (size_t i = 0; diff->audit && i < diff->audit->finding_count; i++) {
		if (diff->audit->findings[i].status == FINDING_NEW ||
		    diff->audit->findings[i].status == FINDING_GONE)
			return true;
	}
	return false;
}
