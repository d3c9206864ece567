/*
 * Heap profiles of heapprofd (ProfilePacket), by process, allocator and call path: what was
 * allocated and freed since the recording began, repeatedly or at its end; or what was live when
 * most memory was in use (dump_at_max).
 *
 *	profile_packet {
 *	  process_dumps {
 *	    pid: 7 heap_name: "libc.malloc" timestamp: 20 sampling_interval_bytes: 4096
 *	    samples { callstack_id: 1 self_allocated: 8192 alloc_count: 2
 *	              self_freed: 4096 free_count: 1 }
 *	    samples { callstack_id: 2 self_max: 4096 self_max_count: 1 }
 *	  }
 *	  continued: true    # the next packet of the sequence is of the same dump
 *	}
 *
 * Texts, mappings, frames and stacks are interned data of the sequence. Before Android 11 they are
 * in the packets of the dump itself: then stacks may come after the samples that refer to them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/heap/heap.h"
#include "readers/perfetto/internal.h"

enum { MONOTONIC_COARSE = 4 };

struct waiting { /* a sample whose stack may still come */
	int64_t time;
	uint32_t track, heap;
	uint64_t stack;
	int64_t amount[PK_PERFETTO_AMOUNTS];
	bool odd, counts_peak;
};

struct pk_perfetto_heap {
	struct pk_perfetto_sequence tables; /* of the dump: its ids alone are used */
	struct waiting *waiting;
	size_t count, alloc;
	bool has_index;
	uint64_t index;
};

void pk_perfetto_release_heap(struct pk_perfetto_heap *heap)
{
	if (!heap)
		return;
	for (int i = 0; i < PK_PERFETTO_KINDS; i++)
		pk_near_ids_release(&heap->tables.ids[i]);
	free(heap->waiting);
	free(heap);
}

/* ART reports no frees: it does not say when objects are collected. */
static bool knows_frees(const struct pk_profile *p, uint32_t heap)
{
	return !heap || strcmp(pk_text(p, heap), "com.android.art") != 0;
}

static struct pk_perfetto_account *find_account(struct pk_perfetto *p, const struct waiting *w,
						uint32_t node, uint32_t *row)
{
	uint64_t key = pk_hash_pair(pk_hash_pair(w->stack, (uint64_t)p->last_sequence << 32 | node),
				    (uint64_t)w->track << 32 | w->heap);

	*row = pk_id_map_get(&p->account_ids, pk_id_map_key(key));
	if (!*row) {
		if (!p->account_count)
			p->account_count = 1;
		PK_GROW(p->accounts, (size_t)p->account_count + 1, p->account_alloc);
		*row = p->account_count++;
		p->accounts[*row] = (struct pk_perfetto_account){w->track, node, w->heap, {0}};
		pk_id_map_put(&p->account_ids, pk_id_map_key(key), *row);
	}
	return &p->accounts[*row];
}

static void add_change(struct pk_perfetto *p, int64_t time, uint32_t account, int64_t bytes)
{
	if (!bytes || time == PK_NULL)
		return;
	PK_GROW(p->changes, p->change_count + 1, p->change_alloc);
	p->changes[p->change_count++] = (struct pk_perfetto_change){time, bytes, account};
}

