#include "collector/host/sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/array.h"
#include "store/field.h"

#define NAMES_MAX 65536		/* entries of a directory looked at */

bool sysfs_text(const char *dir, const char *name, char text[SYSFS_TEXT_SIZE])
{
	char path[SYSFS_PATH_SIZE];
	ssize_t length;
	int fd;

	text[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return false;
	fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return false;
	length = read(fd, text, SYSFS_TEXT_SIZE - 1);
	close(fd);
	if (length < 0)
		length = 0;
	while (length > 0 && strchr(" \t\r\n", text[length - 1]))
		length--;
	text[length] = '\0';
	return length > 0;
}

int64_t sysfs_number(const char *dir, const char *name)
{
	char text[SYSFS_TEXT_SIZE];
	char *end;
	long long value;

	if (!sysfs_text(dir, name, text))
		return FIELD_UNKNOWN;
	errno = 0;
	value = strtoll(text, &end, 0);
	return end == text || errno ? FIELD_UNKNOWN : value;
}

static int name_compare(const void *a, const void *b)
{
	const char *x = *(char *const *)a;
	const char *y = *(char *const *)b;

	if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
		unsigned long m = strtoul(x, NULL, 10);
		unsigned long n = strtoul(y, NULL, 10);

		if (m != n)
			return m < n ? -1 : 1;
	}
	return strcmp(x, y);
}

int sysfs_list(const char *dir, char ***ret_names, size_t *ret_count)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	char **names = NULL;
	size_t count = 0;
	size_t room = 0;

	if (!stream)
		return -1;
	while (count < NAMES_MAX && (entry = readdir(stream))) {
		char **grown;

		if (entry->d_name[0] == '.')
			continue;
		grown = array_grow(names, count, &room, sizeof(char *));
		if (!grown)
			break;
		names = grown;
		names[count] = strdup(entry->d_name);
		if (!names[count])
			break;
		count++;
	}
	closedir(stream);
	if (count > 0)
		qsort(names, count, sizeof(char *), name_compare);
	*ret_names = names;
	*ret_count = count;
	return 0;
}

void sysfs_list_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}
