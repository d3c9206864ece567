/*
 * Makes call paths and self times of spans that enclose each other; spans that overlap get lanes
 * of their own.
 */
#include "model/events/nest.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/events/lanes.h"
#include "model/events/nest_internal.h"

/* The stack of running spans, innermost last, of a thread or of a lane beside it. */
struct stack {
	struct open {
		int64_t end;
		uint32_t row, node; /* row from 0 */
		bool counted;
		bool matched; /* it has no row that ends it */
	} * open;
	uint32_t depth, alloc;
	uint32_t thread; /* 0 = not made yet */
	int64_t last;    /* time up to which the cost was given to spans */
};

/* The last path found among those with the same hash, and its node. */
struct recent {
	uint32_t parent, location, node;
};
enum { RECENT = 4096 };

struct nesting {
	struct pk_nest *nest;
	struct pk_builder *b;
	struct pk_span_table *t;
	uint32_t *order, count; /* rows from 0; NULL: they are in order */
	uint8_t *kinds;         /* by thread: enum kind */
	uint8_t *begun;         /* by row: it was a begin; NULL = none was */
	int64_t *last;          /* by thread: when it was last seen */
	uint32_t threads;       /* before lanes were made, row 0 included */
	uint32_t unmatched;     /* rows from there on are ends that had none while reading */
	uint32_t *open_names;
	bool lanes_made, dropped;
	bool costless; /* costs are not wanted: where paths differ much they are half of the
			  memory */

	/* Of the thread being nested. */
	uint32_t thread, metric, incarnation;
	const struct pk_nest_thread *rule;
	struct stack *stacks;              /* [0]: the thread itself */
	uint32_t stack_count, stack_alloc; /* of this thread; of the one with most lanes */
	struct pk_lanes far;               /* beyond the near ones */

	/* Cost of the thread itself, by node, and the nodes that have any. */
	int64_t *self, *calls;
	uint32_t node_alloc, *touched, touched_count, touched_alloc;

	struct recent recent[RECENT];
};

enum kind { HAS_BEGINS = 1, HAS_WHOLE = 2, HAS_MATCHED = 4 };

/* Number of lanes that are tried one by one; beyond it, a lane whose spans have all ended is
 * taken. */
enum { NEAR_LANES = 8 };

static void touch(struct nesting *n, uint32_t node)
{
	uint32_t old = n->node_alloc;

	if (node >= old) {
		n->node_alloc = (uint32_t)pk_grow_size(old, (size_t)node + 1);
		n->self = pk_realloc(n->self, pk_mul(n->node_alloc, sizeof(*n->self)));
		n->calls = pk_realloc(n->calls, pk_mul(n->node_alloc, sizeof(*n->calls)));
		memset(n->calls + old, 0, (n->node_alloc - old) * sizeof(*n->calls));
	}
	if (n->calls[node])
		return;
	PK_GROW(n->touched, (size_t)n->touched_count + 1, n->touched_alloc);
	n->touched[n->touched_count++] = node;
	n->self[node] = 0;
}

static int64_t known_calls(const struct nesting *n, int64_t calls)
{
	return n->nest->sampled ? PK_NULL : calls;
}

static void add_first_cost(struct nesting *n, struct stack *s, uint32_t node, int64_t self,
			   int64_t calls)
{
	if (n->rule->no_cost || n->costless)
		return;
	if (s != n->stacks || n->b->ordered) {
		pk_build_cost(n->b, s->thread, node, n->metric, self, known_calls(n, calls));
		return;
	}
	touch(n, node);
	pk_add_saturated(&n->self[node], self);
	n->calls[node] += calls;
}

/* Adds the time for which a span ran, or its call. */
static inline void add_cost(struct nesting *n, struct stack *s, uint32_t node, int64_t self,
			    int64_t calls)
{
	if (s == n->stacks && node < n->node_alloc && n->calls[node]) {
		pk_add_saturated(&n->self[node], self);
		n->calls[node] += calls;
	} else {
		add_first_cost(n, s, node, self, calls);
	}
}

