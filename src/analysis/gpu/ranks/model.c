/*
 * Builds the model of several ranks, which are joined by their collectives, and computes when each
 * rank reaches them, with or without a change (--what-if).
 */
#include "analysis/gpu/ranks/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

struct place { /* of a collective in the result */
	uint32_t first, count;
	int64_t end;
};

PK_COMPARE(by_end, struct place, PK_ORDER(a->end, b->end) ?: PK_ORDER(a->first, b->first))

static bool is_same(const struct pk_gpu_collective *a, const struct pk_gpu_collective *b)
{
	return a->set && a->set == b->set;
}

static double between(__int128 from, __int128 to)
{
	return (double)(to - from);
}

/* When the first of the traces begins, on the clock of the first in the list. Times are counted
 * from it: clocks that count from 1970 have more digits than a double. */
static __int128 find_origin(const struct pk_gpu *g)
{
	__int128 origin = INT64_MAX;

	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];
		__int128 from = (__int128)d->window[0].from + g->trace[d->trace].shift;

		origin = from < origin ? from : origin;
	}
	return origin;
}

/* Begin and end of the steps of a trace. */
static void find_times(const struct pk_gpu *g, __int128 origin, double *begin, double *end)
{
	for (uint32_t t = 0; t < g->traces; t++) {
		begin[t] = INFINITY;
		end[t] = -INFINITY;
	}
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];
		__int128 since = origin - g->trace[d->trace].shift;

		begin[d->trace] = fmin(begin[d->trace], between(since, d->window[0].from));
		end[d->trace] = fmax(end[d->trace], between(since, d->window[d->windows - 1].to));
	}
}

/* Collectives of several traces that begin in the steps of all of them. */
static struct place *find_joins(const struct pk_gpu *g, __int128 origin, const double *begin,
				uint32_t *count)
{
	const struct pk_gpu_collective *c = g->collective;
	struct place *place = pk_malloc(pk_mul((size_t)g->collective_count + 1, sizeof(*place)));

	*count = 0;
	for (uint32_t i = 0, next; i < g->collective_count; i = next) {
		bool inside = true;
		int64_t end = INT64_MIN;

		for (next = i;
		     next < g->collective_count && (next == i || is_same(&c[i], &c[next]));
		     next++) {
			inside &= between(origin, c[next].start) >= begin[c[next].trace] &&
				  (next == i || c[next].trace != c[next - 1].trace);
			end = c[next].end > end ? c[next].end : end;
		}
		if (inside && next - i > 1)
			place[(*count)++] =
				(struct place){.first = i, .count = next - i, .end = end};
	}
	pk_sort(place, *count, sizeof(*place), by_end);
	return place;
}

struct making {
	struct pk_ranks_model *m;
	const struct pk_gpu *gpu;
	const struct pk_gpu_collective **of; /* by member */
	__int128 origin;
};

static void add_member(struct making *k, const struct pk_gpu_collective *c)
{
	struct pk_ranks_model *m = k->m;
	uint32_t before = m->last[c->trace];
	struct pk_ranks_member *one = &m->member[++m->members];

	*one = (struct pk_ranks_member){.trace = c->trace, .before = before};
	k->of[m->members] = c;
	m->join_of[m->members] = m->joins;
	m->last[c->trace] = m->members;
	one->then = between(k->origin, c->start) - m->begin[c->trace];
	if (!before)
		return;
	one->beside = c->start < k->of[before]->end;
	one->then = between(one->beside ? k->of[before]->start : k->of[before]->end, c->start);
	one->hidden =
		between(k->of[before]->start, k->of[before]->end) - (double)k->of[before]->exposed;
}

static void add_join(struct making *k, const struct place *p)
{
	const struct pk_gpu_collective *c = &k->gpu->collective[p->first];
	struct pk_ranks_join *join = &k->m->join[k->m->joins];

	*join = (struct pk_ranks_join){
		.first = k->m->members + 1, .count = p->count, .transfer = INFINITY};
	for (uint32_t i = 0; i < p->count; i++) {
		join->transfer = fmin(join->transfer, between(c[i].start, c[i].end));
		add_member(k, &c[i]);
	}
	k->m->joins++;
}

