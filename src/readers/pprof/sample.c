/*
 * Samples of pprof: a stack of locations from the leaf to the root, a value of each type, labels.
 *
 *	locations 3 2 1, values 4 40000000, labels thread_id = 7, kind = "io"
 *
 * - Stacks of neighbours often begin alike: what they have in common is not looked up again.
 * - Samples of one stack and equal labels are added up; most such are known by their bytes.
 * - Labels that name threads and processes (thread_id, pid and the like) make these, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pprof/internal.h"
#include "model/build/value_type.h"

const struct pk_proto_shape pprof_sample_shape = {.bytes = 0x8, .lists = 0x6};

static int take_stack(struct pprof *p, const struct pk_proto_field *f)
{
	struct pk_proto list = pk_proto_list(f);
	uint64_t id;

	while (pk_proto_varint(&list, &id)) {
		uint32_t row = pprof_find(&p->location_ids, id);

		if (!row && pprof_repair(p, f->bytes, "location that is not there left out"))
			return -1;
		PK_GROW(p->stack, p->depth + 1, p->stack_alloc);
		p->stack[p->depth] = row;
		p->depth += row != 0;
	}
	return list.problem ? pprof_problem(p, list.at, list.problem) : 0;
}

static int take_values(struct pprof *p, const struct pk_proto_field *f)
{
	struct pk_proto list = pk_proto_list(f);
	uint64_t value;

	for (; pk_proto_varint(&list, &value); p->values++) {
		PK_GROW(p->value, p->values + 1, p->value_alloc);
		p->value[p->values] = (int64_t)value == PK_NULL ? -INT64_MAX : (int64_t)value;
	}
	return list.problem ? pprof_problem(p, list.at, list.problem) : 0;
}

/* Labels. */

/* Takes the thread from a label. */
static void note_thread(const struct pk_profile *profile, const struct pk_label *label,
			struct pk_thread *thread, int64_t *pid, uint32_t *process)
{
	static const struct {
		const char *key;
		char what;
	} keys[] = {{"thread", 'n'},    {"thread_name", 'n'}, {"thread name", 'n'},
		    {"thread_id", 't'}, {"thread id", 't'},   {"tid", 't'},
		    {"pid", 'p'},       {"process_id", 'p'},  {"process", 'c'},
		    {"process id", 'p'}};
	enum { LONGEST_NUMBER = 32 }; /* digits */
	const char *key = pk_text(profile, label->key), *text = pk_text(profile, label->text);
	int64_t number = label->number;
	char *end = NULL;
	size_t i = 0;

	while (i < sizeof(keys) / sizeof(*keys) && strcmp(keys[i].key, key))
		i++;
	if (i == sizeof(keys) / sizeof(*keys))
		return;
	if (number == PK_NULL && *text >= '0' && *text <= '9' &&
	    profile->string.len[label->text] <= LONGEST_NUMBER)
		number = strtoll(text, &end, 10);
	if (end && *end)
		number = PK_NULL;
	if (keys[i].what == 'n')
		thread->name = label->text;
	else if (keys[i].what == 'c')
		*process = label->text;
	else if (number != PK_NULL)
		*(keys[i].what == 't' ? &thread->tid : pid) = number;
}

static uint32_t build_thread(struct pprof *p, size_t count)
{
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};
	int64_t pid = PK_NULL;
	uint32_t process = 0;

	for (size_t i = 0; i < count; i++)
		note_thread(pk_builder_profile(p->b), &p->label[i], &thread, &pid, &process);
	if (pid != PK_NULL || process)
		thread.process = pk_build_process(p->b, pid, process, PK_NULL);
	if (thread.tid == PK_NULL && !thread.name && !thread.process)
		return 0;
	return pk_build_thread(p->b, &thread);
}

static int read_label(struct pprof *p, struct pk_proto m, struct pk_label *label)
{
	static const struct pk_proto_shape shape = {.numbers = 0x1E};
	const uint8_t *at = m.at;
	struct pk_proto_field f;
	uint64_t text[5] = {0};
	int ret;

	while ((ret = pprof_next(p, &m, &f, &shape)) > 0)
		text[f.number] = f.value;
	*label = (struct pk_label){.number = PK_NULL};
	if (ret || pprof_string(p, at, text[1], &label->key) ||
	    pprof_string(p, at, text[2], &label->text) ||
	    pprof_string(p, at, text[4], &label->unit))
		return -1;
	if (text[2])
		label->unit = 0;
	else
		label->number = (int64_t)text[3] == PK_NULL ? -INT64_MAX : (int64_t)text[3];
	return 0;
}

