/*
 * CSV of Google Benchmark. Rows do not say what they are:
 *
 *	name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message
 *	"sort/64",10498,32834.8,2604.77,ns,,,,,
 *	"sort_BigO",,113.794,9.11403,NlgN,,,,,
 *	"sort_RMS",,4.87096e-11,5.86317e-11,,,,,,
 *	"skipped",,,,,,,,true,"it does not work, ""quoted"""
 *
 * A name with "_mean", "_median" or "_stddev" is a statistic if there are all three. RMS is divided
 * by the unit of time, which the row lacks: it is left out.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/google_benchmark/internal.h"

struct table {
	struct google_benchmark *g;
	const char *at, *end;
	size_t line;
	uint32_t *column; /* strings: names of columns */
	size_t columns, columns_alloc;
	struct gb_row *row;
	size_t rows, rows_alloc;
};

/* Takes a field, unquoted, and the comma behind it; *last: the line ends. */
static void take_field(struct table *t, struct pk_buf *field, bool *last)
{
	bool quoted = t->at < t->end && *t->at == '"';

	field->len = 0;
	pk_buf_adds(field, "");
	for (t->at += quoted; t->at < t->end; t->at++) {
		char c = *t->at;

		if (quoted && c == '"') {
			quoted = t->at + 1 < t->end && t->at[1] == '"';
			if (!quoted)
				continue;
			t->at++;
		} else if (!quoted && (c == ',' || c == '\n')) {
			break;
		}
		t->line += c == '\n';
		if (quoted || c != '\r')
			pk_buf_addc(field, c);
	}
	*last = t->at >= t->end || *t->at == '\n';
	t->line += t->at < t->end && *last;
	t->at += t->at < t->end;
}

static double number_of(const struct pk_buf *field)
{
	double value;

	return field->len && pk_parse_real(field->data, field->len, &value) == field->len ? value
											  : NAN;
}

static void set_field(struct table *t, struct gb_row *row, size_t column,
		      const struct pk_buf *field)
{
	struct pk_builder *b = t->g->b;
	const char *name = pk_text(pk_builder_profile(b), t->column[column]);
	double number = number_of(field);

	if (!field->len)
		return;
	if (!strcmp(name, "name")) {
		row->name = row->run_name = pk_build_string(b, field->data, field->len);
	} else if (!strcmp(name, "iterations")) {
		row->iterations = isnan(number) ? PK_NULL : (int64_t)fmin(fmax(number, 0), 1e18);
	} else if (!strcmp(name, "real_time")) {
		row->time[0] = number;
	} else if (!strcmp(name, "cpu_time")) {
		row->time[1] = number;
	} else if (!strcmp(name, "time_unit")) {
		row->unit = pk_build_string(b, field->data, field->len);
	} else if (!strcmp(name, "label")) {
		row->label = pk_build_string(b, field->data, field->len);
	} else if (!strcmp(name, "error_occurred")) {
		row->failed = !strcmp(field->data, "true");
	} else if (!strcmp(name, "error_message")) {
		row->error = pk_build_string(b, field->data, field->len);
	} else if (!isnan(number)) {
		PK_GROW(row->counter, row->counters + 1, row->counters_alloc);
		row->counter[row->counters++] = (struct gb_counter){t->column[column], number};
	}
}

static int read_row(struct table *t, bool *ended)
{
	PK_BUF_AUTO field = PK_BUF_INIT;
	size_t line = t->line, i = 0;
	struct gb_row *row;
	bool last = false;

	PK_GROW(t->row, t->rows + 1, t->rows_alloc);
	row = &t->row[t->rows];
	*row = (struct gb_row){0};
	pk_gb_row_clear(row);
	for (; !last; i++) {
		take_field(t, &field, &last);
		if (i < t->columns)
			set_field(t, row, i, &field);
	}
	*ended = t->at >= t->end;
	if (i == 1 && !field.len) { /* a blank line */
		free(row->counter);
		return 0;
	}
	if (i < t->columns) {
		free(row->counter);
		return pk_build_repair_line(t->g->b, t->g->err, "row that is cut off ignored",
					    line);
	}
	t->rows++;
	return 0;
}

static void read_header(struct table *t)
{
	PK_BUF_AUTO field = PK_BUF_INIT;
	bool last = false;

	while (!last) {
		take_field(t, &field, &last);
		PK_GROW(t->column, t->columns + 1, t->columns_alloc);
		t->column[t->columns++] = pk_build_string(t->g->b, field.data, field.len);
	}
}

/* "sort_mean" is the mean of sort if there are sort_median and sort_stddev, too. The rows of a
 * benchmark follow each other. */
static void find_aggregate(struct table *t, size_t row)
{
	static const char *const words[] = {"mean", "median", "stddev", "cv"};
	const struct pk_profile *p = pk_builder_profile(t->g->b);
	const char *name = pk_text(p, t->row[row].name), *mark = strrchr(name, '_');
	unsigned found = 0;

	for (size_t i = row > 3 ? row - 3 : 0; mark && i < row + 4 && i < t->rows; i++) {
		const char *other = pk_text(p, t->row[i].name);

		for (size_t k = 0; k < 4; k++)
			if (!strncmp(name, other, (size_t)(mark + 1 - name)) &&
			    !strcmp(other + (mark + 1 - name), words[k]))
				found |= 1U << k;
	}
	for (size_t k = 0; (found & 7) == 7 && k < 4; k++)
		if (!strcmp(mark + 1, words[k])) {
			t->row[row].aggregate = pk_build_text(t->g->b, words[k]);
			t->row[row].fraction = k == 3;
			t->row[row].run_name =
				pk_build_string(t->g->b, name, (size_t)(mark - name));
		}
}

/* Rows of complexity have no iterations. */
static bool find_complexity(struct table *t, struct gb_row *row)
{
	const char *name = pk_text(pk_builder_profile(t->g->b), row->name);
	const char *mark = strrchr(name, '_');

	if (row->iterations != PK_NULL || row->failed || !mark)
		return false;
	if (!strcmp(mark, "_BigO")) {
		row->big_o = row->unit;
		row->unit = 0;
		memcpy(row->coefficient, row->time, sizeof(row->time));
		row->run_name = pk_build_string(t->g->b, name, (size_t)(mark - name));
	}
	return !strcmp(mark, "_BigO") || !strcmp(mark, "_RMS");
}

static int add_rows(struct table *t)
{
	for (size_t i = 0; i < t->rows; i++) {
		struct gb_row *row = &t->row[i];

		find_aggregate(t, i);
		if (find_complexity(t, row) && !row->big_o)
			continue;
		if (pk_gb_add_row(t->g, row))
			return -1;
	}
	return 0;
}

int pk_gb_read_csv(struct google_benchmark *g, struct pk_input *in)
{
	struct table t = {.g = g, .line = 1};
	size_t len;
	bool ended;
	int status = 0;

	g->rounded = true;
	t.at = (const char *)pk_input_all(in, &len);
	t.end = t.at + len;
	read_header(&t);
	for (ended = t.at >= t.end; !ended && !status;)
		status = read_row(&t, &ended);
	if (!status)
		status = add_rows(&t);
	for (size_t i = 0; i < t.rows; i++)
		free(t.row[i].counter);
	free(t.row);
	free(t.column);
	return status ? status : pk_input_check(in, g->err);
}
