/* The lines above the table of `memory`: the peak, and memory over time as a curve of letters. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/totals.h"
#include "render/memory/grid.h"

static void add_bytes(struct pk_buf *buf, int64_t value)
{
	pk_format_value_unit(buf, value, "bytes");
}

/* ", 12 allocations" */
static void add_count(struct pk_buf *buf, const struct pk_profile *p, uint32_t metric)
{
	int64_t count = pk_metric_total(p, pk_memory_count(p, metric));

	if (count != PK_NULL)
		pk_buf_addf(buf, " in %s allocation%s", pk_in_count(count).text,
			    count == 1 ? "" : "s");
}

static void add_metric(struct pk_buf *buf, const struct pk_memory *m, enum pk_memory_kind kind,
		       const char *words)
{
	uint32_t metric = m->metric[kind];

	if (!metric)
		return;
	if (buf->len)
		pk_buf_adds(buf, "; ");
	pk_buf_addf(buf, "%s ", words);
	add_bytes(buf, pk_metric_total(m->profile, metric));
	add_count(buf, m->profile, metric);
}

void pk_memory_moment(struct pk_buf *buf, const struct pk_memory_view *view)
{
	const struct pk_memory *m = view->memory;
	bool history = m->metric[PK_MEMORY_PEAK] || m->metric[PK_MEMORY_ALLOCATED];

	if (view->moment) {
		pk_buf_adds(buf, view->moment);
		return;
	}
	if (m->since != PK_NULL)
		pk_buf_addf(buf, "allocated after %s and ", pk_in_ns(m->since).text);
	if (m->end != PK_NULL)
		pk_buf_addf(buf, "alive at %s", pk_in_ns(m->end).text);
	else
		pk_buf_adds(buf, history ? "alive at the end" : "alive in the snapshot");
}

const char *pk_memory_allocated(const struct pk_memory *memory)
{
	const struct pk_profile *p = memory->profile;
	uint32_t metric = memory->metric[PK_MEMORY_ALLOCATED];

	if (metric && p->metric.exactness[metric] == PK_SAMPLED)
		return "allocated (sampled)";
	return pk_meta_find(p, "allocated before the history begins")
		       ? "allocated since the history begins"
		       : "allocated in all";
}

void pk_memory_summary(struct pk_buf *buf, const struct pk_memory_view *view)
{
	const struct pk_memory *m = view->memory;
	PK_BUF_AUTO rest = PK_BUF_INIT;
	PK_BUF_AUTO moment = PK_BUF_INIT;
	int64_t at, peak = pk_memory_peak(m, &at);

	if (peak != PK_NULL) {
		pk_buf_adds(buf, "peak ");
		add_bytes(buf, peak);
		add_count(buf, m->profile, m->metric[PK_MEMORY_PEAK]);
		if (at != PK_NULL)
			pk_buf_addf(buf, " at %s of %s", pk_in_ns(at).text,
				    pk_in_ns(m->duration).text);
		pk_buf_addc(buf, '\n');
	}
	pk_memory_moment(&moment, view);
	add_metric(&rest, m, PK_MEMORY_LEAKED, moment.data);
	add_metric(&rest, m, PK_MEMORY_TEMPORARY, "freed at once");
	add_metric(&rest, m, PK_MEMORY_ALLOCATED, pk_memory_allocated(m));
	if (rest.len)
		pk_buf_addf(buf, "%s\n", rest.data);
	pk_memory_torch(buf, m->profile);
}

enum { ROWS = 6, EIGHTHS = 8 };

/* A column of the curve within a row: an eighth of a block or more, from the bottom. */
static void add_block(struct pk_buf *buf, int64_t value, int64_t highest, int row)
{
	int64_t level =
		value <= 0 ? 0 : (int64_t)((double)value / (double)highest * ROWS * EIGHTHS + 0.5);

	level -= (int64_t)row * EIGHTHS;
	level = level < 0 ? 0 : level > EIGHTHS ? EIGHTHS : level;
	if (level)
		pk_buf_addf(buf, "\xE2\x96%c", (char)(0x80 + level));
	else
		pk_buf_addc(buf, ' ');
}

