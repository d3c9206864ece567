/* How busy each GPU was, and what the host did while it was not: for summary and ops. */
#include "analysis/gpu/use.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

struct gap {
	int64_t from, to;
};

struct user {
	struct pk_gpu_use *use;
	const struct pk_launches *launches;
	struct gap *gap; /* times in which nothing ran, in order */
	uint32_t gaps, alloc, next;
};

static uint32_t process_of(const struct pk_profile *p, uint32_t span)
{
	return p->thread.process[p->span.thread[span]];
}

uint32_t pk_gpu_next(const struct pk_launches *l, uint32_t process)
{
	const struct pk_profile *p = l->profile;
	uint32_t found = 0, i;

	for (i = 1; i < p->span.count; i++) {
		uint32_t other = process_of(p, i);

		if (pk_activity_is_work(l->activity[i]) && other > process &&
		    (!found || other < found))
			found = other;
	}
	return found;
}

static void add_gap(struct user *u, int64_t from, int64_t to)
{
	PK_GROW(u->gap, (size_t)u->gaps + 1, u->alloc);
	u->gap[u->gaps++] = (struct gap){from, to};
	if (to - from > u->use->longest_gap)
		u->use->longest_gap = to - from;
}

static void add_work(struct user *u, const uint32_t *work, uint32_t count)
{
	const struct pk_profile *p = u->launches->profile;
	struct pk_gpu_use *use = u->use;
	uint32_t i;

	for (i = 0; i < count; i++) {
		int64_t from = p->span.time[work[i]], to = pk_span_end(p, work[i]);

		if (!i)
			use->first = use->last = from;
		if (from > use->last)
			add_gap(u, use->last, from);
		if (to > use->last) {
			use->busy += to - (from > use->last ? from : use->last);
			use->last = to;
		}
		pk_add_saturated(u->launches->activity[work[i]] == PK_ACT_KERNEL ? &use->kernels
										 : &use->copies,
				 p->span.duration[work[i]]);
	}
}

static void measure(struct user *u)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t *work = pk_malloc(pk_mul(p->span.count, sizeof(*work))), count = 0, i;

	for (i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(u->launches->activity[i]) &&
		    process_of(p, i) == u->use->process)
			work[count++] = i;
	pk_sort_spans(p, work, count);
	add_work(u, work, count);
	free(work);
}

/* The thread that launched most of the work; 0 = not known. */
static uint32_t find_host(const struct user *u)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t *calls = pk_calloc(p->thread.count, sizeof(*calls)), best = 0, i;

	for (i = 1; i < p->span.count; i++)
		if (u->launches->call[i] && process_of(p, i) == u->use->process)
			calls[p->span.thread[u->launches->call[i]]]++;
	for (i = 1; i < p->thread.count; i++)
		if (calls[i] > calls[best])
			best = i;
	free(calls);
	return best;
}

/* Counts that the host ran `span` (0: nothing) in this time. Times come in order. */
static void ran(struct user *u, int64_t from, int64_t to, uint32_t span)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t name = pk_node_name(p, p->span.node[span]), i;

	while (u->next < u->gaps && u->gap[u->next].to <= from)
		u->next++;
	for (i = u->next; i < u->gaps && u->gap[i].from < to; i++) {
		int64_t a = u->gap[i].from > from ? u->gap[i].from : from;
		int64_t b = u->gap[i].to < to ? u->gap[i].to : to;

		if (a < b)
			pk_gpu_wait_list_add(&u->use->host, name, b - a);
	}
}

/* Walks the spans of a thread, which are in the order of their begins: the span that began last is
 * the one that runs. */
static void see_host(struct user *u, uint32_t host)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t *stack = NULL, alloc = 0, depth = 0, i;
	int64_t at = u->use->first;

	for (i = 1; i <= p->span.count; i++) {
		bool last = i == p->span.count;
		int64_t start = last ? u->use->last : p->span.time[i];

		if (!last && p->span.thread[i] != host)
			continue;
		for (; depth && pk_span_end(p, stack[depth - 1]) <= start; depth--) {
			int64_t end = pk_span_end(p, stack[depth - 1]);

			if (end <= at)
				continue;
			ran(u, at, end, stack[depth - 1]);
			at = end;
		}
		if (start > at) {
			ran(u, at, start, depth ? stack[depth - 1] : 0);
			at = start;
		}
		if (last)
			break;
		PK_GROW(stack, (size_t)depth + 1, alloc);
		stack[depth++] = i;
	}
	free(stack);
}

static void watch_host(struct user *u)
{
	uint32_t host = find_host(u);

	if (host)
		see_host(u, host);
	pk_gpu_wait_list_sort(&u->use->host);
}

void pk_gpu_use_init(struct pk_gpu_use *use, const struct pk_launches *l, uint32_t process)
{
	struct user u = {.use = use, .launches = l};

	*use = (struct pk_gpu_use){.profile = l->profile, .process = process};
	measure(&u);
	watch_host(&u);
	free(u.gap);
}

void pk_gpu_use_release(struct pk_gpu_use *use)
{
	pk_gpu_wait_list_release(&use->host);
	memset(use, 0, sizeof(*use));
}