/* The sums of a call path only grow, except those of the peak, since there may be a new peak. */
static int commit_one(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		      const struct waiting *w)
{
	const struct pk_perfetto_sequence *of = s;
	struct pk_perfetto_account *account;
	uint32_t node, row;
	int64_t before;

	if (w->odd)
		return pk_perfetto_repair(p, "sum of a heap profile left out: it is too large");
	if (w->amount[PK_PERFETTO_FREED] > w->amount[PK_PERFETTO_ALLOCATED] ||
	    w->amount[PK_PERFETTO_FREES] > w->amount[PK_PERFETTO_ALLOCATIONS])
		return pk_perfetto_repair(
			p, "sum of a heap profile left out: more was freed than allocated");
	if (pk_near_id(&s->heap->tables.ids[PK_PERFETTO_STACKS], w->stack))
		of = &s->heap->tables;
	if (pk_perfetto_find_stack(p, of, w->stack, &node))
		return -1;
	account = find_account(p, w, node, &row);
	for (int i = 0; i < PK_PERFETTO_PEAK; i++)
		if (w->amount[i] < account->amount[i])
			return pk_perfetto_repair(
				p, "sum of a heap profile left out: it is less than before");
	before = account->amount[PK_PERFETTO_ALLOCATED] - account->amount[PK_PERFETTO_FREED];
	memcpy(account->amount, w->amount, sizeof(account->amount));
	if (knows_frees(pk_builder_profile(p->c.b), w->heap))
		add_change(p, w->time, row,
			   w->amount[PK_PERFETTO_ALLOCATED] - w->amount[PK_PERFETTO_FREED] -
				   before);
	return 0;
}

/* The dump is complete. */
static int commit(struct pk_perfetto *p, const struct pk_perfetto_sequence *s)
{
	struct pk_perfetto_heap *heap = s->heap;
	int ret = 0;

	for (size_t i = 0; i < heap->count && !ret; i++)
		ret = commit_one(p, s, &heap->waiting[i]);
	heap->count = 0;
	for (int i = 0; i < PK_PERFETTO_KINDS; i++)
		pk_near_ids_clear(&heap->tables.ids[i]);
	return ret;
}

static void read_sample(struct pk_perfetto_heap *heap, const struct waiting *of,
			const struct pk_proto_field *field)
{
	/* by number of the field: 1 + enum pk_perfetto_amount */
	static const uint8_t amounts[10] = {
		[2] = 1 + PK_PERFETTO_ALLOCATED,   [3] = 1 + PK_PERFETTO_FREED,
		[5] = 1 + PK_PERFETTO_ALLOCATIONS, [6] = 1 + PK_PERFETTO_FREES,
		[8] = 1 + PK_PERFETTO_PEAK,        [9] = 1 + PK_PERFETTO_PEAK_COUNT};
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_proto_field f;
	struct waiting w = *of;

	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1) {
			w.stack = f.value;
		} else if (f.number < sizeof(amounts) && amounts[f.number]) {
			w.amount[amounts[f.number] - 1] = (int64_t)f.value;
			w.odd |= f.value > INT64_MAX / 2;
		}
	}
	/* heapprofd before it told the original interval counted allocations of the peak wrongly */
	if (!w.counts_peak)
		w.amount[PK_PERFETTO_PEAK_COUNT] = 0;
	PK_GROW(heap->waiting, heap->count + 1, heap->alloc);
	heap->waiting[heap->count++] = w;
}

/* A problem of the recording of the process; NULL: none. */
static const char *problem_of(const struct pk_proto_field *f)
{
	if (!f->value)
		return NULL;
	switch (f->number) {
	case 4:
		return "process without a heap profile: another one was recorded at the same time";
	case 7:
		return "heap profile of a process ends early: its buffer overran";
	case 8:
		return "heap profile of a process ends early: its buffer was damaged";
	case 10:
		return "heap profile ends early: heapprofd had reached its limit of memory or time";
	case 14:
		return "heap profile of a process ends early: its heapprofd client failed";
	}
	return NULL;
}

