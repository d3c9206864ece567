/*
 * Adds counters to a trace as HolisticTraceAnalysis does: lengths of queues, and bandwidths of
 * copies.
 */
#include "analysis/gpu/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/launches.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"

struct change {
	uint32_t process, name, series; /* of the copy */
	int64_t time;
	double by;
};

/* At one moment, begins come before ends, so that no counter falls below 0. */
PK_COMPARE(by_counter, struct change,
	   PK_ORDER(a->process, b->process)
		   ?: PK_ORDER(a->name, b->name)
		   ?: PK_ORDER(a->time, b->time) ?: PK_ORDER(b->by, a->by))

struct changes {
	struct pk_copy *copy;
	struct pk_launches launches;
	struct change *item;
	size_t count, alloc;
	bool alone; /* counters are lanes of a picture, whose names say of which GPU they are */
};

/* For a picture: "GPU 0, stream 7"; for other tools as HTA names it. */
static void name_counter(const struct changes *c, struct pk_buf *name, uint32_t span,
			 const char *picture, const char *other)
{
	const struct pk_profile *p = c->launches.profile;
	uint32_t device = p->process.name[p->thread.process[p->span.thread[span]]];

	if (!c->alone) {
		pk_buf_adds(name, other);
		return;
	}
	pk_buf_adds(name, device ? pk_text(p, device) : "GPU");
	pk_buf_addf(name, ", %s", picture);
}

static void add(struct changes *c, uint32_t span, const char *name, const char *series,
		int64_t from, int64_t to, double by)
{
	const struct pk_profile *p = c->launches.profile;
	struct change change = {
		.process = c->copy->process[p->thread.process[p->span.thread[span]]],
		.name = pk_build_text(c->copy->b, name),
		.series = pk_build_text(c->copy->b, series),
	};

	PK_GROW(c->item, c->count + 2, c->alloc);
	c->item[c->count] = c->item[c->count + 1] = change;
	c->item[c->count].time = from;
	c->item[c->count++].by = by;
	c->item[c->count].time = to;
	c->item[c->count++].by = -by;
}

static void add_queue(struct changes *c, uint32_t span)
{
	const struct pk_profile *p = c->launches.profile;
	uint32_t call = c->launches.call[span];
	char stream[40], other[40];
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (!call || p->span.time[call] > p->span.time[span])
		return;
	snprintf(stream, sizeof(stream), "stream %" PRId64, p->thread.tid[p->span.thread[span]]);
	snprintf(other, sizeof(other), "Queue Length[%" PRId64 "]",
		 p->thread.tid[p->span.thread[span]]);
	name_counter(c, &name, span, stream, other);
	add(c, span, name.data, "Queue Length", p->span.time[call], p->span.time[span], 1);
}

/* The kind of a copy without where its memory is: "Memcpy HtoD (Pageable -> Device)". */
static void add_copy(struct changes *c, uint32_t span)
{
	const struct pk_profile *p = c->launches.profile;
	const char *name = pk_launches_name(&c->launches, span);
	PK_FREED char *kind = pk_strndup(name, strcspn(name, "(") ? strcspn(name, "(") : 1);
	int64_t time = p->span.time[span], length = p->span.duration[span];
	int64_t bytes = pk_launches_int(&c->launches, span, "bytes");
	PK_BUF_AUTO label = PK_BUF_INIT;

	if (length <= 0 || bytes == PK_NULL)
		return;
	for (size_t len = strlen(kind); len && kind[len - 1] == ' '; len--)
		kind[len - 1] = '\0';
	name_counter(c, &label, span, kind, kind);
	add(c, span, label.data, "Memcpy BW", time, time + length, (double)bytes / (double)length);
}

static void build(struct changes *c)
{
	double sum = 0;

	pk_sort(c->item, c->count, sizeof(*c->item), by_counter);
	for (size_t i = 0, running = 0; i < c->count; i++) {
		const struct change *x = &c->item[i];

		/* Set to 0 when nothing is left, because the sum of doubles may differ from 0. */
		running += x->by > 0 ? 1 : (size_t)-1;
		sum = running ? sum + x->by : 0;
		pk_build_counter(c->copy->b, x->time, x->process, x->name, x->series, sum);
	}
}

static void add_counters(struct changes *c, bool queues, bool bandwidth)
{
	pk_launches_init_any(&c->launches, c->copy->p, false);
	for (uint32_t i = 1; c->launches.has_device && i < c->copy->p->span.count; i++) {
		enum pk_activity activity = c->launches.activity[i];

		if (queues && pk_activity_is_work(activity))
			add_queue(c, i);
		if (bandwidth && (activity == PK_ACT_MEMCPY || activity == PK_ACT_MEMSET))
			add_copy(c, i);
	}
	build(c);
	pk_launches_release(&c->launches);
	free(c->item);
}

struct pk_profile *pk_gpu_with_counters(const struct pk_profile *p)
{
	struct pk_copy copy;
	struct changes c = {.copy = &copy};

	pk_copy_init(&copy, pk_builder_new(), p);
	pk_copy_begin(&copy);
	pk_copy_paths(&copy);
	pk_copy_edges(&copy);
	pk_copy_events(&copy, NULL);
	add_counters(&c, true, true);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}

/* Reserved memory includes allocated memory; the picture stacks the parts. */
static void add_memory(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	const struct pk_counter_table *t = &p->counter;
	PK_FREED double *allocated = pk_calloc(p->string.count, sizeof(*allocated)); /* by name */
	PK_FREED double *reserved = pk_calloc(p->string.count, sizeof(*reserved));
	uint32_t used = pk_build_text(copy->b, "allocated");
	uint32_t unused = pk_build_text(copy->b, "reserved and free");

	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t name = t->name[i], process = copy->process[t->process[i]], to;
		bool whole = !strcmp(pk_text(p, t->series[i]), "reserved");

		if (!pk_ends_with(pk_text(p, name), " memory"))
			continue;
		*(whole ? &reserved[name] : &allocated[name]) = t->value[i];
		to = pk_copy_string(copy, name);
		pk_build_counter(copy->b, t->time[i], process, to, used, allocated[name]);
		if (reserved[name] > 0)
			pk_build_counter(copy->b, t->time[i], process, to, unused,
					 reserved[name] > allocated[name]
						 ? reserved[name] - allocated[name]
						 : 0);
	}
}

struct pk_profile *pk_gpu_counters_alone(const struct pk_profile *p, enum pk_gpu_counters which)
{
	struct pk_copy copy;
	struct changes c = {.copy = &copy, .alone = true};

	pk_copy_init(&copy, pk_builder_new(), p);
	pk_copy_begin(&copy);
	if (which != PK_GPU_MEMORY_COUNTERS)
		add_counters(&c, which == PK_GPU_QUEUE_COUNTERS,
			     which == PK_GPU_BANDWIDTH_COUNTERS);
	else
		add_memory(&copy);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
