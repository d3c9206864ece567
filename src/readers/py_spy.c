/*
 * Folded stacks of Python programs, as py-spy record --format raw writes them
 * (github.com/benfred/py-spy, src/flamegraph.rs).
 *
 *	process 7:"python3 a.py";thread (0x7F12AB): main;<module> (a.py:9);run (a.py:3) 12
 *	thread (12): worker;2;_bootstrap (threading.py:995);0x7f2c (libc.so.6) 4
 *
 *	line    := { process ';' } [ thread ';' ] label { ';' label } ' ' samples      root first
 *	label   := function ' (' file [ ':' line ] ')'
 *	process := 'process ' pid ':"' command '"'             with --subprocesses; outermost first
 *	thread  := 'thread (' id ')' [ ': ' name ]             with --threads
 *
 * - The line is the one being executed (with --function that of the def): it belongs to the call
 *   path, and the frame is function and file. A file that is a library is a module.
 * - Processes and threads are not kept as frames. The innermost process is that of the thread. A
 *   thread has one id and may have several names in a file, as a process may have several command
 *   lines (before exec, none at all): the last one is kept.
 * - Nothing is escaped. The name of a thread may have ';' in it and ends before the first label; a
 *   command ends at '"' before a ';' or at the end.
 * - Lines are folded stacks otherwise (folded.c), with one count. A stack without a frame is that
 *   of a thread that ran no Python code.
 */
#include "readers/folded/folded.h"

#include <string.h>

#include "base/text/ascii.h"
#include "model/frame_text.h"
#include "readers/scan_text.h"

/* Ids of threads may have all 64 bits. */
static bool take_id(struct pk_scan *t, int64_t *id)
{
	uint64_t n;

	if (!pk_scan_number(t, &n))
		return false;
	*id = (int64_t)n;
	return *id != PK_NULL;
}

/* The end of a frame: the end of the text, or the place after the ';'. */
static void skip_separator(struct pk_scan *t)
{
	if (t->at < t->end)
		t->at++;
}

static bool take_process(struct pk_scan *t, int64_t *pid, struct pk_scan *command)
{
	struct pk_scan rest = *t;
	const char *quote;

	if (!pk_scan_word(&rest, "process ") || !take_id(&rest, pid) || !pk_scan_word(&rest, ":\""))
		return false;
	for (quote = rest.at; quote < rest.end; quote++) {
		quote = memchr(quote, '"', (size_t)(rest.end - quote));
		if (!quote)
			return false;
		if (quote + 1 == rest.end || quote[1] == ';')
			break;
	}
	if (quote == rest.end)
		return false;
	*command = (struct pk_scan){rest.at, quote};
	t->at = quote + 1;
	skip_separator(t);
	return true;
}

/* The end of the name of the thread that begins here: the next label, or the end of the text. */
static const char *name_end(const struct pk_scan *t)
{
	const char *end = memchr(t->at, ';', (size_t)(t->end - t->at)), *next;
	struct pk_frame_text label;

	for (; end; end = next) {
		next = memchr(end + 1, ';', (size_t)(t->end - end - 1));
		if (pk_frame_text_place(end + 1, (size_t)((next ? next : t->end) - end - 1),
					&label))
			return end;
	}
	return t->end;
}

static bool take_thread_frame(struct pk_scan *t, int64_t *tid, struct pk_scan *name)
{
	struct pk_scan rest = *t;

	if (!pk_scan_word(&rest, "thread (") || !take_id(&rest, tid) || !pk_scan_word(&rest, ")"))
		return false;
	*name = (struct pk_scan){rest.at, rest.at};
	if (pk_scan_word(&rest, ": ")) {
		*name = (struct pk_scan){rest.at, name_end(&rest)};
		rest.at = name->end;
	} else if (rest.at < rest.end && *rest.at != ';') {
		return false;
	}
	*t = rest;
	skip_separator(t);
	return true;
}

static size_t take_thread(struct pk_tasks *tasks, const char *stack, size_t len, uint32_t *thread)
{
	struct pk_scan t = {stack, stack + len}, name = {stack, stack};
	int64_t pid = PK_NULL, tid = PK_NULL, parent;
	bool any = false;

	for (parent = PK_NULL; take_process(&t, &pid, &name); any = true, parent = pid) {
		uint32_t process =
			pk_task_process(tasks, pid, name.at, (size_t)(name.end - name.at));

		if (any)
			pk_task_parent(tasks, process, parent);
	}
	name.end = name.at;
	any |= take_thread_frame(&t, &tid, &name);
	*thread = any ? pk_task_thread(tasks, pid, tid, name.at, (size_t)(name.end - name.at)) : 0;
	return (size_t)(t.at - stack);
}