static int build_set(struct pprof *p, struct pk_proto sample, struct pprof_set *set)
{
	struct pk_proto_field f;
	size_t count = 0;

	while (pk_proto_next(&sample, &f)) {
		if (f.number != 3)
			continue;
		PK_GROW(p->label, count + 1, p->label_alloc);
		if (read_label(p, pk_proto(f.bytes, f.value), &p->label[count++]))
			return -1;
	}
	set->thread = build_thread(p, count);
	set->labels = pk_build_label_set(p->b, p->label, count);
	return 0;
}

/* *found: its number from 1, 0 if there are no labels. */
static int find_set(struct pprof *p, struct pk_proto sample, uint32_t *found)
{
	struct pk_index *x = &p->set_index;
	const struct pk_buf *bytes = &p->labels;
	uint32_t tag, i;
	struct pprof_set *set;

	*found = 0;
	if (!bytes->len)
		return 0;
	tag = pk_index_tag(pk_hash_bytes(bytes->data, bytes->len));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		set = &p->set[x->slot[i].id - 1];
		if (x->slot[i].tag == tag && set->len == bytes->len &&
		    !memcmp(p->set_bytes.data + set->at, bytes->data, bytes->len)) {
			*found = x->slot[i].id;
			return 0;
		}
	}
	PK_GROW(p->set, p->sets + 1, p->set_alloc);
	set = &p->set[p->sets];
	*set = (struct pprof_set){.at = p->set_bytes.len, .len = bytes->len};
	if (build_set(p, sample, set))
		return -1;
	pk_buf_add(&p->set_bytes, bytes->data, bytes->len);
	pk_index_put(x, i, tag, (uint32_t)++p->sets);
	*found = (uint32_t)p->sets;
	return 0;
}

/* Stacks. */

/* Leaves out what drop_frames does, below the first frame that stays. Stacks are from the leaf. */
static size_t first_kept(const struct pprof *p)
{
	bool user = false;

	for (size_t i = p->depth; i--;) {
		const struct pprof_location *l = &p->location[p->stack[i]];

		if (!l->prunes)
			user = true;
		else if (user)
			return l->pruned ? i + 1 : i;
	}
	return 0;
}

/* Makes the nodes of the locations from the root that differ from those of the last sample. */
static uint32_t build_stack(struct pprof *p, size_t leaf)
{
	size_t depth = p->depth - leaf, same = 0, count = 0;
	uint32_t node;

	while (same < depth && same < p->steps &&
	       p->step[same].location == p->stack[p->depth - 1 - same])
		same++;
	node = same ? p->step[same - 1].node : 0;
	for (size_t i = same; i < depth; i++) {
		const struct pprof_location *l = &p->location[p->stack[p->depth - 1 - i]];

		PK_GROW(p->path, count + l->frames, p->path_alloc);
		memcpy(p->path + count, p->frame + l->first, l->frames * sizeof(*p->path));
		count += l->frames;
	}
	PK_GROW(p->node, count, p->node_alloc);
	pk_build_path(p->b, node, p->path, count, p->node);
	PK_GROW(p->step, depth, p->step_alloc);
	p->steps = depth;
	count = 0;
	for (size_t i = same; i < depth; i++) {
		uint32_t row = p->stack[p->depth - 1 - i];

		count += p->location[row].frames;
		p->step[i] = (struct pprof_step){row, p->node[count - 1]};
	}
	return depth ? p->step[depth - 1].node
		     : pk_build_node(p->b, 0, pk_build_label(p->b, "[no stack]", 10));
}

/* The node of the stack that the lists of locations make. */
static int read_stack(struct pprof *p, struct pk_proto lists, uint32_t *node)
{
	struct pk_proto_field f;

	p->depth = 0;
	while (pk_proto_next(&lists, &f))
		if (f.number == 1 && take_stack(p, &f))
			return -1;
	for (size_t i = 0; i < p->depth; i++) {
		struct pprof_location *l = &p->location[p->stack[i]];

		if (!l->frames && pprof_build_location(p, l))
			return -1;
		p->expanded += l->frames;
	}
	if (p->expanded > 16 * p->len + 1000000)
		return pprof_problem(p, lists.at, PK_TOO_MANY_FRAMES);
	*node = build_stack(p, p->drop.drop ? first_kept(p) : 0);
	return 0;
}

/* Samples whose locations are the same bytes, with equal labels, are added up before they are
 * looked at, if their order is not asked for: `stack` is the first field of locations. */
