/*
 * Links work of a GPU to the call that launched it and the operator around that call, by
 * correlation ids or flows.
 */
#include "analysis/gpu/launches.h"

#include <stdlib.h>
#include <string.h>

#include "model/build/near_ids.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/merge_sort.h"
#include "base/text/str.h"

static bool comes_before(const void *data, uint32_t a, uint32_t b)
{
	const struct pk_span_table *t = data;

	if (t->time[a] != t->time[b])
		return t->time[a] < t->time[b];
	return t->duration[a] > t->duration[b];
}

void pk_sort_spans(const struct pk_profile *p, uint32_t *span, uint32_t count)
{
	pk_merge_sort_inline(span, count, comes_before, &p->span);
}

bool pk_launches_arg(const struct pk_launches *l, uint32_t span, const char *key,
		     struct pk_json_slice *value)
{
	return l->arg[span] && pk_arg_member(l->finder, l->arg[span], key, value);
}

int64_t pk_launches_int(const struct pk_launches *l, uint32_t span, const char *key)
{
	int64_t number;

	return l->arg[span] && pk_arg_int(l->finder, l->arg[span], key, &number) ? number : PK_NULL;
}

uint32_t pk_launches_text(const struct pk_launches *l, uint32_t span, const char *key,
			  struct pk_texts *names)
{
	struct pk_json_slice value;

	if (!pk_launches_arg(l, span, key, &value))
		return 0;
	value = pk_json_slice_unquoted(value);
	return pk_texts_put(names, value.text, value.len);
}

static int64_t external_id_of(const struct pk_launches *l, uint32_t span)
{
	int64_t id = pk_launches_int(l, span, "External id");

	return id == PK_NULL ? pk_launches_int(l, span, "external id") : id;
}

/* Sets op of each runtime call to the innermost operator around it. */
static void find_operators(struct pk_launches *l)
{
	const struct pk_span_table *t = &l->profile->span;
	uint32_t *order = pk_malloc(pk_mul(t->count, sizeof(*order))), count = 0, i;
	uint32_t *top = pk_calloc(l->profile->thread.count, sizeof(*top));
	PK_FREED uint32_t *below = pk_calloc(t->count, sizeof(*below));

	for (i = 1; i < t->count; i++)
		if (l->activity[i] == PK_ACT_OP || l->activity[i] == PK_ACT_RUNTIME)
			order[count++] = i;
	pk_sort_spans(l->profile, order, count);
	for (i = 0; i < count; i++) {
		uint32_t span = order[i], *last = &top[t->thread[span]], at;
		int64_t start = t->time[span], end = pk_span_end(l->profile, span);

		while (*last && pk_span_end(l->profile, *last) < start)
			*last = below[*last];
		for (at = *last; at && pk_span_end(l->profile, at) < end; at = below[at])
			;
		if (l->activity[span] == PK_ACT_RUNTIME) {
			l->op[span] = at;
		} else {
			below[span] = *last;
			*last = span;
		}
	}
	free(order);
	free(top);
}

PK_COMPARE(by_id, struct pk_call_id,
	   PK_ORDER(a->id, b->id)
			   ?: PK_ORDER(a->start, b->start)
			   ?: PK_ORDER(a->span, b->span))

void pk_call_ids_add(struct pk_call_ids *k, const struct pk_launches *l, uint32_t span)
{
	int64_t id = pk_launches_int(l, span, l->correlation);

	if (id == PK_NULL)
		return;
	PK_GROW(k->item, (size_t)k->count + 1, k->alloc);
	k->item[k->count++] =
		(struct pk_call_id){.id = id, .start = l->profile->span.time[span], .span = span};
}

void pk_call_ids_sort(struct pk_call_ids *k)
{
	pk_sort(k->item, k->count, sizeof(*k->item), by_id);
}

uint32_t pk_call_ids_find(const struct pk_call_ids *k, int64_t id, int64_t time)
{
	const struct pk_call_id *call = k->item;
	uint32_t after = PK_BISECT(i, 0, k->count,
				   call[i].id < id || (call[i].id == id && call[i].start <= time));

	if (after && call[after - 1].id == id)
		return call[after - 1].span;
	return after < k->count && call[after].id == id ? call[after].span : 0;
}

static int64_t id_of_call(const struct pk_launches *l, uint32_t span)
{
	return l->activity[span] == PK_ACT_RUNTIME ? pk_launches_int(l, span, l->correlation)
						   : PK_NULL;
}