static void flush_cost(struct nesting *n)
{
	uint32_t i;

	for (i = 0; i < n->touched_count; i++) {
		uint32_t node = n->touched[i];

		pk_build_cost(n->b, n->thread, node, n->metric, n->self[node],
			      known_calls(n, n->calls[node]));
		n->calls[node] = 0;
	}
	n->touched_count = 0;
}

static inline void run(struct nesting *n, struct stack *s, struct open *top, int64_t until)
{
	if (until <= s->last)
		return;
	add_cost(n, s, top->node, until - s->last, !top->counted);
	top->counted = true;
	s->last = until;
}

static inline void pop(struct nesting *n, struct stack *s)
{
	struct open *top = &s->open[s->depth - 1];

	run(n, s, top, top->end);
	if (!top->counted)
		add_cost(n, s, top->node, 0, 1);
	s->depth--;
}

/* Removes the spans that have ended by then, and adds the cost of the running ones. */
static inline void run_until(struct nesting *n, struct stack *s, int64_t time)
{
	while (s->depth && s->open[s->depth - 1].end <= time)
		pop(n, s);
	if (s->depth)
		run(n, s, &s->open[s->depth - 1], time);
	s->last = time;
}

static inline uint32_t find_node(struct nesting *n, uint32_t parent, uint32_t location)
{
	struct recent *r = &n->recent[(location + 31 * parent) % RECENT];

	if (r->location != location || r->parent != parent)
		*r = (struct recent){parent, location, pk_build_node(n->b, parent, location)};
	return r->node;
}

static inline void push(struct nesting *n, struct stack *s, uint32_t row)
{
	const struct pk_nest_label *label = &n->nest->labels[n->t->node[row + 1]];
	uint32_t parent = s->depth ? s->open[s->depth - 1].node : 0;
	struct open *top;

	PK_GROW(s->open, (size_t)s->depth + 1, s->alloc);
	top = &s->open[s->depth++];
	top->row = row;
	top->end = n->t->time[row + 1] + n->t->duration[row + 1];
	top->node = find_node(n, parent, label->location);
	top->counted = top->matched = false;
	n->t->node[row + 1] = top->node;
	n->t->thread[row + 1] = s->thread;
}

/* True if the span fits into what runs; shortens it if that makes it fit. */
static bool fits(struct nesting *n, struct stack *s, uint32_t row)
{
	struct pk_nest_counts *c = &n->nest->counts;
	int64_t time = n->t->time[row + 1], end = time + n->t->duration[row + 1], over;

	if (!s->depth || end <= s->open[s->depth - 1].end)
		return true;
	over = end - s->open[s->depth - 1].end;
	if (over > n->nest->slack)
		return false;
	n->t->duration[row + 1] -= over;
	if (!c->shortened++)
		c->first_shortened = time;
	return true;
}

static uint32_t lane_name(struct nesting *n, uint32_t name)
{
	const struct pk_string_table *t = &n->b->p->string;
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_add(&text, t->text[name], t->len[name]);
	pk_buf_adds(&text, text.len ? " (overlapping)" : "(overlapping)");
	return pk_build_string(n->b, text.data, text.len);
}

static void make_lane(struct nesting *n, struct stack *s)
{
	const struct pk_thread_table *t = &n->b->p->thread;
	struct pk_thread lane = {
		.process = t->process[n->thread],
		.tid = t->tid[n->thread],
		.incarnation = n->incarnation,
		.name = t->name[n->thread],
		.sort = t->sort[n->thread],
		.role = (enum pk_thread_role)t->role[n->thread],
	};
	uint32_t count = t->count;

	lane.name = lane_name(n, lane.name);
	do {
		lane.incarnation++;
		s->thread = pk_build_thread(n->b, &lane);
	} while (s->thread < count);
	n->incarnation = lane.incarnation;
	PK_GROW(n->nest->lane_of, (size_t)n->nest->lane_count + 1, n->nest->lane_alloc);
	n->nest->lane_of[n->nest->lane_count++] = n->thread;
	n->lanes_made = true;
}

