/* The events of a trace as HTA sees them: rounded, filtered, typed by their names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/hta_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

const char *const pk_hta_types[] = {"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

static enum pk_hta_type type_of(const char *name)
{
	if (pk_starts_with(name, "nccl") && strstr(name, "Kernel"))
		return PK_HTA_COMMUNICATION;
	if (pk_starts_with(name, "Memcpy") || pk_starts_with(name, "Memset") ||
	    pk_starts_with(name, "dma"))
		return PK_HTA_MEMORY;
	return strstr(name, "Memcpy") || strstr(name, "Sync") ? PK_HTA_OTHER : PK_HTA_COMPUTATION;
}

static int64_t argument(const struct pk_hta_trace *t, uint32_t span, const char *key)
{
	int64_t number = pk_launches_int(&t->launches, span, key);

	return number == PK_NULL ? -1 : number;
}

/* us as Python reads them: a double, which resolves quarters of a us at 16 digits. */
static double as_double(int64_t ns)
{
	return (double)((long double)ns / 1000);
}

struct pk_hta_event pk_hta_event(const struct pk_hta_trace *t, uint32_t span)
{
	const struct pk_profile *p = t->profile;
	int64_t offset = p->run.clock_offset ? p->run.clock_offset[1] : 0;
	struct pk_hta_event e = {.start = p->span.time[span] + offset,
				 .end = pk_span_end(p, span) + offset,
				 .stream = argument(t, span, "stream"),
				 .correlation = argument(t, span, "correlation"),
				 .span = span};

	if (!t->result->exact) {
		double start = as_double(e.start), end = start + as_double(e.end - e.start);

		e.start = (int64_t)ceil(start) * 1000;
		e.end = (int64_t)floor(end) * 1000;
	}
	e.type = (uint8_t)type_of(pk_hta_name(t, &e));
	return e;
}

const struct pk_hta_event *pk_hta_call(const struct pk_hta_trace *t, const struct pk_hta_event *e)
{
	uint32_t call = e->correlation < 0 ? 0 : pk_id_map_get(t->calls, e->correlation);

	return call ? &t->host[call - 1] : NULL;
}

/* Some of HTA's tables take these as rows of a GPU; others take all rows with a stream. */
static bool is_on_gpu(const struct pk_hta_trace *t, const struct pk_hta_event *e)
{
	return (e->stream >= 0 && e->correlation >= 0) ||
	       t->launches.activity[e->span] == PK_ACT_SYNC;
}

/* The begin of the last step; INT64_MAX if there are less than two. */
static int64_t last_step(const struct pk_hta_trace *t)
{
	const char *first = NULL;
	int64_t last = INT64_MIN;
	bool several = false;

	for (uint32_t i = 0; i < t->hosts; i++) {
		const char *name = pk_hta_name(t, &t->host[i]);

		if (!strstr(name, "ProfilerStep"))
			continue;
		several |= first && strcmp(first, name) != 0;
		first = name;
		last = t->host[i].start > last ? t->host[i].start : last;
	}
	return several ? last : INT64_MAX;
}

/* Keeps what the host did before the last step, and the work that it launched. */
static void leave_out_last_step(struct pk_hta_trace *t)
{
	int64_t last = last_step(t);
	uint32_t hosts = t->hosts, gpus = t->gpus;

	t->hosts = t->gpus = 0;
	for (uint32_t i = 0; i < hosts; i++) {
		if (t->host[i].start >= last)
			continue;
		t->host[t->hosts++] = t->host[i];
		if (t->host[i].correlation >= 0 && !is_on_gpu(t, &t->host[i]))
			pk_id_map_put(t->calls, t->host[i].correlation, t->hosts);
	}
	for (uint32_t i = 0; i < gpus; i++)
		if (last == INT64_MAX || pk_id_map_get(t->calls, t->gpu[i].correlation))
			t->gpu[t->gpus++] = t->gpu[i];
}

PK_COMPARE(by_start, struct pk_hta_event,
	   PK_ORDER(a->start, b->start) ?: PK_ORDER(a->span, b->span))

static void collect(struct pk_hta_trace *t)
{
	const struct pk_profile *p = t->profile;

	t->gpu = pk_malloc(pk_mul(p->span.count, sizeof(*t->gpu)));
	t->host = pk_malloc(pk_mul(p->span.count, sizeof(*t->host)));
	t->first = INT64_MAX;
	for (uint32_t i = 1; i < p->span.count; i++) {
		struct pk_hta_event e = pk_hta_event(t, i);

		if (!p->span.category[i])
			continue;
		t->first = e.start < t->first ? e.start : t->first;
		if (e.stream != -1)
			t->gpu[t->gpus++] = e;
		else
			t->host[t->hosts++] = e;
	}
	if (!t->result->traces++ || t->first < t->result->first)
		t->result->first = t->first;
	leave_out_last_step(t);
	pk_sort(t->gpu, t->gpus, sizeof(*t->gpu), by_start);
}

