/*
 * Folded ("collapsed") stacks: one call path a line, and how often it was seen.
 *
 *	main;parse;read 12
 *	main;write_[k] 7
 *
 * The format of stackcollapse-*.pl and flamegraph.pl (github.com/brendangregg/FlameGraph), also
 * written by inferno, async-profiler, bcc and others. It was never defined; what follows
 * is what the tools that read it agree on, and the choice made here where they do not.
 *
 *	line  := stack BLANK+ count [BLANK+ count]
 *	stack := frame { ';' frame }           root first
 *	count := digits [ '.' { digit } ]
 *
 * - BLANK is a space or a tab. Lines end in LF or CR LF; blanks at the end are no part of the line.
 *   Blanks before the count are no part of the frame, unless it has nothing else ("a;  1").
 * - Empty lines, "#" alone and lines that begin with "# " are skipped. Other lines that do not end
 *   in a count are left out and counted as a repair.
 * - A frame is any text without ';', kept whole as the name of a function; it may be empty ("a;;b
 *   1" has three frames, " 1" has one), but not at the end ("a; 1" has one). A name with "_[k]" at
 *   its end is a frame of the kernel; the other annotations ("_[j]" compiled, "_[i]" inlined,
 *   "_[w]" waker) say nothing of the kind of code.
 * - Counts are exact: fractions give the metric an exponent, up to 9 digits. What is finer is
 *   dropped, what is larger than 64 bits is cut; both are repairs.
 * - A first frame "[name tid=12]" (async-profiler -t) is a thread, with the option tasks one like
 *   "comm-12/34" (perf) as well. Names that tell files and lines are taken apart with the option
 *   names; nothing in a file says so.
 * - Two counts a line (difffolded.pl) are the metrics "before" and "after". Whether a file is like
 *   that cannot be seen from one line, as a name may end in a number, too ("worker 12 400"): it
 *   is, if every line has two. The last frames of the lines are held back until that is known.
 */
#include "readers/folded/folded.h"

#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "model/frame_text.h"

enum names { NAMES_WHOLE, NAMES_PLACE, NAMES_RBSPY };

static const char *const names[] = {"whole", "place", "rbspy", NULL};
static const char *const columns_names[] = {"auto", "1", "2", NULL};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "name", 0, offsetof(struct pk_folded_params, name), "NAME",
	 .fallback = "samples", .help = "name of the counts"},
	{PK_OPT_CHOICE, "unit", 0, offsetof(struct pk_folded_params, unit), "UNIT",
	 .choices = pk_folded_units, .fallback = "count", .help = "unit of the counts"},
	{PK_OPT_CHOICE, "columns", 0, offsetof(struct pk_folded_params, columns), "N",
	 .choices = columns_names, .fallback = "auto",
	 .help = "number of counts at the end of a line; auto is 2 (before and after) if every "
		 "line has two"},
	{PK_OPT_CHOICE, "names", 0, offsetof(struct pk_folded_params, names), "FORM",
	 .choices = names, .fallback = "whole",
	 .help = "form of frames: whole is only a name, place is \"function (file:line)\", rbspy "
		 "is \"function - file:line\""},
	{PK_OPT_FLAG, "tasks", 0, offsetof(struct pk_folded_params, tasks),
	 .help = "the first frame is process and thread, as in \"java-12/34\" or \"java-12\""},
	PK_OPT_LAST};

static void set_name(struct pk_builder *b, const struct pk_frame_text *t, const char *name,
		     size_t len, struct pk_function *function, uint32_t *line)
{
	if (t) {
		*function = pk_frame_text_function(b, t);
		*line = t->line;
	} else {
		function->name = pk_build_string(b, name, len);
	}
}

void pk_folded_place(struct pk_builder *b, const char *name, size_t len,
		     struct pk_function *function, uint32_t *line)
{
	struct pk_frame_text t;

	set_name(b, pk_frame_text_place(name, len, &t) ? &t : NULL, name, len, function, line);
}

static void read_rbspy(struct pk_builder *b, const char *name, size_t len,
		       struct pk_function *function, uint32_t *line)
{
	struct pk_frame_text t;

	set_name(b, pk_frame_text_dash(name, len, &t) ? &t : NULL, name, len, function, line);
}

/* The number that ends a text, PK_NULL for '?'; *len becomes that of what comes before. */
static bool take_last_number(const char *text, size_t *len, int64_t *n)
{
	size_t at = *len, digits;
	bool exact, overflow;

	if (at && text[at - 1] == '?') {
		*n = PK_NULL;
		*len = at - 1;
		return true;
	}
	while (at && pk_is_digit(text[at - 1]))
		at--;
	digits = *len - at;
	*len = at;
	return digits && pk_parse_decimal(text + at, digits, 0, n, &exact, &overflow) == digits;
}

/* "[name tid=12]", as async-profiler -t writes it. */
static bool is_named_tid(const char *text, size_t len, int64_t *tid, size_t *name)
{
	size_t rest = len - 1;

	if (len < 8 || text[0] != '[' || text[len - 1] != ']' ||
	    !take_last_number(text, &rest, tid) || *tid == PK_NULL || rest < 6 ||
	    memcmp(text + rest - 5, " tid=", 5) != 0)
		return false;
	*name = rest - 6;
	return true;
}