static void reserve_stack(struct nesting *n, uint32_t i)
{
	if (i < n->stack_count)
		return;
	PK_GROW_ZERO(n->stacks, (size_t)i + 1, n->stack_alloc);
	while (n->stack_count <= i)
		n->stacks[n->stack_count++].thread = 0;
}

static struct stack *stack_at(struct nesting *n, uint32_t i)
{
	reserve_stack(n, i);
	if (!n->stacks[i].thread)
		make_lane(n, &n->stacks[i]);
	return &n->stacks[i];
}

/* Puts the span on one of the lanes beyond the near ones. */
static void push_far(struct nesting *n, uint32_t row)
{
	int64_t time = n->t->time[row + 1], end = time + n->t->duration[row + 1];
	struct stack *s = stack_at(n, NEAR_LANES + pk_lanes_take(&n->far, time, end));

	run_until(n, s, time);
	push(n, s, row);
}

static void count_overlap(struct nesting *n, uint32_t row)
{
	struct pk_nest_counts *c = &n->nest->counts;
	const struct stack *s = n->stacks;
	int64_t time = n->t->time[row + 1], overlap = s->open[s->depth - 1].end - time;

	if (!c->overlapping++)
		c->first_overlapping = time;
	if (overlap > c->longest_overlap)
		c->longest_overlap = overlap;
}

static void place_closed(struct nesting *n, uint32_t row)
{
	int64_t time = n->t->time[row + 1];
	uint32_t i;

	for (i = 0; i < NEAR_LANES; i++) {
		struct stack *s = i ? stack_at(n, i) : n->stacks;

		run_until(n, s, time);
		if (fits(n, s, row)) {
			push(n, s, row);
			return;
		}
		if (i == 0)
			count_overlap(n, row);
	}
	push_far(n, row);
}

static void place_enclosing(struct nesting *n, uint32_t row)
{
	struct stack *s = n->stacks;
	int64_t end = n->t->time[row + 1] + n->t->duration[row + 1];

	run_until(n, s, n->t->time[row + 1]);
	while (s->depth && end > s->open[s->depth - 1].end + n->nest->slack) {
		struct open *top = &s->open[s->depth - 1];

		if (!top->counted)
			add_cost(n, s, top->node, 0, 1);
		s->depth--;
	}
	push(n, s, row);
}

static inline void place(struct nesting *n, uint32_t row)
{
	if (n->rule->rule == PK_NEST_ENCLOSING)
		place_enclosing(n, row);
	else
		place_closed(n, row);
}

/* Nests whole spans, and begins whose ends are known by now, by their times. */
static void nest_by_time(struct nesting *n, const uint32_t *order, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (n->t->thread[order[i] + 1])
			place(n, order[i]);
}

/* Begins a span of nest_by_order. Spans that were matched while reading have ended before every row
 * at the time of their end. */
static void begin_span(struct nesting *n, struct stack *s, uint32_t row)
{
	int64_t time = n->t->time[row + 1], *duration = &n->t->duration[row + 1];
	bool matched = pk_nest_is_matched(*duration);

	while (s->depth && s->open[s->depth - 1].matched && s->open[s->depth - 1].end <= time)
		pop(n, s);
	if (s->depth)
		run(n, s, &s->open[s->depth - 1], time);
	s->last = time;
	if (matched)
		*duration -= PK_NEST_MATCHED;
	push(n, s, row);
	s->open[s->depth - 1].matched = matched;
}

