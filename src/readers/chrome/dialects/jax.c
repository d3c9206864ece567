/*
 * The dialect of XLA's profiler, as JAX and TensorFlow write it (HOST.trace.json.gz, from
 * openxla/xla:third_party/tsl/tsl/profiler/convert/trace_events_to_json.cc):
 *
 *	{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
 *	{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
 *	{"ph":"X","pid":701,"tid":12,"ts":60.710000000000001,"dur":312.92200000000003,
 *	 "name":"$train.py:41 step","args":{"step_num":"0"}},{}]}
 *
 * - Processes are devices. In those that are not a host, some threads sum up the time of others
 *   ("Steps", "XLA Modules", ...): their spans have no cost.
 * - "$file.py:line function" is a call of a Python function, the line that of its begin;
 *   "$module function" of one written in C.
 * - An annotation (jax.profiler.StepTraceAnnotation) begins in the call of its constructor and
 *   ends in another call: what it encloses is what runs below it.
 * - The exporter leaves out what is beyond 1,000,000 events and does not say so.
 */
#include "base/alloc.h"
#include "base/text/str.h"
#include "readers/chrome/chrome.h"
#include "readers/xplane/names.h"

static const char *const processes[] = {"/host:", "/device:", NULL};

static void begin(struct pk_chrome *c)
{
	pk_build_run_text(c->b, PK_RUN_PRODUCER, "XLA profiler");
}

/* By process: whether it is a device with streams. */
static bool *find_streams(const struct pk_chrome *c)
{
	bool *has = pk_calloc(c->process_count, sizeof(*has));

	for (uint32_t i = 1; i < c->thread_count; i++)
		has[c->threads[i].process] |=
			pk_xla_is_stream(pk_text(pk_builder_profile(c->b), c->threads[i].name));
	return has;
}

static void threads(struct pk_chrome *c)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	PK_FREED bool *streams = find_streams(c);
	uint32_t i;

	for (i = 1; i < c->thread_count; i++) {
		struct pk_chrome_thread *t = &c->threads[i];

		if (!pk_starts_with(pk_text(p, c->processes[t->process].name), "/device:")) {
			t->nest.rule = PK_NEST_ENCLOSING;
			continue;
		}
		t->role = PK_ROLE_GPU;
		t->nest.no_cost = pk_xla_is_sum(pk_text(p, t->name), streams[t->process]);
	}
}

static void make_function(struct pk_chrome *c, const struct pk_chrome_label *l,
			  struct pk_function *f)
{
	pk_xla_function(c->b, l->device, f);
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
	.signs = {[PK_CHROME_PROCESS] = processes},
	.begin = begin,
	.event = event,
	.threads = threads,
	.function = make_function,
	.finish = finish,
};
