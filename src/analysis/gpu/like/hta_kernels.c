/* HTA's tables of kernels, of their types and what these overlap, and of annotations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/hta_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

struct edge { /* of merged events of a type */
	int64_t time;
	int by; /* the bit of the type, negative at the end */
};

PK_COMPARE(by_time, struct edge, PK_ORDER(a->time, b->time))

/* Appends begin and end of the merged events of a type; returns how many there are then. */
static size_t add_edges(const struct pk_hta_trace *t, enum pk_hta_type type, struct edge *edge,
			size_t count)
{
	size_t first = count;
	int64_t last = INT64_MIN;

	for (uint32_t i = 0; i < t->gpus; i++) {
		const struct pk_hta_event *e = &t->gpu[i];

		if (e->type != type)
			continue;
		if (count > first && e->start <= last) {
			if (e->end > edge[count - 1].time)
				edge[count - 1].time = e->end;
		} else {
			edge[count++] = (struct edge){e->start, 1 << type};
			edge[count++] = (struct edge){e->end, -(1 << type)};
		}
		last = e->end > last ? e->end : last;
	}
	return count;
}

/* Time by the types that ran; types: how many of them count, from the first. HTA drops fractions of
 * a us of each piece. */
static void sweep(const struct pk_hta_trace *t, int types, int64_t time[1 << PK_HTA_TYPES])
{
	PK_FREED struct edge *edge = pk_malloc(pk_mul(2 * ((size_t)t->gpus + 1), sizeof(*edge)));
	size_t count = 0;
	int running = 0;

	for (int k = 0; k < types; k++)
		count = add_edges(t, (enum pk_hta_type)k, edge, count);
	pk_sort(edge, count, sizeof(*edge), by_time);
	for (size_t i = 0; i + 1 < count; i++) {
		running += edge[i].by;
		if (running > 0 && running < 1 << PK_HTA_TYPES)
			time[running] += (edge[i + 1].time - edge[i].time) / 1000 * 1000;
	}
}

static void add_types(struct pk_hta_trace *t)
{
	int64_t time[1 << PK_HTA_TYPES] = {0};

	sweep(t, PK_HTA_OTHER, time);
	for (int s = 1; s < 1 << PK_HTA_OTHER; s++) {
		PK_BUF_AUTO name = PK_BUF_INIT;

		for (int k = 0; k < PK_HTA_OTHER; k++)
			if (s >> k & 1)
				pk_buf_addf(&name, "%s%s", name.len ? " overlapping " : "",
					    pk_hta_types[k]);
		if (time[s]) {
			struct pk_gpu_row *row = pk_hta_row(t);

			row->kind = pk_texts_put(&t->result->rows.names, name.data, name.len);
			row->value[0] = pk_hta_us(time[s]);
		}
	}
}

/* The share of communication during which something computes. */
static void add_overlap(struct pk_hta_trace *t)
{
	int64_t time[1 << PK_HTA_TYPES] = {0}, unused;
	int64_t all = pk_hta_merged(t, 1U << PK_HTA_COMMUNICATION, &unused, &unused);
	struct pk_gpu_row *row = pk_hta_row(t);

	sweep(t, PK_HTA_MEMORY, time);
	if (all)
		row->value[0] = pk_hta_round(100 * (double)time[3] / (double)all, 2);
}

struct named {
	uint32_t name; /* 0 = others */
	double sum, longest, shortest, mean, squares;
	int64_t count;
};

static void add_value(struct named *n, double value)
{
	double apart = value - n->mean;

	n->count++;
	n->sum += value;
	n->mean += apart / (double)n->count;
	n->squares += apart * (value - n->mean);
	n->longest = n->count == 1 || value > n->longest ? value : n->longest;
	n->shortest = n->count == 1 || value < n->shortest ? value : n->shortest;
}

PK_COMPARE(by_sum, struct named, PK_ORDER(b->sum, a->sum) ?: PK_ORDER(a->name, b->name))

static double ratio_of_sums(const struct named *n, size_t count, double ratio)
{
	double at = ratio * (double)(count - 1), sum = 0, low = 0, high = 0;

	for (size_t i = 0; i < count; i++) {
		sum += n[i].sum;
		if (i <= (size_t)at)
			low = high = sum;
		else if (i == (size_t)at + 1)
			high = sum;
	}
	return low + (high - low) * (at - floor(at));
}

/* Joins the rows after the first ones to one, "others", which has the statistics of its sum
 * only. */
static size_t cut(struct named *n, size_t count, size_t most)
{
	double limit = ratio_of_sums(n, count, 0.8), sum = 0;
	struct named others = {.name = 0};
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct named alone = {.name = n[i].name};

		sum += n[i].sum;
		add_value(&alone, n[i].sum);
		if (sum > limit || i >= most)
			add_value(&others, n[i].sum);
		else
			n[kept++] = alone;
	}
	if (others.count)
		n[kept++] = others;
	return kept;
}

