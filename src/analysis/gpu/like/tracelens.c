/* The rows of TraceLens' sheets of the timeline, of kernels and of operators. */
#include "analysis/gpu/like/tracelens_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "model/events/nest.h"

enum { STEPS = 1000 }; /* upwards among the spans around one */

static enum pk_tracelens_kind kind_of(const struct pk_tracelens *s, uint32_t span)
{
	const char *name = pk_launches_name(&s->launches, span);

	switch (s->launches.activity[span]) {
	case PK_ACT_MEMCPY:
		return PK_TRACELENS_COPY;
	case PK_ACT_MEMSET:
		return PK_TRACELENS_COMPUTATION;
	}
	if (pk_starts_with(name, "MEMORY_COPY_") || pk_starts_with(name, "__amd_rocclr_copyBuffer"))
		return PK_TRACELENS_COPY;
	return strcasestr(name, "nccl") || strcasestr(name, "rccl") ||
			       strcasestr(name, "cross_device_reduce")
		       ? PK_TRACELENS_COMMUNICATION
		       : PK_TRACELENS_COMPUTATION;
}

/* The operator around the call, but none that is called "execute". */
static uint32_t launcher_of(const struct pk_tracelens *s, uint32_t span)
{
	uint32_t call = s->launches.call[span], op = s->launches.op[span];

	for (int i = 0; i < STEPS && op; i++, op = s->parent[op])
		if (s->launches.activity[op] == PK_ACT_OP &&
		    strcmp(pk_launches_name(&s->launches, op), "execute") != 0)
			break;
	return op && call ? op : call;
}

PK_COMPARE(by_start, struct pk_tracelens_work,
	   PK_ORDER(a->start, b->start) ?: PK_ORDER(a->span, b->span))

static void collect(struct pk_tracelens *s)
{
	const struct pk_profile *p = s->profile;
	int64_t offset = p->run.clock_offset ? p->run.clock_offset[1] : 0;

	s->all = true;
	s->work = pk_malloc(pk_mul(p->span.count, sizeof(*s->work)));
	for (uint32_t i = 1; i < p->span.count; i++) {
		struct pk_tracelens_work *w = &s->work[s->count];

		s->all &= s->launches.activity[i] != PK_ACT_OP;
		if (!pk_activity_is_work(s->launches.activity[i]))
			continue;
		w->start = (double)((long double)(p->span.time[i] + offset) / 1000);
		w->duration = (double)p->span.duration[i] / 1000;
		w->end = w->start + w->duration;
		w->span = i;
		w->kind = (uint8_t)kind_of(s, i);
		w->launcher = launcher_of(s, i);
		s->count++;
	}
	pk_sort(s->work, s->count, sizeof(*s->work), by_start);
}

static bool counts(const struct pk_tracelens *s, const struct pk_tracelens_work *w)
{
	return s->all || w->launcher;
}

/* us in which work of these kinds ran. */
static double merged(const struct pk_tracelens *s, unsigned kinds)
{
	double sum = 0, from = 0, to = -INFINITY;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct pk_tracelens_work *w = &s->work[i];

		if (!(kinds & w->kind) || !counts(s, w))
			continue;
		if (w->start > to) {
			sum += to > from ? to - from : 0;
			from = w->start;
			to = w->end;
		} else if (w->end > to) {
			to = w->end;
		}
	}
	return sum + (to > from ? to - from : 0);
}

/* From the first begin to the last end, us. */
double pk_tracelens_whole(const struct pk_tracelens *s)
{
	double first = INFINITY, last = -INFINITY;

	for (uint32_t i = 0; i < s->count; i++) {
		if (!counts(s, &s->work[i]))
			continue;
		first = fmin(first, s->work[i].start);
		last = fmax(last, s->work[i].end);
	}
	return last > first ? last - first : 0;
}

uint32_t pk_tracelens_keep(struct pk_tracelens *s, const char *name)
{
	return pk_texts_put(&s->result->names, name, strlen(name));
}

static void add_timeline(struct pk_tracelens *s)
{
	double total = pk_tracelens_whole(s), computation = merged(s, PK_TRACELENS_COMPUTATION),
	       busy = merged(s, PK_TRACELENS_ALL);
	double kernels = merged(s, PK_TRACELENS_COMPUTATION | PK_TRACELENS_COMMUNICATION);
	const struct {
		const char *name;
		double time;
	} rows[] = {
		{"computation_time", computation},
		{"exposed_comm_time", kernels - computation},
		{"exposed_memcpy_time", busy - kernels},
		{"busy_time", busy},
		{"idle_time", total - busy},
		{"total_time", total},
		{"total_comm_time", merged(s, PK_TRACELENS_COMMUNICATION)},
		{"total_memcpy_time", merged(s, PK_TRACELENS_COPY)},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pk_gpu_row *row = pk_gpu_rows_add(s->result);

		row->text = pk_tracelens_keep(s, rows[i].name);
		row->value[0] = rows[i].time / 1000;
		row->value[1] = 100 * rows[i].time / total;
	}
}

