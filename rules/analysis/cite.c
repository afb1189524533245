#include "rules/analysis/cite.h"

#include <stdio.h>
#include <string.h>

#include "store/text.h"

/* The last part of a path, unless another source would be called the same. */
static const char *short_name(const struct fabric *fabric, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash && slash[1] ? slash + 1 : name;

	for (size_t i = 0; base != name && i < fabric->source_count; i++) {
		const char *other = fabric->sources[i].name;
		size_t length = other ? strlen(other) : 0, want = strlen(base);

		if (other && strcmp(other, name) != 0 && length >= want &&
		    strcmp(other + length - want, base) == 0 &&
		    (length == want || other[length - want - 1] == '/'))
			return name;
	}
	return base;
}

const char *cite(const struct fabric *fabric, source_ref source, int64_t line,
		 const char *otherwise, char out[CITE_SIZE])
{
	const char *name = otherwise;
	size_t used;

	if (source > 0 && source <= fabric->source_count && fabric->sources[source - 1].name)
		name = short_name(fabric, fabric->sources[source - 1].name);
	used = text_escape(name, strlen(name), out, CITE_SIZE - 24);
	if (line > 0)
		snprintf(out + used, CITE_SIZE - used, ":%lld", (long long)line);
	return out;
}

const char *cite_whole(const struct fabric *fabric, source_ref source, char out[CITE_SIZE])
{
	const char *name = "";

	if (source > 0 && source <= fabric->source_count && fabric->sources[source - 1].name)
		name = fabric->sources[source - 1].name;
	text_escape(name, strlen(name), out, CITE_SIZE);
	return out;
}

const char *cite_option(const struct fabric *fabric, const char *key, char out[CITE_SIZE])
{
	const struct config_option *option = config_option_find(fabric->config, key);

	return cite(fabric, fabric->config->opensm_conf, option ? option->line : 0, "opensm.conf",
		    out);
}

const char *qos_key_of(int from, const char *name, char out[QOS_KEY_SIZE])
{
	if (from < 0)
		out[0] = '\0';
	else
		snprintf(out, QOS_KEY_SIZE, "%s%s", qos_class_prefix((enum qos_class)from), name);
	return out;
}

const struct config_option *qos_option_of(const struct config *config, enum qos_class class,
					  const char *name)
{
	char key[QOS_KEY_SIZE];

	return config_option_find(config, qos_key_of((int)class, name, key));
}
