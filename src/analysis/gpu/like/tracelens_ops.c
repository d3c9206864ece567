/* Sheets of TraceLens about operators: ops_summary_by_category and ops_unique_args. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/tracelens_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/build/id_map.h"

struct sheet { /* that is being made */
	struct pk_id_map rows;
	uint32_t *category; /* by span */
	struct call {       /* of an operator, us */
		uint32_t row;
		double direct, subtree;
	} * call;
	size_t calls, alloc;
};

/* Calls fn for each launcher with its parts. */
static void each_launcher(struct pk_tracelens *s,
			  void (*fn)(struct pk_tracelens *s, struct sheet *sheet,
				     const struct pk_tracelens_part *part, size_t count),
			  struct sheet *sheet)
{
	struct pk_tracelens_parts parts = {.count = 0};

	sheet->category = pk_tracelens_categories(s, false);
	pk_tracelens_parts(s, &parts);
	for (size_t i = 0, end; i < parts.count; i = end) {
		for (end = i;
		     end < parts.count && parts.item[end].launcher == parts.item[i].launcher; end++)
			;
		fn(s, sheet, parts.item + i, end - i);
	}
	pk_id_map_release(&sheet->rows);
	free(sheet->category);
	free(parts.item);
}

/* Sets shares of value[from] of all rows, and sums of these down to each row. */
static void add_shares(struct pk_gpu_rows *t, int from, int to)
{
	double sum = 0, shares = 0;

	pk_tracelens_sort(t);
	for (size_t i = 0; i < t->count; i++)
		sum += t->row[i].value[from];
	for (size_t i = 0; i < t->count; i++) {
		t->row[i].value[to] = 100 * t->row[i].value[from] / sum;
		t->row[i].value[to + 1] = shares += t->row[i].value[to];
	}
}

static void add_to_category(struct pk_tracelens *s, struct sheet *sheet,
			    const struct pk_tracelens_part *part, size_t count)
{
	uint32_t name = sheet->category[part->launcher];
	uint32_t number = pk_id_map_number(&sheet->rows, name);
	struct pk_gpu_row *row;

	if (number > s->result->count) {
		row = pk_gpu_rows_add(s->result);
		row->text = name;
		row->value[0] = row->value[1] = 0;
	}
	row = &s->result->row[number - 1];
	row->value[0] += pk_tracelens_busy(part, count, true) / 1000;
	row->value[1]++;
}

void pk_tracelens_add_categories(struct pk_tracelens *s)
{
	struct sheet sheet = {.calls = 0};

	each_launcher(s, add_to_category, &sheet);
	add_shares(s->result, 0, 2);
}

/* The arguments in the columns behind process and thread. */
static const char *const arguments[] = {"Input Dims", "Input type", "Input Strides",
					"Concrete Inputs"};

static void add_call(struct pk_tracelens *s, struct sheet *sheet,
		     const struct pk_tracelens_part *part, size_t count)
{
	const struct pk_profile *p = s->profile;
	uint32_t thread = p->span.thread[part->launcher];
	struct pk_gpu_row key = {.text = 0}, *row;
	PK_BUF_AUTO text = PK_BUF_INIT, all = PK_BUF_INIT;
	uint32_t number;

	key.text = pk_tracelens_keep(s, pk_launches_name(&s->launches, part->launcher));
	key.kind = sheet->category[part->launcher];
	key.more[0] = pk_tracelens_keep(s, pk_text(p, p->process.name[p->thread.process[thread]]));
	key.more[1] = pk_tracelens_keep(s, pk_text(p, p->thread.name[thread]));
	for (size_t i = 0; i < sizeof(arguments) / sizeof(*arguments); i++) {
		text.len = 0;
		pk_tracelens_tuple(&text, s, part->launcher, arguments[i]);
		key.more[2 + i] =
			text.len ? pk_texts_put(&s->result->names, text.data, text.len) : 0;
	}
	pk_buf_addf(&all, "%u %u", key.text, key.kind);
	for (int i = 0; i < PK_GPU_ROW_MORE; i++)
		pk_buf_addf(&all, " %u", key.more[i]);
	number = pk_id_map_number(&sheet->rows, pk_texts_put(&s->result->names, all.data, all.len));
	if (number > s->result->count) {
		row = pk_gpu_rows_add(s->result);
		row->text = key.text;
		row->kind = key.kind;
		memcpy(row->more, key.more, sizeof(row->more));
	}
	PK_GROW(sheet->call, sheet->calls + 1, sheet->alloc);
	sheet->call[sheet->calls++] =
		(struct call){number - 1, pk_tracelens_busy(part, count, true),
			      pk_tracelens_busy(part, count, false)};
}

PK_COMPARE(by_row, struct call, PK_ORDER(a->row, b->row))

/* mean, median, sample deviation, least, most and sum, each two values apart: those of direct and
 * subtree times alternate. */
static void describe(double *value, double *time, size_t count)
{
	double sum = 0, squares = 0;

	qsort(time, count, sizeof(*time), pk_compare_reals);
	for (size_t i = 0; i < count; i++)
		sum += time[i];
	for (size_t i = 0; i < count; i++)
		squares += (time[i] - sum / (double)count) * (time[i] - sum / (double)count);
	value[0] = sum / (double)count;
	value[2] = (time[(count - 1) / 2] + time[count / 2]) / 2;
	value[4] = count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
	value[6] = time[0];
	value[8] = time[count - 1];
	value[10] = sum;
}

enum { A_SUM, A_COUNT, A_TIMES, A_SHARE = A_TIMES + 12 };

void pk_tracelens_add_arguments(struct pk_tracelens *s)
{
	struct sheet sheet = {.calls = 0};
	struct call *call;
	PK_FREED double *time = NULL;

	each_launcher(s, add_call, &sheet);
	call = sheet.call;
	time = pk_malloc(pk_mul(sheet.calls + 1, sizeof(*time)));
	pk_sort(call, sheet.calls, sizeof(*call), by_row);
	for (size_t i = 0, end; i < sheet.calls; i = end) {
		double *value = s->result->row[call[i].row].value;

		for (end = i; end < sheet.calls && call[end].row == call[i].row; end++)
			time[end - i] = call[end].direct;
		describe(value + A_TIMES, time, end - i);
		for (size_t k = i; k < end; k++)
			time[k - i] = call[k].subtree;
		describe(value + A_TIMES + 1, time, end - i);
		value[A_COUNT] = (double)(end - i);
		value[A_SUM] = value[A_TIMES + 10];
	}
	add_shares(s->result, A_SUM, A_SHARE);
	free(call);
}
