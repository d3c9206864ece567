/* HTA's tables of what changes with time, queues and bandwidth, and of launches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/hta_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

struct change {
	int64_t time, stream;
	uint32_t name;
	double by;
};

/* Among changes at one moment launches come first, and ends of copies; HTA's order is not fixed. */
PK_COMPARE(by_series, struct change,
	   PK_ORDER(a->stream, b->stream)
		   ?: PK_ORDER(a->name, b->name)
		   ?: PK_ORDER(a->time, b->time)
		   ?: a->name ? PK_ORDER(a->by, b->by) : PK_ORDER(b->by, a->by))

/* The calls that HTA knows as launches; and of these, those of its table of launches. */
static bool is_launch(const char *name, bool of_table)
{
	static const char *const names[] = {
		"cudaMemsetAsync", "cudaMemcpyAsync", "cudaLaunchKernel", "cudaLaunchKernelExC",
		"runFunction - job_prep_and_submit_for_execution",
		/* These are in no table of launches. */
		"cuLaunchKernel", "hipLaunchKernel", "hipExtModuleLaunchKernel", "hipMemsetAsync",
		"hipMemcpyAsync", "hipMemcpyWithStream"};

	for (size_t i = 0; i < (of_table ? 5 : sizeof(names) / sizeof(*names)); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* The call of such a name that launched it; NULL = there is none. */
static const struct pk_hta_event *launch_of(const struct pk_hta_trace *t,
					    const struct pk_hta_event *e, bool of_table)
{
	const struct pk_hta_event *call = pk_hta_call(t, e);

	return call && is_launch(pk_hta_name(t, call), of_table) ? call : NULL;
}

static int64_t duration(const struct pk_hta_trace *t)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (uint32_t i = 0; i < t->gpus; i++) {
		first = t->gpu[i].start < first ? t->gpu[i].start : first;
		last = t->gpu[i].start > last ? t->gpu[i].start : last;
	}
	for (uint32_t i = 0; i < t->hosts; i++) {
		first = t->host[i].start < first ? t->host[i].start : first;
		last = t->host[i].start > last ? t->host[i].start : last;
	}
	return last - first;
}

/* Statistics of one series: its lengths, and how long it was full. */
static void add_queue(struct pk_hta_trace *t, const struct change *c, size_t count)
{
	enum { FULL = 1024 };
	PK_FREED double *length = pk_malloc(pk_mul(count, sizeof(*length)));
	double sum = 0;
	int64_t full = 0;
	bool was_full = false;

	for (size_t i = 0; i < count; i++) {
		length[i] = sum += c[i].by;
		was_full |= sum >= FULL;
		if (sum >= FULL && i + 1 < count)
			full += c[i + 1].time - c[i].time;
		if (t->result->table == PK_HTA_QUEUE_SERIES) {
			struct pk_gpu_row *row = pk_hta_row(t);

			row->stream = c->stream;
			row->value[0] = pk_hta_us(c[i].time - t->first);
			row->value[1] = sum;
		}
	}
	if (t->result->table == PK_HTA_QUEUE || was_full) {
		struct pk_gpu_row *row = pk_hta_row(t);

		row->stream = c->stream;
		if (t->result->table == PK_HTA_QUEUE) {
			pk_hta_describe(row->value, length, count);
		} else {
			row->value[0] = pk_hta_us(full);
			row->value[1] = (double)full / (double)duration(t);
		}
	}
}

void pk_hta_add_queues(struct pk_hta_trace *t)
{
	PK_FREED struct change *c = pk_malloc(pk_mul(2 * ((size_t)t->gpus + 1), sizeof(*c)));
	size_t count = 0;

	for (uint32_t i = 0; i < t->gpus; i++) {
		const struct pk_hta_event *e = &t->gpu[i], *call = launch_of(t, e, false);

		if (!call)
			continue;
		c[count++] = (struct change){call->start, e->stream, 0, 1};
		c[count++] = (struct change){e->start, e->stream, 0, -1};
	}
	pk_sort(c, count, sizeof(*c), by_series);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && c[end].stream == c[i].stream; end++)
			;
		add_queue(t, c + i, end - i);
	}
}

static void add_bandwidth(struct pk_hta_trace *t, const struct change *c, size_t count)
{
	PK_FREED double *rate = pk_malloc(pk_mul(count, sizeof(*rate)));
	double sum = 0;
	size_t positive = 0;
	struct pk_gpu_row *row;

	for (size_t i = 0; i < count; i++) {
		sum += c[i].by;
		if (sum > 0)
			rate[positive++] = sum;
		if (t->result->table != PK_HTA_BANDWIDTH_SERIES)
			continue;
		row = pk_hta_row(t);
		row->text = c->name;
		row->value[0] = pk_hta_us(c[i].time - t->first);
		row->value[1] = sum;
	}
	if (t->result->table == PK_HTA_BANDWIDTH && positive) {
		row = pk_hta_row(t);
		row->text = c->name;
		pk_hta_describe(row->value, rate, positive);
	}
}

static uint32_t kind_of_copy(struct pk_hta_trace *t, const struct pk_hta_event *e)
{
	enum { LENGTH = 11 }; /* "Memcpy DtoH" */
	const char *name = pk_hta_name(t, e);

	if (pk_starts_with(name, "Memset"))
		name = "Memset";
	else if (!pk_starts_with(name, "Memcpy"))
		name = "Memcpy Unknown";
	return pk_texts_put(&t->result->rows.names, name,
			    pk_starts_with(name, "Memcpy ") && strcmp(name, "Memcpy Unknown")
				    ? strnlen(name, LENGTH)
				    : strlen(name));
}

void pk_hta_add_bandwidth(struct pk_hta_trace *t)
{
	PK_FREED struct change *c = pk_malloc(pk_mul(2 * ((size_t)t->gpus + 1), sizeof(*c)));
	size_t count = 0;

	for (uint32_t i = 0; i < t->gpus; i++) {
		const struct pk_hta_event *e = &t->gpu[i];
		struct pk_json_slice value;
		int64_t end = e->end == e->start ? e->end + 1000 : e->end;
		double rate = 0;

		if (e->type != PK_HTA_MEMORY)
			continue;
		if (pk_launches_arg(&t->launches, e->span, "memory bandwidth (GB/s)", &value)) {
			value = pk_json_slice_unquoted(value);
			pk_parse_real(value.text, value.len, &rate);
		}
		c[count] = (struct change){e->start, 0, kind_of_copy(t, e), rate};
		c[count + 1] = (struct change){end, 0, c[count].name, -rate};
		count += 2;
	}
	pk_sort(c, count, sizeof(*c), by_series);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && c[end].name == c[i].name; end++)
			;
		add_bandwidth(t, c + i, end - i);
	}
}

void pk_hta_add_launches(struct pk_hta_trace *t)
{
	for (uint32_t i = 0; i < t->gpus; i++) {
		const struct pk_hta_event *e = &t->gpu[i], *call = launch_of(t, e, true);
		struct pk_gpu_row *row;

		if (!call)
			continue;
		row = pk_hta_row(t);
		row->value[0] = (double)e->correlation;
		row->value[1] = pk_hta_us(call->end - call->start);
		row->value[2] = pk_hta_us(e->end - e->start);
		row->value[3] = pk_hta_us(e->start > call->end ? e->start - call->end : 0);
	}
}