PK_COMPARE(by_sum, struct pk_gpu_row, PK_ORDER(b->value[0], a->value[0])
		   ?: PK_ORDER(a->text, b->text) ?: PK_ORDER(a->kind, b->kind)
		   ?: PK_ORDER(a->stream, b->stream) ?: PK_ORDER(a->more[0], b->more[0])
		   ?: PK_ORDER(a->more[1], b->more[1])
		   ?: PK_ORDER(a->more[2], b->more[2]) ?: PK_ORDER(a->more[4], b->more[4]))

/* sum, count, mean, min, max, and the shares of all kernels and of the whole time. */
static void add_kernels(struct pk_tracelens *s)
{
	struct pk_gpu_rows *t = s->result;
	struct pk_id_map pairs = {.count = 0}, triples = {.count = 0}, rows = {.count = 0};
	PK_FREED uint32_t *category = pk_tracelens_categories(s, true);
	double total = pk_tracelens_whole(s), sum = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct pk_tracelens_work *w = &s->work[i];
		uint32_t launcher, kernel, number;
		struct pk_gpu_row *row;
		int64_t stream = s->profile->thread.tid[s->profile->span.thread[w->span]];

		if (s->launches.activity[w->span] != PK_ACT_KERNEL)
			continue;
		launcher =
			w->launcher
				? pk_tracelens_keep(s, pk_launches_name(&s->launches, w->launcher))
				: 0;
		kernel = pk_tracelens_keep(s, pk_launches_name(&s->launches, w->span));
		number = pk_id_map_number(&pairs, (int64_t)launcher << 32 | kernel);
		number = pk_id_map_number(&triples, (int64_t)number << 32 | category[w->launcher]);
		number = pk_id_map_number(&rows, (int64_t)number << 32 | (uint32_t)stream);
		if (number > t->count) {
			row = pk_gpu_rows_add(t);
			row->text = launcher;
			row->kind = kernel;
			row->stream = stream;
			row->more[0] = category[w->launcher];
			row->value[0] = row->value[1] = 0;
			row->value[3] = row->value[4] = w->duration;
		}
		row = &t->row[number - 1];
		row->value[0] += w->duration;
		row->value[1]++;
		row->value[3] = fmin(row->value[3], w->duration);
		row->value[4] = fmax(row->value[4], w->duration);
		sum += w->duration;
	}
	for (size_t i = 0; i < t->count; i++) {
		struct pk_gpu_row *row = &t->row[i];

		row->value[2] = row->value[0] / row->value[1];
		row->value[5] = 100 * row->value[0] / sum;
		row->value[6] = 100 * row->value[0] / total;
	}
	pk_sort(t->row, t->count, sizeof(*t->row), by_sum);
	pk_id_map_release(&pairs);
	pk_id_map_release(&triples);
	pk_id_map_release(&rows);
}

PK_COMPARE(by_launcher, struct pk_tracelens_part,
	   PK_ORDER(a->launcher, b->launcher) ?: PK_ORDER(a->start, b->start))

static void add_part(struct pk_tracelens_parts *p, uint32_t launcher,
		     const struct pk_tracelens_work *w, bool direct)
{
	PK_GROW(p->item, p->count + 1, p->alloc);
	p->item[p->count++] = (struct pk_tracelens_part){launcher, w->start, w->end, direct};
}

/* The same for operators above the launcher that launch work, too. */
static void add_parts_above(struct pk_tracelens_parts *p, const struct pk_tracelens_work *w,
			    const bool *launches, const uint32_t *parent)
{
	enum { MOST = 32 };
	uint32_t up = parent[w->launcher];

	for (int i = 0, found = 0; up && i < STEPS && found < MOST; i++, up = parent[up]) {
		if (!launches[up])
			continue;
		add_part(p, up, w, false);
		found++;
	}
}

/* Busy time of the parts of one launcher. */
double pk_tracelens_busy(const struct pk_tracelens_part *part, size_t count, bool direct)
{
	double sum = 0, to = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		if (direct && !part[i].direct)
			continue;
		if (part[i].start > to)
			sum += part[i].end - part[i].start;
		else if (part[i].end > to)
			sum += part[i].end - to;
		to = fmax(to, part[i].end);
	}
	return sum;
}