/* Nests begins and ends by their order in the file, which tells more than equal times do. */
static void nest_by_order(struct nesting *n, const uint32_t *order, uint32_t count)
{
	struct stack *s = n->stacks;
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint32_t row = order[i], ended;

		if (n->t->duration[row + 1] != PK_NEST_END) {
			begin_span(n, s, row);
			continue;
		}
		ended = n->t->node[row + 1];
		while (ended && s->open[s->depth - 1].row != ended - 1)
			pop(n, s);
		if (ended)
			pop(n, s);
	}
}

static void drop_ends(struct nesting *n, const uint32_t *order, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (n->t->duration[order[i] + 1] != PK_NEST_END)
			continue;
		n->t->thread[order[i] + 1] = 0;
		n->dropped = true;
	}
}

static const struct pk_nest_thread *rule_of(const struct nesting *n, uint32_t thread)
{
	static const struct pk_nest_thread plain;

	return thread < n->nest->thread_count ? &n->nest->threads[thread] : &plain;
}

static void begin_thread(struct nesting *n, uint32_t thread)
{
	n->thread = thread;
	n->rule = rule_of(n, thread);
	n->metric = n->rule->metric ? n->rule->metric : 1;
	n->incarnation = n->b->p->thread.incarnation[thread];
	n->stack_count = 0;
	reserve_stack(n, 0);
	n->stacks[0].thread = thread;
	pk_lanes_clear(&n->far);
}

static void end_thread(struct nesting *n)
{
	uint32_t i;

	for (i = 0; i < n->stack_count; i++)
		while (n->stacks[i].depth)
			pop(n, &n->stacks[i]);
	flush_cost(n);
}

static void nest_thread(struct nesting *n, uint32_t thread, uint32_t *order, uint32_t count)
{
	uint8_t kinds = n->kinds[thread];

	begin_thread(n, thread);
	if (kinds & HAS_BEGINS) {
		pk_nest_sort(n->t, order, count, PK_NEST_BY_ROW, NULL, n->unmatched);
		pk_nest_match(n->nest, n->t, order, count, n->open_names, n->last[thread]);
	}
	if (!(kinds & HAS_WHOLE) && n->rule->rule == PK_NEST_CLOSED) {
		nest_by_order(n, order, count);
		end_thread(n);
		if (kinds & HAS_BEGINS)
			drop_ends(n, order, count);
		return;
	}
	drop_ends(n, order, count);
	pk_nest_sort(n->t, order, count,
		     n->rule->last_outer ? PK_NEST_LONGEST_LAST : PK_NEST_LONGEST, n->begun,
		     n->count);
	nest_by_time(n, order, count);
	end_thread(n);
}

/* True if all rows are whole spans in the order that they shall have. */
static bool is_in_order(const struct nesting *n)
{
	const struct pk_span_table *t = n->t;
	uint32_t thread = 0, row;
	int64_t time = 0, duration = 0;

	for (row = 1; row <= n->count; row++) {
		bool first = t->thread[row] > thread;

		if (t->duration[row] < INT64_MIN / 2 || !n->nest->labels[t->node[row]].location)
			return false;
		if (!first && (t->thread[row] < thread || !thread || t->time[row] < time))
			return false;
		if (!first && t->time[row] == time &&
		    (t->duration[row] > duration ||
		     (t->duration[row] == duration && rule_of(n, thread)->last_outer)))
			return false;
		thread = t->thread[row];
		time = t->time[row];
		duration = t->duration[row];
	}
	return true;
}

static void nest_in_order(struct nesting *n)
{
	uint32_t thread = 0, row;

	for (row = 0; row < n->count; row++) {
		if (n->t->thread[row + 1] != thread) {
			if (thread)
				end_thread(n);
			thread = n->t->thread[row + 1];
			begin_thread(n, thread);
		}
		place(n, row);
	}
	if (thread)
		end_thread(n);
}

