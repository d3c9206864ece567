/* The tools of the server: their arguments, and the command line that each becomes. */
#include "tools/commands/mcp/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "base/os/beneath.h"

enum kind { FILE_NAME, OPERAND, SQL, OPTION, NUMBER, FLAG };

struct parameter {
	const char *name;
	enum kind kind;
	const char *option; /* of the command, for OPTION and NUMBER */
	bool required;
	const char *help;
};

#define FILE_OF(name, help)                       \
	{                                         \
		name, FILE_NAME, NULL, true, help \
	}
#define FILTERS                                                                                    \
	{"metric", OPTION, "metric", false, "name or number of the metric, if there are several"}, \
		{"run", OPTION, "run", false, "of a store: label or number of a run"},             \
		{"thread", OPTION, "thread", false,                                                \
		 "only threads whose number is this, or name matches this regular expression"},    \
		{"focus", OPTION, "focus", false,                                                  \
		 "only call paths with a function that matches this regular expression"},          \
	{                                                                                          \
		"ignore", OPTION, "ignore", false,                                                 \
			"leave out call paths with a function that matches"                        \
	}
#define BUDGET                                                                              \
	{                                                                                   \
		"budget", NUMBER, "budget", false, "most tokens of the answer, 50 to 20000" \
	}

static const struct tool {
	const char *name, *command, *description;
	struct parameter parameter[12];
} tools[] = {
	{"open",
	 "info",
	 "What a file is: format, what made it, metrics, counts, facts of the recording. Of a "
	 "folder, or without a file: "
	 "the files in it.",
	 {{"file", FILE_NAME, NULL, false, "path below the root"}, BUDGET}},
	{"brief",
	 "brief",
	 "The most important facts of a profile: what it is, where the time or memory goes, what "
	 "is unusual, what is uncertain. "
	 "Functions get handles (f12) that other tools take. Start with this.",
	 {FILE_OF("file", "path of the profile below the root"), FILTERS, BUDGET}},
	{"hotspots",
	 "hotspots",
	 "The functions that cost most, with calls, self and total.",
	 {FILE_OF("file", "path of the profile below the root"),
	  {"sort", OPTION, "sort", false, "self (default), total or calls"},
	  {"match", OPTION, "match", false,
	   "only functions whose name, file:line or module matches this regular expression"},
	  FILTERS,
	  BUDGET}},
	{"callers",
	 "callers",
	 "The callers of a function, or what it calls.",
	 {{"function", OPERAND, NULL, true, "a handle (f12), a name, or a regular expression"},
	  FILE_OF("file", "path of the profile below the root"),
	  {"callees", FLAG, NULL, false, "what it calls, instead of what calls it"},
	  FILTERS,
	  BUDGET}},
	{"lines",
	 "lines",
	 "Source lines with their cost, of a profile that knows lines.",
	 {FILE_OF("file", "path of the profile below the root"),
	  {"function", OPERAND, NULL, false,
	   "a handle (f12), a function, a source file, or SOURCE:LINE; without it the hottest"},
	  FILTERS,
	  BUDGET}},
	{"diff",
	 "diff",
	 "What became slower or faster from one profile to another, and which changes are real.",
	 {FILE_OF("before", "path of the profile before"),
	  FILE_OF("after", "path of the profile after"), FILTERS, BUDGET}},
	{"query",
	 "query",
	 "SQL (of SQLite, read-only) on a profile. The tables are run, metric, function, location, "
	 "node, cost, edge, "
	 "sample, span, thread, process and more; views: hotspot, argument.",
	 {FILE_OF("file", "path of the profile below the root"),
	  {"sql", SQL, NULL, true, "a SELECT"},
	  BUDGET}},
};

static const struct tool *find_tool(const char *name)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

bool pk_mcp_has_tool(const char *name)
{
	return find_tool(name);
}

