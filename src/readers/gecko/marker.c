/*
 * Markers of Firefox's profiles: instants, and intervals, which are spans. The begin and the end of
 * an interval may be two markers of one name.
 *
 *	"markers": {"name": [7, 8], "startTime": [1.5, 2], "endTime": [3.5, null], "phase": [1, 0],
 *	            "category": [2, 0], "data": [{"type": "Text", "name": "load"}, null]}
 *
 * - Phases: 0 instant, 1 interval, 2 begin, 3 end. Old files have none: there, data says it.
 * - Markers overlap as they like, so that each is a path of its own; those that profkit wrote have
 *   the path of the span, as the stack of their cause, and its arguments as a text.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "readers/gecko/internal.h"

enum { INSTANT, INTERVAL, BEGIN, END };

struct interval {
	int64_t time, end; /* end PK_NULL: still open */
	size_t row;
	uint32_t above; /* interval + 1 of the same name that was open before */
};

struct markers {
	struct gecko *g;
	struct gecko_thread *thread;
	const struct gecko_tables *t, *strings, *stacks;
	const struct gecko_scope *scope;
	struct interval *interval;
	size_t count, alloc;
	struct pk_id_map open; /* interval + 1, by name */
	int64_t last, unbegun, unended;
};

static const struct gecko_data *data_of(const struct markers *m, size_t row)
{
	static const struct gecko_data none = {.start = NAN, .end = NAN, .stack = NAN};

	return row < m->t->datas ? &m->t->data[row] : &none;
}

static int phase_of(const struct markers *m, size_t row, double *start, double *end)
{
	const struct gecko_data *data = data_of(m, row);
	double phase = gecko_cell(m->t, GECKO_MARKER_PHASE, row);

	*start = gecko_cell(m->t, GECKO_MARKER_START, row);
	*end = gecko_cell(m->t, GECKO_MARKER_END, row);
	if (phase >= INSTANT && phase <= END)
		return (int)phase;
	if (data->interval) {
		*end = *start;
		return data->interval == 's' ? BEGIN : END;
	}
	if (isnan(*end) && !isnan(data->start) && !isnan(data->end)) {
		*start = data->start;
		*end = data->end;
	}
	return isnan(*end) ? INSTANT : INTERVAL;
}

static uint32_t category_of(const struct markers *m, size_t row)
{
	size_t category = gecko_index(m->t, GECKO_MARKER_CATEGORY, row, m->scope->categories);

	return category == GECKO_NONE ? 0 : m->scope->category[category];
}

/* Arguments are the data; if profkit wrote the marker, a text in the data. */
static void add_args(struct markers *m, enum pk_table_id owner, uint32_t id, size_t row)
{
	const struct gecko_data *data = data_of(m, row);
	struct pk_json_slice all, ours;
	struct pk_buf *buf = &m->g->buf;
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!data->len)
		return;
	all = (struct pk_json_slice){m->g->text.data + data->at, data->len};
	ours = pk_json_slice_unquoted(pk_json_slice_member(all, "type"));
	if (pk_json_slice_is(ours, "profkit")) {
		ours = pk_json_slice_unquoted(pk_json_slice_member(all, "arguments"));
		pk_json_unescape(&text, ours.text, ours.len);
		all = (struct pk_json_slice){text.data, text.len};
	}
	buf->len = 0;
	if (all.len > 2 && *all.text == '{' && pk_json_read_text(all.text, all.len, buf))
		pk_build_arg_object(m->g->b, owner, id, buf->data, buf->len);
}

static void add_instant(struct markers *m, int64_t time, uint32_t name, size_t row)
{
	pk_build_instant(m->g->b, time, m->thread->id, name, category_of(m, row));
	add_args(m, PK_TABLE_INSTANT, pk_builder_profile(m->g->b)->instant.count - 1, row);
}

