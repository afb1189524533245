#include "collector/live/keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/text.h"

struct key {
	uint64_t guid;
	uint64_t key;
};

struct keys {
	struct key *list;	/* by GUID */
	size_t count, room;
};

static int key_compare(const void *a, const void *b)
{
	const struct key *x = a;
	const struct key *y = b;

	return (x->guid > y->guid) - (x->guid < y->guid);
}

static int keys_add(struct keys *keys, const struct key *key, struct err *err)
{
	struct key *list = array_grow(keys->list, keys->count, &keys->room, sizeof(*list));

	if (!list)
		return err_no_memory(err);
	keys->list = list;
	keys->list[keys->count++] = *key;
	return 0;
}

static const char *next_word(const char **at, size_t *ret_length)
{
	const char *word = *at + strspn(*at, " \t\r\n");

	*ret_length = strcspn(word, " \t\r\n");
	*at = word + *ret_length;
	return word;
}

/* 1 a key, 0 nothing on this line, -1 not such a line. */
static int key_parse(const char *line, struct key *ret_key)
{
	size_t guid_length, key_length, rest;
	const char *at = line;
	const char *guid = next_word(&at, &guid_length);
	const char *key = next_word(&at, &key_length);

	next_word(&at, &rest);
	if (guid_length == 0 || *guid == '#')
		return 0;
	if (rest != 0 || !guid_parse(guid, guid_length, &ret_key->guid) ||
	    !guid_parse(key, key_length, &ret_key->key))
		return -1;
	return 1;
}

int keys_read(const char *path, struct keys **ret_keys, struct err *err)
{
	struct keys *keys = calloc(1, sizeof(*keys));
	FILE *file = fopen(path, "r");
	struct key key = {0};
	char line[256];
	long number = 0;
	int rc = 0;

	if (!keys) {
		rc = err_no_memory(err);
		goto out;
	}
	if (!file) {
		rc = err_set(err, ERR_INPUT, "cannot open the M_Key file %s: %s", path,
			     strerror(errno));
		goto out;
	}
	while (rc == 0 && fgets(line, sizeof(line), file)) {
		number++;
		switch (key_parse(line, &key)) {
		case 1:
			rc = keys_add(keys, &key, err);
			break;
		case -1:
			rc = err_set(err, ERR_INPUT,
				     "%s line %ld is not \"port GUID, M_Key\" as OpenSM's "
				     "guid2mkey has it",
				     path, number);
			break;
		}
	}
	if (rc == 0 && ferror(file))
		rc = err_set(err, ERR_INPUT, "cannot read the M_Key file %s: %s", path,
			     strerror(errno));
	if (rc == 0 && keys->count)
		qsort(keys->list, keys->count, sizeof(*keys->list), key_compare);
out:
	memset(line, 0, sizeof(line));
	if (file)
		fclose(file);
	if (rc < 0) {
		keys_free(keys);
		keys = NULL;
	}
	*ret_keys = keys;
	return rc;
}

uint64_t keys_find(const struct keys *keys, uint64_t port_guid, uint64_t fallback)
{
	struct key wanted = {.guid = port_guid};
	const struct key *found = NULL;

	if (keys && keys->count)
		found = bsearch(&wanted, keys->list, keys->count, sizeof(*keys->list), key_compare);
	return found ? found->key : fallback;
}

uint64_t keys_common(const struct keys *keys, uint64_t fallback)
{
	if (!keys || keys->count == 0)
		return fallback;
	for (size_t i = 1; i < keys->count; i++) {
		if (keys->list[i].key != keys->list[0].key)
			return fallback;
	}
	return keys->list[0].key;
}

void keys_free(struct keys *keys)
{
	if (!keys)
		return;
	if (keys->list)
		memset(keys->list, 0, keys->room * sizeof(*keys->list));
	free(keys->list);
	free(keys);
}
