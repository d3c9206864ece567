/*
 * Guesses which streams wait for each other in traces without events. If work begins later than
 * everything known explains, it is taken to wait for the work of another stream of its GPU that
 * ended last, if that was within 30 us.
 */
#include <stdlib.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/merge_sort.h"

static bool ends_before(const void *data, uint32_t a, uint32_t b)
{
	return pk_span_end(data, a) < pk_span_end(data, b);
}

static bool is_unexplained(const struct pk_critical_graph *g, uint32_t work, int64_t *known)
{
	enum pk_critical_edge kind;
	uint32_t before = pk_critical_before(g, pk_begin_node(work), &kind);
	struct pk_critical_part part =
		pk_critical_part_before(g, pk_begin_node(work), before, kind);

	*known = before ? pk_node_time(g, before) : INT64_MIN;
	return part.class_of == PK_CRITICAL_WAIT;
}

/* The last work of another stream that ended between `known` and the begin of this work; 0 = none.
 * Works are sorted by end. */
static uint32_t ended_before(const struct pk_critical_graph *g, const uint32_t *ended,
			     uint32_t work, int64_t known)
{
	enum { LOOKED_AT = 64 };
	const struct pk_profile *p = g->in.profile;
	uint32_t thread = p->span.thread[work];
	int64_t time = p->span.time[work];
	uint32_t low = PK_BISECT(i, 0, g->works, pk_span_end(p, ended[i]) <= time);

	for (int i = 0; i < LOOKED_AT && low-- > 0; i++) {
		uint32_t other = ended[low], on = p->span.thread[other];
		int64_t end = pk_span_end(p, other);

		if (end <= known || time - end > PK_GPU_SHORT_GAP)
			return 0;
		if (g->stream[on] != g->stream[thread] &&
		    p->thread.process[on] == p->thread.process[thread])
			return other;
	}
	return 0;
}

bool pk_critical_guess_waits(struct pk_critical_graph *g)
{
	PK_FREED uint32_t *ended = pk_malloc(pk_mul((size_t)g->works + 1, sizeof(*ended)));
	PK_FREED struct pk_critical_link *link = NULL;
	uint32_t count = 0;
	size_t alloc = 0;

	for (uint32_t i = 0; i < g->works; i++)
		ended[i] = g->work[i];
	pk_merge_sort(ended, g->works, ends_before, g->in.profile);
	for (uint32_t i = 0; i < g->works; i++) {
		int64_t known;
		uint32_t other = is_unexplained(g, g->work[i], &known)
					 ? ended_before(g, ended, g->work[i], known)
					 : 0;

		if (!other)
			continue;
		PK_GROW(link, (size_t)count + 1, alloc);
		link[count++] = (struct pk_critical_link){pk_end_node(other),
							  pk_begin_node(g->work[i]), PK_EDGE_EVENT};
	}
	for (uint32_t i = 0; i < count; i++)
		pk_critical_link(g, link[i].from, link[i].to, PK_EDGE_EVENT);
	g->result->odd[PK_CRITICAL_STREAMS] = count;
	return count;
}
