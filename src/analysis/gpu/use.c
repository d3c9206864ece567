/* How busy each GPU was, and what the host did while it was not: for summary and ops. */
#include "analysis/gpu/use.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

struct user {
	struct pk_gpu_use *use;
	const struct pk_launches *launches;
	uint32_t *work; /* spans of the GPU by begin */
	uint32_t works, next;
	int64_t from, to; /* the time before work[next - 1] in which nothing ran */
	int64_t until;    /* the end of all work up to it */
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

static void add_work(struct user *u)
{
	const struct pk_profile *p = u->launches->profile;
	struct pk_gpu_use *use = u->use;

	for (uint32_t i = 0; i < u->works; i++) {
		uint32_t span = u->work[i];
		int64_t from = p->span.time[span], to = pk_span_end(p, span);

		if (!i)
			use->first = use->last = from;
		if (from > use->last && from - use->last > use->longest_gap)
			use->longest_gap = from - use->last;
		if (to > use->last) {
			use->busy += to - (from > use->last ? from : use->last);
			use->last = to;
		}
		pk_add_saturated(u->launches->activity[span] == PK_ACT_KERNEL ? &use->kernels
									      : &use->copies,
				 p->span.duration[span]);
	}
}

static void measure(struct user *u)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t i;

	u->work = pk_malloc(pk_mul(p->span.count, sizeof(*u->work)));
	for (i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(u->launches->activity[i]) &&
		    process_of(p, i) == u->use->process)
			u->work[u->works++] = i;
	pk_sort_spans(p, u->work, u->works);
	add_work(u);
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

/* The next time in which nothing ran; false: there is none. */
static bool next_gap(struct user *u)
{
	const struct pk_profile *p = u->launches->profile;

	while (u->next < u->works) {
		uint32_t span = u->work[u->next++];
		int64_t end = pk_span_end(p, span);

		u->from = u->until;
		u->to = p->span.time[span];
		u->until = end > u->until ? end : u->until;
		if (u->to > u->from)
			return true;
	}
	u->from = u->to = INT64_MAX;
	return false;
}

/* Counts that the host ran `span` (0: nothing) in this time. Times come in order. */
static void ran(struct user *u, int64_t from, int64_t to, uint32_t span)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t name = pk_node_name(p, p->span.node[span]);

	while (u->from < to) {
		int64_t a = u->from > from ? u->from : from;
		int64_t b = u->to < to ? u->to : to;

		if (a < b)
			pk_gpu_wait_list_add(&u->use->host, name, b - a);
		if (u->to > to || !next_gap(u))
			break;
	}
}

/* Walks the spans of a thread, which are in the order of their begins: the span that began last is
 * the one that runs. */
static void see_host(struct user *u, uint32_t host)
{
	const struct pk_profile *p = u->launches->profile;
	uint32_t *stack = NULL, alloc = 0, depth = 0, i;
	int64_t at = u->use->first;

	u->from = u->to = u->until = at;
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
	free(u.work);
}

void pk_gpu_use_release(struct pk_gpu_use *use)
{
	pk_gpu_wait_list_release(&use->host);
	memset(use, 0, sizeof(*use));
}
