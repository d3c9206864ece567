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
 */
#include <string.h>

#include "base/str.h"
#include "model/frame_text.h"
#include "readers/chrome.h"

static const char *const categories[] = {"py-spy", NULL};

static void begin(struct pk_chrome *c)
{
	pk_build_run_text(c->b, PK_RUN_PRODUCER, "py-spy");
	c->nest.sampled = true;
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

/* "thread (12): name", "process 7:"command"" */
static bool event(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct pk_chrome_thread *t = &c->threads[e->thread];
	const char *name = pk_text(pk_builder_profile(c->b), e->name), *rest;

	if (e->file)
		return true;
	if (pk_starts_with(name, "thread (")) {
		rest = strstr(name, "): ");
		if (rest && e->phase == 'B')
			t->name = pk_build_text(c->b, rest + 3);
		return false;
	}
	if (pk_starts_with(name, "process ")) {
		size_t digits = strspn(name + 8, "0123456789");

		rest = name + 8 + digits;
		if (!digits || *rest != ':')
			return true;
		if (e->phase == 'B')
			c->processes[t->process].name = pk_build_text(c->b, rest + 1);
		return false;
	}
	return true;
}

static void frame(struct pk_chrome *c, const struct pk_chrome_label *l, struct pk_frame *f)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	struct pk_frame_text text = {.name = t->text[l->name], .name_len = t->len[l->name]};

	text.file = t->text[l->file];
	text.file_len = t->len[l->file];
	if (l->file)
		*f = pk_frame_text_frame(c->b, &text);
}

static int finish(struct pk_chrome *c)
{
	pk_build_metric_exactness(c->b, 1, PK_SAMPLED);
	return 0;
}

const struct pk_chrome_dialect pk_chrome_py_spy = {
	.name = "py-spy",
	.categories = categories,
	.begin = begin,
	.arg = arg,
	.event = event,
	.frame = frame,
	.finish = finish,
};