static void *begin(const void *params, struct pk_builder *b, bool piece)
{
	static const struct pk_folded_params counts = {.name = "samples", .columns = PK_FOLDED_ONE};
	static const struct pk_folded_dialect dialect = {pk_folded_place, take_thread,
							 "[no Python frames]"};

	(void)params;
	return pk_folded_begin(&counts, dialect, b, piece);
}

/* Of other programs py-spy records nothing: the file was converted. */
static bool is_of_python(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->function.count; i++)
		if (p->function.kind[i] == PK_KIND_PYTHON)
			return true;
	return false;
}

static int read_py_spy(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	static const struct pk_piece_reader all = {.begin = begin,
						   .read = pk_folded_lines,
						   .finish = pk_folded_finish,
						   .release = pk_folded_release};

	if (pk_piece_read_whole(&all, in, params, b, err))
		return -1;
	if (is_of_python(pk_builder_profile(b)))
		pk_build_meta(b, "times",
			      "none: idle time is left out, unless recorded with --idle");
	return 0;
}

enum { ENOUGH = 8 << 10 };

struct tally {
	size_t lines, stacks;         /* stacks: lines that end in a count */
	size_t frames, labels, lined; /* lined: labels with a line */
	size_t python;                /* labels of Python files with a line, and frames of tasks */
};

static bool is_python(const struct pk_frame_text *t)
{
	if (t->file_len > 2 && t->file[0] == '<' && t->file[t->file_len - 1] == '>')
		return true;
	return t->file_len > 3 && !memcmp(t->file + t->file_len - 3, ".py", 3);
}

static void tally_stack(struct tally *t, struct pk_scan stack)
{
	struct pk_scan name;
	struct pk_frame_text label;
	int64_t id;

	while (take_process(&stack, &id, &name))
		t->python++;
	t->python += take_thread_frame(&stack, &id, &name);
	while (stack.at < stack.end) {
		const char *end = memchr(stack.at, ';', (size_t)(stack.end - stack.at));

		if (!end)
			end = stack.end;
		t->frames++;
		if (pk_frame_text_place(stack.at, (size_t)(end - stack.at), &label)) {
			t->labels++;
			t->lined += label.line != 0;
			t->python += is_python(&label);
		}
		stack.at = end;
		skip_separator(&stack);
	}
}

static void tally_line(struct tally *t, const char *text, size_t len)
{
	struct pk_folded_line l;

	len = pk_text_trim(text, len);
	if (pk_folded_is_comment(text, len))
		return;
	t->lines++;
	pk_folded_split(text, len, 1, &l);
	if (!l.counts)
		return;
	t->stacks++;
	tally_stack(t, (struct pk_scan){text, text + l.stack});
}

/* The begin of a first line that is longer than the probe. */
static void tally_begin(struct tally *t, const char *text, size_t len)
{
	const char *end = memrchr(text, ';', len);

	if (end)
		tally_stack(t, (struct pk_scan){text, end});
}

static enum pk_score probe_py_spy(const struct pk_probe *probe)
{
	const char *data = (const char *)probe->data, *line = NULL;
	struct tally t = {0};
	size_t len;

	if (memchr(data, 0, probe->len))
		return PK_NO;
	/* The lines of a file are alike, so the first KB of them are enough. */
	while (pk_probe_line(probe, &line, &len) && line - data < ENOUGH)
		tally_line(&t, line, len);
	if (!t.lines)
		tally_begin(&t, line, len);
	if (t.stacks * 10 < t.lines * 9 || t.labels * 10 < t.frames * 9)
		return PK_NO;
	/* Programs of other languages, as profkit writes them, have a line in each label. Of folded
	 * stacks with some labels that have one, the names may be just this. */
	return t.python || (t.lined && t.lined * 10 >= t.frames * 9) ? PK_SURE : PK_NO;
}

static const char *const suffixes[] = {".txt", ".raw", NULL};

const struct pk_reader pk_reader_py_spy = {
	.name = "py-spy",
	.title = "folded stacks of py-spy record --format raw",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_META,
	.probe = probe_py_spy,
	.read = read_py_spy,
};
