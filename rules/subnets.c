#include "rules/subnets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/places.h"

/* A message names the files of this many subnets, evidence those of all. */
#define SUBNETS_NAMED 3

/* The subnet that this fact tells a file of; 0: it tells no such thing. */
static size_t subnet_of(const struct fact *fact)
{
	if (fact->device || strcmp(fact->section, SUBNET_SECTION) != 0)
		return 0;
	return strtoul(fact->key, NULL, 10);
}

size_t subnets_count(const struct fabric *fabric)
{
	size_t count = 0;

	for (size_t i = 0; i < fabric->fact_count; i++) {
		size_t subnet = subnet_of(&fabric->facts[i]);

		count = subnet > count ? subnet : count;
	}
	return count;
}

/* CAs with ports in several subnets are of both: "no device in common" would be wrong. */
static bool shares_cas(const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];

		if (!fact->device && strcmp(fact->section, SUBNET_SECTION) == 0 &&
		    strcmp(fact->key, SUBNET_SHARED) == 0)
			return true;
	}
	return false;
}

/* "a.csv (12 devices)", "a.csv and 3 more files (12 devices)"; the files themselves go into `files`. */
static void subnet_words(const struct fabric *fabric, size_t subnet, struct places *files,
			 char out[CITE_SIZE + 80])
{
	char first[CITE_SIZE] = "";
	const char *devices = "0";

	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];
		char name[CITE_SIZE];

		if (subnet_of(fact) != subnet)
			continue;
		cite(fabric, fact->source, 0, "", name);
		if (files->count == 0)
			snprintf(first, sizeof(first), "%s", name);
		places_add(files, "%s", name);
		devices = fact->value;
	}
	if (files->count > 1)
		snprintf(out, CITE_SIZE + 80, "%s and %zu more %s (%s devices)", first, files->count - 1,
			 files->count == 2 ? "file" : "files", devices);
	else
		snprintf(out, CITE_SIZE + 80, "%s (%s %s)", first, devices,
			 strcmp(devices, "1") == 0 ? "device" : "devices");
}

int subnets_tell(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	size_t count = subnets_count(fabric);
	char message[SUBNETS_NAMED * (CITE_SIZE + 90)] = "";
	struct finding *finding;
	size_t used = 0;

	if (count < 2)
		return 0;
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "subnets", "%s", "");
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 1; i <= count; i++) {
		struct places files = {0};
		char words[CITE_SIZE + 80];
		char key[32];

		subnet_words(fabric, i, &files, words);
		if (i <= SUBNETS_NAMED && used < sizeof(message))
			used += (size_t)snprintf(message + used, sizeof(message) - used, "%s%s",
						 i == 1 ? "" : i == count ? " and " : ", ", words);
		snprintf(key, sizeof(key), "subnet_%zu", i);
		if (!places_evidence(&files, finding, key))
			return err_no_memory(err);
	}
	if (!finding_text(&finding->message, "The files describe %zu fabrics or subnets that have no %s "
			  "in common: %s%s", count, shares_cas(fabric) ? "switch and no port" : "device",
			  message, count > SUBNETS_NAMED ? " and others" : "") ||
	    !finding_text(&finding->remedy, "Import the files of each by themselves (ibaudit import "
			  "--site NAME FILE...), those of one place under one --site. Until then nothing "
			  "is checked that joins devices by LID, name or route; that costs nothing."))
		return err_no_memory(err);
	return 0;
}
