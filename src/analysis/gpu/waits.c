/* The longest times in which the host waited for a GPU, with the kernels that ran then. */
#include "analysis/gpu/waits.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/by_name.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

struct waiter {
	struct pk_gpu_waits *result;
	const struct pk_launches *launches;
	bool *copies_back;     /* by span: a call that copies from the device */
	uint32_t *work, *wait; /* spans of work on the GPU, and waits, by start */
	uint32_t work_count, wait_count;
	uint32_t *running; /* works that may run during waits to come, by start */
	uint32_t running_count, next;
};

static const char *name_of(const struct pk_profile *p, uint32_t span, uint32_t *string)
{
	*string = pk_node_name(p, p->span.node[span]);
	return pk_text(p, *string);
}

void pk_gpu_wait_list_add(struct pk_gpu_wait_list *list, uint32_t name, int64_t time)
{
	uint32_t i = pk_id_map_get(&list->by_name, name);

	if (!i) {
		PK_GROW(list->item, (size_t)list->count + 1, list->alloc);
		i = ++list->count;
		list->item[i - 1] = (struct pk_gpu_wait){name, 0, 0};
		pk_id_map_put(&list->by_name, name, i);
	}
	list->item[i - 1].calls++;
	pk_add_saturated(&list->item[i - 1].time, time);
}

PK_COMPARE(by_time, struct pk_gpu_wait, PK_ORDER(b->time, a->time) ?: PK_ORDER(a->name, b->name))

void pk_gpu_wait_list_sort(struct pk_gpu_wait_list *list)
{
	pk_sort(list->item, list->count, sizeof(*list->item), by_time);
}

void pk_gpu_wait_list_release(struct pk_gpu_wait_list *list)
{
	pk_id_map_release(&list->by_name);
	free(list->item);
}

static void collect_work(struct waiter *w)
{
	const struct pk_profile *p = w->launches->profile;
	uint32_t i, name;

	for (i = 1; i < p->span.count; i++) {
		if (!pk_activity_is_work(w->launches->activity[i]))
			continue;
		w->work[w->work_count++] = i;
		if (w->launches->activity[i] == PK_ACT_MEMCPY &&
		    pk_copy_way(name_of(p, i, &name)) == PK_COPY_TO_HOST)
			w->copies_back[w->launches->call[i]] = true;
	}
	pk_sort_spans(p, w->work, w->work_count);
}

static bool synchronises(const char *name)
{
	enum pk_sync sync = pk_sync_of(name);

	return sync != PK_SYNC_NONE && sync != PK_SYNC_RECORD && sync != PK_SYNC_WAIT_EVENT;
}

static void collect_waits(struct waiter *w)
{
	const struct pk_profile *p = w->launches->profile;
	/* by name: 1 + whether it synchronises, 0 = not known yet */
	PK_FREED uint8_t *known = pk_calloc(p->string.count, sizeof(*known));
	uint32_t i, name;

	for (i = 1; w->work_count && i < p->span.count; i++) {
		const char *text = name_of(p, i, &name);

		if (w->launches->activity[i] != PK_ACT_RUNTIME)
			continue;
		if (!known[name])
			known[name] = 1 + synchronises(text);
		if (w->copies_back[i] || known[name] > 1)
			w->wait[w->wait_count++] = i;
	}
	pk_sort_spans(p, w->wait, w->wait_count);
}

/* Drops work that ended before this wait begins, since later waits begin later; adds work that
 * begins before this wait ends. */
static void update_running(struct waiter *w, int64_t start, int64_t end)
{
	const struct pk_profile *p = w->launches->profile;
	uint32_t i, left = 0;

	for (i = 0; i < w->running_count; i++)
		if (pk_span_end(p, w->running[i]) > start)
			w->running[left++] = w->running[i];
	for (; w->next < w->work_count && p->span.time[w->work[w->next]] < end; w->next++)
		if (pk_span_end(p, w->work[w->next]) > start)
			w->running[left++] = w->work[w->next];
	w->running_count = left;
}

static void blame(struct waiter *w, int64_t start, int64_t end)
{
	const struct pk_profile *p = w->launches->profile;
	int64_t busy = 0, covered = start;
	uint32_t i, name;

	update_running(w, start, end);
	for (i = 0; i < w->running_count; i++) {
		int64_t from = p->span.time[w->running[i]], to = pk_span_end(p, w->running[i]);

		from = from > start ? from : start;
		to = to < end ? to : end;
		if (to <= from)
			continue;
		name_of(p, w->running[i], &name);
		pk_gpu_wait_list_add(&w->result->meanwhile, name, to - from);
		if (to <= covered)
			continue;
		busy += to - (from > covered ? from : covered);
		covered = to;
	}
	pk_add_saturated(&w->result->idle, end - start - busy);
}

static void keep_longest(struct pk_gpu_waits *r, uint32_t span)
{
	const int64_t *duration = r->profile->span.duration;

	for (size_t i = 0; i < sizeof(r->longest) / sizeof(r->longest[0]); i++) {
		uint32_t other = r->longest[i];

		if (other && duration[other] >= duration[span])
			continue;
		r->longest[i] = span;
		if (!other)
			return;
		span = other;
	}
}

