/*
 * Collectives: what they moved, how fast, and how long ranks waited for the last one. NCCL's
 * kernels have arguments that say what they do:
 *
 *	{"Collective name": "allreduce", "In msg nelems": 6637568, "Out msg nelems": 6637568,
 *	 "Group size": 2, "dtype": "Float", "Process Group Name": "0",
 *	 "Process Group Ranks": "[0, 1]"}
 *
 * analysis/collectives.h says which are the same one on all ranks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/collectives.h"
#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

static uint32_t text_arg(struct pk_gpu_input *in, uint32_t span, const char *key)
{
	return pk_launches_text(&in->launches, span, key, &in->result->names);
}

/* Identifies a process group by its name and its ranks, because ranks number their groups
 * themselves. */
static uint32_t group_of(struct pk_gpu_input *in, uint32_t span)
{
	struct pk_texts *names = &in->result->names;
	uint32_t name = text_arg(in, span, "Process Group Name");
	uint32_t ranks = text_arg(in, span, "Process Group Ranks");
	PK_BUF_AUTO group = PK_BUF_INIT;

	if (!name)
		return 0; /* then the name of the collective stands for it */
	pk_buf_addf(&group, "%s %s", pk_texts_get(names, name), pk_texts_get(names, ranks));
	return pk_texts_put(names, group.data, group.len);
}

/* Times in which something computed, joined, in order, and how much of it there was before each. */
struct computing {
	struct pk_time_range *item;
	int64_t *before;
	uint32_t count;
};

static bool communicates(const struct pk_gpu_input *in)
{
	for (uint32_t i = 0; i < in->works; i++)
		if (pk_gpu_kind_of(in, in->work[i]) == PK_GPU_COMMUNICATION)
			return true;
	return false;
}

static void find_computing(struct computing *c, const struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;

	c->item = pk_malloc(pk_mul((size_t)in->works + 1, sizeof(*c->item)));
	c->before = pk_malloc(pk_mul((size_t)in->works + 1, sizeof(*c->before)));
	for (uint32_t i = 0; i < in->works; i++) {
		uint32_t span = in->work[i];

		if (pk_gpu_kind_of(in, span) == PK_GPU_COMPUTATION)
			c->item[c->count++] =
				(struct pk_time_range){p->span.time[span], pk_span_end(p, span)};
	}
	c->count = pk_gpu_join_times(c->item, c->count);
	for (uint32_t i = 0; i < c->count; i++)
		c->before[i] = i ? c->before[i - 1] + c->item[i - 1].to - c->item[i - 1].from : 0;
}

/* The computing time up to then. */
static int64_t computed_until(const struct computing *c, int64_t time)
{
	/* the first that begins later */
	uint32_t low = PK_BISECT(i, 0, c->count, c->item[i].from < time), high;

	if (!low)
		return 0;
	high = low - 1;
	return c->before[high] + (time < c->item[high].to ? time : c->item[high].to) -
	       c->item[high].from;
}

void pk_gpu_add_collectives(struct pk_gpu_input *in)
{
	struct pk_gpu *g = in->result;
	struct computing computing = {.count = 0};
	struct pk_id_map last = {.count = 0}; /* by group: how many there were */

	if (!communicates(in))
		return;
	find_computing(&computing, in);
	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		struct pk_gpu_collective c = {.trace = g->traces,
					      .device = g->devices - 1,
					      .start = w.start,
					      .end = w.end};
		uint32_t before;

		if (pk_gpu_kind_of(in, w.span) != PK_GPU_COMMUNICATION)
			continue;
		c.name = text_arg(in, w.span, "Collective name");
		if (!c.name) {
			const char *name = pk_launches_name(&in->launches, w.span);

			c.name = pk_texts_put(&g->names, name, strlen(name));
		}
		c.type = text_arg(in, w.span, "dtype");
		c.group = group_of(in, w.span);
		c.ranks = pk_launches_int(&in->launches, w.span, "Group size");
		c.elements_in = pk_launches_int(&in->launches, w.span, "In msg nelems");
		c.elements_out = pk_launches_int(&in->launches, w.span, "Out msg nelems");
		c.exposed = w.end - w.start - computed_until(&computing, w.end) +
			    computed_until(&computing, w.start);
		c.guessed = !c.group;
		c.group = c.group ? c.group : c.name;
		before = pk_id_map_get(&last, c.group);
		c.place = before;
		pk_id_map_put(&last, c.group, before + 1);
		PK_GROW(g->collective, (size_t)g->collective_count + 1, g->collective_alloc);
		g->collective[g->collective_count++] = c;
	}
	free(computing.item);
	free(computing.before);
	pk_id_map_release(&last);
}

