/*
 * The dialect of XLA's profiler, as JAX and TensorFlow write it (HOST.trace.json.gz, from
 * openxla/xla:third_party/tsl/tsl/profiler/convert/trace_events_to_json.cc):
 *
 *	{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
 *	{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
 *	{"ph":"X","pid":701,"tid":12,"ts":60.710000000000001,"dur":312.92200000000003,
 *	 "name":"$train.py:41 step","args":{"step_num":"0"}},{}]}
 *
 * - Processes are devices. On those that are no host, some threads sum up the time of others
 *   ("Steps", "XLA Modules", ...): their spans have no cost.
 * - "$file.py:line function" is a call of a Python function, the line that of its begin;
 *   "$module function" of one written in C.
 * - An annotation (jax.profiler.StepTraceAnnotation) begins in the call of its constructor and
 *   ends in another call: what it encloses is what runs below it.
 * - The exporter leaves out what is beyond 1,000,000 events and does not say so.
 */
#include <string.h>

#include "base/text/str.h"
#include "readers/chrome/chrome.h"

static const char *const processes[] = {"/host:", "/device:", NULL};

static void begin(struct pk_chrome *c)
{
	pk_build_run_text(c->b, PK_RUN_PRODUCER, "XLA profiler");
}

static bool is_sum(const char *name)
{
	static const char *const sums[] = {
		"Steps",          "XLA Modules",          "Framework Name Scope", "Framework Ops",
		"Launch Stats",   "Source code",          "XLA TraceMe",          "Source",
		"TensorFlow Ops", "TensorFlow Name Scope"};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		if (!strcmp(name, sums[i]))
			return true;
	return false;
}

static void threads(struct pk_chrome *c)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	uint32_t i;

	for (i = 1; i < c->thread_count; i++) {
		struct pk_chrome_thread *t = &c->threads[i];

		if (!pk_starts_with(pk_text(p, c->processes[t->process].name), "/device:")) {
			t->nest.rule = PK_NEST_ENCLOSING;
			continue;
		}
		t->role = PK_ROLE_GPU;
		t->nest.no_cost = is_sum(pk_text(p, t->name));
	}
}

/* "file.py:41 step", "builtins all" or "<unknown> step" */
static void make_python_function(struct pk_chrome *c, const char *name, struct pk_function *f)
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
	f->name = pk_build_text(c->b, blank + 1);
	f->line = line;
	if (colon)
		f->file = pk_build_string(c->b, name, (size_t)(colon - name));
	else if (*name != '<')
		f->module = pk_build_string(c->b, name, (size_t)(blank - name));
}

static void make_function(struct pk_chrome *c, const struct pk_chrome_label *l,
			  struct pk_function *f)
{
	const char *name = pk_text(pk_builder_profile(c->b), l->name);

	if (*name == '$')
		make_python_function(c, name + 1, f);
	else if (l->device)
		f->kind = PK_KIND_GPU;
}

/* One name means different things on different devices. */
static bool event(struct pk_chrome *c, struct pk_chrome_event *e)
{
	const struct pk_chrome_process *p = &c->processes[c->threads[e->thread].process];

	e->device = pk_starts_with(pk_text(pk_builder_profile(c->b), p->name), "/device:");
	return true;
}

static int finish(struct pk_chrome *c)
{
	enum { MOST = 1000000 };

	if (pk_builder_profile(c->b)->span.count - 1 == MOST)
		return pk_chrome_repair(c, "as many events as the exporter writes: others may be "
					   "missing");
	return 0;
}

const struct pk_chrome_dialect pk_chrome_jax = {
	.name = "jax",
	.signs = {[PK_CHROME_PROCESS] = processes},
	.begin = begin,
	.event = event,
	.threads = threads,
	.function = make_function,
	.finish = finish,
};