static void add_wait(struct waiter *w, uint32_t span)
{
	const struct pk_profile *p = w->launches->profile;
	int64_t time = p->span.duration[span];
	uint32_t op = w->launches->op[span], name, op_name = 0;

	w->result->calls++;
	pk_add_saturated(&w->result->time, time);
	name_of(p, span, &name);
	pk_gpu_wait_list_add(&w->result->call, name, time);
	if (op)
		name_of(p, op, &op_name);
	pk_gpu_wait_list_add(&w->result->op, op_name, time);
	keep_longest(w->result, span);
	blame(w, p->span.time[span], pk_span_end(p, span));
}

static bool is_within(const struct pk_time_range *range, int64_t time)
{
	return time >= range->from && time < range->to;
}

void pk_gpu_waits_init(struct pk_gpu_waits *result, const struct pk_launches *l,
		       const struct pk_time_range *range)
{
	size_t count = l->profile->span.count;
	struct waiter w = {.result = result,
			   .launches = l,
			   .copies_back = pk_calloc(count, sizeof(*w.copies_back)),
			   .work = pk_malloc(pk_mul(count, sizeof(*w.work))),
			   .wait = pk_malloc(pk_mul(count, sizeof(*w.wait))),
			   .running = pk_malloc(pk_mul(count, sizeof(*w.running)))};
	uint32_t i;

	memset(result, 0, sizeof(*result));
	result->profile = l->profile;
	collect_work(&w);
	collect_waits(&w);
	for (i = 0; i < w.wait_count; i++)
		if (!range || is_within(range, l->profile->span.time[w.wait[i]]))
			add_wait(&w, w.wait[i]);
	pk_gpu_wait_list_sort(&result->call);
	pk_gpu_wait_list_sort(&result->op);
	pk_gpu_wait_list_sort(&result->meanwhile);
	free(w.copies_back);
	free(w.work);
	free(w.wait);
	free(w.running);
}

void pk_gpu_waits_release(struct pk_gpu_waits *w)
{
	pk_gpu_wait_list_release(&w->call);
	pk_gpu_wait_list_release(&w->op);
	pk_gpu_wait_list_release(&w->meanwhile);
	memset(w, 0, sizeof(*w));
}

/* The begin of the character that contains this byte. */
static size_t character(const char *name, size_t at)
{
	while (at && ((unsigned char)name[at] & 0xC0) == 0x80)
		at--;
	return at;
}

/* The names of kernels of one library begin alike, so the end of a long name (before templates and
 * parameters) is kept, too. */
void pk_gpu_add_name(struct pk_buf *buf, const char *name, size_t len, size_t longest)
{
	size_t plain = 0, keep, from;

	if (len <= longest) {
		pk_utf8_visible(buf, name, len);
		return;
	}
	while (plain < len && !strchr("<(", name[plain]))
		plain++;
	keep = character(name, plain > longest ? longest / 2 : longest);
	pk_utf8_visible(buf, name, keep);
	pk_buf_adds(buf, "\xE2\x80\xA6");
	if (plain <= longest)
		return;
	from = character(name, plain - longest / 2);
	pk_utf8_visible(buf, name + from, plain - from);
}

void pk_gpu_wait_list_names(struct pk_buf *buf, const struct pk_profile *p,
			    const struct pk_gpu_wait_list *list)
{
	enum { NAMED = 3 };
	uint32_t i;

	for (i = 0; i < list->count && i < NAMED; i++) {
		pk_buf_adds(buf, i ? ", " : "");
		if (list->item[i].name)
			pk_gpu_add_name(buf, pk_text(p, list->item[i].name),
					p->string.len[list->item[i].name], PK_GPU_NAME);
		else
			pk_buf_adds(buf, "nothing");
		pk_buf_addf(buf, " %s", pk_in_ns(list->item[i].time).text);
	}
	if (i < list->count)
		pk_buf_addf(buf, " and %u more", list->count - i);
}

void pk_gpu_waits_line(struct pk_buf *buf, const struct pk_gpu_waits *w)
{
	if (!w->calls)
		return;
	pk_buf_addf(buf, "waiting for the GPU: %s in %s call%s (", pk_in_ns(w->time).text,
		    pk_in_count(w->calls).text, w->calls == 1 ? "" : "s");
	pk_gpu_wait_list_names(buf, w->profile, &w->call);
	pk_buf_addc(buf, ')');
	if (w->op.item[0].name) {
		pk_buf_adds(buf, ", most of it in ");
		pk_gpu_add_name(buf, pk_text(w->profile, w->op.item[0].name),
				w->profile->string.len[w->op.item[0].name], PK_GPU_NAME);
	}
	if (w->meanwhile.count) {
		pk_buf_adds(buf, "; meanwhile ran ");
		pk_gpu_wait_list_names(buf, w->profile, &w->meanwhile);
	}
	if (w->idle)
		pk_buf_addf(buf, "; nothing ran there for %s", pk_in_ns(w->idle).text);
	pk_buf_addc(buf, '\n');
}
