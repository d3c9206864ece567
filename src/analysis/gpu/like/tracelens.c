#include "analysis/gpu/like/tracelens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/gpu/launches.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "model/events/nest.h"

enum { STEPS = 1000 }; /* upwards among the spans around one */
enum kind { COMPUTATION = 1, COMMUNICATION = 2, COPY = 4, ALL = 7 };

struct work {              /* in the order of begins */
	double start, end; /* us, as TraceLens adds them up in doubles */
	double duration;
	uint32_t span, launcher; /* the operator that launched it, else the call; 0 = not known */
	uint8_t kind;
};

struct sheet {
	struct pk_gpu_rows *result;
	const struct pk_profile *profile;
	struct pk_launches launches;
	struct work *work;
	uint32_t count;
	bool all; /* there are no operators: then all work counts */
};

static enum kind kind_of(const struct sheet *s, uint32_t span)
{
	const char *name = pk_launches_name(&s->launches, span);

	switch (s->launches.activity[span]) {
	case PK_ACT_MEMCPY:
		return COPY;
	case PK_ACT_MEMSET:
		return COMPUTATION;
	}
	if (pk_starts_with(name, "MEMORY_COPY_") || pk_starts_with(name, "__amd_rocclr_copyBuffer"))
		return COPY;
	return strcasestr(name, "nccl") || strcasestr(name, "rccl") ||
			       strcasestr(name, "cross_device_reduce")
		       ? COMMUNICATION
		       : COMPUTATION;
}

/* The operator around the call, but none that is called "execute"; parent: of each span. */
static uint32_t launcher_of(const struct sheet *s, const uint32_t *parent, uint32_t span)
{
	uint32_t call = s->launches.call[span], op = s->launches.op[span];

	for (int i = 0; i < STEPS && op; i++, op = parent[op])
		if (s->launches.activity[op] == PK_ACT_OP &&
		    strcmp(pk_launches_name(&s->launches, op), "execute") != 0)
			break;
	return op && call ? op : call;
}

PK_COMPARE(by_start, struct work, PK_ORDER(a->start, b->start) ?: PK_ORDER(a->span, b->span))

static void collect(struct sheet *s, const uint32_t *parent)
{
	const struct pk_profile *p = s->profile;
	int64_t offset = p->run.clock_offset ? p->run.clock_offset[1] : 0;

	s->all = true;
	s->work = pk_malloc(pk_mul(p->span.count, sizeof(*s->work)));
	for (uint32_t i = 1; i < p->span.count; i++) {
		struct work *w = &s->work[s->count];

		s->all &= s->launches.activity[i] != PK_ACT_OP;
		if (!pk_activity_is_work(s->launches.activity[i]))
			continue;
		w->start = (double)((long double)(p->span.time[i] + offset) / 1000);
		w->duration = (double)p->span.duration[i] / 1000;
		w->end = w->start + w->duration;
		w->span = i;
		w->kind = (uint8_t)kind_of(s, i);
		w->launcher = launcher_of(s, parent, i);
		s->count++;
	}
	pk_sort(s->work, s->count, sizeof(*s->work), by_start);
}

static bool counts(const struct sheet *s, const struct work *w)
{
	return s->all || w->launcher;
}

/* us in which work of these kinds ran. */
static double merged(const struct sheet *s, unsigned kinds)
{
	double sum = 0, from = 0, to = -INFINITY;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct work *w = &s->work[i];

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
static double whole(const struct sheet *s)
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

static uint32_t keep(struct sheet *s, const char *name)
{
	return pk_gpu_name_of(&s->result->names, name, strlen(name));
}

static void add_timeline(struct sheet *s)
{
	double total = whole(s), computation = merged(s, COMPUTATION), busy = merged(s, ALL);
	double kernels = merged(s, COMPUTATION | COMMUNICATION);
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
		{"total_comm_time", merged(s, COMMUNICATION)},
		{"total_memcpy_time", merged(s, COPY)},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pk_gpu_row *row = pk_gpu_rows_add(s->result);

		row->text = keep(s, rows[i].name);
		row->value[0] = rows[i].time / 1000;
		row->value[1] = 100 * rows[i].time / total;
	}
}

PK_COMPARE(by_sum, struct pk_gpu_row, PK_ORDER(b->value[0], a->value[0])
		   ?: PK_ORDER(a->text, b->text) ?: PK_ORDER(a->kind, b->kind)
		   ?: PK_ORDER(a->stream, b->stream))

