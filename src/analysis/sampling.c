/* How often each thread was sampled, and its longest time without a sample. */
#include "analysis/sampling.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"

struct times {
	const int64_t *time; /* of samples */
	const struct pk_sample_order *order;
	int64_t *gap; /* of all threads */
	size_t gaps;
};

static int highest_bit(const int64_t *value, size_t count)
{
	uint64_t any = 1;

	for (size_t i = 0; i < count; i++)
		any |= (uint64_t)value[i];
	return 63 - __builtin_clzll(any);
}

/* The median of numbers that are not negative; changes their order. Keeps the numbers that begin
 * with the same bits as the median, until no bits are left, which is faster than sorting. */
static int64_t median(int64_t *value, size_t count)
{
	enum { BITS = 11, MASK = (1 << BITS) - 1 };
	size_t below = count ? (count - 1) / 2 : 0;

	if (!count)
		return PK_NULL;
	for (int shift = highest_bit(value, count) + 1; shift > 0;) {
		uint32_t of[1 << BITS] = {0};
		size_t kept = 0;
		int64_t bits = 0;

		shift = shift > BITS ? shift - BITS : 0;
		for (size_t i = 0; i < count; i++)
			of[value[i] >> shift & MASK]++;
		for (; below >= of[bits]; bits++)
			below -= of[bits];
		for (size_t i = 0; i < count; i++) {
			int64_t here = value[i];

			if ((here >> shift & MASK) == bits) {
				value[i] = value[kept];
				value[kept++] = here;
			}
		}
		count = kept;
	}
	return value[0];
}

/* Works out interval and gap of one thread; samples with one time count once. Appends its gaps to
 * those of other threads. */
static void judge_times(struct pk_sampled_thread *th, struct times *t)
{
	const struct pk_sample_order *o = t->order;
	const uint32_t *row = o->row + o->first[th->thread];
	size_t count = o->first[th->thread + 1] - o->first[th->thread], first = t->gaps;

	if (!count)
		return;
	th->start = t->time[row[0]];
	th->end = t->time[row[count - 1]];
	for (size_t i = 1; i < count; i++) {
		int64_t before = t->time[row[i - 1]], gap = t->time[row[i]];

		pk_add_saturated(&gap, -before);
		if (!gap)
			continue;
		t->gap[t->gaps++] = gap;
		if (th->gap == PK_NULL || gap > th->gap) {
			th->gap = gap;
			th->gap_start = before;
		}
	}
	th->interval = median(t->gap + first, t->gaps - first);
}

uint32_t pk_sample_count(const struct pk_profile *p, uint32_t metric)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->sample.count; i++)
		count += pk_sample_metric(&p->sample, i) == metric;
	return count;
}

/* Adds up samples by thread. */
static void add_up(struct pk_sampled_thread *all, const struct pk_profile *p, uint32_t metric)
{
	for (uint32_t i = 0; i < p->thread.count; i++)
		all[i] = (struct pk_sampled_thread){.thread = i,
						    .samples = PK_NULL,
						    .start = PK_NULL,
						    .end = PK_NULL,
						    .interval = PK_NULL,
						    .gap_start = PK_NULL,
						    .gap = PK_NULL};
	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			pk_add_saturated(&all[pk_cost_thread(p, i)].total, p->cost.self[i]);
	for (uint32_t i = 1; i < p->sample.count; i++) {
		struct pk_sampled_thread *th = &all[p->sample.thread[i]];

		if (pk_sample_metric(&p->sample, i) == metric)
			th->samples = th->samples == PK_NULL ? 1 : th->samples + 1;
	}
}

void pk_sampling_of(struct pk_sampling *s, const struct pk_profile *p, uint32_t metric,
		    const struct pk_sample_order *order)
{
	struct times times = {.time = p->sample.time, .order = order};

	*s = (struct pk_sampling){.gap = UINT32_MAX, .interval = PK_NULL};
	s->thread = pk_malloc(pk_mul(p->thread.count, sizeof(*s->thread)));
	add_up(s->thread, p, metric);
	times.gap = pk_malloc(pk_mul((size_t)order->count + 1, sizeof(*times.gap)));
	s->sampled = p->metric.exactness[metric] == PK_SAMPLED;
	for (uint32_t i = 0; i < p->thread.count; i++) {
		struct pk_sampled_thread *th = &s->thread[s->threads];

		*th = s->thread[i];
		if (!th->total && th->samples == PK_NULL)
			continue;
		judge_times(th, &times);
		s->timed |= th->start != PK_NULL;
		if (th->gap != PK_NULL && (s->gap == UINT32_MAX || th->gap > s->thread[s->gap].gap))
			s->gap = s->threads;
		s->threads++;
	}
	s->interval = median(times.gap, times.gaps);
	free(times.gap);
}

void pk_sampling_init(struct pk_sampling *s, const struct pk_profile *p, uint32_t metric)
{
	struct pk_sample_order order;

	*s = (struct pk_sampling){.gap = UINT32_MAX, .interval = PK_NULL};
	if (metric >= p->metric.count)
		return;
	pk_sample_order_init(&order, p, metric);
	pk_sampling_of(s, p, metric, &order);
	pk_sample_order_release(&order);
}

void pk_sampling_release(struct pk_sampling *s)
{
	free(s->thread);
	s->thread = NULL;
}
