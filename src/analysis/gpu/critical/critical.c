/* The result: the path of a part of a trace, and sums over it. */
#include "analysis/gpu/critical/critical.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"

const char *const pk_critical_classes[] = {
	"host_operators", "host_calls",      "host_other", "data_loading",
	"computation",    "communication",   "copy",       "launch_delay",
	"kernel_gap",     "synchronisation", "other_wait", NULL};
const char *const pk_critical_odds[] = {"work_before_launch",
					"work_without_launch",
					"correlation_repeated",
					"works_after_waits",
					"streams_guessed",
					"locks_guessed",
					"dependencies_in_circles",
					"host_spans_overlapping",
					"stream_waits_guessed",
					"event_waits_unknown",
					NULL};

int pk_critical_init(struct pk_critical *c, const struct pk_profile *p, struct pk_error *err)
{
	struct pk_critical_graph g = {.in.profile = p, .result = c};
	uint32_t last;
	int status;

	c->profile = p;
	if (pk_critical_graph_init(&g, err))
		return -1;
	status = pk_critical_find_range(&g, &last, err);
	if (!status)
		pk_critical_walk(&g, last);
	if (!status && c->what_ifs)
		status = pk_critical_simulate(&g, last, err);
	pk_critical_graph_release(&g);
	return status;
}

void pk_critical_release(struct pk_critical *c)
{
	free(c->part);
	for (uint32_t i = 0; i < c->changes; i++)
		free(c->change[i].own);
	free(c->change);
}

PK_COMPARE(by_time, struct pk_critical_row,
	   PK_ORDER(b->time, a->time) ?: PK_ORDER(a->name, b->name))

static void add_part(struct pk_critical_row *row, const struct pk_critical_part *part)
{
	int64_t time = part->to - part->from;

	row->time += time;
	row->count++;
	if (part->class_of < PK_CRITICAL_COMPUTATION)
		row->host += time;
	else if (pk_critical_is_gpu(part->class_of))
		row->gpu += time;
	else
		row->delays += time;
}

struct pk_critical_row *pk_critical_rows(const struct pk_critical *c, enum pk_critical_by by,
					 int class_of, uint32_t *count)
{
	const struct pk_profile *p = c->profile;
	struct pk_id_map rows = {.count = 0};
	struct pk_critical_row *row = NULL;
	size_t alloc = 0;

	*count = 0;
	for (uint32_t i = 0; i < c->parts; i++) {
		const struct pk_critical_part *part = &c->part[i];
		uint32_t span = by == PK_CRITICAL_BY_OPERATOR ? part->op : part->span, name = 0, at;

		if (class_of >= 0 && part->class_of != class_of)
			continue;
		if (span)
			name = pk_node_name(p, p->span.node[span]);
		at = pk_id_map_number(&rows, name);
		if (at > *count) {
			PK_GROW_ZERO(row, (size_t)*count + 1, alloc);
			row[(*count)++].name = name;
		}
		add_part(&row[at - 1], part);
	}
	pk_id_map_release(&rows);
	pk_sort(row, *count, sizeof(*row), by_time);
	return row;
}
