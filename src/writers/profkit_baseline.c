/*
 * Baselines of profkit check: see readers/profkit_baseline.c for the form.
 * Lines are sorted by name, and addresses in names ("<lambda> at 0x7f00") are left out, so
 * that a new baseline differs only where the program does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "model/totals.h"
#include "writers/writer.h"

struct baseline_params {
	const char *host;
};

/* A function of all runs, and the texts that identify it. */
struct row {
	const char *text[4]; /* file, function, module, kind */
	uint32_t line, metric, run;
	int64_t calls, primitive_calls, self, total;
};

struct writing {
	const struct pk_profiles *list;
	struct pk_json_writer json;
	struct row *row;
	size_t count, alloc;
	int64_t *value; /* per run */
	struct pk_arena names;
};

/* The name without an address such as " at 0x7f00". */
static const char *lasting_name(struct writing *w, const char *name)
{
	static const char sign[] = " at 0x";
	const char *at = strstr(name, sign), *end;

	if (!at)
		return name;
	end = at + sizeof(sign) - 1;
	end += strspn(end, "0123456789abcdefABCDEF");
	return pk_arena_printf(&w->names, "%.*s%s", (int)(at - name), name, end);
}

static int compare_keys(const struct row *a, const struct row *b)
{
	int order = strcmp(a->text[0], b->text[0]);

	if (!order && a->line != b->line)
		return a->line < b->line ? -1 : 1;
	for (int i = 1; i < 4 && !order; i++)
		order = strcmp(a->text[i], b->text[i]);
	return order ? order : (a->metric > b->metric) - (a->metric < b->metric);
}

PK_COMPARE(compare_rows, struct row, compare_keys(a, b) ?: PK_ORDER(a->run, b->run))

/* The metric of run r that corresponds to metric m of the first run; 0 = none. */
static uint32_t same_metric(const struct writing *w, uint32_t m, size_t r)
{
	const struct pk_profile *first = w->list->item[0], *p = w->list->item[r];

	for (uint32_t i = 1; i < p->metric.count; i++) {
		if (!strcmp(pk_text(p, p->metric.name[i]), pk_text(first, first->metric.name[m])) &&
		    !strcmp(pk_metric_unit(p, i), pk_metric_unit(first, m)) &&
		    p->metric.exponent[i] <= first->metric.exponent[m])
			return i;
	}
	return 0;
}

static void collect(struct writing *w, uint32_t metric, size_t run)
{
	const struct pk_profile *p = w->list->item[run];
	uint32_t m = same_metric(w, metric, run);
	struct pk_functions functions;
	int64_t factor = 1;

	if (!m)
		return;
	for (int e = p->metric.exponent[m]; e < w->list->item[0]->metric.exponent[metric]; e++)
		factor = pk_mul_saturated(factor, 10);
	pk_functions_init(&functions, p, m);
	for (uint32_t i = 0; i < functions.count; i++) {
		const struct pk_function_total *f = &functions.row[i];
		const struct pk_function_table *t = &p->function;

		PK_GROW(w->row, w->count + 1, w->alloc);
		w->row[w->count++] = (struct row){
			.text = {pk_text(p, t->file[f->function]),
				 lasting_name(w, pk_text(p, t->name[f->function])),
				 pk_text(p, t->module[f->function]),
				 pk_function_kinds[t->kind[f->function]]},
			.line = t->line[f->function],
			.metric = metric,
			.run = (uint32_t)run,
			.calls = f->calls,
			.primitive_calls = f->primitive_calls,
			.self = pk_mul_saturated(f->self, factor),
			.total = pk_mul_saturated(f->total, factor),
		};
	}
	pk_functions_release(&functions);
}

/* Adds up functions of one run that differ only in addresses. */
static void join_equal(struct writing *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->count; i++) {
		struct row *last = kept ? &w->row[kept - 1] : NULL, *row = &w->row[i];

		if (!last || compare_rows(last, row) != 0) {
			w->row[kept++] = *row;
			continue;
		}
		pk_add_saturated(&last->self, row->self);
		pk_add_saturated(&last->total, row->total);
		if (last->calls != PK_NULL && row->calls != PK_NULL)
			pk_add_saturated(&last->calls, row->calls);
		if (last->primitive_calls != PK_NULL && row->primitive_calls != PK_NULL)
			pk_add_saturated(&last->primitive_calls, row->primitive_calls);
	}
	w->count = kept;
}

static void put_text(struct pk_json_writer *j, const char *key, const char *text)
{
	if (!*text)
		return;
	pk_json_put_text(j, key, text);
}

/* Writes a member of rows[0..count): a list of the values by run, or a number if all runs agree;
 * nothing if no value is known. */
