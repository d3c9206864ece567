/* Finds the part of the trace that was asked for (a step, an annotation, or all of it), and the
 * node at which its path ends. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"

/* The host's spans with these steps, or the annotation, by begin; one for each step. */
struct choice {
	int64_t from, to;
	uint32_t span;
};

PK_COMPARE(by_begin, struct choice, PK_ORDER(a->from, b->from) ?: PK_ORDER(a->span, b->span))
PK_COMPARE(by_length, struct choice,
	   PK_ORDER(a->to - a->from, b->to - b->from) ?: PK_ORDER(a->from, b->from))

struct choices {
	struct choice *item;
	size_t count, alloc;
};

static void add_choice(struct choices *list, const struct pk_profile *p, uint32_t span)
{
	PK_GROW(list->item, list->count + 1, list->alloc);
	list->item[list->count++] = (struct choice){p->span.time[span], pk_span_end(p, span), span};
}

static void find_steps(const struct pk_critical_graph *g, struct choices *list)
{
	const struct pk_profile *p = g->in.profile;
	PK_FREED int64_t *step = pk_step_numbers(p);

	for (uint32_t i = 1; i < p->span.count; i++)
		if (step[pk_node_function(p, p->span.node[i])] >= 0 &&
		    pk_node_is_host(g, pk_begin_node(i)))
			add_choice(list, p, i);
	pk_sort(list->item, list->count, sizeof(*list->item), by_begin);
}

/* The text before "@N", and N; -1 = without that. */
static int64_t number_after(const char *text, size_t *len)
{
	const char *at = strrchr(text, '@');
	size_t digits = at ? strlen(at + 1) : 0;
	bool exact, overflow;
	int64_t number;

	*len = strlen(text);
	if (!digits || pk_parse_decimal(at + 1, digits, 0, &number, &exact, &overflow) != digits ||
	    !exact || number < 0)
		return -1;
	*len = (size_t)(at - text);
	return number;
}

static void find_annotation(const struct pk_critical_graph *g, size_t len, struct choices *list)
{
	const struct pk_profile *p = g->in.profile;
	PK_FREED bool *fits = pk_calloc(p->function.count, sizeof(*fits));
	PK_FREED char *text = pk_strndup(g->result->annotation, len);

	for (uint32_t i = 1; i < p->function.count; i++)
		fits[i] = strstr(pk_text(p, p->function.name[i]), text);
	for (uint32_t i = 1; i < p->span.count; i++)
		if (fits[pk_node_function(p, p->span.node[i])] &&
		    pk_node_is_host(g, pk_begin_node(i)))
			add_choice(list, p, i);
	pk_sort(list->item, list->count, sizeof(*list->item), by_begin);
}

/* The range from the first to the last of these. */
static void take(struct pk_critical *c, const struct choice *item, size_t count)
{
	c->range.from = item->from;
	c->range.to = item->to;
	c->span = count == 1 ? item->span : 0;
	for (size_t i = 1; i < count; i++)
		c->range.to = item[i].to > c->range.to ? item[i].to : c->range.to;
}

/* When a work was launched, or began without a launch. */
static int64_t launch_time(const struct pk_critical_graph *g, uint32_t work)
{
	uint32_t call = g->in.launches.call[work];

	return g->in.profile->span.time[call ? call : work];
}

/* Drops those that launch no work, such as a step that the end of the recording cuts off, if others
 * do. */
static void keep_working(const struct pk_critical_graph *g, struct choices *list)
{
	PK_FREED int64_t *time = pk_malloc(pk_mul((size_t)g->works + 1, sizeof(*time)));
	size_t kept = 0;

	for (uint32_t i = 0; i < g->works; i++)
		time[i] = launch_time(g, g->work[i]);
	pk_sort_ints(time, g->works);
	for (size_t i = 0; i < list->count; i++) {
		const struct choice *choice = &list->item[i];
		uint32_t next = PK_BISECT(k, 0, g->works, time[k] < choice->from);

		if (next < g->works && time[next] < choice->to)
			list->item[kept++] = *choice;
	}
	list->count = kept ? kept : list->count;
}

