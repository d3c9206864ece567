/*
 * The operator table. The rules are those of torch's profiler: events.c (which spans count),
 * memory.c, tree.c, and grouping into rows here.
 */
#include "analysis/ops/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ops/internal.h"
#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"

struct pk_torch_rules pk_torch_rules(const struct pk_profile *p)
{
	const char *text = pk_meta_find(p, "torch_version");
	unsigned major = 0, minor = 0;
	int version;

	if (!text || sscanf(text, "%3u.%3u", &major, &minor) != 2 || minor > 99)
		return (struct pk_torch_rules){0};
	version = (int)(major * 100 + minor);
	return (struct pk_torch_rules){
		.version = version,
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

/* Events with equal keys make one row. */
struct key {
	uint32_t name, overload, shapes, stack;
	bool device, annotation;
};

struct groups {
	struct pk_index index;
	struct key *key; /* by row */
	uint32_t alloc;
};

static bool same_key(const struct key *a, const struct key *b)
{
	return a->name == b->name && a->overload == b->overload && a->shapes == b->shapes &&
	       a->stack == b->stack && a->device == b->device && a->annotation == b->annotation;
}

static uint64_t hash_key(const struct key *k)
{
	return pk_hash_mix(pk_hash_u64((uint64_t)k->name << 32 | k->shapes),
			   pk_hash_u64((uint64_t)k->overload << 32 | k->stack)) ^
	       (uint64_t)(k->device * 2 + k->annotation);
}

/* Finds the row of the key, or adds it and sets *is_new. */
static struct pk_op *find_row(struct pk_ops *ops, struct groups *g, const struct key *key,
			      bool *is_new)
{
	uint32_t tag = pk_index_tag(hash_key(key)), i;

	pk_index_reserve(&g->index);
	for (i = tag & g->index.mask; g->index.slot[i].id; i = (i + 1) & g->index.mask)
		if (g->index.slot[i].tag == tag &&
		    same_key(&g->key[g->index.slot[i].id - 1], key)) {
			*is_new = false;
			return &ops->row[g->index.slot[i].id - 1];
		}
	PK_GROW(ops->row, (size_t)ops->count + 1, ops->alloc);
	PK_GROW(g->key, (size_t)ops->count + 1, g->alloc);
	g->key[ops->count] = *key;
	pk_index_put(&g->index, i, tag, ++ops->count);
	*is_new = true;
	return &ops->row[ops->count - 1];
}

static bool is_annotation(const struct ops_work *w, uint32_t event)
{
	enum pk_activity activity = ops_activity(w, event);

	return activity == PK_ACT_ANNOTATION || activity == PK_ACT_GPU_ANNOTATION;
}

static struct key key_of(struct ops_work *w, uint32_t event)
{
	return (struct key){
		.name = ops_name(w, event),
		.overload = w->options->by_overload ? w->overload[ops_function(w, event)] : 0,
		.shapes = w->options->by_shape ? ops_shapes(w, event) : 0,
		.stack = w->stack ? w->stack[event] : 0,
		.device = w->flags[event] & OPS_DEVICE,
		.annotation = w->ops->rules.annotation_key && is_annotation(w, event),
	};
}

static void begin_row(const struct ops_work *w, struct pk_op *op, const struct key *key,
		      uint32_t event)
{
	const struct pk_ops *ops = w->ops;
	int place;

	*op = (struct pk_op){
		.name = key->name,
		.overload = key->overload,
		.shapes = key->shapes,
		.stack = key->stack,
		.device = key->device,
		.annotation = is_annotation(w, event),
		.is_async = w->flags[event] & OPS_ASYNC,
		.cpu_self = key->device ? PK_NULL : 0,
		.cpu_total = key->device ? PK_NULL : 0,
		.device_self = ops->has_device ? 0 : PK_NULL,
		.device_total = ops->has_device ? 0 : PK_NULL,
		.flops = PK_NULL,
	};
	for (place = 0; place < PK_OPS_PLACES; place++)
		if (!ops->has_memory[place] || key->device)
			op->memory_self[place] = op->memory_total[place] = PK_NULL;
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
	struct groups groups = {.alloc = 0};
	uint32_t i;

	for (i = 0; i < w->count; i++) {
		uint32_t event = w->order[i];
		struct pk_op *op;
		struct key key;
		bool is_new;

		if (w->flags[event] & OPS_REMOVED ||
		    (ops_activity(w, event) == PK_ACT_PYTHON && !ops->rules.python_rows))
			continue;
		key = key_of(w, event);
		op = find_row(ops, &groups, &key, &is_new);
		if (is_new)
			begin_row(w, op, &key, event);
		if (key.device)
			add_device_event(w, op, event);
		else
			add_event(w, op, event);
		ops->has_shapes |= key.shapes != 0;
		ops->has_stacks |= key.stack != 0;
		ops->has_overloads |= key.overload != 0;
	}
	pk_index_release(&groups.index);
	free(groups.key);
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
	ops->has_flops = ops->rules.version && pk_meta_find(p, "with_flops");
	ops->asked_memory = pk_meta_find(p, "profile_memory");
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
