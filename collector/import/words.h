/*
 * The words in which the tools print codes, back into what field.h holds. All
 * compare without regard to case; false: no such word, outputs untouched. Words
 * that say "none" or "undefined" give FIELD_UNKNOWN.
 *
 * Source: libibmad/dump.c (mad_dump_*), ibstat.c, the kernel's sysfs.
 */
#ifndef COLLECTOR_IMPORT_WORDS_H
#define COLLECTOR_IMPORT_WORDS_H

#include "collector/import/format.h"

/* "Active", "Initialize", "Initializing", "INIT", "4: ACTIVE". */
bool words_port_state(const char *text, size_t length, int64_t *ret_state);

/* "LinkUp", "PortConfigurationTraining", "5: LinkUp". */
bool words_phys_state(const char *text, size_t length, int64_t *ret_state);

/* "1X or 4X": bits of LinkWidthSupported and LinkWidthEnabled. */
bool words_width_mask(const char *text, size_t length, int64_t *ret_mask);

/* "2.5 Gbps or 5.0 Gbps": joined speed code bits of one field. "0" and "No Extended Speed" give 0. */
bool words_speed_mask(const char *text, size_t length, int64_t *ret_code);

/* "VL0", "VL0-3": data VLs; "No change" gives 0, as OperVLs code 0 does. */
bool words_vl_count(const char *text, size_t length, int64_t *ret_count);

/* "Switch", "Channel Adapter", "Router", "CA", "SW", "Rt". */
bool words_node_type(const char *text, size_t length, enum node_type *ret_type);

#endif
