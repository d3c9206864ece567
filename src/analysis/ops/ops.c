/*
 * The operator table. The rules are those of torch's profiler: events.c (which spans count),
 * memory.c, tree.c, and grouping into rows here.
 */
#include "analysis/ops/ops.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ops/internal.h"
#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"

struct pk_torch_rules pk_torch_rules(const struct pk_profile *p)
{
	uint32_t version = p->run.torch ? p->run.torch[1] : 0;

	if (!version)
		return (struct pk_torch_rules){0};
	return (struct pk_torch_rules){
		.version = (int)version,
		.python_in_tree = version >= 212,
		.python_rows = version >= 212 && version < 214,
		.annotation_key = version >= 205,
		.rounded_memory = version >= 203 && version < 211,
		.short_units = version < 205,
		.microseconds = version < 203,
	};
}

const char *pk_ops_text(const struct pk_ops *ops, uint32_t text)
{
	return pk_text(pk_builder_profile(ops->texts), text);
}

static bool is_annotation(const struct ops_work *w, uint32_t event)
{
	enum pk_activity activity = ops_activity(w, event);

	return activity == PK_ACT_ANNOTATION || activity == PK_ACT_GPU_ANNOTATION;
}

/* The row of an event, without values. */
static struct pk_op row_of(struct ops_work *w, uint32_t event)
{
	const struct pk_ops *ops = w->ops;
	bool device = w->flags[event] & OPS_DEVICE;
	struct pk_op op = {
		.name = ops_name(w, event),
		.overload = w->options->by_overload ? w->overload[ops_function(w, event)] : 0,
		.shapes = w->options->by_shape ? ops_shapes(w, event) : 0,
		.stack = w->stack ? w->stack[event] : 0,
		.device = device,
		.annotation = is_annotation(w, event),
		.is_async = w->flags[event] & OPS_ASYNC,
		.cpu_self = device ? PK_NULL : 0,
		.cpu_total = device ? PK_NULL : 0,
		.device_self = ops->has_device ? 0 : PK_NULL,
		.device_total = ops->has_device ? 0 : PK_NULL,
		.flops = PK_NULL,
	};

	for (int place = 0; place < PK_OPS_PLACES; place++)
		if (!ops->has_memory[place] || device)
			op.memory_self[place] = op.memory_total[place] = PK_NULL;
	return op;
}

static bool same_row(const struct pk_ops *ops, const struct pk_op *a, const struct pk_op *b)
{
	return a->name == b->name && a->overload == b->overload && a->shapes == b->shapes &&
	       a->stack == b->stack && a->device == b->device &&
	       (a->annotation == b->annotation || !ops->rules.annotation_key);
}

/* Finds the row like this one, or adds it. */
static struct pk_op *find_row(struct pk_ops *ops, struct pk_index *index, const struct pk_op *op)
{
	uint64_t hash = pk_hash_mix(pk_hash_u64((uint64_t)op->name << 32 | op->shapes),
				    pk_hash_u64((uint64_t)op->overload << 32 | op->stack));
	uint32_t *known =
		PK_INDEX_FIND(index, hash ^ op->device, id, same_row(ops, &ops->row[id - 1], op));

	if (*known)
		return &ops->row[*known - 1];
	PK_GROW(ops->row, (size_t)ops->count + 1, ops->alloc);
	ops->row[ops->count] = *op;
	*known = ++ops->count;
	return &ops->row[ops->count - 1];
}

static void add_to(int64_t *sum, int64_t value)
{
	if (*sum != PK_NULL)
		pk_add_saturated(sum, value);
}

/* Sums over an event's children. */
struct below {
	int64_t time, device, bytes[PK_OPS_PLACES];
	double us;
};

static struct below sum_children(const struct ops_work *w, uint32_t event)
{
	struct below sum = {0};
	uint32_t i;

	for (i = w->child[event]; i; i = w->next[i]) {
		int64_t bytes[PK_OPS_PLACES];

		sum.time += ops_duration(w, i);
		sum.us += ops_microseconds(w, i);
		sum.device += w->device ? w->device[i] : 0;
		ops_bytes(w, i, bytes);
		for (int place = 0; place < PK_OPS_PLACES; place++)
			sum.bytes[place] += bytes[place];
	}
	return sum;
}

static void add_device_event(struct ops_work *w, struct pk_op *op, uint32_t event)
{
	int64_t time = ops_duration(w, event);

	op->calls++;
	add_to(&op->device_total, time);
	add_to(&op->device_self, time);
	if (ops_activity(w, event) != PK_ACT_GPU_ANNOTATION)
		pk_add_saturated(&w->ops->device_self, time);
}