static void add_named(struct pk_hta_trace *t, struct named *n, size_t count, const char *kind,
		      size_t most)
{
	struct pk_texts *names = &t->result->rows.names;

	pk_sort(n, count, sizeof(*n), by_sum);
	if (most && count > most)
		count = cut(n, count, most);
	for (size_t i = 0; i < count; i++) {
		struct pk_gpu_row *row = pk_hta_row(t);

		row->text = n[i].name ? n[i].name : pk_texts_put(names, "others", 6);
		row->kind = kind ? pk_texts_put(names, kind, strlen(kind)) : 0;
		row->value[0] = n[i].sum;
		row->value[1] = n[i].longest;
		row->value[2] = n[i].shortest;
		row->value[3] = n[i].count > 1 ? sqrt(n[i].squares / (double)(n[i].count - 1)) : 0;
		row->value[4] = n[i].mean;
	}
}

/* Rows by name, of the events of this type or activity. */
static void add_by_name(struct pk_hta_trace *t, const struct pk_hta_event *event, uint32_t count,
			int type, enum pk_activity activity, const char *kind, size_t most)
{
	PK_FREED struct named *n = pk_calloc((size_t)count + 1, sizeof(*n));
	struct pk_id_map rows = {.count = 0};
	size_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		const char *name = pk_hta_name(t, &event[i]);
		uint32_t id, row;

		if (type >= 0 ? event[i].type != type
			      : t->launches.activity[event[i].span] != activity)
			continue;
		id = pk_texts_put(&t->result->rows.names, name, strlen(name));
		row = pk_id_map_number(&rows, id);
		used = row > used ? row : used;
		n[row - 1].name = id;
		add_value(&n[row - 1], pk_hta_us(event[i].end - event[i].start));
	}
	pk_id_map_release(&rows);
	add_named(t, n, used, kind, most);
}

void pk_hta_add_annotations(struct pk_hta_trace *t, enum pk_activity activity)
{
	enum { MOST = 1000 };

	add_by_name(t, t->host, t->hosts, -1, activity, NULL, MOST);
}

void pk_hta_add_kernels(struct pk_hta_trace *t)
{
	if (t->result->table == PK_HTA_KERNEL_TYPES)
		add_types(t);
	else if (t->result->table == PK_HTA_OVERLAP)
		add_overlap(t);
	for (int k = 0; t->result->table == PK_HTA_KERNELS && k < PK_HTA_OTHER; k++)
		add_by_name(t, t->gpu, t->gpus, k, 0, pk_hta_types[k], (size_t)t->result->kernels);
}

static int order(const struct pk_hta *h, uint32_t a, uint32_t b)
{
	return strcmp(pk_texts_get(&h->rows.names, a), pk_texts_get(&h->rows.names, b));
}

static int by_kernel(const void *va, const void *vb, void *data)
{
	const struct pk_gpu_row *a = va, *b = vb;
	const struct pk_hta *h = data;

	if (h->table == PK_HTA_KERNELS)
		return order(h, a->kind, b->kind)
			       ?: order(h, a->text, b->text) ?: PK_ORDER(a->rank, b->rank);
	if (h->table == PK_HTA_KERNEL_TYPES)
		return PK_ORDER(b->value[0], a->value[0]) ?: order(h, a->kind, b->kind);
	return PK_ORDER(a->rank, b->rank) ?: order(h, a->text, b->text);
}

/* Types of all ranks are added up. */
static void join_types(struct pk_gpu_rows *r)
{
	size_t kept = 0;
	double all = 0;

	for (size_t i = 0, k; i < r->count; i++) {
		all += r->row[i].value[0];
		for (k = 0; k < kept && r->row[k].kind != r->row[i].kind; k++)
			;
		if (k < kept)
			r->row[k].value[0] += r->row[i].value[0];
		else
			r->row[kept++] = r->row[i];
	}
	r->count = kept;
	for (size_t i = 0; i < kept; i++) {
		r->row[i].rank = PK_NULL;
		r->row[i].value[1] = pk_hta_round(100 * r->row[i].value[0] / all, 1);
	}
}

void pk_hta_finish(struct pk_hta *h)
{
	bool series = h->table == PK_HTA_QUEUE_SERIES || h->table == PK_HTA_BANDWIDTH_SERIES;

	for (size_t i = 0; series && i < h->rows.count; i++)
		h->rows.row[i].value[0] += pk_hta_us(h->rows.row[i].origin - h->first);
	if (h->table >= PK_HTA_DIFF)
		pk_hta_finish_diff(&h->rows);
	if (h->table == PK_HTA_KERNEL_TYPES)
		join_types(&h->rows);
	if (h->rows.count &&
	    (h->table == PK_HTA_KERNELS || h->table == PK_HTA_KERNEL_TYPES ||
	     h->table == PK_HTA_GPU_ANNOTATIONS || h->table == PK_HTA_CPU_ANNOTATIONS))
		qsort_r(h->rows.row, h->rows.count, sizeof(*h->rows.row), by_kernel, h);
}