/* All calls, for traces that use ids again. */
static void sort_calls(struct pk_call_ids *sorted, const struct pk_launches *l)
{
	for (uint32_t i = 1; i < l->profile->span.count; i++)
		if (l->activity[i] == PK_ACT_RUNTIME)
			pk_call_ids_add(sorted, l, i);
	pk_call_ids_sort(sorted);
}

/* For pk_near_ids, in which 0 is no number. */
static uint64_t key_of(int64_t id)
{
	return id == PK_NULL ? 0 : (uint64_t)id + (id >= 0);
}

/* All calls by their ids; counts those with the id of an earlier one. */
static void map_calls(struct pk_near_ids *calls, struct pk_launches *l)
{
	uint32_t count = l->profile->span.count;

	for (uint32_t i = 1; i < count; i++)
		calls->expected += l->activity[i] == PK_ACT_RUNTIME;
	for (uint32_t i = 1; i < count; i++) {
		int64_t id = id_of_call(l, i);

		pk_near_id_put(calls, key_of(id), i);
		l->repeated += id != PK_NULL;
	}
	l->repeated -= calls->count;
}

/* Links work to calls by correlation id. Returns true if some work has no such id but another one.
 */
static bool link_to_calls(struct pk_launches *l)
{
	struct pk_near_ids calls = {.count = 0};
	struct pk_call_ids sorted = {.count = 0};
	bool others = false;

	map_calls(&calls, l);
	if (!calls.count && !l->op)
		return false;
	if (l->repeated)
		sort_calls(&sorted, l);
	for (uint32_t i = 1; i < l->profile->span.count; i++) {
		int64_t id;

		if (!pk_activity_is_work(l->activity[i]))
			continue;
		id = pk_launches_int(l, i, l->correlation);
		l->call[i] = l->repeated ? pk_call_ids_find(&sorted, id, l->profile->span.time[i])
					 : pk_near_id(&calls, key_of(id));
		if (!l->op)
			continue;
		l->op[i] = l->op[l->call[i]];
		others |= !l->call[i] && external_id_of(l, i) != PK_NULL;
	}
	pk_near_ids_release(&calls);
	free(sorted.item);
	return others;
}

static void link_to_operators(struct pk_launches *l)
{
	struct pk_id_map operators = {.count = 0};
	uint32_t i;

	for (i = 1; i < l->profile->span.count; i++)
		if (l->activity[i] == PK_ACT_OP)
			pk_id_map_put(&operators, external_id_of(l, i), i);
	for (i = 1; i < l->profile->span.count; i++) {
		int64_t external;

		if (!pk_activity_is_work(l->activity[i]) || l->call[i])
			continue;
		external = external_id_of(l, i);
		if (external != pk_launches_int(l, i, l->correlation))
			l->op[i] = pk_id_map_get(&operators, external);
	}
	pk_id_map_release(&operators);
}

/* Links work to calls by flows. */
static void link_by_flows(struct pk_launches *l)
{
	const struct pk_flow_table *t = &l->profile->flow;

	for (uint32_t i = 1; i < t->count; i++) {
		if (l->call[t->to[i]] || l->activity[t->from[i]] != PK_ACT_RUNTIME ||
		    !pk_activity_is_work(l->activity[t->to[i]]))
			continue;
		l->call[t->to[i]] = t->from[i];
		if (l->op)
			l->op[t->to[i]] = l->op[t->from[i]];
	}
}

/* True for the categories that torch's traces of other devices than CUDA's and HIP's have. */
static bool is_elsewhere(const char *category)
{
	static const char *const prefix[] = {"mtia_", "xpu_", "hpu_", "privateuse1_"};

	for (size_t i = 0; i < sizeof(prefix) / sizeof(*prefix); i++)
		if (pk_starts_with(category, prefix[i]))
			return true;
	return false;
}

static void classify(struct pk_launches *l)
{
	const struct pk_profile *p = l->profile;
	uint8_t *known = pk_calloc(p->string.count, 1); /* activity + 1 */
	uint32_t mtia = 0, i;                           /* the category of all that an MTIA does */

	for (i = 1; i < p->span.count; i++) {
		uint32_t category = p->span.category[i];

		if (!known[category]) {
			known[category] = (uint8_t)(pk_activity_of(pk_text(p, category)) + 1);
			mtia = strcmp(pk_text(p, category), "mtia_ccp_events") ? mtia : category;
			l->elsewhere |= is_elsewhere(pk_text(p, category));
		}
		l->activity[i] = known[category] - 1;
		if (category == mtia && category && pk_starts_with(pk_launches_name(l, i), "dma_"))
			l->activity[i] = PK_ACT_MEMCPY;
		l->has_device |= pk_activity_is_device(l->activity[i]);
	}
	free(known);
	for (i = 1; i < p->arg.count; i++)
		if (p->arg.owner[i] == PK_TABLE_SPAN && !pk_arg_key(&p->arg, i) &&
		    p->arg.row[i] < p->span.count)
			l->arg[p->arg.row[i]] = i;
}