static void trim(struct pk_buf *buf)
{
	while (buf->len && buf->data[buf->len - 1] == ' ')
		buf->data[--buf->len] = '\0';
}

void pk_memory_series_name(struct pk_buf *buf, const struct pk_profile *p,
			   const struct pk_memory_series *s)
{
	const char *name = pk_text(p, s->name);

	if (strcmp(name, "memory"))
		pk_buf_addf(buf, "%s, ", name);
	pk_buf_adds(buf, pk_text(p, s->series));
	pk_of_process(buf, p, s->process);
}

void pk_memory_curve_name(struct pk_buf *buf, const struct pk_memory *m)
{
	const struct pk_memory_series *s = pk_memory_shown(m);

	if (m->series_drawn && s)
		pk_memory_series_name(buf, m->profile, s);
	else
		pk_buf_adds(buf, "alive");
	pk_buf_adds(buf, " over time");
}

void pk_memory_plot(struct pk_buf *buf, const struct pk_memory *m, int width)
{
	const struct pk_memory_series *s = pk_memory_shown(m);
	enum { WIDEST = 80, MARGIN = 11, NARROWEST = 20 };
	int columns = (width > 0 && width < WIDEST ? width : WIDEST) - MARGIN - 1;
	PK_FREED int64_t *value = NULL;
	PK_BUF_AUTO most = PK_BUF_INIT;
	PK_BUF_AUTO end = PK_BUF_INIT;
	int64_t highest;

	if (m->steps < 2 && (!s || s->count < 2))
		return;
	columns = columns < NARROWEST ? NARROWEST : columns;
	value = pk_malloc(pk_mul((size_t)columns, sizeof(*value)));
	highest = pk_memory_curve(m, value, (uint32_t)columns);
	if (highest <= 0 || m->duration <= 0)
		return;
	add_bytes(&most, highest);
	pk_buf_adds(&end, pk_in_ns(m->duration).text);
	pk_buf_addc(buf, '\n');
	pk_memory_curve_name(buf, m);
	pk_buf_addc(buf, '\n');
	for (int row = ROWS; row-- > 0;) {
		pk_buf_addf(buf, "%*s%s", MARGIN - 1,
			    row == ROWS - 1 ? most.data
			    : row           ? ""
					    : "0",
			    "\xE2\x94\x82");
		for (int k = 0; k < columns; k++)
			add_block(buf, value[k], highest, row);
		trim(buf);
		pk_buf_addc(buf, '\n');
	}
	pk_buf_addf(buf, "%*s%-*s%s\n", MARGIN, "", columns - (int)end.len, "0", end.data);
}

void pk_memory_json(struct pk_json_writer *w, const struct pk_memory *m)
{
	const struct pk_profile *p = m->profile;
	int64_t at, peak = pk_memory_peak(m, &at);

	pk_json_put(w, "duration %jd peak %jd peak_at %jd peak_allocations %jd",
		    m->duration ? m->duration : PK_NULL, peak, at,
		    pk_metric_total(p, pk_memory_count(p, m->metric[PK_MEMORY_PEAK])));
	for (int k = PK_MEMORY_LEAKED; k < PK_MEMORY_KINDS; k++) {
		PK_BUF_AUTO key = PK_BUF_INIT;

		pk_json_put_int(w, pk_memory_metrics[k], pk_metric_total(p, m->metric[k]));
		pk_buf_addf(&key, "%s_allocations", pk_memory_metrics[k]);
		pk_json_put_int(w, k == PK_MEMORY_ALLOCATED ? "allocations" : key.data,
				pk_metric_total(p, pk_memory_count(p, m->metric[k])));
	}
}