static void open_interval(struct markers *m, int64_t time, int64_t end, size_t row, uint32_t name)
{
	PK_GROW(m->interval, m->count + 1, m->alloc);
	m->interval[m->count++] = (struct interval){.time = time, .end = end, .row = row};
	if (end != PK_NULL)
		return;
	m->interval[m->count - 1].above = pk_id_map_get(&m->open, name);
	pk_id_map_put(&m->open, name, (uint32_t)m->count);
}

static void end_interval(struct markers *m, int64_t end, uint32_t name)
{
	uint32_t open = pk_id_map_get(&m->open, name);

	if (!open) {
		m->unbegun++;
		return;
	}
	m->interval[open - 1].end = end;
	pk_id_map_put(&m->open, name, m->interval[open - 1].above);
}

static void see(struct markers *m, size_t row)
{
	uint32_t name = gecko_text(m->strings, m->t, GECKO_MARKER_NAME, row);
	double start, end;
	int phase = phase_of(m, row, &start, &end);
	int64_t from = gecko_time(m->g, m->thread->scope, start);
	int64_t to = gecko_time(m->g, m->thread->scope, end);

	if (!name)
		name = pk_build_text(m->g->b, "(unnamed)");
	if (phase == END ? to == PK_NULL : from == PK_NULL)
		return;
	m->last = from != PK_NULL && from > m->last ? from : m->last;
	m->last = to != PK_NULL && to > m->last ? to : m->last;
	if (phase == INSTANT)
		add_instant(m, from, name, row);
	else if (phase == INTERVAL)
		open_interval(m, from, to == PK_NULL || to < from ? from : to, row, name);
	else if (phase == BEGIN)
		open_interval(m, from, PK_NULL, row, name);
	else
		end_interval(m, to, name);
}

PK_COMPARE(in_order, struct interval,
	   PK_ORDER(a->time, b->time) ?: PK_ORDER(b->end, a->end) ?: PK_ORDER(a->row, b->row))

static void add_spans(struct markers *m)
{
	struct pk_builder *b = m->g->b;

	for (size_t i = 0; i < m->count; i++)
		if (m->interval[i].end == PK_NULL) {
			m->interval[i].end = m->last;
			m->unended++;
		}
	pk_sort(m->interval, m->count, sizeof(*m->interval), in_order);
	for (size_t i = 0; i < m->count; i++) {
		const struct interval *v = &m->interval[i];
		double stack = m->g->is_ours ? data_of(m, v->row)->stack : NAN;
		uint32_t name = gecko_text(m->strings, m->t, GECKO_MARKER_NAME, v->row);
		const struct pk_profile *p = pk_builder_profile(b);
		uint32_t node = 0, row;

		if (stack >= 0 && stack < (double)gecko_rows(m->stacks, GECKO_STACK_FRAME))
			node = m->stacks->node[(size_t)stack];
		if (!node)
			node = pk_build_node(
				b, 0, pk_build_label(b, pk_text(p, name), p->string.len[name]));
		row = pk_build_span(b, v->time, v->end - v->time, m->thread->id, node,
				    category_of(m, v->row));
		add_args(m, PK_TABLE_SPAN, row, v->row);
	}
}

int gecko_make_markers(struct gecko *g, struct gecko_thread *thread)
{
	struct markers m = {.g = g, .thread = thread, .t = thread->tables, .last = INT64_MIN};
	int ret = 0;

	if (g->is_recording)
		return gecko_repair(g, "markers of a thread left out: their times do not begin "
				       "with those of samples");
	m.stacks = gecko_stacks(g, thread);
	if (!m.stacks)
		return -1;
	m.strings = gecko_strings(g, thread);
	m.scope = gecko_categories(g, thread);
	for (size_t i = 0; i < gecko_rows(m.t, GECKO_MARKER_NAME); i++)
		see(&m, i);
	add_spans(&m);
	if (m.unbegun)
		ret = gecko_repair(g, "end of a marker that has not begun left out");
	if (m.unended && !ret)
		ret = gecko_repair(g,
				   "marker without an end ended with the last one of its thread");
	pk_id_map_release(&m.open);
	free(m.interval);
	return ret;
}
