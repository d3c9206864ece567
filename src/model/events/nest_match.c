/*
 * Matches ends with begins.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "model/events/nest_internal.h"

/* Spans that were closed by the end of an outer span; their own ends may follow at the same
 * time. */
struct early {
	uint32_t names[16], count;
	int64_t time;
};

struct matching {
	struct pk_nest *nest;
	const struct pk_span_table *t;
	uint32_t *open;                /* by name: number of open spans */
	uint32_t *stack, depth, alloc; /* rows from 0 */
	struct early early;
};

static void count_first(int64_t *count, int64_t *first, int64_t time)
{
	if (!(*count)++)
		*first = time;
}

static uint32_t name_of(const struct matching *m, uint32_t row)
{
	return m->nest->labels[m->t->node[row + 1]].name;
}

static void close_top(struct matching *m, int64_t time)
{
	uint32_t row = m->stack[--m->depth];

	m->open[name_of(m, row)]--;
	m->t->duration[row + 1] = time - m->t->time[row + 1];
}

static void end_early(struct matching *m)
{
	struct pk_nest_counts *c = &m->nest->counts;

	while (m->early.count) {
		m->early.count--;
		count_first(&c->misnested, &c->first_misnested, m->early.time);
	}
}

static bool was_early(struct matching *m, uint32_t name, int64_t time)
{
	struct early *e = &m->early;

	for (uint32_t i = 0; e->time == time && i < e->count; i++) {
		if (e->names[i] == name) {
			e->names[i] = e->names[--e->count];
			return true;
		}
	}
	return false;
}

static void close_early(struct matching *m, int64_t time)
{
	struct early *e = &m->early;
	struct pk_nest_counts *c = &m->nest->counts;
	uint32_t name = name_of(m, m->stack[m->depth - 1]);

	if (e->time != time)
		end_early(m);
	e->time = time;
	if (e->count < sizeof(e->names) / sizeof(*e->names))
		e->names[e->count++] = name;
	else
		count_first(&c->misnested, &c->first_misnested, time);
	close_top(m, time);
}

/* Ends a span as the row says. Returns the span (from 1); 0: there is none. */
static uint32_t end_span(struct matching *m, uint32_t row)
{
	uint32_t label = m->t->node[row + 1], ended;
	int64_t time = m->t->time[row + 1];

	if (!m->depth)
		return 0;
	if (label) {
		uint32_t name = m->nest->labels[label].name;

		if (!m->open[name])
			return 0;
		while (name_of(m, m->stack[m->depth - 1]) != name)
			close_early(m, time);
	}
	ended = m->stack[m->depth - 1] + 1;
	close_top(m, time);
	return ended;
}

static void begin_span(struct matching *m, uint32_t row)
{
	PK_GROW(m->stack, (size_t)m->depth + 1, m->alloc);
	m->stack[m->depth++] = row;
	m->open[name_of(m, row)]++;
}

/* True if a span without duration has its end before its begin, as unstable sorting leaves it. */
static bool is_swapped(const struct matching *m, const uint32_t *order, uint32_t i, uint32_t count)
{
	uint32_t end, begin;

	if (i + 1 == count)
		return false;
	end = order[i];
	begin = order[i + 1];
	return m->t->duration[begin + 1] == PK_NEST_BEGIN && m->t->node[end + 1] &&
	       m->t->time[begin + 1] == m->t->time[end + 1] && name_of(m, begin) == name_of(m, end);
}

void pk_nest_match(struct pk_nest *nest, const struct pk_span_table *t, uint32_t *order,
		   uint32_t count, uint32_t *open, int64_t last)
{
	struct matching m = {.nest = nest, .t = t, .open = open};
	struct pk_nest_counts *c = &nest->counts;
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint32_t row = order[i], ended;

		if (t->duration[row + 1] == PK_NEST_BEGIN)
			begin_span(&m, row);
		if (t->duration[row + 1] != PK_NEST_END)
			continue;
		ended = end_span(&m, row);
		if (!ended && is_swapped(&m, order, i, count)) {
			order[i] = order[i + 1];
			order[i + 1] = row;
			begin_span(&m, order[i]);
			ended = end_span(&m, row);
			i++;
		}
		if (!ended &&
		    !(t->node[row + 1] && was_early(&m, name_of(&m, row), t->time[row + 1])))
			count_first(&c->unmatched, &c->first_unmatched, t->time[row + 1]);
		t->node[row + 1] = ended;
	}
	end_early(&m);
	if (m.depth && !c->unfinished)
		c->first_unfinished = t->time[m.stack[0] + 1];
	for (c->unfinished += m.depth; m.depth;)
		close_top(&m, last);
	free(m.stack);
}
