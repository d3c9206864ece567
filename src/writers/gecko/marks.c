/*
 * Spans and instants as markers, and counters, which are written as changes.
 *
 *	"markers": {"name": [7], "startTime": [1.5], "endTime": [3.5], "phase": [1],
 *	            "category": [0], "data": [{"type": "profkit", "cause": {"stack": 3},
 *	                                       "arguments": "{\"n\": 1}"}]}
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "model/args/text.h"
#include "writers/gecko/internal.h"

enum { INSTANT, INTERVAL };

struct marker {
	bool is_span;
	uint32_t row;
};

struct markers {
	struct marker *item;
	size_t count, alloc;
};

/* The arguments of each row, if they are one object. */
static uint32_t *find_args(const struct pk_profile *p, enum pk_table_id owner, uint32_t rows)
{
	uint32_t *args = pk_calloc(rows, sizeof(*args));

	for (uint32_t i = 1; i < p->arg.count; i++)
		if (!pk_arg_key(&p->arg, i) && p->arg.owner[i] == owner)
			args[p->arg.row[i]] = i;
	return args;
}

void gecko_init_marks(struct gecko_out *w)
{
	const struct pk_profile *p = w->p;

	pk_groups_init(&w->spans, p->span.thread, sizeof(*p->span.thread), 1, p->span.count,
		       p->thread.count);
	pk_groups_init(&w->instants, p->instant.thread, sizeof(*p->instant.thread), 1,
		       p->instant.count, p->thread.count);
	w->span_args = find_args(p, PK_TABLE_SPAN, p->span.count);
	w->instant_args = find_args(p, PK_TABLE_INSTANT, p->instant.count);
}

void gecko_release_marks(struct gecko_out *w)
{
	pk_groups_release(&w->spans);
	pk_groups_release(&w->instants);
	free(w->span_args);
	free(w->instant_args);
}

static void add(struct markers *m, const struct pk_groups *groups, uint32_t thread, bool are_spans)
{
	for (uint32_t i = groups->first[thread]; i < groups->first[thread + 1]; i++) {
		PK_GROW(m->item, m->count + 1, m->alloc);
		m->item[m->count++] = (struct marker){are_spans, groups->row[i]};
	}
}

/* True if the reader makes this path of the name of a marker. */
static bool is_marker(const struct pk_profile *p, const struct marker *m)
{
	uint32_t node = m->is_span ? p->span.node[m->row] : 0, f = pk_node_function(p, node);

	return !p->node.parent[node] && !p->function.file[f] && !p->function.module[f] &&
	       !p->function.line[f] && !p->function.kind[f];
}

static void put_data(struct gecko_out *w, const struct marker *m)
{
	struct pk_json_writer *j = &w->json;
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_json_slice args = {NULL, 0};
	uint32_t arg = m->is_span ? w->span_args[m->row] : w->instant_args[m->row];

	if (arg)
		args = pk_arg_text(w->p, arg, &text);
	if (w->own && is_marker(w->p, m)) {
		pk_json_raw(j, args.len ? args.text : "null", args.len ? args.len : 4);
		return;
	}
	pk_json_object(j);
	pk_json_put_text(j, "type", "profkit");
	if (m->is_span)
		pk_json_put(j, "cause {stack %jd}", (int64_t)w->p->span.node[m->row] - 1);
	if (args.len) {
		pk_json_key(j, "arguments");
		pk_json_text_len(j, args.text, args.len);
	}
	pk_json_end(j);
}

static uint32_t category_of(const struct gecko_out *w, const struct marker *m)
{
	return w->category[m->is_span ? w->p->span.category[m->row]
				      : w->p->instant.category[m->row]];
}

static uint32_t name_of(const struct pk_profile *p, const struct marker *m)
{
	return m->is_span ? pk_node_name(p, p->span.node[m->row]) : p->instant.name[m->row];
}

