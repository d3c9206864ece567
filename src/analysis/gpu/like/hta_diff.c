/* HTA's TraceDiff: how often each name is there and how long in all, in the first step of two
 * traces. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/hta_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

enum { COUNT, TIME, SIDE, COUNT_CHANGE = 2 * SIDE, TIME_CHANGE };

struct adding {
	struct pk_hta_trace *trace;
	struct pk_id_map rows; /* by name: row + 1 */
	int side;              /* 0 or 1 */
};

static void add_event(struct adding *a, const struct pk_hta_event *e)
{
	struct pk_gpu_rows *rows = &a->trace->result->rows;
	const char *name = pk_hta_name(a->trace, e);
	uint32_t text = pk_texts_put(&rows->names, name, strlen(name));
	uint32_t number = pk_id_map_get(&a->rows, text);
	struct pk_gpu_row *row;

	if (!number) {
		row = pk_gpu_rows_add(rows);
		row->text = text;
		for (int i = 0; i < PK_GPU_ROW_VALUES; i++)
			row->value[i] = 0;
		number = (uint32_t)rows->count;
		pk_id_map_put(&a->rows, text, number);
	}
	row = &rows->row[number - 1];
	row->value[a->side * SIDE + COUNT]++;
	row->value[a->side * SIDE + TIME] += pk_hta_us(e->end - e->start);
}

/* The first step, if there is one. */
static void first_step(const struct pk_hta_trace *t, int64_t *from, int64_t *to)
{
	bool found = false;

	for (uint32_t i = 0; i < t->hosts; i++) {
		const struct pk_hta_event *e = &t->host[i];

		if (!strstr(pk_hta_name(t, e), "ProfilerStep") || (found && e->start >= *from))
			continue;
		*from = e->start;
		*to = e->end;
		found = true;
	}
}

void pk_hta_add_diff(struct pk_hta_trace *t)
{
	struct adding a = {.trace = t, .side = t->result->traces > 1};
	enum pk_hta_table table = t->result->table;
	int64_t from = INT64_MIN, to = INT64_MAX;

	first_step(t, &from, &to);
	for (size_t i = 0; i < t->result->rows.count; i++)
		pk_id_map_put(&a.rows, t->result->rows.row[i].text, (uint32_t)i + 1);
	for (uint32_t i = 0; table != PK_HTA_DIFF_GPU && i < t->hosts; i++)
		if (t->host[i].start >= from && t->host[i].start < to)
			add_event(&a, &t->host[i]);
	for (uint32_t i = 0; table != PK_HTA_DIFF_CPU && i < t->gpus; i++) {
		const struct pk_hta_event *call = pk_hta_call(t, &t->gpu[i]);

		if (from == INT64_MIN || (call && call->start >= from && call->start < to))
			add_event(&a, &t->gpu[i]);
	}
	pk_id_map_release(&a.rows);
}

/* The rows of the first trace come first. */
static int by_text(const void *a, const void *b, void *names)
{
	const struct pk_gpu_row *one = a, *other = b;
	bool first = one->value[COUNT] > 0;

	if (first != (other->value[COUNT] > 0))
		return first ? -1 : 1;
	return strcmp(pk_texts_get(names, one->text), pk_texts_get(names, other->text));
}

void pk_hta_finish_diff(struct pk_gpu_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct pk_gpu_row *row = &rows->row[i];
		double *v = row->value;

		v[COUNT_CHANGE] = v[SIDE + COUNT] - v[COUNT];
		v[TIME_CHANGE] = v[SIDE + TIME] - v[TIME];
		row->kind = pk_texts_put(&rows->names,
					 v[COUNT_CHANGE] > 0   ? "+"
					 : v[COUNT_CHANGE] < 0 ? "-"
							       : "=",
					 1);
	}
	if (rows->count)
		qsort_r(rows->row, rows->count, sizeof(*rows->row), by_text, &rows->names);
}
