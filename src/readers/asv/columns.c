/*
 * What a file says of a benchmark: columns, each a list over the combinations of its parameters, or
 * an object of version 1. See asv.c.
 *
 *	[[1.3e-06, null], [["10", "20"]], "4f0c...", 1795346085000, 1.2, [1.2e-06, null], ...]
 */
#include <math.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/asv/internal.h"

static const struct {
	const char *name;
	enum asv_column column;
} columns[] = {
	{"result", ASV_RESULT},       {"params", ASV_PARAMS},       {"version", ASV_OTHER},
	{"started_at", ASV_STARTED},  {"duration", ASV_OTHER},      {"stats_ci_99_a", ASV_CI_A},
	{"stats_ci_99_b", ASV_CI_B},  {"stats_q_25", ASV_Q1},       {"stats_q_75", ASV_Q3},
	{"stats_number", ASV_NUMBER}, {"stats_repeat", ASV_REPEAT}, {"samples", ASV_SAMPLES},
	{"profile", ASV_PROFILE},
};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static void push(struct asv_list *list, double value)
{
	PK_GROW(list->value, list->count + 1, list->alloc);
	list->value[list->count++] = value;
}

/* The number of the token that was read; NaN if it is not finite or no number. */
static double number_at(const struct pk_json *j)
{
	double value = NAN;

	if (j->token != PK_JSON_NUMBER || pk_parse_real(j->text, j->len, &value) != j->len ||
	    !isfinite(value))
		return NAN;
	return value;
}

/* True if the value that was read begins a list; other values are skipped. */
static bool is_list(struct pk_json *j)
{
	if (j->token == PK_JSON_ARRAY)
		return true;
	pk_json_rest(j);
	return false;
}

/* Reads a list; another value counts as a list of one item. */
static void read_numbers(struct pk_json *j, struct asv_list *list)
{
	if (j->token != PK_JSON_ARRAY) {
		push(list, number_at(j));
		pk_json_rest(j);
		return;
	}
	while (pk_json_next_item(j)) {
		push(list, number_at(j));
		pk_json_rest(j);
	}
}

/* [[1.1, 1.2], null, ...] */
static void read_samples(struct asv *a)
{
	struct pk_json *j = &a->json;

	if (!is_list(j))
		return;
	while (pk_json_next_item(j)) {
		push(&a->begins, (double)a->samples.count);
		if (j->token != PK_JSON_ARRAY) {
			pk_json_rest(j);
			continue;
		}
		while (pk_json_next_item(j)) {
			push(&a->samples, number_at(j));
			pk_json_rest(j);
		}
	}
}

/* The item that was read becomes the last text of p. */
static void add_text(struct asv *a, struct asv_param *p)
{
	struct pk_json *j = &a->json;

	a->text.len = 0;
	pk_buf_adds(&a->text, "");
	if (j->token == PK_JSON_STRING || j->token == PK_JSON_NUMBER)
		pk_json_unescape(&a->text, j->text, j->len);
	pk_json_rest(j);
	PK_GROW(p->value, p->count + 1, p->alloc);
	p->value[p->count++] = pk_build_string(a->b, a->text.data, a->text.len);
}

void asv_read_texts(struct asv *a, struct asv_param *p)
{
	if (pk_json_enter(&a->json, PK_JSON_ARRAY))
		while (pk_json_next_item(&a->json))
			add_text(a, p);
}

static void read_params(struct asv *a)
{
	struct pk_json *j = &a->json;

	if (!is_list(j))
		return;
	for (a->params = 0; pk_json_next_of(j, PK_JSON_ARRAY); a->params++) {
		PK_GROW_ZERO(a->param, a->params + 1, a->params_alloc);
		a->param[a->params].count = 0;
		while (pk_json_next_item(j))
			add_text(a, &a->param[a->params]);
	}
}

static void read_started(struct asv *a)
{
	double ms = number_at(&a->json);

	pk_json_rest(&a->json);
	if (ms > 0 && ms < 9e12 && (a->started == PK_NULL || ms < (double)a->started))
		a->started = (int64_t)ms;
}