static void see_row(struct nesting *n, uint32_t row)
{
	const struct pk_span_table *t = n->t;
	uint32_t thread = t->thread[row + 1];
	int64_t time = t->time[row + 1], duration = t->duration[row + 1], end = time;

	if (duration == PK_NEST_BEGIN) {
		if (!n->begun)
			n->begun = pk_calloc(n->count, 1);
		n->begun[row] = 1;
		n->kinds[thread] |= HAS_BEGINS;
	} else if (duration == PK_NEST_END) {
		n->kinds[thread] |= HAS_BEGINS;
	} else if (pk_nest_is_matched(duration)) {
		n->kinds[thread] |= HAS_MATCHED;
		end += duration - PK_NEST_MATCHED;
	} else {
		n->kinds[thread] |= HAS_WHOLE;
		end += duration;
	}
	if (end > n->last[thread])
		n->last[thread] = end;
}

/* Looks at all rows once, before any is moved. */
static void see_rows(struct nesting *n)
{
	struct pk_span_table *t = n->t;
	bool begins = false;
	uint32_t i;

	for (i = 0; i < n->threads; i++)
		n->last[i] = INT64_MIN;
	memset(n->kinds, 0, n->threads);
	for (i = 0; i < n->count; i++) {
		uint32_t thread = t->thread[i + 1];

		if (t->duration[i + 1] != PK_NEST_END &&
		    !n->nest->labels[t->node[i + 1]].location) {
			t->thread[i + 1] = 0;
			n->dropped = true;
			continue;
		}
		see_row(n, i);
		begins |= n->kinds[thread] & HAS_BEGINS;
	}
	if (begins && !n->open_names)
		n->open_names = pk_calloc(n->b->p->string.count, sizeof(*n->open_names));
}

/* Adds the ends that were matched while reading to threads where they do not hold: rows came later
 * that are earlier, or have other rules. An end was matched if all its thread had at that time were
 * other ends that were matched, of spans within; so these rows are before others of their time. */
static void add_ends(struct nesting *n, const bool *wanted)
{
	struct pk_span_table *t = n->t;

	for (uint32_t row = n->count; row > 0; row--) {
		int64_t duration = t->duration[row];

		if (!wanted[t->thread[row]] || !pk_nest_is_matched(duration))
			continue;
		pk_build_span(n->b, t->time[row] + (duration - PK_NEST_MATCHED), PK_NEST_END,
			      t->thread[row], 0, 0);
		t->duration[row] = PK_NEST_BEGIN;
	}
}

static void unmatch(struct nesting *n)
{
	PK_FREED bool *wanted = pk_calloc(n->threads, sizeof(*wanted));
	bool any = false;

	for (uint32_t i = 1; i < n->threads; i++) {
		const struct pk_nest_thread *rule = rule_of(n, i);

		wanted[i] =
			n->kinds[i] & HAS_MATCHED &&
			(n->kinds[i] & HAS_WHOLE || rule->unmatch || rule->rule != PK_NEST_CLOSED);
		any |= wanted[i];
	}
	n->unmatched = n->count;
	if (!any)
		return;
	add_ends(n, wanted);
	n->count = n->t->count - 1;
	free(n->begun);
	n->begun = NULL;
	see_rows(n);
}

/* Groups the rows again after lanes were made or rows were dropped. Dropped rows go to the end. */
static uint32_t regroup(struct nesting *n)
{
	uint32_t threads = n->b->p->thread.count, dropped;
	PK_FREED uint32_t *first = pk_malloc(pk_mul((size_t)threads + 1, sizeof(*first)));
	PK_FREED uint32_t *order = pk_malloc(pk_mul((size_t)n->count + 1, sizeof(*order)));

	pk_nest_group(n->t, n->order, order, n->count, first, threads);
	dropped = first[1];
	if (!n->order)
		n->order = pk_malloc(pk_mul((size_t)n->count + 1, sizeof(*n->order)));
	memcpy(n->order, order + dropped, ((size_t)n->count - dropped) * sizeof(*order));
	memcpy(n->order + n->count - dropped, order, (size_t)dropped * sizeof(*order));
	return n->count - dropped;
}

