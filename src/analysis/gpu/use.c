/* How busy each GPU was, and what the host did while it was not: for summary, ops and gpu. */
#include "analysis/gpu/use.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

struct watch {
	const struct pk_profile *profile;
	struct pk_gpu_wait_list *list;
	struct pk_gpu_idle_times *rest; /* in which a thread did nothing; NULL: they count */
	const struct pk_gpu_idle_time *idle, *end; /* idle: the first that may overlap the next span
						    */
};

static uint32_t process_of(const struct pk_profile *p, uint32_t span)
{
	return p->thread.process[p->span.thread[span]];
}

uint32_t *pk_gpu_works(const struct pk_launches *l)
{
	const struct pk_profile *p = l->profile;
	uint32_t *works = pk_calloc(p->process.count, sizeof(*works));

	for (uint32_t i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(l->activity[i]))
			works[process_of(p, i)]++;
	return works;
}

/* The thread that launched most of the work; 0 = not known. */
static uint32_t find_host(const struct pk_launches *l, uint32_t process)
{
	const struct pk_profile *p = l->profile;
	uint32_t *calls = pk_calloc(p->thread.count, sizeof(*calls)), best = 0, i;

	for (i = 1; i < p->span.count; i++)
		if (l->call[i] && process_of(p, i) == process)
			calls[p->span.thread[l->call[i]]]++;
	for (i = 1; i < p->thread.count; i++)
		if (calls[i] > calls[best])
			best = i;
	free(calls);
	return best;
}

static void add_idle(struct pk_gpu_idle_times *t, int64_t from, int64_t to, uint32_t host)
{
	PK_GROW(t->item, (size_t)t->count + 1, t->alloc);
	t->item[t->count++] = (struct pk_gpu_idle_time){from, to, host};
}

/* Counts that the host ran `span` (0: nothing) in this time. Times come in order. */
static void ran(struct watch *w, int64_t from, int64_t to, uint32_t span)
{
	uint32_t name = pk_node_name(w->profile, w->profile->span.node[span]);

	for (; w->idle < w->end && w->idle->from < to; w->idle++) {
		int64_t a = w->idle->from > from ? w->idle->from : from;
		int64_t b = w->idle->to < to ? w->idle->to : to;

		if (a < b && !span && w->rest)
			add_idle(w->rest, a, b, 0);
		else if (a < b)
			pk_gpu_wait_list_add(w->list, name, b - a);
		if (w->idle->to > to)
			break;
	}
}

/* Walks the spans of a thread, which are in the order of their begins: the span that began last is
 * the one that runs. */
static void walk(struct watch *w, uint32_t host)
{
	const struct pk_profile *p = w->profile;
	const uint32_t *thread = p->span.thread;
	uint32_t *stack = NULL, alloc = 0, depth = 0;
	int64_t at = w->idle->from;

	for (uint32_t i = PK_BISECT(k, 1, p->span.count, thread[k] < host);; i++) {
		bool last = i == p->span.count || thread[i] != host;
		int64_t start = last ? w->end[-1].to : p->span.time[i];

		for (; depth && pk_span_end(p, stack[depth - 1]) <= start; depth--) {
			int64_t end = pk_span_end(p, stack[depth - 1]);

			if (end <= at)
				continue;
			ran(w, at, end, stack[depth - 1]);
			at = end;
		}
		if (start > at) {
			ran(w, at, start, depth ? stack[depth - 1] : 0);
			at = start;
		}
		if (last)
			break;
		PK_GROW(stack, (size_t)depth + 1, alloc);
		stack[depth++] = i;
	}
	free(stack);
}

PK_COMPARE(by_host, struct pk_gpu_idle_time,
	   PK_ORDER(a->host, b->host) ?: PK_ORDER(a->from, b->from))

/* main: the thread that counts where none is known, or where that did nothing. */
static void watch(struct watch *w, struct pk_gpu_idle_times *idle, uint32_t main)
{
	struct pk_gpu_idle_times rest = {.count = 0};

	for (uint32_t i = 0; i < idle->count; i++)
		if (!idle->item[i].host)
			idle->item[i].host = main;
	pk_sort(idle->item, idle->count, sizeof(*idle->item), by_host);
	for (uint32_t i = 0, next; i < idle->count; i = next) {
		uint32_t host = idle->item[i].host;

		for (next = i; next < idle->count && idle->item[next].host == host;)
			next++;
		w->idle = idle->item + i;
		w->end = idle->item + next;
		w->rest = host == main ? NULL : &rest;
		walk(w, host);
	}
	if (rest.count)
		watch(w, &rest, main);
	free(rest.item);
}

void pk_gpu_watch_host(struct pk_gpu_wait_list *list, const struct pk_launches *l, uint32_t process,
		       struct pk_gpu_idle_times *idle, uint32_t main)
{
	const uint32_t *process_of_thread = l->profile->thread.process;
	struct watch w = {.profile = l->profile, .list = list};
	uint32_t most = idle->count ? find_host(l, process) : 0;

	if (!most)
		return;
	if (!main || process_of_thread[main] != process_of_thread[most])
		main = most;
	watch(&w, idle, main);
	pk_gpu_wait_list_sort(list);
}

static void add_work(struct pk_gpu_use *use, struct pk_gpu_idle_times *idle,
		     const struct pk_launches *l, uint32_t span)
{
	const struct pk_profile *p = l->profile;
	int64_t from = p->span.time[span], to = pk_span_end(p, span);

	if (from > use->last) {
		if (from - use->last > use->longest_gap)
			use->longest_gap = from - use->last;
		add_idle(idle, use->last, from, p->span.thread[l->call[span]]);
	}
	if (to > use->last) {
		use->busy += to - (from > use->last ? from : use->last);
		use->last = to;
	}
	pk_add_saturated(l->activity[span] == PK_ACT_KERNEL ? &use->kernels : &use->copies,
			 p->span.duration[span]);
}

void pk_gpu_use_init(struct pk_gpu_use *use, const struct pk_launches *l, uint32_t process)
{
	const struct pk_profile *p = l->profile;
	PK_FREED uint32_t *work = pk_malloc(pk_mul(p->span.count, sizeof(*work)));
	struct pk_gpu_idle_times idle = {0};
	uint32_t works = 0, i;

	*use = (struct pk_gpu_use){.profile = p, .process = process};
	for (i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(l->activity[i]) && process_of(p, i) == process)
			work[works++] = i;
	pk_sort_spans(p, work, works);
	if (works)
		use->first = use->last = p->span.time[work[0]];
	for (i = 0; i < works; i++)
		add_work(use, &idle, l, work[i]);
	pk_gpu_watch_host(&use->host, l, process, &idle, 0);
	free(idle.item);
}

void pk_gpu_use_release(struct pk_gpu_use *use)
{
	pk_gpu_wait_list_release(&use->host);
	memset(use, 0, sizeof(*use));
}
