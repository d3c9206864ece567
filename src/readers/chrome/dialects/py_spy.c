/*
 * The dialect of py-spy record --format chrometrace (github.com/benfred/py-spy): samples of Python
 * programs, written as begins and ends of what changed from one to the next.
 *
 *	[{"args":{"filename":"/srv/a.py","line":3},"cat":"py-spy","name":"run","ph":"B","pid":7,
 *	  "tid":140131092500544,"ts":4711}, ...]
 *
 * - The line is the one being executed: it belongs to the call path, and the frame is function
 *   and file. That a span begins does not say that a function was called.
 * - With --threads and --subprocesses, the first frames of a stack name process and thread: they
 *   are not kept as frames.
 * - The frames of an idle thread go on until its next sample.
 * - Processes that forked have threads of one tid, and one stack: py_spy_stack.c.
 * - profkit writes samples in the same way, with a category of its own: names and ids of threads
 *   are in metadata there, and each has a stack.
 */
#include <string.h>

#include "base/text/str.h"
#include "model/frame_text.h"
#include "readers/chrome/dialects/py_spy.h"

static const char *const categories[] = {"py-spy", "profkit", NULL};

static void begin(struct pk_chrome *c)
{
	c->nest.sampled = true;
	((struct py_spy *)c->state)->again = PY_SPY_AGAIN_FIRST;
}

static void find_producer(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct py_spy *s = c->state;
	const char *category = pk_text(pk_builder_profile(c->b), e->category);

	if (s->named || !e->category)
		return;
	s->named = true;
	s->own = !strcmp(category, "profkit");
	if (!s->own)
		pk_build_run_text(c->b, PK_RUN_PRODUCER, "py-spy");
}

static bool arg(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct pk_json *j = &c->json;
	int64_t line;

	if (pk_json_is(j, "filename")) {
		if (pk_json_next(j) == PK_JSON_STRING && j->len)
			e->file = pk_chrome_string(c);
	} else if (pk_json_is(j, "line")) {
		if (pk_json_next(j) == PK_JSON_NUMBER && pk_chrome_whole(j->text, j->len, &line) &&
		    line > 0 && line <= INT32_MAX)
			e->line = (uint32_t)line;
	} else {
		return false;
	}
	pk_json_rest(j);
	return true;
}

/* "process 7:"command"": the digits, or 0. */
static size_t process_digits(const char *name)
{
	size_t digits = pk_starts_with(name, "process ") ? strspn(name + 8, "0123456789") : 0;

	return digits && name[8 + digits] == ':' ? digits : 0;
}

/* "thread (12): name", "process 7:"command"" */
static bool event(struct pk_chrome *c, struct pk_chrome_event *e)
{
	const char *name = pk_text(pk_builder_profile(c->b), e->name), *rest;
	bool process = !e->file && process_digits(name);
	bool thread = !e->file && pk_starts_with(name, "thread (");
	struct py_spy_stack *s = NULL;
	struct pk_chrome_thread *t;

	find_producer(c, e);
	if (((struct py_spy *)c->state)->own)
		return true;
	if (e->phase == 'B' || e->phase == 'E')
		s = py_spy_find_thread(c, e, process);
	if (s && !c->slice)
		py_spy_follow(c, s, e, !process && !thread);
	t = &c->threads[e->thread];
	if (thread) {
		rest = strstr(name, "): ");
		if (rest && e->phase == 'B')
			t->name = pk_build_text(c->b, rest + 3);
		return false;
	}
	if (process) {
		rest = name + 8 + process_digits(name) + 1;
		if (e->phase == 'B')
			c->processes[t->process].name = pk_build_text(c->b, rest);
		return false;
	}
	return !s || !s->shared || c->slice;
}

static void make_function(struct pk_chrome *c, const struct pk_chrome_label *l,
			  struct pk_function *f)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	struct pk_frame_text text = {.name = t->text[l->name], .name_len = t->len[l->name]};

	text.file = t->text[l->file];
	text.file_len = t->len[l->file];
	if (l->file)
		*f = pk_frame_text_function(c->b, &text);
}

static int finish(struct pk_chrome *c)
{
	const struct py_spy *s = c->state;

	pk_build_set(c->b, metric, exactness, 1, PK_SAMPLED);
	if (pk_chrome_say(c, "idle time of a deep stack, between two samples, shown as running",
			  s->spent))
		return -1;
	return pk_chrome_say(
		c,
		"samples of processes that share a thread id taken apart: what each did "
		"between its samples is a guess",
		s->shared);
}

const struct pk_chrome_dialect pk_chrome_py_spy = {
	.signs = {[PK_CHROME_CATEGORY] = categories},
	.state_size = sizeof(struct py_spy),
	.begin = begin,
	.arg = arg,
	.event = event,
	.threads = py_spy_end_running,
	.function = make_function,
	.finish = finish,
	.release = py_spy_release,
};
