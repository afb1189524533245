#include "collector/import/opensm_conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_option(struct config *config, const char *key, const char *raw,
		      const char *effective, int64_t line, source_ref source, struct err *err)
{
	struct config_option *option = config_option_add(config);

	if (!option)
		return err_no_memory(err);
	option->key = fabric_text(config->fabric, key, strlen(key));
	if (raw)
		option->raw = fabric_text(config->fabric, raw, strlen(raw));
	if (effective)
		option->effective = fabric_text(config->fabric, effective, strlen(effective));
	option->line = line;
	option->source = source;
	if (!option->key || (raw && !option->raw) || (effective && !option->effective))
		return err_no_memory(err);
	return 0;
}

static int compare_options(const void *a, const void *b)
{
	return strcmp(((const struct config_option *)a)->key, ((const struct config_option *)b)->key);
}

static int store_options(const struct opensm_conf *conf, struct err *err)
{
	struct config *config = conf->notes.config;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < opensm_key_count; i++) {
		const struct opensm_slot *slot = &conf->slots[i];
		bool secret = opensm_key_table[i].type == OPENSM_SECRET && slot->line;

		rc = add_option(config, opensm_key_table[i].name, slot->raw,
				secret ? OPENSM_HIDDEN : slot->effective, slot->line, conf->notes.source, err);
	}
	for (size_t i = 0; rc == 0 && i < conf->unknown_count; i++)
		rc = add_option(config, conf->unknown[i].name, conf->unknown[i].raw, NULL,
				conf->unknown[i].line, conf->notes.source, err);
	if (rc == 0)
		qsort(config->options, config->option_count, sizeof(config->options[0]),
		      compare_options);
	return rc;
}

/* Another opensm.conf was read before: that one stays, and where they differ is said. */
static int compare_with_first(const struct opensm_conf *conf, struct err *err)
{
	struct config *config = conf->notes.config;
	struct fabric *fabric = config->fabric;

	for (size_t i = 0; i < opensm_key_count; i++) {
		const struct opensm_key *key = &opensm_key_table[i];
		const struct config_option *first = config_option_find(config, key->name);
		const char *here = conf->slots[i].effective ? conf->slots[i].effective : "(null)";
		const char *there = first && first->effective ? first->effective : "(null)";
		struct contradiction *contradiction;
		char fact[96];

		if (key->type == OPENSM_SECRET || strcmp(here, there) == 0)
			continue;
		contradiction = fabric_contradiction_add(fabric);
		if (!contradiction)
			return err_no_memory(err);
		snprintf(fact, sizeof(fact), "opensm.conf %s", key->name);
		contradiction->port = -1;
		contradiction->fact = fabric_text(fabric, fact, strlen(fact));
		contradiction->kept = fabric_text(fabric, there, strlen(there));
		contradiction->kept_source = config->opensm_conf;
		contradiction->other = fabric_text(fabric, here, strlen(here));
		contradiction->other_source = conf->notes.source;
		if (!contradiction->fact || !contradiction->kept || !contradiction->other)
			return err_no_memory(err);
	}
	return 0;
}

int opensm_conf_store(const struct opensm_conf *conf, struct err *err)
{
	struct config *config = conf->notes.config;
	int rc;

	if (config->opensm_conf)
		return compare_with_first(conf, err);
	config->opensm_conf = conf->notes.source;
	rc = store_options(conf, err);
	return rc < 0 ? rc : config_build(config, err);
}
