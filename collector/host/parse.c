#include "collector/host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

bool host_parse_rate(const char *text, int64_t *ret_mbps, int64_t *ret_width, char *ret_speed,
		     size_t size)
{
	char *end;
	double gbps = strtod(text, &end);
	char speed[16] = "";
	int lanes = 0;

	*ret_mbps = FIELD_UNKNOWN;
	*ret_width = FIELD_UNKNOWN;
	ret_speed[0] = '\0';
	if (end == text || !(gbps >= 0) || gbps > 1e6)
		return false;
	*ret_mbps = (int64_t)(gbps * 1000 + 0.5);
	end = strchr(end, '(');
	if (!end)
		return true;
	if (sscanf(end, "(%d%*[xX] %15[A-Z0-9])", &lanes, speed) < 1)
		return true;
	if (lanes >= 1 && lanes <= 12)
		*ret_width = lanes;
	snprintf(ret_speed, size, "%s", speed);
	return true;
}

bool host_parse_gid(const char *text, uint8_t ret_gid[16])
{
	for (unsigned group = 0; group < 8; group++) {
		char digits[5] = {0};
		char *end;
		unsigned long value;

		memcpy(digits, text, strnlen(text, 4));
		value = strtoul(digits, &end, 16);
		if (end != digits + 4 || strspn(digits, "0123456789abcdefABCDEF") != 4)
			return false;
		ret_gid[2 * group] = (uint8_t)(value >> 8);
		ret_gid[2 * group + 1] = (uint8_t)value;
		text += 4;
		if (*text != (group < 7 ? ':' : '\0'))
			return false;
		text++;
	}
	return true;
}

bool host_parse_guid(const char *text, uint64_t *ret_guid)
{
	char digits[17];
	size_t count = 0;

	if (!strchr(text, ':'))
		return guid_parse(text, strlen(text), ret_guid);
	for (; *text; text++) {
		if (*text == ':')
			continue;
		if (count == 16)
			return false;
		digits[count++] = *text;
	}
	digits[count] = '\0';
	return count == 16 && guid_parse(digits, count, ret_guid);
}

void host_name_of_tree(const char *root, char *out, size_t size)
{
	const char *end = root + strlen(root);

	out[0] = '\0';
	while (end > root) {
		const char *start;
		size_t length;

		while (end > root && end[-1] == '/')
			end--;
		start = end;
		while (start > root && start[-1] != '/')
			start--;
		length = (size_t)(end - start);
		if (length > 0 && !(length == 3 && memcmp(start, "sys", 3) == 0) &&
		    !(length == 1 && *start == '.')) {
			snprintf(out, size, "%.*s", (int)length, start);
			return;
		}
		end = start;
	}
}