struct pk_gpu_row *pk_hta_row(struct pk_hta_trace *t)
{
	struct pk_gpu_row *row = pk_gpu_rows_add(&t->result->rows);

	row->rank = t->rank;
	row->origin = t->first;
	return row;
}

double pk_hta_round(double value, int decimals)
{
	double scale = pow(10, decimals);

	return nearbyint(value * scale) / scale;
}

/* Interpolates as pandas does: linearly between the two nearest. */
static double quantile(const double *list, size_t count, double q)
{
	double at = q * (double)(count - 1);
	size_t below = (size_t)at;

	if (below + 1 >= count)
		return list[count - 1];
	return list[below] + (list[below + 1] - list[below]) * (at - (double)below);
}

void pk_hta_describe(double value[PK_GPU_ROW_VALUES], double *list, size_t count)
{
	double sum = 0, squares = 0;

	value[0] = (double)count;
	if (!count)
		return;
	pk_sort(list, count, sizeof(*list), pk_compare_reals);
	for (size_t i = 0; i < count; i++)
		sum += list[i];
	value[1] = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (list[i] - value[1]) * (list[i] - value[1]);
	if (count > 1)
		value[2] = sqrt(squares / (double)(count - 1));
	value[3] = list[0];
	for (int i = 1; i < 4; i++)
		value[3 + i] = quantile(list, count, i * 0.25);
	value[7] = list[count - 1];
}

int64_t pk_hta_merged(const struct pk_hta_trace *t, unsigned types, int64_t *begin, int64_t *end)
{
	int64_t sum = 0, last = 0;
	bool any = false;

	for (uint32_t i = 0; i < t->gpus; i++) {
		const struct pk_hta_event *e = &t->gpu[i];

		if (!(types >> e->type & 1))
			continue;
		if (!any)
			*begin = e->start;
		if (!any || e->start > last) {
			sum += e->end - e->start;
			last = any && last > e->end ? last : e->end;
		} else if (e->end > last) {
			sum += e->end - last;
			last = e->end;
		}
		any = true;
	}
	*end = last;
	if (!any)
		*begin = *end = 0;
	return sum;
}

static void add_temporal(struct pk_hta_trace *t)
{
	int64_t begin, end, unused;
	int64_t busy = pk_hta_merged(t, ~0U, &begin, &end);
	int64_t compute = pk_hta_merged(t, 1U << PK_HTA_COMPUTATION, &unused, &unused);
	int64_t part[3] = {end - begin - busy, compute, busy - compute};
	struct pk_gpu_row *row = pk_hta_row(t);

	for (int i = 0; i < 3; i++) {
		row->value[i] = pk_hta_us(part[i]);
		row->value[4 + i] = pk_hta_round(100 * (double)part[i] / (double)(end - begin), 2);
	}
	row->value[3] = pk_hta_us(end - begin);
}

/* Gaps of a stream before each event by reason, and the sums. */
struct gaps {
	double *list[3];
	size_t count[3], alloc[3];
	bool is_there[3];
	double sum[3];
};

static void add_gap(struct gaps *g, const struct pk_hta_trace *t, const struct pk_hta_event *e,
		    const struct pk_hta_event *before)
{
	enum { THRESHOLD = 30000 };
	uint32_t call = pk_id_map_get(t->calls, e->correlation);
	int kind = 2;

	if (before && call && t->host[call - 1].start > before->end)
		kind = 0;
	else if (before && e->start - before->end < THRESHOLD)
		kind = 1;
	g->is_there[kind] = true;
	if (!before)
		return;
	PK_GROW(g->list[kind], g->count[kind] + 1, g->alloc[kind]);
	g->list[kind][g->count[kind]++] = pk_hta_us(e->start - before->end);
	g->sum[kind] += pk_hta_us(e->start - before->end);
}

