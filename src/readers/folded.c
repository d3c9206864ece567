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
 *1" has three frames, " 1" has one). A name that ends in "_[k]" is a frame of the kernel; the other
 *   annotations ("_[j]" compiled, "_[i]" inlined, "_[w]" waker) say nothing of the kind of code.
 * - Counts are exact: fractions give the metric an exponent, up to 9 digits. What is finer is
 *   dropped, what is larger than 64 bits is cut; both are repairs.
 * - Two counts a line (difffolded.pl) are the metrics "before" and "after". Whether a file is like
 *   that cannot be seen from one line, as a name may end in a number, too ("worker 12 400"): it
 *   is, if every line has two. The last frames of the lines are held back until that is known.
 */
#include "readers/folded.h"

#include <string.h>

#define LEAST_FRAMES 100 /* in the first 64 KB of a line that is longer */

static const char *const columns_names[] = {"auto", "1", "2", NULL};

static const struct pk_opt options[] = {
	{.type = PK_OPT_TEXT,
	 .name = "name",
	 .offset = offsetof(struct pk_folded_params, name),
	 .arg = "NAME",
	 .fallback = "samples",
	 .help = "what the counts are called"},
	{.type = PK_OPT_CHOICE,
	 .name = "unit",
	 .offset = offsetof(struct pk_folded_params, unit),
	 .arg = "UNIT",
	 .choices = pk_folded_units,
	 .fallback = "count",
	 .help = "what the counts are in"},
	{.type = PK_OPT_CHOICE,
	 .name = "columns",
	 .offset = offsetof(struct pk_folded_params, columns),
	 .arg = "N",
	 .choices = columns_names,
	 .fallback = "auto",
	 .help = "counts at the end of a line; auto is 2, before and after, if every line has two"},
	PK_OPT_LAST};

static int read_folded(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	static const struct pk_folded_dialect plain = {NULL, NULL, NULL};

	return pk_folded_read(in, params, &plain, NULL, b, err);
}

struct tally {
	size_t lines;  /* that are neither empty nor comments */
	size_t stacks; /* of these: that end in a count */
	size_t whole;  /* of these: the count is a whole number */
	size_t deep;   /* of stacks: more than one frame */
};

/* A ';' between two frames: in prose and in source a blank follows it. */
static bool is_deep(const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;

	while ((p = memchr(p, ';', (size_t)(end - p))))
		if (++p == end || (*p != ' ' && *p != '\t'))
			return true;
	return false;
}

/* A name, as far as one frame alone can look like one: not "12 3", "x = 3", "#define X 3". */
static bool is_text(const uint8_t *p, size_t len)
{
	size_t i;

	if (!len || p[0] == '#' || p[len - 1] == '=')
		return false;
	for (i = 0; i < len; i++)
		if (p[i] > '9' && p[i] != ':')
			return true;
	return false;
}

static void tally_line(struct tally *t, const uint8_t *p, size_t len)
{
	struct pk_folded_line l;
	bool deep;

	len = pk_folded_trim(p, len);
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

/* The begin of a first line that is longer than what a probe sees: frames, and no JSON or XML. */
static bool begins_deep(const uint8_t *p, size_t len)
{
	size_t i, frames = 0;

	for (i = 0; i + 1 < len; i++)
		frames += p[i] == ';' && p[i + 1] != ' ' && p[i + 1] != '\t';
	return len && !strchr("{[<\"", p[0]) && frames >= LEAST_FRAMES;
}

static enum pk_score probe_folded(const struct pk_probe *probe)
{
	const uint8_t *p = probe->data, *end = p + probe->len, *line_end;
	struct tally t = {0, 0, 0, 0};

	if (!probe->len || memchr(p, 0, probe->len))
		return PK_NO;
	for (; (line_end = memchr(p, '\n', (size_t)(end - p))); p = line_end + 1)
		tally_line(&t, p, (size_t)(line_end - p));
	if (probe->whole)
		tally_line(&t, p, (size_t)(end - p));
	else if (!t.lines && begins_deep(p, (size_t)(end - p)))
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
	.keeps = PK_PART_PATHS | PK_PART_METRICS,
	.probe = probe_folded,
	.read = read_folded,
};