/* The head of the data about a process. */
static int read_process(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			const struct pk_proto_field *field, struct waiting *w)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	uint64_t pid = 0, time = 0, interval = 0, original = 0;
	int64_t packet_time = w->time;
	struct pk_proto_field f;
	bool odd = false;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 11 && f.wire == PK_PROTO_BYTES && f.value)
			w->heap =
				pk_perfetto_string(p, (struct pk_perfetto_bytes){f.bytes, f.value});
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			pid = f.value;
		else if (f.number == 9)
			time = f.value;
		else if (f.number == 12)
			interval = f.value;
		else if (f.number == 13)
			original = f.value;
		else if (problem_of(&f) && pk_perfetto_repair(p, problem_of(&f)))
			return -1;
	}
	p->heap_sampled |= interval != 1;
	w->counts_peak = original != 0;
	if (!pk_perfetto_time(p, s, MONOTONIC_COARSE, time, &w->time, &odd))
		w->time = packet_time;
	w->track = pk_perfetto_process_track(p, s->machine, (int32_t)pid);
	p->tracks[w->track].used = true;
	return m.problem ? pk_perfetto_repair(p, "damaged heap profile left out from there") : 0;
}

/* The texts of a dump. Their use, as names, paths or build ids, depends on the entries that refer
 * to them. */
static void read_text(struct pk_perfetto *p, struct pk_perfetto_sequence *tables,
		      const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_proto_field f;
	uint32_t text = 0;
	uint64_t iid = 0;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			iid = f.value;
		else if (f.number == 2 && f.wire == PK_PROTO_BYTES)
			text = pk_perfetto_string(p, (struct pk_perfetto_bytes){f.bytes, f.value});
	}
	pk_perfetto_put_id(tables, PK_PERFETTO_FUNCTIONS, iid, text);
	pk_perfetto_put_id(tables, PK_PERFETTO_PATHS, iid, text);
	pk_perfetto_put_id(tables, PK_PERFETTO_BUILD_IDS, iid, text);
}

static int read_dumps(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
		      struct pk_perfetto_bytes data, bool *continued)
{
	struct pk_proto m = pk_proto(data.data, data.len), samples;
	struct pk_perfetto_heap *heap = s->heap;
	struct pk_proto_field f, sample;

	while (pk_proto_next(&m, &f)) {
		struct waiting w = {.time = time};

		if (f.number == 6 && f.wire == PK_PROTO_VARINT)
			*continued = f.value != 0;
		if (f.number == 7 && f.wire == PK_PROTO_VARINT) {
			if (f.value != (heap->has_index ? heap->index + 1 : 0) &&
			    pk_perfetto_repair(
				    p, "packets of a heap profile were lost before this one"))
				return -1;
			heap->has_index = true;
			heap->index = f.value;
		}
		if (f.number != 5 || f.wire != PK_PROTO_BYTES)
			continue;
		if (read_process(p, s, &f, &w))
			return -1;
		for (samples = pk_proto(f.bytes, f.value); pk_proto_next(&samples, &sample);)
			if (sample.number == 2 && sample.wire == PK_PROTO_BYTES)
				read_sample(heap, &w, &sample);
	}
	return m.problem ? pk_perfetto_repair(p, "damaged heap profile left out from there") : 0;
}

int pk_perfetto_read_heap(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			  struct pk_perfetto_bytes data)
{
	static const struct pk_perfetto_stack_fields fields = {
		.mapping = 4, .frame = 2, .stack = 3};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;
	bool continued = false;

	if (!s->heap)
		s->heap = pk_calloc(1, sizeof(*s->heap));
	while (pk_proto_next(&m, &f))
		if (f.number == 1 && f.wire == PK_PROTO_BYTES)
			read_text(p, &s->heap->tables, &f);
	if (pk_perfetto_read_stacks(p, &s->heap->tables, &fields, data) ||
	    read_dumps(p, s, time, data, &continued))
		return -1;
	return continued ? 0 : commit(p, s);
}

int pk_perfetto_end_heaps(struct pk_perfetto *p)
{
	for (uint32_t i = 1; i < p->sequence_count; i++) {
		p->last_sequence = i;
		if (p->sequences[i]->heap && commit(p, p->sequences[i]))
			return -1;
	}
	return 0;
}