PK_COMPARE(by_set, struct pk_gpu_collective,
	   PK_ORDER(a->set, b->set) ?: PK_ORDER(a->group, b->group) ?: PK_ORDER(a->place, b->place)
		   ?: PK_ORDER(a->trace, b->trace) ?: PK_ORDER(a->device, b->device))

/* True for those that have as many elements of one type on all ranks. */
static bool is_uniform(const char *name)
{
	static const char *const known[] = {"allreduce", "all_reduce", "allreduce_coalesced",
					    "broadcast"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(name, known[i]))
			return true;
	return false;
}

/* What is the same on all ranks: the name, and the size if it is; 0 for a collective that is a
 * "send" on one rank and a "recv" on another. */
static uint32_t kind_of(struct pk_texts *names, const struct pk_gpu_collective *c)
{
	const char *name = pk_texts_get(names, c->name);
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (pk_starts_with(name, "send") || pk_starts_with(name, "recv"))
		return 0;
	if (!is_uniform(name) || !c->type || c->elements_in == PK_NULL)
		return c->name;
	pk_buf_addf(&text, "%s of %jd %s", name, (intmax_t)c->elements_in,
		    pk_texts_get(names, c->type));
	return pk_texts_put(names, text.data, text.len);
}

/* Joins the collectives of all ranks. */
static void join_ranks(struct pk_gpu *g, struct pk_clocks *clocks)
{
	struct pk_gpu_collective *c = g->collective;
	PK_FREED struct pk_collective *row =
		pk_calloc((size_t)g->collective_count + 1, sizeof(*row));

	for (uint32_t i = 0; i < g->collective_count; i++)
		row[i] = (struct pk_collective){.trace = c[i].trace,
						.device = c[i].device,
						.group = c[i].group,
						.guessed = c[i].guessed,
						.kind = kind_of(&g->names, &c[i]),
						.place = c[i].place,
						.start = c[i].start,
						.end = c[i].end,
						.row = i};
	pk_join_collectives(clocks, row, g->collective_count);
	for (uint32_t i = 0; i < g->collective_count; i++)
		c[row[i].row].set = row[i].set;
	pk_sort(c, g->collective_count, sizeof(*c), by_set);
}

/* Finds how the clocks of traces differ if the first step of the first GPU began at the same time
 * on all GPUs. Returns true if all have that step. */
static bool find_steps(const struct pk_gpu *g, int64_t *shift)
{
	const struct pk_gpu_window *first = g->device->window;

	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];
		uint32_t k = 0;

		while (k < d->windows && d->window[k].step != first->step)
			k++;
		if (k == d->windows || first->step == PK_NULL)
			return false;
		shift[d->trace] = pk_apart(first->from, d->window[k].from);
	}
	return true;
}

/* Aligns the clocks of traces by their collectives. A trace that shares none with others keeps its
 * clock. */
static void align(struct pk_gpu *g)
{
	struct pk_gpu_collective *c = g->collective;
	PK_FREED int64_t *shift = pk_calloc((size_t)g->traces + 1, sizeof(*shift));
	PK_FREED int64_t *step = pk_calloc((size_t)g->traces + 1, sizeof(*step));

	g->clocks = (struct pk_clocks){
		.traces = g->traces, .shift = shift, .steps = find_steps(g, step) ? step : NULL};
	for (uint32_t t = 1; t < g->traces; t++)
		if (g->trace[t].start != PK_NULL && g->trace->start != PK_NULL)
			shift[t] = pk_apart(g->trace[t].start, g->trace->start);
	join_ranks(g, &g->clocks);
	g->clocks.shift = NULL;
	g->clocks.steps = NULL;
	for (uint32_t t = 0; t < g->traces; t++)
		g->trace[t].shift = shift[t];
	for (uint32_t i = 0; i < g->collective_count; i++) {
		pk_add_saturated(&c[i].start, shift[c[i].trace]);
		pk_add_saturated(&c[i].end, shift[c[i].trace]);
		if (c[i].exposed > c[i].end - c[i].start) /* an end that was saturated */
			c[i].exposed = c[i].end - c[i].start;
	}
}

int64_t pk_gpu_type_size(const char *type)
{
	static const struct {
		const char *type;
		int size;
	} known[] = {
		{"Byte", 1},         {"Char", 1},           {"Bool", 1},     {"Float8_e4m3fn", 1},
		{"Float8_e5m2", 1},  {"Half", 2},           {"BFloat16", 2}, {"Short", 2},
		{"Int", 4},          {"Float", 4},          {"Long", 8},     {"Double", 8},
		{"ComplexFloat", 8}, {"ComplexDouble", 16},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(type, known[i].type))
			return known[i].size;
	return 0;
}