/* sum, count, mean, min, max, and the shares of all kernels and of the whole time. */
static void add_kernels(struct sheet *s)
{
	struct pk_gpu_rows *t = s->result;
	struct pk_id_map pairs = {.count = 0}, rows = {.count = 0};
	double total = whole(s), sum = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct work *w = &s->work[i];
		uint32_t launcher, kernel, number;
		struct pk_gpu_row *row;
		int64_t stream = s->profile->thread.tid[s->profile->span.thread[w->span]];

		if (s->launches.activity[w->span] != PK_ACT_KERNEL)
			continue;
		launcher = w->launcher ? keep(s, pk_launches_name(&s->launches, w->launcher)) : 0;
		kernel = keep(s, pk_launches_name(&s->launches, w->span));
		number = pk_id_map_number(&pairs, (int64_t)launcher << 32 | kernel);
		number = pk_id_map_number(&rows, (int64_t)number << 32 | (uint32_t)stream);
		if (number > t->count) {
			row = pk_gpu_rows_add(t);
			row->text = launcher;
			row->kind = kernel;
			row->stream = stream;
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
	pk_id_map_release(&rows);
}

struct part { /* of the time below a launcher */
	uint32_t launcher;
	double start, end;
	bool direct;
};

PK_COMPARE(by_launcher, struct part,
	   PK_ORDER(a->launcher, b->launcher) ?: PK_ORDER(a->start, b->start))

struct parts {
	struct part *item;
	size_t count, alloc;
};

static void add_part(struct parts *p, uint32_t launcher, const struct work *w, bool direct)
{
	PK_GROW(p->item, p->count + 1, p->alloc);
	p->item[p->count++] = (struct part){launcher, w->start, w->end, direct};
}

/* The same for operators above the launcher that launch work, too. */
static void add_parts_above(struct parts *p, const struct work *w, const bool *launches,
			    const uint32_t *parent)
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
static double busy(const struct part *part, size_t count, bool direct)
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
static void collect_parts(struct sheet *s, struct parts *p, const uint32_t *parent)
{
	PK_FREED bool *launches = pk_calloc(s->profile->span.count, sizeof(*launches));

	for (uint32_t i = 0; i < s->count; i++)
		if (s->work[i].kind != COMMUNICATION)
			launches[s->work[i].launcher] = true;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct work *w = &s->work[i];

		if (!w->launcher || w->kind == COMMUNICATION)
			continue;
		add_part(p, w->launcher, w, true);
		add_parts_above(p, w, launches, parent);
	}
	pk_sort(p->item, p->count, sizeof(*p->item), by_launcher);
}

/* direct and subtree time in us and ms, count, share and the sum of shares down to here. */
static void add_ops(struct sheet *s, const uint32_t *parent)
{
	struct pk_gpu_rows *t = s->result;
	struct pk_id_map rows = {.count = 0};
	struct parts parts = {.count = 0};
	double sum = 0, shares = 0;

	collect_parts(s, &parts, parent);
	for (size_t i = 0, end; i < parts.count; i = end) {
		uint32_t name = keep(s, pk_launches_name(&s->launches, parts.item[i].launcher));
		uint32_t number = pk_id_map_number(&rows, name);

		for (end = i;
		     end < parts.count && parts.item[end].launcher == parts.item[i].launcher; end++)
			;
		if (number > t->count) {
			struct pk_gpu_row *row = pk_gpu_rows_add(t);

			row->text = name;
			row->value[0] = row->value[1] = row->value[4] = 0;
		}
		t->row[number - 1].value[0] += busy(parts.item + i, end - i, true);
		t->row[number - 1].value[1] += busy(parts.item + i, end - i, false);
		t->row[number - 1].value[4]++;
	}
	pk_sort(t->row, t->count, sizeof(*t->row), by_sum);
	for (size_t i = 0; i < t->count; i++)
		sum += t->row[i].value[0];
	for (size_t i = 0; i < t->count; i++) {
		struct pk_gpu_row *row = &t->row[i];

		row->value[2] = row->value[0] / 1000;
		row->value[3] = row->value[1] / 1000;
		row->value[5] = 100 * row->value[0] / sum;
		row->value[6] = shares += row->value[5];
	}
	pk_id_map_release(&rows);
	free(parts.item);
}

int pk_tracelens_add(struct pk_gpu_rows *rows, const struct pk_profile *p,
		     enum pk_tracelens_table table, struct pk_error *err)
{
	struct sheet s = {.result = rows, .profile = p};
	PK_FREED uint32_t *parent = pk_span_parents(p);
	int status;

	pk_launches_init(&s.launches, p);
	status = pk_launches_need_device(&s.launches, err);
	if (!status) {
		collect(&s, parent);
		if (table == PK_TRACELENS_TIMELINE)
			add_timeline(&s);
		else if (table == PK_TRACELENS_KERNELS)
			add_kernels(&s);
		else
			add_ops(&s, parent);
	}
	pk_launches_release(&s.launches);
	free(s.work);
	return status;
}
