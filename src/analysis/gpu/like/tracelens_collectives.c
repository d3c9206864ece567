/* TraceLens' sheet coll_analysis: collectives of a trace that have the same arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/internal.h"
#include "analysis/gpu/like/tracelens_internal.h"
#include "base/alloc.h"
#include "model/build/id_map.h"

/* The values of a row. While rows are made, DEVIATION is the sum of squared distances from the
 * mean. */
enum { SUM, SIZE, IN, OUT, IN_MB, OUT_MB, MEAN, DEVIATION, LEAST, MOST, COUNT };

static uint32_t text_of(struct pk_tracelens *s, uint32_t span, const char *key)
{
	return pk_launches_text(&s->launches, span, key, &s->result->names);
}

static double number_of(const struct pk_tracelens *s, uint32_t span, const char *key)
{
	int64_t number = pk_launches_int(&s->launches, span, key);

	return number == PK_NULL ? NAN : (double)number;
}

/* The arguments of a collective, with no times yet. */
static struct pk_gpu_row describe(struct pk_tracelens *s, uint32_t span)
{
	const struct pk_profile *p = s->profile;
	struct pk_gpu_row row = {.rank = p->run.rank ? p->run.rank[1] : PK_NULL};
	double size;

	row.stream = p->thread.tid[p->span.thread[span]];
	row.text = text_of(s, span, "Collective name");
	row.more[0] = text_of(s, span, "Process Group Name");
	row.more[1] = text_of(s, span, "Process Group Ranks");
	row.more[2] = text_of(s, span, "dtype");
	row.more[3] = text_of(s, span, "In split size");
	row.more[4] = text_of(s, span, "Out split size");
	size = (double)pk_gpu_type_size(pk_texts_get(&s->result->names, row.more[2]));
	row.value[SIZE] = number_of(s, span, "Group size");
	row.value[IN] = number_of(s, span, "In msg nelems");
	row.value[OUT] = number_of(s, span, "Out msg nelems");
	row.value[IN_MB] = size > 0 ? row.value[IN] * size / (1 << 20) : NAN;
	row.value[OUT_MB] = size > 0 ? row.value[OUT] * size / (1 << 20) : NAN;
	return row;
}

/* The number of the row with these arguments, from 1. */
static uint32_t number_of_row(struct pk_tracelens *s, struct pk_id_map *rows,
			      const struct pk_gpu_row *row)
{
	PK_BUF_AUTO key = PK_BUF_INIT;

	pk_buf_addf(&key, "%u %lld %.17g %.17g %.17g", row->text, (long long)row->stream,
		    row->value[SIZE], row->value[IN], row->value[OUT]);
	for (int i = 0; i < PK_GPU_ROW_MORE; i++)
		pk_buf_addf(&key, " %u", row->more[i]);
	return pk_id_map_number(rows, pk_texts_put(&s->result->names, key.data, key.len));
}

void pk_tracelens_add_collectives(struct pk_tracelens *s)
{
	struct pk_gpu_rows *t = s->result;
	struct pk_id_map rows = {.count = 0};

	for (uint32_t i = 0; i < s->count; i++) {
		const struct pk_tracelens_work *w = &s->work[i];
		struct pk_gpu_row one;
		uint32_t number;
		double *v, apart;

		if (w->kind != PK_TRACELENS_COMMUNICATION)
			continue;
		one = describe(s, w->span);
		if (!one.text) /* the trace does not say what it is */
			continue;
		number = number_of_row(s, &rows, &one);
		if (number > t->count) {
			one.value[SUM] = one.value[COUNT] = one.value[MEAN] = one.value[DEVIATION] =
				0;
			one.value[LEAST] = INFINITY;
			*pk_gpu_rows_add(t) = one;
		}
		v = t->row[number - 1].value;
		apart = w->duration - v[MEAN];
		v[SUM] += w->duration;
		v[COUNT]++;
		v[MEAN] += apart / v[COUNT];
		v[DEVIATION] += apart * (w->duration - v[MEAN]);
		v[LEAST] = fmin(v[LEAST], w->duration);
		v[MOST] = fmax(v[MOST], w->duration);
	}
	for (size_t i = 0; i < t->count; i++) {
		double *v = t->row[i].value;

		v[MEAN] = v[SUM] / v[COUNT];
		v[DEVIATION] = v[COUNT] > 1 ? sqrt(v[DEVIATION] / (v[COUNT] - 1)) : NAN;
	}
	pk_tracelens_sort(t);
	pk_id_map_release(&rows);
}