/* Called after the first token of the value was read, as are the functions that it calls. */
static void read_column(struct asv *a, enum asv_column column)
{
	if (column < ASV_NUMBERS)
		read_numbers(&a->json, &a->number[column]);
	else if (column == ASV_PARAMS)
		read_params(a);
	else if (column == ASV_SAMPLES)
		read_samples(a);
	else if (column == ASV_STARTED)
		read_started(a);
	else if (column == ASV_PROFILE && a->json.token == PK_JSON_STRING)
		a->has_profile = true;
	else
		pk_json_rest(&a->json);
}

/* "stats" of version 1: [{"ci_99": [a, b], "q_25": x, ...}, null, ...] */
static void read_stats(struct asv *a)
{
	static const struct {
		const char *name;
		enum asv_column column;
	} known[] = {
		{"q_25", ASV_Q1}, {"q_75", ASV_Q3}, {"number", ASV_NUMBER}, {"repeat", ASV_REPEAT}};
	struct pk_json *j = &a->json;

	if (!is_list(j))
		return;
	for (size_t n = 1; pk_json_next_item(j); n++) {
		bool object = j->token == PK_JSON_OBJECT;

		while (object && pk_json_next_key(j)) {
			size_t i = 0;

			while (i < 4 && !pk_json_is(j, known[i].name))
				i++;
			pk_json_next(j);
			if (i < 4 && a->number[known[i].column].count < n)
				push(&a->number[known[i].column], number_at(j));
			pk_json_rest(j);
		}
		if (!object)
			pk_json_rest(j);
		for (size_t i = 0; i < 4; i++)
			if (a->number[known[i].column].count < n)
				push(&a->number[known[i].column], NAN);
	}
}

/* After "{": a benchmark of version 1. */
static void read_old(struct asv *a)
{
	struct pk_json *j = &a->json;

	while (pk_json_next_key(j)) {
		enum asv_column column = pk_json_is(j, "result")    ? ASV_RESULT
					 : pk_json_is(j, "params")  ? ASV_PARAMS
					 : pk_json_is(j, "samples") ? ASV_SAMPLES
								    : ASV_OTHER;
		bool stats = pk_json_is(j, "stats");

		pk_json_next(j);
		if (stats)
			read_stats(a);
		else
			read_column(a, column);
	}
}

int asv_read_benchmark(struct asv *a)
{
	struct pk_json *j = &a->json;

	a->text.len = 0;
	pk_buf_adds(&a->text, "");
	pk_json_unescape(&a->text, j->text, j->len);
	a->name = pk_build_string(a->b, a->text.data, a->text.len);
	for (int i = 0; i < ASV_NUMBERS; i++)
		a->number[i].count = 0;
	a->samples.count = a->begins.count = a->params = 0;
	a->has_profile = false;
	pk_json_next(j);
	if (j->token == PK_JSON_ARRAY) {
		for (size_t i = 0; pk_json_next_item(j); i++)
			read_column(a, i < a->columns ? a->column[i] : ASV_OTHER);
	} else if (j->token == PK_JSON_OBJECT) {
		read_old(a);
	} else {
		push(&a->number[ASV_RESULT], number_at(j));
	}
	return j->token > PK_JSON_END ? asv_add_benchmark(a) : 0;
}

static void add_column(struct asv *a, enum asv_column column)
{
	PK_GROW(a->column, a->columns + 1, a->columns_alloc);
	a->column[a->columns++] = column;
}

void asv_usual_columns(struct asv *a)
{
	for (int i = 0; i < COLUMNS; i++)
		add_column(a, columns[i].column);
}

void asv_use_columns(struct asv *a)
{
	struct pk_json *j = &a->json;

	a->columns = 0;
	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return;
	while (pk_json_next_item(j)) {
		enum asv_column column = ASV_OTHER;

		for (int i = 0; i < COLUMNS; i++)
			if (j->token == PK_JSON_STRING && pk_json_is(j, columns[i].name))
				column = columns[i].column;
		pk_json_rest(j);
		add_column(a, column);
	}
}