void gecko_put_markers(struct gecko_out *w, const uint32_t *threads, uint32_t count)
{
	const struct pk_profile *p = w->p;
	struct pk_json_writer *j = &w->json;
	struct markers m = {.count = 0};
	size_t i;

	for (uint32_t k = 0; k < count; k++) {
		add(&m, &w->spans, threads[k], true);
		add(&m, &w->instants, threads[k], false);
	}
	pk_json_put_object(j, "markers");
	pk_json_put_flat_array(j, "name");
	for (i = 0; i < m.count; i++)
		pk_json_int(j, gecko_string(w, name_of(p, &m.item[i])));
	pk_json_end(j);
	pk_json_put_flat_array(j, "startTime");
	for (i = 0; i < m.count; i++)
		gecko_ms(w, m.item[i].is_span ? p->span.time[m.item[i].row]
					      : p->instant.time[m.item[i].row]);
	pk_json_end(j);
	pk_json_put_flat_array(j, "endTime");
	for (i = 0; i < m.count; i++)
		if (m.item[i].is_span)
			gecko_ms(w, pk_span_end(p, m.item[i].row));
		else
			pk_json_null(j);
	pk_json_end(j);
	pk_json_put_flat_array(j, "phase");
	for (i = 0; i < m.count; i++)
		pk_json_int(j, m.item[i].is_span ? INTERVAL : INSTANT);
	pk_json_end(j);
	pk_json_put_flat_array(j, "category");
	for (i = 0; i < m.count; i++)
		pk_json_int(j, category_of(w, &m.item[i]));
	pk_json_end(j);
	pk_json_put_flat_array(j, "data");
	for (i = 0; i < m.count; i++)
		put_data(w, &m.item[i]);
	pk_json_end(j);
	pk_json_put(j, "length %jd", (int64_t)m.count);
	pk_json_end(j);
	free(m.item);
}

PK_COMPARE_ROWS(by_counter, struct pk_counter_table,
		PK_ORDER(d->process[a], d->process[b]) ?: PK_ORDER(d->name[a], d->name[b]) ?:
		PK_ORDER(d->series[a], d->series[b]) ?: PK_ORDER(d->time[a], d->time[b]) ?:
		PK_ORDER(a, b))

static void put_counter(struct gecko_out *w, const uint32_t *row, size_t count)
{
	const struct pk_counter_table *t = &w->p->counter;
	const char *name = pk_text(w->p, t->name[*row]), *series = pk_text(w->p, t->series[*row]);
	uint32_t thread = w->first_thread[t->process[*row]];
	struct pk_json_writer *j = &w->json;
	double before = 0;

	pk_json_object(j);
	pk_json_put_text(j, "name", *series ? series : name);
	pk_json_put_text(j, "category", !*series ? "" : strcmp(name, "memory") ? name : "Memory");
	pk_json_put_text(j, "description", name);
	pk_json_put_text(j, "pid", gecko_pid(w, t->process[*row]));
	pk_json_put(j, "mainThreadIndex %jd", thread ? (int64_t)thread - 1 : 0);
	pk_json_put_object(j, "samples");
	pk_json_put_flat_array(j, "time");
	for (size_t i = 0; i < count; i++)
		gecko_ms(w, t->time[row[i]]);
	pk_json_end(j);
	pk_json_put_flat_array(j, "count");
	for (size_t i = 0; i < count; i++) {
		pk_json_double(j, t->value[row[i]] - before, 17);
		before = t->value[row[i]];
	}
	pk_json_end(j);
	pk_json_put(j, "length %jd", (int64_t)count);
	pk_json_end(j);
	pk_json_end(j);
}

void gecko_put_counters(struct gecko_out *w)
{
	const struct pk_counter_table *t = &w->p->counter;
	PK_FREED uint32_t *row = pk_malloc(pk_mul(t->count, sizeof(*row)));
	uint32_t count = 0, end;

	for (uint32_t i = 1; i < t->count; i++)
		if (isfinite(t->value[i]))
			row[count++] = i;
	qsort_r(row, count, sizeof(*row), by_counter, (void *)t);
	pk_json_put_array(&w->json, "counters");
	for (uint32_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count; end++)
			if (t->process[row[end]] != t->process[row[i]] ||
			    t->name[row[end]] != t->name[row[i]] ||
			    t->series[row[end]] != t->series[row[i]])
				break;
		put_counter(w, row + i, end - i);
	}
	pk_json_end(&w->json);
}