static void add_idle_rows(struct pk_hta_trace *t, int64_t stream, struct gaps *g)
{
	static const char *const names[] = {"host_wait", "kernel_wait", "other"};
	double all = g->sum[0] + g->sum[1] + g->sum[2];

	for (int k = 0; k < 3; k++) {
		struct pk_gpu_row *row;

		if (!g->is_there[k])
			continue;
		row = pk_hta_row(t);
		row->stream = stream;
		row->kind = pk_texts_put(&t->result->rows.names, names[k], strlen(names[k]));
		if (t->result->table == PK_HTA_IDLE) {
			row->value[0] = pk_hta_round(g->sum[k], 2);
			row->value[1] = pk_hta_round(g->sum[k] / all, 2);
			continue;
		}
		pk_hta_describe(row->value, g->list[k], g->count[k]);
		for (int i = 1; i < PK_GPU_ROW_VALUES; i++)
			row->value[i] = pk_hta_round(row->value[i], 2);
	}
	for (int k = 0; k < 3; k++)
		free(g->list[k]);
}

/* Streams in the order of their first events; only kernels, copies and sets count. */
static void add_idle(struct pk_hta_trace *t)
{
	PK_FREED uint32_t *stream = pk_calloc((size_t)t->gpus + 1, sizeof(*stream));
	struct pk_id_map streams = {.count = 0};
	struct pk_groups of;

	for (uint32_t i = 0; i < t->gpus; i++) /* 0: does not count */
		if (pk_activity_is_work(t->launches.activity[t->gpu[i].span]))
			stream[i] = pk_id_map_number(&streams, t->gpu[i].stream);
	pk_groups_init(&of, stream, sizeof(*stream), 0, t->gpus, streams.count + 1);
	for (uint32_t s = 1; s <= streams.count; s++) {
		const struct pk_hta_event *before = NULL;
		struct gaps gaps = {.count = {0}};

		for (uint32_t k = of.first[s]; k < of.first[s + 1]; k++) {
			add_gap(&gaps, t, &t->gpu[of.row[k]], before);
			before = &t->gpu[of.row[k]];
		}
		add_idle_rows(t, before->stream, &gaps);
	}
	pk_groups_release(&of);
	pk_id_map_release(&streams);
}

/* Adds the rows of the table that was asked for. */
static int add_table(struct pk_hta_trace *t, struct pk_error *err)
{
	switch (t->result->table) {
	case PK_HTA_TEMPORAL:
		add_temporal(t);
		break;
	case PK_HTA_IDLE:
	case PK_HTA_IDLE_INTERVALS:
		add_idle(t);
		break;
	case PK_HTA_KERNEL_TYPES:
	case PK_HTA_KERNELS:
	case PK_HTA_OVERLAP:
		pk_hta_add_kernels(t);
		break;
	case PK_HTA_GPU_ANNOTATIONS:
		pk_hta_add_annotations(t, PK_ACT_GPU_ANNOTATION);
		break;
	case PK_HTA_CPU_ANNOTATIONS:
		pk_hta_add_annotations(t, PK_ACT_ANNOTATION);
		break;
	case PK_HTA_QUEUE:
	case PK_HTA_QUEUE_SERIES:
	case PK_HTA_FULL_QUEUE:
		pk_hta_add_queues(t);
		break;
	case PK_HTA_BANDWIDTH:
	case PK_HTA_BANDWIDTH_SERIES:
		pk_hta_add_bandwidth(t);
		break;
	case PK_HTA_OPERATORS:
		pk_hta_add_operators(t);
		break;
	case PK_HTA_CUPTI:
		return pk_hta_add_cupti(t, err);
	case PK_HTA_DIFF:
	case PK_HTA_DIFF_CPU:
	case PK_HTA_DIFF_GPU:
		pk_hta_add_diff(t);
		break;
	case PK_HTA_LAUNCHES:
	case PK_HTA_TABLES:
		pk_hta_add_launches(t);
		break;
	}
	return 0;
}

int pk_hta_add(struct pk_hta *h, const struct pk_profile *p, int64_t rank, struct pk_error *err)
{
	struct pk_id_map calls = {.count = 0};
	struct pk_hta_trace t = {.result = h, .profile = p, .rank = rank, .calls = &calls};
	int status;

	pk_launches_init(&t.launches, p);
	if (h->table != PK_HTA_CPU_ANNOTATIONS && h->table != PK_HTA_DIFF_CPU &&
	    h->table != PK_HTA_CUPTI && pk_launches_need_device(&t.launches, err)) {
		pk_launches_release(&t.launches);
		return -1;
	}
	collect(&t);
	status = add_table(&t, err);
	pk_id_map_release(&calls);
	pk_launches_release(&t.launches);
	free(t.gpu);
	free(t.host);
	return status;
}