int pk_ranks_model_init(struct pk_ranks_model *m, const struct pk_gpu *g)
{
	PK_FREED double *end = pk_malloc(pk_mul((size_t)g->traces + 1, sizeof(*end)));
	struct making k = {.m = m, .gpu = g};
	struct place *place;
	uint32_t joins;
	double first = INFINITY, last = -INFINITY;

	*m = (struct pk_ranks_model){.traces = g->traces};
	m->begin = pk_malloc(pk_mul((size_t)g->traces + 1, sizeof(*m->begin)));
	m->tail = pk_calloc((size_t)g->traces + 1, sizeof(*m->tail));
	m->last = pk_calloc((size_t)g->traces + 1, sizeof(*m->last));
	m->member = pk_calloc((size_t)g->collective_count + 1, sizeof(*m->member));
	m->join_of = pk_calloc((size_t)g->collective_count + 1, sizeof(*m->join_of));
	m->join = pk_calloc((size_t)g->collective_count + 1, sizeof(*m->join));
	k.of = pk_calloc((size_t)g->collective_count + 1, sizeof(struct pk_gpu_collective *));
	k.origin = find_origin(g);
	find_times(g, k.origin, m->begin, end);
	place = find_joins(g, k.origin, m->begin, &joins);
	for (uint32_t i = 0; i < joins; i++)
		add_join(&k, &place[i]);
	for (uint32_t t = 0; t < g->traces; t++) {
		double from = m->last[t] ? between(k.origin, k.of[m->last[t]]->end) : m->begin[t];

		m->tail[t] = fmax(end[t] - from, 0);
		first = fmin(first, m->begin[t]);
		last = fmax(last, from + m->tail[t]);
	}
	m->measured = last - first;
	free(place);
	free(k.of);
	return m->joins ? 0 : -1;
}

void pk_ranks_model_release(struct pk_ranks_model *m)
{
	free(m->begin);
	free(m->tail);
	free(m->last);
	free(m->member);
	free(m->join_of);
	free(m->join);
}

/* The median of the work of all ranks before a collective; -1: of their work after the last one. */
static double median(const struct pk_ranks_model *m, int64_t join, bool hidden)
{
	uint32_t count = join < 0 ? m->traces : m->join[join].count;
	PK_FREED double *value = pk_malloc(pk_mul(count, sizeof(*value)));

	for (uint32_t i = 0; i < count; i++) {
		const struct pk_ranks_member *one =
			&m->member[join < 0 ? 0 : m->join[join].first + i];

		value[i] = join < 0 ? m->tail[i] : hidden ? one->hidden : one->then;
	}
	qsort(value, count, sizeof(*value), pk_compare_reals);
	return count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

/* The work of a rank as the rules change it; member 0: that after the last collective. */
static double work(const struct pk_ranks_model *m, uint32_t trace, uint32_t member, bool hidden,
		   const struct pk_ranks_rule *rules, size_t count)
{
	const struct pk_ranks_member *one = &m->member[member];
	double time = !member ? m->tail[trace] : hidden ? one->hidden : one->then;

	for (size_t i = 0; i < count; i++) {
		if (rules[i].trace != trace)
			continue;
		if (rules[i].median)
			time = median(m, member ? (int64_t)m->join_of[member] : -1, hidden);
		else
			time *= rules[i].factor;
	}
	return time;
}

static void start_member(struct pk_ranks_model *m, uint32_t member,
			 const struct pk_ranks_rule *rules, size_t count)
{
	struct pk_ranks_member *one = &m->member[member];
	const struct pk_ranks_member *before = &m->member[one->before];
	double then = work(m, one->trace, member, false, rules, count), hidden, end;

	one->by_work = true;
	if (!one->before) {
		one->start = m->begin[one->trace] + then;
	} else if (one->beside) {
		one->start = before->start + then;
	} else {
		hidden = before->start + work(m, one->trace, member, true, rules, count);
		end = m->join[m->join_of[one->before]].end;
		one->by_work = hidden > end;
		one->start = fmax(hidden, end) + then;
	}
}

double pk_ranks_replay(struct pk_ranks_model *m, const struct pk_ranks_rule *rules, size_t count)
{
	double first = INFINITY, last = -INFINITY;

	for (uint32_t j = 0; j < m->joins; j++) {
		struct pk_ranks_join *join = &m->join[j];

		join->last = join->first;
		for (uint32_t i = join->first; i < join->first + join->count; i++) {
			start_member(m, i, rules, count);
			if (m->member[i].start > m->member[join->last].start)
				join->last = i;
		}
		join->end = join->transfer;
		for (size_t i = 0; i < count; i++)
			join->end *= rules[i].trace < 0 ? rules[i].factor : 1;
		join->end += m->member[join->last].start;
	}
	for (uint32_t t = 0; t < m->traces; t++) {
		double end = (m->last[t] ? m->join[m->join_of[m->last[t]]].end : m->begin[t]) +
			     work(m, t, 0, false, rules, count);

		first = fmin(first, m->begin[t]);
		if (end > last)
			m->end = t;
		last = fmax(last, end);
	}
	return last - first;
}
