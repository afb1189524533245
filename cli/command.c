#include "cli/command.h"

#include <stddef.h>
#include <string.h>

const struct command command_table[] = {
#define COMMAND(name, usage, summary) {#name, usage, summary, cmd_##name},
#include "cli/commands.h"
#undef COMMAND
	{NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
	const struct command *command = command_table;

	while (command->name && strcmp(command->name, name) != 0)
		command++;
	return command->name ? command : NULL;
}