/* The size of the whole message: the output of an all-gather, the input of the others. */
int64_t pk_gpu_message_bytes(const struct pk_gpu *g, const struct pk_gpu_collective *c)
{
	bool gathers = strstr(pk_texts_get(&g->names, c->name), "gather") != NULL;
	int64_t elements = gathers ? c->elements_out : c->elements_in, bytes;
	int64_t size = pk_gpu_type_size(pk_texts_get(&g->names, c->type));

	return elements < 0 || !size || __builtin_mul_overflow(elements, size, &bytes) ? PK_NULL
										       : bytes;
}

PK_COMPARE(by_what, struct pk_gpu_collectives,
	   PK_ORDER(a->name, b->name) ?: PK_ORDER(a->type, b->type) ?: PK_ORDER(a->ranks, b->ranks)
		   ?: PK_ORDER(a->bytes, b->bytes))
PK_COMPARE(by_time, struct pk_gpu_collectives,
	   PK_ORDER(b->time, a->time) ?: PK_ORDER(a->name, b->name) ?: PK_ORDER(a->bytes, b->bytes)
		   ?: PK_ORDER(a->type, b->type))

/* The row of one collective, which `count` ranks of the traces have. */
static void add_collective(struct pk_gpu *g, const struct pk_gpu_collective *c, uint32_t count)
{
	struct pk_gpu_collectives row = {.name = c->name,
					 .type = c->type,
					 .ranks = c->ranks,
					 .bytes = pk_gpu_message_bytes(g, c),
					 .count = 1,
					 .transfer = INT64_MAX};
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (uint32_t i = 0; i < count; i++) {
		pk_add_saturated(&row.time, c[i].end - c[i].start);
		pk_add_saturated(&row.exposed, c[i].exposed);
		if (c[i].end - c[i].start < row.transfer)
			row.transfer = c[i].end - c[i].start;
		if (c[i].start > last) {
			last = c[i].start;
			row.last = c[i].device + 1;
		}
		first = c[i].start < first ? c[i].start : first;
	}
	row.compared = count > 1;
	row.wait = row.longest_wait = pk_apart(last, first);
	row.last = count > 1 ? row.last : 0;
	if (row.last) {
		g->device[row.last - 1].last++;
		pk_add_saturated(&g->device[row.last - 1].kept_waiting, row.wait);
	}
	PK_GROW(g->collectives, (size_t)g->kinds_of_collectives + 1, g->collectives_alloc);
	g->collectives[g->kinds_of_collectives++] = row;
}

/* Adds up rows of the same collective; `times` has room for each GPU. */
static void join_rows(struct pk_gpu *g, int64_t *times)
{
	struct pk_gpu_collectives *r = g->collectives;
	uint32_t count = g->kinds_of_collectives, sums = 0;

	pk_sort(r, count, sizeof(*r), by_what);
	for (uint32_t i = 0, end; i < count; i = end) {
		struct pk_gpu_collectives sum = r[i];

		memset(times, 0, ((size_t)g->devices + 1) * sizeof(*times));
		times[sum.last]++;
		for (end = i + 1; end < count && !by_what(&r[i], &r[end]); end++) {
			sum.count += r[end].count;
			pk_add_saturated(&sum.time, r[end].time);
			pk_add_saturated(&sum.exposed, r[end].exposed);
			pk_add_saturated(&sum.transfer, r[end].transfer);
			sum.compared += r[end].compared;
			pk_add_saturated(&sum.wait, r[end].wait);
			if (r[end].longest_wait > sum.longest_wait)
				sum.longest_wait = r[end].longest_wait;
			times[r[end].last]++;
		}
		sum.last = 0;
		for (uint32_t t = 1; t <= g->devices; t++)
			if (times[t] > (sum.last ? times[sum.last] : 0))
				sum.last = t;
		sum.last_times = sum.last ? times[sum.last] : 0;
		r[sums++] = sum;
	}
	g->kinds_of_collectives = sums;
	pk_sort(r, sums, sizeof(*r), by_time);
}

static void join_traces(struct pk_gpu *g)
{
	const struct pk_gpu_collective *c = g->collective;

	align(g);
	for (uint32_t i = 0, end; i < g->collective_count; i = end) {
		for (end = i + 1; end < g->collective_count && c[i].set && c[i].set == c[end].set;
		     end++)
			;
		add_collective(g, &c[i], end - i);
	}
}

void pk_gpu_join_collectives(struct pk_gpu *g)
{
	PK_FREED int64_t *times = pk_calloc((size_t)g->devices + 1, sizeof(*times));

	if (g->collective_count)
		join_traces(g);
	if (g->kinds_of_collectives) /* the collectives of a part are joined already */
		join_rows(g, times);
}
