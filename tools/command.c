/* What commands have in common: messages, the sandbox, limits. */
#include "tools/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/input.h"
#include "base/io/progress.h"
#include "base/os/sandbox.h"
#include "base/text/str.h"
#include "readers/reader.h"

#define PK_COMMAND(name) extern const struct pk_command pk_cmd_##name;
#include "tools/commands.def"
#undef PK_COMMAND

const struct pk_command *const pk_commands[] = {
#define PK_COMMAND(name) &pk_cmd_##name,
#include "tools/commands.def"
#undef PK_COMMAND
	NULL,
};

const char *const pk_group_titles[PK_GROUP_COUNT] = {
	[PK_GROUP_LOOK] = "Look at a profile",
	[PK_GROUP_COMPARE] = "Compare runs",
	[PK_GROUP_DRAW] = "Draw",
	[PK_GROUP_CONVERT] = "Convert",
	[PK_GROUP_KEEP] = "Store and query",
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

bool pk_is_input(const char *operand)
{
	const char *at = strrchr(operand, '@');
	char *path;
	bool there;

	if (strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
		return true;
	if (!at)
		return false;
	path = pk_strndup(operand, (size_t)(at - operand));
	there = access(path, F_OK) == 0;
	free(path);
	return there;
}

/* Texts come from files and may contain anything, so control characters are not sent to the
 * terminal. */
static void print_safely(const char *text)
{
	size_t left = strlen(text);

	while (left) {
		uint32_t c;
		bool valid;
		size_t len = pk_utf8_decode(text, left, &c, &valid);

		if (c == '\n' && left > 2 && text[1] == ' ' && text[2] == ' ')
			fputc(c, stderr); /* a newline of the message itself */
		else if (valid && c >= 0x20 && !(c >= 0x7f && c < 0xa0))
			fwrite(text, 1, len, stderr);
		else
			fprintf(stderr, "\\x%02x", valid ? c : (unsigned char)*text);
		text += len;
		left -= len;
	}
}

static void print_message(const char *text)
{
	pk_progress_clear();
	fputs("profkit: ", stderr);
	print_safely(text);
	fputc('\n', stderr);
}

int pk_command_fail(const struct pk_error *err)
{
	print_message(err->text);
	return PK_FAILED;
}

void pk_note(const struct pk_common *c, const char *fmt, ...)
{
	char text[sizeof(((struct pk_error *)0)->text)];
	va_list args;

	if (c->quiet)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	print_message(text);
}

/* With a memory limit, compressed input may unpack to any size. */
static void limit_memory(uint64_t bytes)
{
	if (!bytes)
		return;
	pk_limit_memory(bytes);
	pk_input_set_ratio_limit(0, 0);
}

int pk_confine(const struct pk_common *c, struct pk_error *err)
{
	enum pk_sandbox_wish wish = c->sandbox > 0 ? PK_SANDBOX_YES : PK_SANDBOX_NO;

	if (c->sandbox < 0 && pk_sandbox_from_environment(&wish, err))
		return -1;
	if (pk_sandbox_enter(wish, err))
		return -1;
	limit_memory(c->max_memory);
	return 0;
}

/* The reader that takes the file; NULL if there is none. */
static const struct pk_reader *reader_of(const char *path)
{
	const struct pk_reader *reader = NULL;
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &ignored);

	if (in)
		reader = pk_reader_detect_input(in, &ignored);
	pk_input_close(in);
	return reader;
}

int pk_no_terminal(const char *path, const char *what, struct pk_error *err)
{
	if ((path && strcmp(path, "-")) || !isatty(STDOUT_FILENO))
		return 0;
	return pk_fail(err, PK_EUSAGE, "%s is not for a terminal: name a file with -o", what);
}

int pk_may_replace(const struct pk_common *c, const char *path, bool named, const char *makes,
		   struct pk_error *err)
{
	const struct pk_reader *reader;
	struct stat st;

	if (c->force || !path || !strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode) ||
	    !st.st_size)
		return 0;
	if (!named)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' exists; name it with -o to replace it (-o '%s')", path, path);
	reader = reader_of(path);
	if (!reader || (makes && !strcmp(reader->name, makes)))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'%s' exists and is a profile (%s); name another output, or replace it with "
		       "--force",
		       path, reader->name);
}
