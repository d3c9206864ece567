#include "analysis/gpu_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/units.h"

struct waiter {
	struct pk_gpu_waits *result;
	const struct pk_launches *launches;
	bool *copies_back; /* by span: a call that copies from the device */
	uint32_t *work;    /* spans of work on the GPU, by start */
	int64_t *latest;   /* the latest end of the first n of them */
	uint32_t count;
};

static const char *name_of(const struct pk_profile *p, uint32_t span, uint32_t *string)
{
	*string = p->frame.function[p->node.frame[p->span.node[span]]];
	return pk_text(p, *string);
}

static int64_t end_of(const struct pk_profile *p, uint32_t span)
{
	int64_t end = p->span.time[span];

	pk_add_saturated(&end, p->span.duration[span]);
	return end;
}

static void add_to(struct pk_gpu_wait_list *list, uint32_t name, int64_t time)
{
	uint32_t i;

	for (i = 0; i < list->count && list->item[i].name != name; i++)
		;
	if (i == list->count) {
		PK_GROW(list->item, (size_t)list->count + 1, list->alloc);
		list->item[list->count++] = (struct pk_gpu_wait){name, 0, 0};
	}
	list->item[i].calls++;
	pk_add_saturated(&list->item[i].time, time);
}

static int by_time(const void *a, const void *b)
{
	const struct pk_gpu_wait *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void sort_list(struct pk_gpu_wait_list *list)
{
	if (list->count)
		qsort(list->item, list->count, sizeof(*list->item), by_time);
}

static void collect_work(struct waiter *w)
{
	const struct pk_profile *p = w->launches->profile;
	int64_t latest = INT64_MIN;
	uint32_t i, name;

	w->work = pk_malloc(pk_mul(p->span.count, sizeof(*w->work)));
	w->copies_back = pk_calloc(p->span.count, sizeof(*w->copies_back));
	for (i = 1; i < p->span.count; i++) {
		if (!pk_activity_is_work(w->launches->activity[i]))
			continue;
		w->work[w->count++] = i;
		if (w->launches->activity[i] == PK_ACT_MEMCPY &&
		    strstr(name_of(p, i, &name), "DtoH"))
			w->copies_back[w->launches->call[i]] = true;
	}
	pk_sort_spans(p, w->work, w->count);
	w->latest = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*w->latest)));
	for (i = 0; i < w->count; i++) {
		w->latest[i] = latest;
		latest = end_of(p, w->work[i]) > latest ? end_of(p, w->work[i]) : latest;
	}
}

/* The first of the works that may not have ended before `time`. */
static uint32_t first_after(const struct waiter *w, int64_t time)
{
	uint32_t from = 0, to = w->count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		/* latest[middle + 1] is that of those up to middle; the last has none */
		if (middle + 1 < w->count && w->latest[middle + 1] <= time)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void blame(struct waiter *w, int64_t start, int64_t end)
{
	const struct pk_profile *p = w->launches->profile;
	int64_t busy = 0, covered = start;
	uint32_t i, name;

	for (i = first_after(w, start); i < w->count && p->span.time[w->work[i]] < end; i++) {
		int64_t from = p->span.time[w->work[i]], to = end_of(p, w->work[i]);

		from = from > start ? from : start;
		to = to < end ? to : end;
		if (to <= from)
			continue;
		name_of(p, w->work[i], &name);
		add_to(&w->result->meanwhile, name, to - from);
		if (to <= covered)
			continue;
		busy += to - (from > covered ? from : covered);
		covered = to;
	}
	pk_add_saturated(&w->result->idle, end - start - busy);
}

static void add_wait(struct waiter *w, uint32_t span, uint32_t name)
{
	const struct pk_profile *p = w->launches->profile;
	int64_t time = p->span.duration[span];
	uint32_t op = w->launches->op[span], op_name = 0;

	w->result->calls++;
	pk_add_saturated(&w->result->time, time);
	add_to(&w->result->call, name, time);
	if (op)
		name_of(p, op, &op_name);
	add_to(&w->result->op, op_name, time);
	blame(w, p->span.time[span], end_of(p, span));
}

void pk_gpu_waits_init(struct pk_gpu_waits *result, const struct pk_launches *l)
{
	struct waiter w = {.result = result, .launches = l};
	const struct pk_profile *p = l->profile;
	uint32_t i, name;

	memset(result, 0, sizeof(*result));
	result->profile = p;
	collect_work(&w);
	for (i = 1; w.count && i < p->span.count; i++)
		if (l->activity[i] == PK_ACT_RUNTIME &&
		    (w.copies_back[i] || strstr(name_of(p, i, &name), "Synchronize"))) {
			name_of(p, i, &name);
			add_wait(&w, i, name);
		}
	sort_list(&result->call);
	sort_list(&result->op);
	sort_list(&result->meanwhile);
	free(w.work);
	free(w.copies_back);
	free(w.latest);
}

void pk_gpu_waits_release(struct pk_gpu_waits *w)
{
	free(w->call.item);
	free(w->op.item);
	free(w->meanwhile.item);
	memset(w, 0, sizeof(*w));
}

/* "a 1.20 ms, b 0.30 ms and 2 more" */
static void add_names(struct pk_buf *buf, const struct pk_gpu_waits *w,
		      const struct pk_gpu_wait_list *list)
{
	enum { NAMED = 3 };
	uint32_t i;

	for (i = 0; i < list->count && i < NAMED; i++) {
		pk_buf_adds(buf, i ? ", " : "");
		pk_utf8_visible(buf, pk_text(w->profile, list->item[i].name),
				w->profile->string.len[list->item[i].name]);
		pk_buf_addc(buf, ' ');
		pk_format_value_unit(buf, list->item[i].time, "ns");
	}
	if (i < list->count)
		pk_buf_addf(buf, " and %u more", list->count - i);
}

void pk_gpu_waits_line(struct pk_buf *buf, const struct pk_gpu_waits *w)
{
	if (!w->calls)
		return;
	pk_buf_adds(buf, "waiting for the GPU: ");
	pk_format_value_unit(buf, w->time, "ns");
	pk_buf_adds(buf, " in ");
	pk_format_count(buf, w->calls);
	pk_buf_adds(buf, w->calls == 1 ? " call (" : " calls (");
	add_names(buf, w, &w->call);
	pk_buf_addc(buf, ')');
	if (w->op.item[0].name) {
		pk_buf_adds(buf, ", most of it in ");
		pk_utf8_visible(buf, pk_text(w->profile, w->op.item[0].name),
				w->profile->string.len[w->op.item[0].name]);
	}
	if (w->meanwhile.count) {
		pk_buf_adds(buf, "; meanwhile ran ");
		add_names(buf, w, &w->meanwhile);
	}
	if (w->idle) {
		pk_buf_adds(buf, "; nothing ran there for ");
		pk_format_value_unit(buf, w->idle, "ns");
	}
	pk_buf_addc(buf, '\n');
}
