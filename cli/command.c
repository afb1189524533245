#include "cli/command.h"

#include <stddef.h>

const struct command command_table[] = {
	{NULL, NULL, NULL, NULL},
};
