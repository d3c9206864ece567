/*
 * What commands that show one table have in common: title, total, order, and the line about what
 * was left out.
 */
#include "tools/table.h"

#include <math.h>

#include "analysis/lines/lines.h"
#include "analysis/workers/async.h"
#include "base/num/units.h"
#include "model/label.h"
#include "tools/load/kinds.h"

void pk_table_inputs(struct pk_buf *buf, const struct pk_profiles *runs)
{
	enum { NAMED = 3 };
	size_t files = pk_files_of_runs(runs, 0), named = files > NAMED ? NAMED - 1 : files;
	size_t count, i = 0;

	for (; named--; i += count) {
		const struct pk_profile *p = runs->item[i];

		count = pk_runs_of_file(runs, i);
		pk_buf_adds(buf, i ? ", " : "");
		pk_buf_add_visible(buf, pk_text(p, p->run.source[1]));
		pk_buf_addf(buf, " (%s", pk_text(p, p->run.format[1]));
		if (count > 1)
			pk_buf_addf(buf, ", %zu runs", count);
		pk_buf_addc(buf, ')');
	}
	if (i < runs->count)
		pk_buf_addf(buf, " and %zu more", pk_files_of_runs(runs, i));
	if (runs->count > 1)
		pk_buf_adds(buf, pk_is_benchmark(runs->item[0]) ? ", with the values of all"
								: ", added");
}

void pk_table_value(struct pk_buf *buf, const struct pk_profile *p, uint32_t metric, int64_t value)
{
	int exponent = p->metric.exponent[metric];

	if (exponent && p->metric.kind[metric] == PK_METRIC_COUNT)
		pk_format_decimal(buf, value, exponent);
	else
		pk_format_scaled(buf, value, pk_metric_unit(p, metric), exponent);
}

/* hint: how other metrics are chosen; loaded: NULL = it does not matter what it was made of. */
static void add_total(struct pk_buf *buf, const struct pk_profile *p, uint32_t metric,
		      int64_t total, const char *hint, const struct pk_loaded *loaded)
{
	size_t having = 0, all = 0;
	enum pk_exactness exactness = p->metric.exactness[metric];
	uint32_t more = p->metric.count - 2;
	const char *before = " (";

	pk_format_scaled(buf, total, pk_metric_unit(p, metric), p->metric.exponent[metric]);
	if (loaded)
		pk_kinds_count(loaded->kinds, p, metric, &having, &all);
	if (having < all) {
		pk_buf_addf(buf, "%sof %zu of %zu inputs", before, having, all);
		before = "; ";
	}
	if (exactness != PK_EXACT) {
		pk_buf_addf(buf, "%s%s", before, pk_exactness_names[exactness]);
		before = "; ";
	}
	if (p->metric.kind[metric] == PK_METRIC_TIME && pk_lines_include_calls(p)) {
		pk_buf_addf(buf, "%swith the functions called", before);
		before = "; ";
	}
	if (more) {
		pk_buf_addf(buf, "%s%u more metric%s%s", before, more, more == 1 ? "" : "s", hint);
		before = "; ";
	}
	if (*before == ';')
		pk_buf_addc(buf, ')');
}

void pk_table_total(struct pk_buf *buf, const struct pk_profile *p, uint32_t metric, int64_t total)
{
	add_total(buf, p, metric, total, ": -m", NULL);
}

static void add_title(struct pk_buf *buf, const struct pk_table_frame *frame, const char *hint)
{
	const struct pk_profile *p = frame->profile;

	pk_table_inputs(buf, &frame->loaded->runs);
	pk_buf_addf(buf, ": %s ", pk_text(p, p->metric.name[frame->metric]));
	add_total(buf, p, frame->metric, frame->total, hint, frame->loaded);
	if (frame->loaded->filters.len)
		pk_buf_addf(buf, " with%s", frame->loaded->filters.data);
}

void pk_table_title(struct pk_buf *buf, const struct pk_table_frame *frame)
{
	add_title(buf, frame, ": -m");
}

void pk_table_page_title(struct pk_buf *buf, const struct pk_table_frame *frame)
{
	add_title(buf, frame, "");
}

void pk_table_members(struct pk_json_writer *w, void *data)
{
	const struct pk_table_frame *frame = data;

	pk_write_inputs(w, &frame->loaded->runs);
	pk_write_metric(w, frame->profile, frame->metric);
	pk_json_put(w, "total %.*jd rows_total %jd", frame->profile->metric.exponent[frame->metric],
		    frame->total, (int64_t)frame->rows_total);
}

int pk_table_sort(const struct pk_common *c, enum pk_sort_key fallback, struct pk_sort *sort,
		  struct pk_error *err)
{
	*sort = (struct pk_sort){.key = {fallback}, .count = 1, .reverse = c->reverse};
	if (c->sort && pk_sort_parse(sort, c->sort, err))
		return pk_fail_context(err, "--sort");
	return 0;
}

static void add_tasks(struct pk_buf *buf, const struct pk_hotspots *h)
{
	const struct pk_profile *p = h->profile;
	bool time = p->metric.kind[h->metric] == PK_METRIC_TIME;
	int64_t twice = time ? pk_async_twice(p, h->metric) : 0;

	if (!twice)
		return;
	pk_format_scaled(buf, twice, pk_metric_unit(p, h->metric), p->metric.exponent[h->metric]);
	pk_buf_adds(buf, " count twice: in tasks of asyncio, and as self of what runs them "
			 "(Context.run); see profkit workers --by task\n");
}

void pk_table_left_out(struct pk_buf *buf, const struct pk_hotspots *h, size_t shown)
{
	bool time = h->profile->metric.kind[h->metric] == PK_METRIC_TIME;
	double share;
	int64_t self = 0;
	size_t i;

	if (shown >= h->count) {
		add_tasks(buf, h);
		return;
	}
	for (i = shown; i < h->count; i++)
		pk_add_saturated(&self, h->functions.row[h->order[i]].self);
	share = pk_share(self, pk_whole(h->profile, h->metric, h->functions.total));
	pk_buf_addf(buf, "… %s more function%s", pk_in_count((int64_t)(h->count - shown)).text,
		    h->count - shown == 1 ? "" : "s");
	if (!isnan(share))
		pk_buf_addf(buf, " (%s of self%s)", pk_in_percent(share).text, time ? " time" : "");
	pk_buf_adds(buf, "; --limit 0 shows all\n");
	add_tasks(buf, h);
}