static int find_sum(struct pprof *p, struct pk_proto sample, const struct pk_proto_field *stack,
		    uint32_t set, uint32_t *found)
{
	struct pk_index *x = &p->sum_index;
	uint32_t tag = pk_index_tag(pk_hash_pair(pk_hash_bytes(stack->bytes, stack->value), set)),
		 i;
	struct pprof_sum *sum;

	pk_index_reserve(x);
	for (i = tag & x->mask; !p->ordered && x->slot[i].id; i = (i + 1) & x->mask) {
		sum = &p->sum[ *found = x->slot[i].id - 1];
		if (x->slot[i].tag == tag && sum->len == stack->value && sum->set == set &&
		    !memcmp(sum->stack, stack->bytes, sum->len))
			return 0;
	}
	*found = (uint32_t)p->sums;
	if ((p->sums + 1) * p->types > p->len + 1000000)
		return pprof_problem(p, sample.at, "samples without values of most of the types");
	PK_GROW(p->sum, p->sums + 1, p->sum_alloc);
	PK_GROW_ZERO(p->total, (p->sums + 1) * p->types, p->total_alloc);
	sum = &p->sum[p->sums++];
	*sum = (struct pprof_sum){.stack = stack->bytes, .len = (uint32_t)stack->value, .set = set};
	if (!p->ordered)
		pk_index_put(x, i, tag, (uint32_t)p->sums);
	return read_stack(p, sample, &sum->node);
}

/* Adds the values, each in its unit. */
static int add_values(struct pprof *p, const uint8_t *at, int64_t *total)
{
	size_t values = p->values < p->types ? p->values : p->types;

	if (p->values != p->types &&
	    pprof_repair(p, at, "sample with more or fewer values than there are types"))
		return -1;
	for (size_t i = 0; i < values; i++) {
		int64_t value = p->value[i];
		bool cut = __builtin_mul_overflow(value, p->type[i].factor, &value);

		if (cut)
			value = p->value[i] < 0 ? -INT64_MAX : INT64_MAX;
		cut |= pk_add_saturated(&total[i], value);
		if (cut && pprof_repair(p, at, "value beyond 64 bits cut"))
			return -1;
	}
	return 0;
}

static void build_cost(struct pprof *p, const struct pprof_sum *sum, const int64_t *total)
{
	struct pk_cost cost = {.node = sum->node, .calls = PK_NULL};
	bool written = false;

	if (sum->set) {
		cost.labels = p->set[sum->set - 1].labels;
		cost.thread = p->set[sum->set - 1].thread;
	}
	for (size_t i = 0; i < p->types; i++) {
		cost.metric = p->type[i].metric;
		cost.self = total[i];
		if (cost.metric && (cost.self || p->ordered)) {
			pk_build_cost_of(p->b, &cost);
			written = true;
		}
	}
	/* Keeps the stack even if all of its values are left out. */
	cost.metric = 1;
	cost.self = 0;
	if (!written)
		pk_build_cost_of(p->b, &cost);
}

int pprof_read_sample(struct pprof *p, const struct pk_proto_field *message)
{
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pk_proto_field f, stack = {.bytes = message->bytes};
	uint32_t lists = 0, set, sum;
	int ret;

	p->values = p->labels.len = 0;
	while ((ret = pprof_next(p, &m, &f, &pprof_sample_shape)) > 0) {
		if (f.number == 3) {
			pk_proto_put_varint(&p->labels, f.value);
			pk_buf_add(&p->labels, f.bytes, f.value);
		} else if (f.number == 2 && take_values(p, &f)) {
			return -1;
		} else if (f.number == 1) {
			lists += f.wire == PK_PROTO_BYTES ? 1 : 2;
			stack = f;
		}
	}
	/* Locations in parts are those of the whole message. */
	if (lists > 1)
		stack = *message;
	m = pk_proto(message->bytes, message->value);
	if (ret || find_set(p, m, &set) || find_sum(p, m, &stack, set, &sum))
		return -1;
	return add_values(p, message->bytes, &p->total[sum * p->types]);
}

void pprof_build_costs(struct pprof *p)
{
	/* stacks and labels are no longer compared: their memory can be used for the costs */
	pk_index_release(&p->sum_index);
	pk_index_release(&p->set_index);
	pk_buf_release(&p->set_bytes);
	pk_input_forget(p->in, p->data, p->len);
	for (size_t i = 0; i < p->sums; i++)
		build_cost(p, &p->sum[i], &p->total[i * p->types]);
}
