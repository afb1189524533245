/* What --config takes: files that tell what the SM was told or did, not what the fabric is. */
#ifndef COLLECTOR_IMPORT_CONFIGS_H
#define COLLECTOR_IMPORT_CONFIGS_H

#include "collector/import/files.h"

/* Says that a file of this format is not taken, and what is. ERR_INPUT. */
int configs_refuse(const struct format *format, struct err *err);

/*
 * The files of the user's paths from number `first` on against what --config takes.
 * 0, or ERR_INPUT with the first that it does not.
 */
int configs_check(const struct files *files, size_t first, struct err *err);

#endif
