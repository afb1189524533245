#include "collector/import/merge_subnets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

/* Two sources that name the same switch or port. */
struct source_pair {
	source_ref a;
	source_ref b;
};

static bool tells_links(const struct import *import, source_ref ref)
{
	return ref == import->live || (ref < import->note_room && import->notes[ref].links);
}

void import_tells_links(struct import *import)
{
	import->notes[import->ref].links = true;
}

void import_touch(struct import *import, source_ref *first)
{
	struct source_pair *pairs;

	if (*first == import->ref)
		return;
	if (*first != 0 && import->notes[*first].touched_by != import->ref) {
		pairs = array_grow(import->pairs, import->pair_count, &import->pair_room, sizeof(*pairs));
		/* A run without memory ends soon after, and says so. */
		if (!pairs)
			return;
		import->pairs = pairs;
		pairs[import->pair_count++] = (struct source_pair){*first, import->ref};
		import->notes[*first].touched_by = import->ref;
	}
	if (*first == 0 || !tells_links(import, *first))
		*first = import->ref;
}

/* Of each source: one that is of the same subnet, in the end the lowest of them. */
static source_ref root_of(source_ref *parents, source_ref ref)
{
	while (parents[ref] != ref) {
		parents[ref] = parents[parents[ref]];
		ref = parents[ref];
	}
	return ref;
}

static void join(source_ref *parents, source_ref a, source_ref b)
{
	a = root_of(parents, a);
	b = root_of(parents, b);
	if (a < b)
		parents[b] = a;
	else
		parents[a] = b;
}

/* Joins what has something in common; files without links join nothing and follow the first they name of. */
static void join_all(const struct import *import, source_ref *parents)
{
	for (size_t i = 0; i < import->pair_count; i++) {
		const struct source_pair *pair = &import->pairs[i];

		if (tells_links(import, pair->a) && tells_links(import, pair->b))
			join(parents, pair->a, pair->b);
	}
	for (size_t i = 0; i < import->pair_count; i++) {
		const struct source_pair *pair = &import->pairs[i];
		bool a_links = tells_links(import, pair->a);

		if (a_links == tells_links(import, pair->b))
			continue;
		if (a_links && parents[pair->b] == pair->b)
			parents[pair->b] = pair->a;
		else if (!a_links && parents[pair->a] == pair->a)
			parents[pair->a] = pair->b;
	}
}

/* Of the sources that are their subnet's root: what is known of it. */
struct subnet {
	size_t number;		/* from 1; 0: no root */
	size_t devices;		/* a CA counts in each subnet that one of its ports is in */
	size_t mark;		/* the last device that was counted, plus 1 */
};

static void count_device(const struct device_origin *origin, size_t mark, source_ref *parents,
			 struct subnet *subnets, size_t *ret_shared)
{
	size_t found = 0;

	for (size_t p = 0; p < origin->port_slots; p++) {
		struct subnet *subnet =
			&subnets[origin->ports[p] ? root_of(parents, origin->ports[p]->first) : 0];

		if (subnet->number == 0 || subnet->mark == mark)
			continue;
		subnet->mark = mark;
		subnet->devices++;
		found++;
	}
	if (found == 0)
		subnets[root_of(parents, origin->first)].devices++;
	*ret_shared += found > 1;
}

static int tell(struct import *import, source_ref ref, const char *key, size_t count, struct err *err)
{
	struct fact *fact = fabric_fact_add(import->fabric);
	char value[24];

	if (!fact)
		return err_no_memory(err);
	snprintf(value, sizeof(value), "%zu", count);
	fact->port = -1;
	fact->source = ref;
	fact->section = import_intern(import, SUBNET_SECTION, strlen(SUBNET_SECTION));
	fact->key = import_intern(import, key, strlen(key));
	fact->value = import_intern(import, value, strlen(value));
	return fact->section && fact->key && fact->value ? 0 : err_no_memory(err);
}

static int tell_all(struct import *import, source_ref *parents, struct subnet *subnets, struct err *err)
{
	size_t shared = 0;
	int rc = 0;

	for (size_t i = 0; i < import->origin_room && i < import->fabric->device_count; i++)
		count_device(&import->origins[i], i + 1, parents, subnets, &shared);
	for (size_t i = 1; i <= import->fabric->source_count && rc == 0; i++) {
		const struct subnet *subnet = &subnets[root_of(parents, (source_ref)i)];
		char key[24];

		snprintf(key, sizeof(key), "%zu", subnet->number);
		if (subnet->number != 0)
			rc = tell(import, (source_ref)i, key, subnet->devices, err);
	}
	return rc == 0 && shared > 0 ? tell(import, 0, SUBNET_SHARED, shared, err) : rc;
}

int import_subnets(struct import *import, bool *ret_apart, struct err *err)
{
	size_t sources = import->fabric->source_count + 1;
	source_ref *parents = calloc(sources, sizeof(*parents));
	struct subnet *subnets = calloc(sources, sizeof(*subnets));
	size_t count = 0;
	int rc = 0;

	if (!parents || !subnets)
		rc = err_no_memory(err);
	for (size_t i = 0; i < sources && rc == 0; i++)
		parents[i] = (source_ref)i;
	if (rc == 0)
		join_all(import, parents);
	for (size_t i = 1; i < sources && rc == 0; i++) {
		if (parents[i] == i && tells_links(import, (source_ref)i))
			subnets[i].number = ++count;
	}
	*ret_apart = count > 1;
	if (count > 1)
		rc = tell_all(import, parents, subnets, err);
	free(parents);
	free(subnets);
	return rc;
}