static unsigned metrics_of(const struct pk_perfetto *p)
{
	const struct pk_profile *profile = pk_builder_profile(p->c.b);
	unsigned which = 0;
	bool counted = false;

	for (uint32_t i = 1; i < p->account_count; i++) {
		const struct pk_perfetto_account *a = &p->accounts[i];

		if (a->amount[PK_PERFETTO_PEAK])
			which |= 1U << PK_HEAP_PEAK;
		if (a->amount[PK_PERFETTO_ALLOCATED])
			which |= 1U << PK_HEAP_ALLOCATED;
		if (a->amount[PK_PERFETTO_ALLOCATED] && knows_frees(profile, a->heap))
			which |= 1U << PK_HEAP_LEAKED;
		counted |= a->amount[PK_PERFETTO_PEAK_COUNT] || a->amount[PK_PERFETTO_ALLOCATIONS];
	}
	return counted ? which : which | PK_HEAP_UNCOUNTED;
}

static uint32_t label_of(struct pk_perfetto *p, const struct pk_perfetto_account *a)
{
	struct pk_label label = {.text = a->heap, .number = PK_NULL};

	if (!a->heap)
		return 0;
	label.key = pk_build_text(p->c.b, "heap");
	return pk_build_label_set(p->c.b, &label, 1);
}

static void push(struct pk_perfetto *p, const struct pk_heap_metrics *m,
		 const struct pk_perfetto_account *a)
{
	const int64_t *amount = a->amount;
	bool live = knows_frees(pk_builder_profile(p->c.b), a->heap);
	const struct {
		uint32_t metric;
		int64_t value;
	} costs[] = {
		{m->bytes[PK_HEAP_PEAK], amount[PK_PERFETTO_PEAK]},
		{m->count[PK_HEAP_PEAK], amount[PK_PERFETTO_PEAK_COUNT]},
		{live ? m->bytes[PK_HEAP_LEAKED] : 0,
		 amount[PK_PERFETTO_ALLOCATED] - amount[PK_PERFETTO_FREED]},
		{live ? m->count[PK_HEAP_LEAKED] : 0,
		 amount[PK_PERFETTO_ALLOCATIONS] - amount[PK_PERFETTO_FREES]},
		{m->bytes[PK_HEAP_ALLOCATED], amount[PK_PERFETTO_ALLOCATED]},
		{m->count[PK_HEAP_ALLOCATED], amount[PK_PERFETTO_ALLOCATIONS]},
	};
	struct pk_cost cost = {.thread = p->c.threads[a->track].id,
			       .node = a->node,
			       .labels = label_of(p, a),
			       .calls = PK_NULL};

	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		cost.metric = costs[i].metric;
		cost.self = costs[i].value;
		if (cost.metric && cost.self)
			pk_build_cost_of(p->c.b, &cost);
	}
}

void pk_perfetto_finish_heaps(struct pk_perfetto *p)
{
	struct pk_heap_metrics m = {{0}, {0}};

	pk_heap_metrics(p->c.b, metrics_of(p), &m);
	for (int i = 0; i < PK_HEAP_METRICS && p->heap_sampled; i++) {
		if (!m.bytes[i])
			continue;
		pk_build_set(p->c.b, metric, exactness, m.bytes[i], PK_SAMPLED);
		if (m.count[i])
			pk_build_set(p->c.b, metric, exactness, m.count[i], PK_SAMPLED);
	}
	for (uint32_t i = 1; i < p->account_count; i++)
		push(p, &m, &p->accounts[i]);
	for (size_t i = 0; i < p->change_count; i++) {
		const struct pk_perfetto_change *c = &p->changes[i];
		const struct pk_perfetto_account *a = &p->accounts[c->account];
		uint32_t row = pk_build_sample(p->c.b, c->time, p->c.threads[a->track].id, a->node,
					       m.bytes[PK_HEAP_LEAKED], c->bytes);

		if (a->heap)
			pk_build_set(p->c.b, sample, labels, row, label_of(p, a));
	}
}