static size_t take_thread(struct pk_tasks *tasks, const char *stack, size_t len, uint32_t *thread)
{
	const char *end;
	size_t first, name;
	int64_t tid;

	if (!len || *stack != '[')
		return 0;
	end = memchr(stack, ';', len);
	first = end ? (size_t)(end - stack) : len;
	if (!is_named_tid(stack, first, &tid, &name))
		return 0;
	*thread = pk_task_thread(tasks, PK_NULL, tid, stack + 1, name);
	return end ? first + 1 : len;
}

/* "comm-12/34", "comm-12": what stackcollapse-perf.pl and inferno write with --pid and --tid. */
static size_t take_task(struct pk_tasks *tasks, const char *stack, size_t len, uint32_t *thread)
{
	const char *end = memchr(stack, ';', len);
	size_t first = end ? (size_t)(end - stack) : len, name = first;
	int64_t pid, tid = PK_NULL;

	if (!take_last_number(stack, &name, &pid) || !name)
		return 0;
	if (stack[name - 1] == '/') {
		tid = pid;
		name--;
		if (!take_last_number(stack, &name, &pid) || !name)
			return 0;
	}
	if (stack[--name] != '-')
		return 0;
	*thread = pk_task_thread(tasks, pid, tid, stack, name);
	if (pid != PK_NULL && (tid == PK_NULL || tid == pid))
		pk_task_process(tasks, pid, stack, name);
	return end ? first + 1 : len;
}

static size_t find_boundary(const uint8_t *data, size_t len)
{
	const uint8_t *end = memchr(data, '\n', len);

	return end ? (size_t)(end + 1 - data) : 0;
}

static void *begin(const void *params, struct pk_builder *b, bool piece)
{
	static pk_read_name *const forms[] = {NULL, pk_folded_place, read_rbspy};
	const struct pk_folded_params *p = params;
	struct pk_folded_dialect dialect = {forms[p->names], p->tasks ? take_task : take_thread,
					    NULL};

	return pk_folded_begin(p, dialect, b, piece);
}

static const struct pk_piece_reader pieces = {
	.boundary = find_boundary,
	.begin = begin,
	.read = pk_folded_lines,
	.join = pk_folded_join,
	.finish = pk_folded_finish,
	.release = pk_folded_release,
};

struct tally {
	size_t lines;  /* that are neither empty nor comments */
	size_t stacks; /* of these: that end in a count */
	size_t whole;  /* of these: the count is a whole number */
	size_t deep;   /* of stacks: more than one frame */
};

/* A ';' between two frames: in prose and in source a blank follows it. */
static bool is_deep(const char *p, size_t len)
{
	const char *end = p + len;

	while ((p = memchr(p, ';', (size_t)(end - p))))
		if (++p == end || (*p != ' ' && *p != '\t'))
			return true;
	return false;
}

/* A name, as far as one frame alone can look like one: not "12 3", "x = 3", "#define X 3", nor
 * "  x 3", which is a table. */
static bool is_text(const char *p, size_t len)
{
	size_t i;

	if (!len || strchr("# \t", p[0]) || p[len - 1] == '=')
		return false;
	for (i = 0; i < len; i++)
		if ((uint8_t)p[i] > '9' && p[i] != ':')
			return true;
	return false;
}

static void tally_line(struct tally *t, const char *p, size_t len)
{
	struct pk_folded_line l;
	bool deep;

	len = pk_text_trim(p, len);
	if (pk_folded_is_comment(p, len)) {
		/* Prometheus: "# TYPE requests counter" before "requests 12". */
		t->lines += len > 7 && (!memcmp(p, "# TYPE ", 7) || !memcmp(p, "# HELP ", 7));
		return;
	}
	pk_folded_split(p, len, 2, &l);
	t->lines++;
	deep = l.counts && is_deep(p, l.stack);
	if (!deep && !(l.counts && is_text(p, l.stack)))
		return;
	t->stacks++;
	t->deep += deep;
	t->whole += !memchr(l.count[0].text, '.', l.count[0].len);
}

/* The begin of a first line that is longer than what a probe sees: at least two frames, since names
 * may have tens of KB, and no JSON or XML. */
static bool begins_deep(const char *p, size_t len)
{
	size_t i = 0;

	while (i + 1 < len && (p[i] != ';' || p[i + 1] == ' ' || p[i + 1] == '\t'))
		i++;
	return i + 1 < len && !strchr("{[<\"", p[0]);
}

static enum pk_score probe_folded(const struct pk_probe *probe)
{
	struct tally t = {0, 0, 0, 0};
	const char *line = NULL;
	size_t len;

	if (!pk_probe_may_be_text(probe))
		return PK_NO;
	while (pk_probe_line(probe, &line, &len))
		tally_line(&t, line, len);
	if (!t.lines && begins_deep(line, len))
		return PK_MAYBE;
	if (t.deep && t.deep * 4 >= t.stacks && t.stacks * 10 >= t.lines * 6)
		return t.stacks * 10 >= t.lines * 9 ? PK_LIKELY : PK_MAYBE;
	return t.stacks && t.whole == t.lines ? PK_MAYBE : PK_NO;
}

static const char *const suffixes[] = {".folded", ".collapsed", ".collapse", ".txt", NULL};

const struct pk_reader pk_reader_folded = {
	.name = "folded",
	.title = "folded stacks: flamegraph.pl, inferno, bcc, async-profiler",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct pk_folded_params),
	.keeps = PK_PART_PATHS | PK_PART_METRICS | PK_PART_FILES | PK_PART_THREADS,
	.probe = probe_folded,
	.pieces = &pieces,
};