static void put_values(struct writing *w, const char *key, const struct row *rows, size_t count,
		       size_t member, bool one_for_all)
{
	size_t runs = w->list->count;
	bool known = false, equal = true;

	for (size_t r = 0; r < runs; r++)
		w->value[r] = PK_NULL;
	for (size_t i = 0; i < count; i++)
		w->value[rows[i].run] =
			*(const int64_t *)(const void *)((const char *)&rows[i] + member);
	for (size_t r = 0; r < runs; r++) {
		known |= w->value[r] != PK_NULL;
		equal &= w->value[r] == w->value[0];
	}
	if (!known)
		return;
	pk_json_key(&w->json, key);
	if (equal && one_for_all) {
		pk_json_int(&w->json, w->value[0]);
		return;
	}
	pk_json_array(&w->json);
	for (size_t r = 0; r < runs; r++)
		pk_json_int_or_null(&w->json, w->value[r]);
	pk_json_end(&w->json);
}

static void put_function(struct writing *w, const struct row *rows, size_t count)
{
	struct pk_json_writer *j = &w->json;

	pk_json_object(j);
	pk_json_put_text(j, "function", rows->text[1]);
	put_text(j, "module", rows->text[2]);
	put_text(j, "file", rows->text[0]);
	if (rows->line)
		pk_json_put_int(j, "line", rows->line);
	if (strcmp(rows->text[3], pk_function_kinds[PK_KIND_UNKNOWN]) != 0)
		put_text(j, "kind", rows->text[3]);
	if (rows->metric > 1)
		pk_json_put_int(j, "metric", rows->metric);
	put_values(w, "calls", rows, count, offsetof(struct row, calls), true);
	put_values(w, "primitive_calls", rows, count, offsetof(struct row, primitive_calls), true);
	put_values(w, "self", rows, count, offsetof(struct row, self), false);
	put_values(w, "total", rows, count, offsetof(struct row, total), false);
	pk_json_end(j);
}

static void put_metrics(struct pk_json_writer *j, const struct pk_profile *p)
{
	pk_json_put_array(j, "metrics");
	for (uint32_t m = 1; m < p->metric.count; m++) {
		pk_json_object(j);
		put_text(j, "name", pk_text(p, p->metric.name[m]));
		put_text(j, "unit", pk_metric_unit(p, m));
		if (p->metric.exponent[m])
			pk_json_put_int(j, "exponent", p->metric.exponent[m]);
		put_text(j, "kind", pk_metric_kinds[p->metric.kind[m]]);
		put_text(j, "exactness", pk_exactness_names[p->metric.exactness[m]]);
		pk_json_end(j);
	}
	pk_json_end(j);
}

/* The text up to the reader's signature is written without the JSON writer, because it has
 * blanks. */
static void put_header(struct writing *w, const struct baseline_params *params,
		       struct pk_output *out)
{
	const struct pk_profile *p = w->list->item[0];
	const char *host = params->host ? params->host : pk_text(p, p->run.host[1]);
	PK_BUF_AUTO rest = PK_BUF_INIT;
	struct pk_output *buffer = pk_output_to_buf(&rest);
	struct pk_error ignored = PK_ERROR_INIT;

	pk_json_init(&w->json, buffer, 0);
	pk_json_object(&w->json);
	pk_json_put_int(&w->json, "version", 1);
	pk_json_put_int(&w->json, "runs", (int64_t)w->list->count);
	put_text(&w->json, "producer", pk_text(p, p->run.producer[1]));
	put_text(&w->json, "command", pk_text(p, p->run.command[1]));
	put_text(&w->json, "host", host);
	if (pk_metric_period(p, 1) > 0)
		pk_json_put_int(&w->json, "period", pk_metric_period(p, 1));
	put_metrics(&w->json, p);
	pk_json_end(&w->json);
	pk_output_commit(buffer, &ignored);
	pk_output_puts(out, "{\"profkit\": \"baseline\", ");
	pk_output_write(out, rest.data + 1, rest.len - 1);
}

static int write(const struct pk_profiles *list, const void *params, struct pk_output *out,
		 struct pk_error *err)
{
	struct writing w = {.list = list};
	size_t end;

	(void)err;
	w.value = pk_malloc(pk_mul(list->count, sizeof(*w.value)));
	for (size_t r = 0; r < list->count; r++) {
		for (uint32_t m = 1; m < list->item[0]->metric.count; m++)
			collect(&w, m, r);
	}
	pk_sort(w.row, w.count, sizeof(*w.row), compare_rows);
	join_equal(&w);
	put_header(&w, params, out);
	pk_json_init(&w.json, out, 0);
	for (size_t i = 0; i < w.count; i = end) {
		for (end = i + 1; end < w.count && !compare_keys(&w.row[i], &w.row[end]);)
			end++;
		put_function(&w, &w.row[i], end - i);
	}
	free(w.row);
	free(w.value);
	pk_arena_release(&w.names);
	return 0;
}

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "host", 0, offsetof(struct baseline_params, host), "TEXT",
	 .help = "machine on which the runs were recorded"},
	PK_OPT_LAST,
};

static const char *const suffixes[] = {".baseline", NULL};

const struct pk_writer pk_writer_profkit_baseline = {
	.name = "profkit-baseline",
	.title = "baseline of profkit check: functions of several runs as lines of JSON",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct baseline_params),
	.keeps = PK_PART_CALLS | PK_PART_FILES | PK_PART_METRICS,
	.many = true,
	.benchmarks = true,
	.write = write,
};
