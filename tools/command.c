#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/progress.h"

#define PK_COMMAND(name) extern const struct pk_command pk_cmd_##name;
#include "commands.def"
#undef PK_COMMAND

const struct pk_command *const pk_commands[] = {
#define PK_COMMAND(name) &pk_cmd_##name,
#include "commands.def"
#undef PK_COMMAND
	NULL,
};

const char *const pk_group_titles[PK_GROUP_COUNT] = {
	[PK_GROUP_LOOK] = "Look at a profile",
	[PK_GROUP_DRAW] = "Draw it",
	[PK_GROUP_CONVERT] = "Turn it into others",
	[PK_GROUP_KEEP] = "Keep and question",
	[PK_GROUP_HELP] = "Help",
};

const struct pk_command *pk_command_find(const char *name)
{
	for (int i = 0; pk_commands[i]; i++) {
		const struct pk_command *c = pk_commands[i];

		if (strcmp(c->name, name) == 0 || (c->alias && strcmp(c->alias, name) == 0))
			return c;
	}
	return NULL;
}

int pk_command_fail(const struct pk_error *err)
{
	fprintf(stderr, "profkit: %s\n", err->text);
	return PK_FAILED;
}

void pk_note(const struct pk_common *c, const char *fmt, ...)
{
	va_list args;

	if (c->quiet)
		return;
	fputs("profkit: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}