/* If there are three or more, the first and the last may be cut off or warm-ups, so they are not
 * chosen. */
static void take_median(const struct pk_critical_graph *g, struct choices *list)
{
	struct pk_critical *c = g->result;
	size_t skip;

	keep_working(g, list);
	skip = list->count > 2;
	c->choices = (uint32_t)list->count;
	pk_sort(list->item + skip, list->count - 2 * skip, sizeof(*list->item), by_length);
	take(c, &list->item[skip + (list->count - 2 * skip - 1) / 2], 1);
}

static int take_annotation(const struct pk_critical_graph *g, struct choices *list,
			   struct pk_error *err)
{
	struct pk_critical *c = g->result;
	size_t len;
	int64_t number = number_after(c->annotation, &len);

	find_annotation(g, len, list);
	if (!list->count)
		return pk_fail(
			err, PK_EUSAGE, "--annotation: '%s' has no span of '%.*s' on the host",
			pk_text(c->profile, c->profile->run.source[1]), (int)len, c->annotation);
	if (number >= (int64_t)list->count)
		return pk_fail(
			err, PK_EUSAGE,
			"--annotation '%s': the trace has %zu of them; the first is number 0",
			c->annotation, list->count);
	if (number >= 0)
		take(c, &list->item[number], 1);
	else
		take_median(g, list);
	return 0;
}

static void take_all(struct pk_critical_graph *g)
{
	struct pk_time_range *range = &g->result->range;

	*range = (struct pk_time_range){INT64_MAX, INT64_MIN};
	for (uint32_t i = 2; i < g->nodes; i++) {
		int64_t time = pk_node_time(g, i);

		if (g->class_of[i / 2] == PK_CRITICAL_HIDDEN)
			continue;
		range->from = time < range->from ? time : range->from;
		range->to = time > range->to ? time : range->to;
	}
}

static int take_range(struct pk_critical_graph *g, struct choices *list, struct pk_error *err)
{
	struct pk_critical *c = g->result;
	size_t kept = 0;

	if (c->annotation)
		return take_annotation(g, list, err);
	if (c->step && pk_step_range_parse(&c->range, c->step, c->profile, err))
		return pk_fail_context(err, "--step: '%s'",
				       pk_text(c->profile, c->profile->run.source[1]));
	if (!c->whole)
		find_steps(g, list);
	for (size_t i = 0; c->step && i < list->count; i++)
		if (list->item[i].from >= c->range.from && list->item[i].from < c->range.to)
			list->item[kept++] = list->item[i];
	if (c->step && kept)
		take(c, list->item, kept);
	else if (list->count)
		take_median(g, list);
	else
		take_all(g);
	return 0;
}

bool pk_critical_is_in_range(const struct pk_critical_graph *g, uint32_t work)
{
	int64_t launch = launch_time(g, work);

	return launch >= g->result->range.from && launch < g->result->host_end;
}

/* The last node of the range: of the host's work in it, and of the works launched there. */
static uint32_t find_last(const struct pk_critical_graph *g)
{
	const struct pk_critical *c = g->result;
	const struct pk_profile *p = g->in.profile;
	uint32_t last = 0;

	for (uint32_t i = 1; i < p->span.count; i++)
		if (p->span.time[i] >= c->range.from && pk_span_end(p, i) <= c->range.to &&
		    pk_node_is_host(g, pk_begin_node(i)) &&
		    (!last || pk_span_end(p, i) > pk_node_time(g, last)))
			last = pk_end_node(i);
	for (uint32_t i = 0; i < g->works; i++)
		if (pk_critical_is_in_range(g, g->work[i]) &&
		    (!last || pk_span_end(p, g->work[i]) > pk_node_time(g, last)))
			last = pk_end_node(g->work[i]);
	return last;
}

int pk_critical_find_range(struct pk_critical_graph *g, uint32_t *last, struct pk_error *err)
{
	struct pk_critical *c = g->result;
	struct choices list = {0};
	int status = take_range(g, &list, err);

	free(list.item);
	if (status)
		return -1;
	c->host_end = c->range.to;
	*last = find_last(g);
	if (*last)
		c->range.to = pk_node_time(g, *last);
	return 0;
}
