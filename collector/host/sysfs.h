/* Small files of a sysfs tree. */
#ifndef COLLECTOR_HOST_SYSFS_H
#define COLLECTOR_HOST_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYSFS_PATH_SIZE 4096
#define SYSFS_TEXT_SIZE 256

/*
 * The first SYSFS_TEXT_SIZE - 1 bytes of dir/name without blanks and line ends
 * behind. False when it is not there, or the kernel refuses to read it.
 */
bool sysfs_text(const char *dir, const char *name, char text[SYSFS_TEXT_SIZE]);

/* The number a file begins with ("4: ACTIVE", "0x96"), or FIELD_UNKNOWN. */
int64_t sysfs_number(const char *dir, const char *name);

/*
 * The names in a directory, sorted as numbers where they are such, else as
 * text; malloc'd, each one and the list. 0 or -1 with errno.
 */
int sysfs_list(const char *dir, char ***ret_names, size_t *ret_count);

/* NULL is fine. */
void sysfs_list_free(char **names, size_t count);

#endif