/* Each launcher: its own work, and with that of operators below it. */
void pk_tracelens_parts(struct pk_tracelens *s, struct pk_tracelens_parts *p)
{
	PK_FREED bool *launches = pk_calloc(s->profile->span.count, sizeof(*launches));

	for (uint32_t i = 0; i < s->count; i++)
		if (s->work[i].kind != PK_TRACELENS_COMMUNICATION)
			launches[s->work[i].launcher] = true;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct pk_tracelens_work *w = &s->work[i];

		if (!w->launcher || w->kind == PK_TRACELENS_COMMUNICATION)
			continue;
		add_part(p, w->launcher, w, true);
		add_parts_above(p, w, launches, s->parent);
	}
	pk_sort(p->item, p->count, sizeof(*p->item), by_launcher);
}

/* Adds a category to those of a row; more than a row has room for are left out. */
static void note_category(struct pk_gpu_row *row, uint32_t category)
{
	int i = 0;

	while (i < PK_GPU_ROW_MORE && row->more[i] && row->more[i] != category)
		i++;
	if (i < PK_GPU_ROW_MORE)
		row->more[i] = category;
}

/* "['elementwise', 'other']", as Python prints a list. */
static uint32_t list_categories(struct pk_tracelens *s, const struct pk_gpu_row *row)
{
	PK_BUF_AUTO list = PK_BUF_INIT;

	for (int i = 0; i < PK_GPU_ROW_MORE && row->more[i]; i++)
		pk_buf_addf(&list, "%s'%s'", i ? ", " : "[",
			    pk_texts_get(&s->result->names, row->more[i]));
	pk_buf_adds(&list, list.len ? "]" : "[]");
	return pk_texts_put(&s->result->names, list.data, list.len);
}

/* direct and subtree time in us and ms, count, share and the sum of shares down to here. */
static void add_ops(struct pk_tracelens *s)
{
	struct pk_gpu_rows *t = s->result;
	struct pk_id_map rows = {.count = 0};
	struct pk_tracelens_parts parts = {.count = 0};
	PK_FREED uint32_t *category = pk_tracelens_categories(s, false);
	double sum = 0, shares = 0;

	pk_tracelens_parts(s, &parts);
	for (size_t i = 0, end; i < parts.count; i = end) {
		uint32_t name = pk_tracelens_keep(
			s, pk_launches_name(&s->launches, parts.item[i].launcher));
		uint32_t number = pk_id_map_number(&rows, name);

		for (end = i;
		     end < parts.count && parts.item[end].launcher == parts.item[i].launcher; end++)
			;
		if (number > t->count) {
			struct pk_gpu_row *row = pk_gpu_rows_add(t);

			row->text = name;
			row->value[0] = row->value[1] = row->value[4] = 0;
		}
		t->row[number - 1].value[0] += pk_tracelens_busy(parts.item + i, end - i, true);
		t->row[number - 1].value[1] += pk_tracelens_busy(parts.item + i, end - i, false);
		t->row[number - 1].value[4]++;
		note_category(&t->row[number - 1], category[parts.item[i].launcher]);
	}
	pk_sort(t->row, t->count, sizeof(*t->row), by_sum);
	for (size_t i = 0; i < t->count; i++)
		sum += t->row[i].value[0];
	for (size_t i = 0; i < t->count; i++) {
		struct pk_gpu_row *row = &t->row[i];

		row->kind = list_categories(s, row);
		row->value[2] = row->value[0] / 1000;
		row->value[3] = row->value[1] / 1000;
		row->value[5] = 100 * row->value[0] / sum;
		row->value[6] = shares += row->value[5];
	}
	pk_id_map_release(&rows);
	free(parts.item);
}

void pk_tracelens_sort(struct pk_gpu_rows *rows)
{
	pk_sort(rows->row, rows->count, sizeof(*rows->row), by_sum);
}

int pk_tracelens_add(struct pk_gpu_rows *rows, const struct pk_profile *p,
		     enum pk_tracelens_table table, struct pk_error *err)
{
	static void (*const sheets[PK_TRACELENS_TABLES])(struct pk_tracelens *) = {
		[PK_TRACELENS_TIMELINE] = add_timeline,
		[PK_TRACELENS_KERNELS] = add_kernels,
		[PK_TRACELENS_OPS] = add_ops,
		[PK_TRACELENS_CATEGORIES] = pk_tracelens_add_categories,
		[PK_TRACELENS_ARGUMENTS] = pk_tracelens_add_arguments,
		[PK_TRACELENS_SHORT] = pk_tracelens_add_short,
		[PK_TRACELENS_HISTOGRAM] = pk_tracelens_add_histogram,
		[PK_TRACELENS_COLLECTIVES] = pk_tracelens_add_collectives,
	};
	struct pk_tracelens s = {.result = rows, .profile = p};
	int status;

	pk_launches_init(&s.launches, p);
	status = pk_launches_need_device(&s.launches, err);
	if (!status) {
		s.parent = pk_span_parents(p);
		collect(&s);
		sheets[table](&s);
	}
	pk_launches_release(&s.launches);
	free(s.parent);
	free(s.work);
	return status;
}