static void write_tool(struct pk_json_writer *w, const struct tool *t)
{
	static const char *const types[] = {[NUMBER] = "integer", [FLAG] = "boolean"};

	pk_json_object(w);
	pk_json_put_text(w, "name", t->name);
	pk_json_put_text(w, "description", t->description);
	pk_json_put_object(w, "inputSchema");
	pk_json_put_text(w, "type", "object");
	pk_json_put_object(w, "properties");
	for (const struct parameter *p = t->parameter; p->name; p++) {
		const char *type = p->kind == NUMBER || p->kind == FLAG ? types[p->kind] : "string";

		pk_json_put_object(w, p->name);
		pk_json_put_text(w, "type", type);
		pk_json_put_text(w, "description", p->help);
		pk_json_end(w);
	}
	pk_json_end(w);
	pk_json_put_array(w, "required");
	for (const struct parameter *p = t->parameter; p->name; p++)
		if (p->required)
			pk_json_text(w, p->name);
	pk_json_end(w);
	pk_json_key(w, "additionalProperties");
	pk_json_bool(w, false);
	pk_json_end(w);
	pk_json_put_object(w, "annotations");
	pk_json_key(w, "readOnlyHint");
	pk_json_bool(w, true);
	pk_json_key(w, "openWorldHint");
	pk_json_bool(w, false);
	pk_json_end(w);
	pk_json_end(w);
}

void pk_mcp_list_tools(struct pk_buf *json)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_to_buf(json);
	struct pk_json_writer w;

	pk_json_init(&w, out, 0);
	pk_json_object(&w);
	pk_json_put_array(&w, "tools");
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		write_tool(&w, &tools[i]);
	pk_json_end(&w);
	pk_json_end(&w);
	pk_output_commit(out, &err); /* memory: it does not fail */
	while (json->len && json->data[json->len - 1] == '\n')
		json->data[--json->len] = '\0';
}

/* Adds a word to the command; the buffer is given away. */
static void add_word(struct pk_mcp_call *call, struct pk_buf *word)
{
	if (call->argc + 2 > call->alloc) {
		call->alloc = 2 * call->alloc + 16;
		call->argv = pk_realloc(call->argv, (size_t)call->alloc * sizeof(*call->argv));
	}
	call->argv[call->argc++] = pk_buf_detach(word);
	call->argv[call->argc] = NULL;
}

static void add_text(struct pk_mcp_call *call, const char *before, const char *text)
{
	struct pk_buf word = PK_BUF_INIT;

	pk_buf_adds(&word, before);
	pk_buf_adds(&word, text);
	add_word(call, &word);
}

static bool fail_file(struct pk_buf *why, const char *path)
{
	const char *reason = errno == EXDEV ? "outside of the folder of the server (--root)"
			     : errno == ELOOP || errno == ENOTDIR
				     ? "not a file, or a symbolic link, which is not followed"
				     : strerror(errno);

	pk_buf_addf(why, "'%s': %s", path, reason);
	return false;
}

/* True if the file, or that of FILE@RUN, is below the root. *is_folder: it is a folder. */
static bool check_file(const struct pk_mcp_limits *limits, const char *path, bool *is_folder,
		       struct pk_buf *why)
{
	/* O_NONBLOCK: a FIFO does not wait for its writer */
	const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
	int fd = pk_open_below(limits->root, limits->root_path, path, flags), error = errno;
	const char *at = strrchr(path, '@');
	struct stat st;
	bool known;

	if (fd < 0 && error == ENOENT && at && at > path) {
		PK_FREED char *file = pk_strdup(path);

		file[at - path] = '\0';
		fd = pk_open_below(limits->root, limits->root_path, file, flags);
		error = fd < 0 ? error : 0;
	}
	errno = error;
	if (fd < 0)
		return fail_file(why, path);
	known = !fstat(fd, &st);
	close(fd);
	*is_folder = known && S_ISDIR(st.st_mode);
	if (known && (S_ISREG(st.st_mode) || *is_folder))
		return true;
	pk_buf_addf(why, "'%s' is not a regular file", path);
	return false;
}