static void note_places(struct nesting *n, uint32_t kept)
{
	struct pk_nest *nest = n->nest;
	uint32_t i;

	nest->place = pk_calloc((size_t)n->count + 1, sizeof(*nest->place));
	for (i = 0; i < kept; i++)
		nest->place[n->order[i] + 1] = i + 1;
	for (; i < n->count; i++) {
		uint32_t row = n->order[i] + 1;

		if (n->t->duration[row] == PK_NEST_END)
			nest->place[row] = nest->place[n->t->node[row]];
	}
}

/* Frees everything except the order. */
static void release(struct nesting *n)
{
	uint32_t i;

	for (i = 0; i < n->stack_alloc; i++)
		free(n->stacks[i].open);
	free(n->stacks);
	pk_lanes_release(&n->far);
	free(n->kinds);
	free(n->begun);
	free(n->last);
	free(n->open_names);
	free(n->self);
	free(n->calls);
	free(n->touched);
}

static void nest_in_any_order(struct nesting *n)
{
	PK_FREED uint32_t *first = pk_malloc(pk_mul((size_t)n->threads + 1, sizeof(*first)));

	n->kinds = pk_malloc(n->threads);
	n->last = pk_malloc(pk_mul(n->threads, sizeof(*n->last)));
	see_rows(n);
	unmatch(n);
	n->order = pk_malloc(pk_mul((size_t)n->count + 1, sizeof(*n->order)));
	pk_nest_group(n->t, NULL, n->order, n->count, first, n->threads);
	for (uint32_t thread = 1; thread < n->threads; thread++)
		if (first[thread + 1] > first[thread])
			nest_thread(n, thread, n->order + first[thread],
				    first[thread + 1] - first[thread]);
}

void pk_nest(struct pk_nest *nest, struct pk_builder *b)
{
	struct nesting n = {.nest = nest, .b = b, .t = &b->p->span};
	uint32_t kept;
	bool all;

	n.count = n.t->count - 1;
	n.costless = n.count && !pk_builder_wants(b, PK_PART_PATHS);
	if (n.costless)
		pk_build_unread(b, PK_PART_PATHS | PK_PART_CALLS);
	n.threads = nest->first_lane = b->p->thread.count;
	nest->counts.first_unmatched = nest->counts.first_misnested =
		nest->counts.first_unfinished = nest->counts.first_overlapping =
			nest->counts.first_shortened = PK_NULL;
	if (is_in_order(&n))
		nest_in_order(&n);
	else
		nest_in_any_order(&n);
	kept = n.lanes_made || n.dropped ? regroup(&n) : n.count;
	release(&n);
	all = n.order && kept == n.count;
	if (nest->wants_place && !all && n.order)
		note_places(&n, kept);
	if (n.order)
		pk_nest_permute(b, n.order, kept, b->p->thread.count,
				nest->wants_place && all ? &nest->place : NULL);
	nest->place_count = nest->wants_place ? (size_t)n.count + 1 : 0;
	n.t->count = kept + 1;
}

static bool encloses(const struct pk_span_table *t, uint32_t outer, uint32_t inner)
{
	return t->thread[outer] == t->thread[inner] && t->time[outer] <= t->time[inner] &&
	       t->time[outer] + t->duration[outer] >= t->time[inner];
}

uint32_t *pk_span_parents(const struct pk_profile *p)
{
	const struct pk_span_table *t = &p->span;
	uint32_t *parent = pk_calloc(t->count, sizeof(*parent)), i;
	PK_FREED uint32_t *last = pk_calloc(p->node.count, sizeof(*last)); /* span of a node */

	for (i = 1; i < t->count; i++) {
		uint32_t node = t->node[i], outer = p->node.parent[node];

		if (outer && last[outer] && encloses(t, last[outer], i))
			parent[i] = last[outer];
		last[node] = i;
	}
	return parent;
}
