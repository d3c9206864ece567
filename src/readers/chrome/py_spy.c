/*
 * The dialect of py-spy record --format chrometrace (github.com/benfred/py-spy): samples of Python
 * programs, written as begins and ends of what changed from one to the next.
 *
 *	[{"args":{"filename":"/srv/a.py","line":3},"cat":"py-spy","name":"run","ph":"B","pid":7,
 *	  "tid":140131092500544,"ts":4711}, ...]
 *
 * - The line is the one being executed: it belongs to the call path, and the frame is function
 *   and file. That a span begins does not say that a function was called.
 * - With --threads and --subprocesses, frames at the root name thread and process: they are none
 *   here.
 * - A thread that is idle goes on with what it did last.
 * - py-spy keeps one stack per tid, whatever the process: processes that forked have threads of
 *   one tid, and the end of what one began is said to be of the other. So what is on a stack
 *   belongs to the process that its root came from, or the frame of a process that is above it:
 *   that of a child is put below its parent's.
 * - profkit writes samples in the same way, with a category of its own: names and ids of threads
 *   are in metadata there, and each has a stack.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "model/frame_text.h"
#include "readers/chrome/chrome.h"

static const char *const categories[] = {"py-spy", "profkit", NULL};

/* The stack of a tid. */
struct stack {
	uint32_t depth;
	struct level { /* per process: the depth at which its frames begin */
		uint32_t depth, thread;
	} * level;
	uint32_t levels, alloc;
};

struct state {
	bool named;          /* it is known whether py-spy or profkit wrote the file */
	bool own;            /* profkit wrote it */
	struct stack *stack; /* by number */
	uint32_t alloc;
	struct pk_id_map numbers; /* of tids */
};

static void begin(struct pk_chrome *c)
{
	c->nest.sampled = true;
}

static void find_producer(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct state *s = c->state;
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

static struct stack *stack_of(struct state *s, int64_t tid)
{
	uint32_t i = pk_id_map_number(&s->numbers, tid == PK_NULL ? INT64_MAX : tid);

	PK_GROW_ZERO(s->stack, (size_t)i + 1, s->alloc);
	return &s->stack[i];
}

/* "process 7:"command"": the digits, or 0. */
static size_t process_digits(const char *name)
{
	size_t digits = pk_starts_with(name, "process ") ? strspn(name + 8, "0123456789") : 0;

	return digits && name[8 + digits] == ':' ? digits : 0;
}

static void push_level(struct stack *s, uint32_t thread)
{
	PK_GROW(s->level, s->levels + 1, s->alloc);
	s->level[s->levels].depth = s->depth;
	s->level[s->levels++].thread = thread;
}

static void find_thread(struct pk_chrome *c, struct pk_chrome_event *e, bool process)
{
	struct stack *s = stack_of(c->state, c->threads[e->thread].tid.number);

	if (!s->levels || (process && e->phase == 'B'))
		push_level(s, e->thread);
	e->thread = s->level[s->levels - 1].thread;
	if (e->phase == 'B')
		s->depth++;
	else if (s->depth)
		s->depth--;
	while (e->phase == 'E' && s->levels && s->level[s->levels - 1].depth >= s->depth)
		s->levels--;
}

/* "thread (12): name", "process 7:"command"" */
static bool event(struct pk_chrome *c, struct pk_chrome_event *e)
{
	const char *name = pk_text(pk_builder_profile(c->b), e->name), *rest;
	struct pk_chrome_thread *t;

	find_producer(c, e);
	if (((struct state *)c->state)->own)
		return true;
	if (e->phase == 'B' || e->phase == 'E')
		find_thread(c, e, !e->file && process_digits(name));
	t = &c->threads[e->thread];
	if (e->file)
		return true;
	if (pk_starts_with(name, "thread (")) {
		rest = strstr(name, "): ");
		if (rest && e->phase == 'B')
			t->name = pk_build_text(c->b, rest + 3);
		return false;
	}
	if (process_digits(name)) {
		rest = name + 8 + process_digits(name) + 1;
		if (e->phase == 'B')
			c->processes[t->process].name = pk_build_text(c->b, rest);
		return false;
	}
	return true;
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
	pk_build_set(c->b, metric, exactness, 1, PK_SAMPLED);
	return 0;
}

static void release(struct pk_chrome *c)
{
	struct state *s = c->state;

	for (uint32_t i = 0; i < s->alloc; i++)
		free(s->stack[i].level);
	free(s->stack);
	pk_id_map_release(&s->numbers);
}

const struct pk_chrome_dialect pk_chrome_py_spy = {
	.name = "py-spy",
	.signs = {[PK_CHROME_CATEGORY] = categories},
	.state_size = sizeof(struct state),
	.begin = begin,
	.arg = arg,
	.event = event,
	.function = make_function,
	.finish = finish,
	.release = release,
};