static bool add_file(struct pk_mcp_call *call, const struct pk_mcp_limits *limits, const char *path,
		     struct pk_buf *why)
{
	bool is_folder;

	if (!check_file(limits, path, &is_folder, why))
		return false;
	if (is_folder && strcmp(call->argv[0], "info") == 0) {
		call->folder = pk_strdup(path);
		return true;
	}
	if (is_folder) {
		pk_buf_addf(why, "'%s' is a folder; the tool open lists it", path);
		return false;
	}
	add_text(call, *path == '-' ? "./" : "", path);
	return true;
}

static bool add_number(struct pk_mcp_call *call, const struct parameter *p, const char *text,
		       struct pk_buf *why)
{
	enum { LEAST = 50, MOST = 20000 };
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || end == text || value < LEAST || value > MOST) {
		pk_buf_addf(why, "%s: '%s' is not a number from %d to %d", p->name, text, LEAST,
			    MOST);
		return false;
	}
	add_text(call, "--budget=", text);
	return true;
}

static bool add_parameter(struct pk_mcp_call *call, const struct pk_mcp_limits *limits,
			  const struct parameter *p, const char *text, struct pk_buf *why)
{
	PK_BUF_AUTO before = PK_BUF_INIT;

	switch (p->kind) {
	case FILE_NAME:
		return add_file(call, limits, text, why);
	case OPERAND:
		if (*text == '-') {
			pk_buf_addf(why, "%s: '%s' begins with '-'", p->name, text);
			return false;
		}
		add_text(call, "", text);
		return true;
	case SQL: /* "--" is a comment of SQL, and would be an option */
		add_text(call, *text == '-' ? " " : "", text);
		return true;
	case OPTION:
		pk_buf_addf(&before, "--%s=", p->option);
		add_text(call, before.data, text);
		return true;
	case NUMBER:
		return add_number(call, p, text, why);
	case FLAG:
		if (strcmp(text, "true") == 0) {
			free(call->argv[0]);
			call->argv[0] = pk_strdup("callees");
		}
		return true;
	}
	return true;
}

/* Refuses arguments that the tool does not have, and values that are no text, number or truth
 * value. */
static bool check_arguments(const struct tool *t, const struct pk_mcp_message *m,
			    struct pk_buf *why)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct parameter *p = t->parameter;

		while (p->name && strcmp(p->name, m->argument[i].key) != 0)
			p++;
		if (!p->name) {
			pk_buf_addf(why, "%s has no argument '%s'", t->name, m->argument[i].key);
			return false;
		}
		if (!m->argument[i].text) {
			pk_buf_addf(why, "%s: not a text or a number", m->argument[i].key);
			return false;
		}
	}
	return true;
}

bool pk_mcp_prepare(const struct pk_mcp_message *m, const struct pk_mcp_limits *limits,
		    struct pk_mcp_call *call, struct pk_buf *why)
{
	const struct tool *t = find_tool(m->name.data);
	char budget[32];

	*call = (struct pk_mcp_call){0};
	if (!check_arguments(t, m, why))
		return false;
	add_text(call, "", t->command);
	if (strcmp(t->command, "brief") != 0)
		add_text(call, "", "--format=brief");
	add_text(call, "--max-memory=", limits->max_memory);
	snprintf(budget, sizeof(budget), "%" PRId64, limits->budget);
	add_text(call, "--budget=", budget);
	for (const struct parameter *p = t->parameter; p->name; p++) {
		const char *text = pk_mcp_argument(m, p->name);

		if (!text && p->required) {
			pk_buf_addf(why, "%s needs the argument '%s'", t->name, p->name);
			return false;
		}
		if (!text && p->kind == FILE_NAME)
			text = "."; /* of open: the root */
		if (text && !add_parameter(call, limits, p, text, why))
			return false;
	}
	return true;
}

void pk_mcp_call_release(struct pk_mcp_call *call)
{
	for (int i = 0; i < call->argc; i++)
		free(call->argv[i]);
	free(call->argv);
	free(call->folder);
	*call = (struct pk_mcp_call){0};
}
