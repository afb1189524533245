#include "rules/analysis/cite.h"

#include <stdio.h>
#include <string.h>

#include "store/text.h"

const char *cite(const struct fabric *fabric, source_ref source, int64_t line,
		 const char *otherwise, char out[CITE_SIZE])
{
	const char *name = otherwise;
	size_t used;

	if (source > 0 && source <= fabric->source_count && fabric->sources[source - 1].name) {
		const char *slash;

		name = fabric->sources[source - 1].name;
		slash = strrchr(name, '/');
		if (slash && slash[1])
			name = slash + 1;
	}
	used = text_escape(name, strlen(name), out, CITE_SIZE - 24);
	if (line > 0)
		snprintf(out + used, CITE_SIZE - used, ":%lld", (long long)line);
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
