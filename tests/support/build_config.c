#include "tests/support/build_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *pointer)
{
	if (!pointer) {
		fprintf(stderr, "build_config: no memory\n");
		abort();
	}
	return pointer;
}

static char *text_of(struct fabric *fabric, const char *text)
{
	return text ? must(fabric_text(fabric, text, strlen(text))) : NULL;
}

struct config_option *build_option(struct fabric *fabric, const char *key, const char *value,
				   int64_t line)
{
	struct config *config = fabric->config;
	struct config_option *option;
	struct err err = {0};

	if (config->opensm_conf == 0) {
		must(fabric_source_add(fabric, SOURCE_FILE, "opensm.conf", "opensm.conf"));
		config->opensm_conf = fabric_source_newest(fabric);
	}
	option = must(config_option_add(config));
	option->key = text_of(fabric, key);
	option->raw = text_of(fabric, value);
	option->effective = text_of(fabric, value);
	option->line = line;
	option->source = config->opensm_conf;
	if (config_build(config, &err) < 0)
		must(NULL);
	return option;
}

struct log_event *build_log_event(struct fabric *fabric, enum log_event_kind kind,
				  const char *text, int64_t line)
{
	struct config *config = fabric->config;
	struct log_event *event;

	if (config->opensm_log == 0) {
		must(fabric_source_add(fabric, SOURCE_FILE, "opensm.log", "opensm.log"));
		config->opensm_log = fabric_source_newest(fabric);
	}
	event = must(config_event_add(config));
	event->kind = kind;
	event->text = text_of(fabric, text);
	event->first_line = line;
	event->last_line = line;
	event->count = 1;
	event->port = -1;
	event->port_a = -1;
	event->port_b = -1;
	event->source = config->opensm_log;
	return event;
}
