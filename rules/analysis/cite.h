/*
 * What a verdict rests on, in words: "opensm.conf:12". Names of files are
 * foreign text and come out escaped.
 */
#ifndef RULES_ANALYSIS_CITE_H
#define RULES_ANALYSIS_CITE_H

#include "store/config.h"
#include "store/fabric.h"

#define CITE_SIZE 192

/*
 * The last part of the source's name (all of it where two would be called the
 * same) and the line (0: none); `otherwise` is the
 * name when the source is not known. Returns out.
 */
const char *cite(const struct fabric *fabric, source_ref source, int64_t line,
		 const char *otherwise, char out[CITE_SIZE]);

/* The option's place, "opensm.conf:12"; "opensm.conf" when it is not written. Returns out. */
const char *cite_option(const struct fabric *fabric, const char *key, char out[CITE_SIZE]);

/* "qos_ca_" + name -> the option of that class as written, or NULL. */
const struct config_option *qos_option_of(const struct config *config, enum qos_class class,
					  const char *name);

/* The key that gave the value (from: own class, QOS_CLASS_DEFAULT, -1), "" when built in. Returns out. */
#define QOS_KEY_SIZE 48
const char *qos_key_of(int from, const char *name, char out[QOS_KEY_SIZE]);

/* The source's name in full, where its last part says little ("/tmp/gw7/sys/class/infiniband"). Returns out. */
const char *cite_whole(const struct fabric *fabric, source_ref source, char out[CITE_SIZE]);

#endif