static void link_work(struct pk_launches *l)
{
	if (l->op)
		find_operators(l);
	if (link_to_calls(l))
		link_to_operators(l);
	link_by_flows(l);
}

static void init(struct pk_launches *l, const struct pk_profile *p, bool operators)
{
	uint32_t count = p->span.count;

	*l = (struct pk_launches){.profile = p,
				  .activity = pk_calloc(count, sizeof(*l->activity)),
				  .arg = pk_calloc(count, sizeof(*l->arg)),
				  .call = pk_calloc(count, sizeof(*l->call)),
				  .op = operators ? pk_calloc(count, sizeof(*l->op)) : NULL,
				  .correlation = "correlation",
				  .finder = pk_calloc(1, sizeof(*l->finder))};
	l->finder->profile = p;
	classify(l);
	if (l->has_device)
		link_work(l);
}

void pk_launches_init(struct pk_launches *l, const struct pk_profile *p)
{
	init(l, p, true);
}

/* By its name: "MemcpyD2H", "CopyDeviceToDevice". */
static enum pk_activity activity_on_stream(const char *name)
{
	if (pk_starts_with(name, "Memcpy") || pk_starts_with(name, "Copy"))
		return PK_ACT_MEMCPY;
	return pk_starts_with(name, "Memset") ? PK_ACT_MEMSET : PK_ACT_KERNEL;
}

static bool is_stream(const struct pk_profile *p, uint32_t thread)
{
	return pk_starts_with(pk_text(p, p->thread.name[thread]), "Stream #");
}

/* By thread: true if it has the work of a device of XLA: "Stream #7(Kernel)" of a GPU, "XLA Ops" of
 * a TPU, which has no streams. Other threads of the device sum it up. */
static bool *find_working(const struct pk_profile *p)
{
	bool *working = pk_calloc(p->thread.count, sizeof(*working));
	PK_FREED bool *streams = pk_calloc(p->process.count, sizeof(*streams));

	for (uint32_t i = 1; i < p->thread.count; i++)
		streams[p->thread.process[i]] |= is_stream(p, i);
	for (uint32_t i = 1; i < p->thread.count; i++)
		working[i] = p->thread.role[i] == PK_ROLE_GPU &&
			     (streams[p->thread.process[i]]
				      ? is_stream(p, i)
				      : !strcmp(pk_text(p, p->thread.name[i]), "XLA Ops"));
	return working;
}

void pk_launches_init_any(struct pk_launches *l, const struct pk_profile *p, bool operators)
{
	struct pk_json_slice unused;
	PK_FREED bool *working = NULL;
	PK_FREED uint8_t *known = NULL; /* by function: activity on a stream, 0 = not known */

	init(l, p, operators);
	if (l->has_device)
		return;
	working = find_working(p);
	known = pk_calloc(p->function.count, sizeof(*known));
	l->correlation = "correlation_id";
	for (uint32_t i = 1; i < p->span.count; i++) {
		uint32_t thread = p->span.thread[i];
		uint8_t *activity = &known[pk_node_function(p, p->span.node[i])];

		if (p->thread.role[thread] != PK_ROLE_GPU)
			l->activity[i] = pk_launches_arg(l, i, l->correlation, &unused)
						 ? PK_ACT_RUNTIME
						 : l->activity[i];
		else if (working[thread])
			l->activity[i] = *activity =
				*activity ? *activity
					  : (uint8_t)activity_on_stream(pk_launches_name(l, i));
		l->has_device |= pk_activity_is_work(l->activity[i]);
	}
	if (l->has_device)
		link_work(l);
}

void pk_launches_drop_links(struct pk_launches *l)
{
	free(l->call);
	free(l->op);
	l->call = l->op = NULL;
}

int pk_launches_need_device(const struct pk_launches *l, struct pk_error *err)
{
	const struct pk_profile *p = l->profile;

	if (l->has_device)
		return 0;
	return pk_fail(err, PK_EFORMAT, "'%s' has nothing that torch.profiler recorded on a GPU",
		       pk_text(p, p->run.source[1]));
}

void pk_launches_release(struct pk_launches *l)
{
	free(l->activity);
	free(l->arg);
	free(l->call);
	free(l->op);
	free(l->finder);
}