static void add_event(struct ops_work *w, struct pk_op *op, uint32_t event)
{
	int64_t time = ops_duration(w, event), device = w->device ? w->device[event] : 0;
	int64_t bytes[PK_OPS_PLACES], flops;
	struct below below = sum_children(w, event);
	int place;

	op->calls++;
	add_to(&op->device_total, device);
	add_to(&op->device_self, device - below.device);
	add_to(&op->cpu_total, time);
	op->cpu_total_us += ops_microseconds(w, event);
	ops_bytes(w, event, bytes);
	for (place = 0; place < PK_OPS_PLACES; place++)
		add_to(&op->memory_total[place], bytes[place]);
	flops = w->ops->has_flops ? ops_flops(w, event) : 0;
	if (flops > 0 && op->flops == PK_NULL)
		op->flops = 0;
	add_to(&op->flops, flops);
	if (w->flags[event] & OPS_ASYNC)
		return;
	add_to(&op->cpu_self, time - below.time);
	pk_add_saturated(&w->ops->cpu_self, time - below.time);
	op->cpu_self_us += ops_microseconds(w, event) - below.us;
	for (place = 0; place < PK_OPS_PLACES; place++)
		add_to(&op->memory_self[place], bytes[place] - below.bytes[place]);
}

static void group(struct ops_work *w)
{
	struct pk_ops *ops = w->ops;
	struct pk_index index = {.mask = 0};

	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t event = w->order[i];
		struct pk_op op;

		if (w->flags[event] & OPS_REMOVED ||
		    (ops_activity(w, event) == PK_ACT_PYTHON && !ops->rules.python_rows))
			continue;
		op = row_of(w, event);
		if (op.device)
			add_device_event(w, find_row(ops, &index, &op), event);
		else
			add_event(w, find_row(ops, &index, &op), event);
		ops->has_shapes |= op.shapes != 0;
		ops->has_stacks |= op.stack != 0;
		ops->has_overloads |= op.overload != 0;
	}
	pk_index_release(&index);
}

/* Does all steps before the rows are made. */
static int collect(struct ops_work *w, struct pk_error *err)
{
	if (ops_collect(w, err))
		return -1;
	if (w->ops->rules.version)
		ops_memory(w);
	ops_tree(w);
	if (w->options->by_stack > 0)
		ops_stacks(w);
	ops_children(w);
	return 0;
}

static void begin(struct ops_work *w, struct pk_ops *ops, const struct pk_profile *p,
		  const struct pk_ops_options *options)
{
	*ops = (struct pk_ops){.profile = p, .rules = pk_torch_rules(p), .texts = pk_builder_new()};
	*w = (struct ops_work){.ops = ops, .p = p, .options = options};
	w->launches = options->launches;
	if (!w->launches) {
		w->launches = &w->own_launches;
		pk_launches_init(w->launches, p);
	}
	w->name = pk_calloc(p->function.count, sizeof(*w->name));
	w->overload = pk_calloc(p->function.count, sizeof(*w->overload));
	ops->has_flops = ops->rules.version && p->run.with_flops && p->run.with_flops[1];
	ops->asked_memory = p->run.profile_memory && p->run.profile_memory[1];
	ops->has_device = w->launches->has_device;
}

static void end(struct ops_work *w)
{
	pk_launches_release(w->launches);
	free(w->order);
	free(w->flags);
	free(w->parent);
	free(w->child);
	free(w->next);
	free(w->device);
	free(w->stack);
	free(w->name);
	free(w->overload);
	free(w->moment);
	free(w->outside);
}

int pk_ops_init(struct pk_ops *ops, const struct pk_profile *p,
		const struct pk_ops_options *options, struct pk_error *err)
{
	struct ops_work w;
	int status;

	begin(&w, ops, p, options);
	status = collect(&w, err);
	if (!status) {
		group(&w);
		pk_ops_sort(ops, options);
	}
	end(&w);
	if (status)
		pk_ops_release(ops);
	return status;
}

void pk_ops_release(struct pk_ops *ops)
{
	pk_builder_free(ops->texts);
	free(ops->row);
	memset(ops, 0, sizeof(*ops));
}

static void put_stack(struct ops_work *w, uint32_t event,
		      void (*put)(void *data, const char *stack, double cpu_us, int64_t device_ns),
		      void *data)
{
	const char *stack = pk_ops_text(w->ops, w->stack[event]);
	struct below below = sum_children(w, event);
	double us = ops_microseconds(w, event) - below.us;

	if (w->flags[event] & OPS_DEVICE)
		put(data, stack, 0, ops_duration(w, event));
	else
		put(data, stack, w->flags[event] & OPS_ASYNC ? 0 : us,
		    w->device ? w->device[event] - below.device : 0);
}

int pk_ops_each_stack(const struct pk_profile *p,
		      void (*put)(void *data, const char *stack, double cpu_us, int64_t device_ns),
		      void *data, struct pk_error *err)
{
	static const struct pk_ops_options options = {.by_stack = INT64_MAX};
	struct ops_work w;
	struct pk_ops ops;
	uint32_t i;
	int status;

	begin(&w, &ops, p, &options);
	status = collect(&w, err);
	for (i = 0; !status && i < w.count; i++)
		if (!(w.flags[w.order[i]] & OPS_REMOVED) && w.stack[w.order[i]])
			put_stack(&w, w.order[i], put, data);
	end(&w);
	pk_ops_release(&ops);
	return status;
}
