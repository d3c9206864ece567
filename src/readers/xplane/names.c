/*
 * Names that XLA's profiler gives to what it records.
 *
 *	$train.py:41 step         a call of a Python function, with the line of its begin
 *	$builtins len             of one written in C
 *	Stream #7(Kernel)         a line of a GPU: what ran on a stream
 *	XLA Modules               a line that sums up others
 */
#include "readers/xplane/names.h"

#include <string.h>

#include "base/text/str.h"

bool pk_xla_is_stream(const char *line)
{
	return pk_starts_with(line, "Stream #");
}

/* "XLA Ops - from #1": made for each stream by the program that shows them. */
static bool is_named(const char *line, const char *name)
{
	size_t len = strlen(name);

	return pk_starts_with(line, name) && (!line[len] || pk_starts_with(line + len, " - from "));
}

bool pk_xla_is_sum(const char *line, bool has_streams)
{
	static const char *const sums[] = {
		"Steps",          "XLA Modules",          "Framework Name Scope", "Framework Ops",
		"Launch Stats",   "Source code",          "XLA TraceMe",          "Source",
		"TensorFlow Ops", "TensorFlow Name Scope"};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		if (is_named(line, sums[i]))
			return true;
	return has_streams && (is_named(line, "XLA Ops") || is_named(line, "Async XLA Ops"));
}

/* "file.py:41 step", "builtins all" or "<unknown> step" */
static void make_python_function(struct pk_builder *b, const char *name, struct pk_function *f)
{
	const char *blank = strchr(name, ' '), *colon;
	uint32_t line = 0;

	if (!blank || !blank[1])
		return;
	colon = memrchr(name, ':', (size_t)(blank - name));
	for (const char *s = colon ? colon + 1 : blank; s < blank; s++) {
		if (*s < '0' || *s > '9' || line > INT32_MAX / 10 - 1)
			return;
		line = line * 10 + (uint32_t)(*s - '0');
	}
	f->kind = colon || *name == '<' ? PK_KIND_PYTHON : PK_KIND_BUILTIN;
	f->name = pk_build_text(b, blank + 1);
	f->line = line;
	if (colon)
		f->file = pk_build_string(b, name, (size_t)(colon - name));
	else if (*name != '<')
		f->module = pk_build_string(b, name, (size_t)(blank - name));
}

void pk_xla_function(struct pk_builder *b, bool device, struct pk_function *f)
{
	const char *name = pk_text(pk_builder_profile(b), f->name);

	if (*name == '$')
		make_python_function(b, name + 1, f);
	else if (device)
		f->kind = PK_KIND_GPU;
}
