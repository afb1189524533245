/* Which format a beginning belongs to. The helpers for detect functions are in format.h. */
#ifndef COLLECTOR_IMPORT_DETECT_H
#define COLLECTOR_IMPORT_DETECT_H

#include "collector/import/format.h"

/* The surest format, or NULL: none. */
const struct format *import_detect(const struct probe *probe);

/* The surest format of those that are at least so sure, or NULL: none. */
const struct format *import_detect_sure(const struct probe *probe, int least);

/* The format with this id, or NULL. */
const struct format *import_format_find(const char *id);

/* The formats in the order of formats.h; NULL behind the last. */
const struct format *import_format_at(size_t index);

#endif
