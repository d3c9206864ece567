/*
 * Memory over time as SVG. The writer of timelines draws it, of a profile that shares all tables
 * with the one given but for counters, instants and texts: a counter "live memory" with a series
 * for each of the functions with most, one for each series of memory that the file has, and a mark
 * at the peak.
 */
#include "writers/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "model/label.h"
#include "writers/timeline/timeline.h"

enum { SHOWN = 6, PARTS = 1500, PLOT_HEIGHT = 220 };

struct drawing {
	const struct pk_memory *m;
	struct pk_profile p; /* tables of the profile given, and those made here */
	struct pk_arena arena;
	struct pk_id_map kinds,
		names; /* of the counters: by name and series; by process and that */
};

static int64_t part_of(const struct pk_memory *m, int64_t time)
{
	return time / (m->duration / PARTS + 1);
}

/* Adds a text; make_room has made room for it. */
static uint32_t add_string(struct drawing *d, const char *text)
{
	struct pk_string_table *t = &d->p.string;

	t->len[t->count] = (uint32_t)strlen(text);
	t->text[t->count] = pk_arena_copy(&d->arena, text, t->len[t->count]);
	return t->count++;
}

static void add_value(struct drawing *d, int64_t time, uint32_t process, uint32_t name,
		      uint32_t series, double value)
{
	struct pk_counter_table *t = &d->p.counter;

	t->time[t->count] = time;
	t->process[t->count] = process;
	t->name[t->count] = name;
	t->series[t->count] = series;
	t->value[t->count++] = value;
}

static uint32_t name_of(struct drawing *d, uint32_t row)
{
	const struct pk_counter_table *t = &d->m->profile->counter;
	uint32_t kind = pk_id_map_number(&d->kinds, (int64_t)t->name[row] << 32 | t->series[row]);

	return pk_id_map_number(&d->names, (int64_t)t->process[row] << 32 | kind);
}

/* Parts of the time in which something changes; and five for the peak, the time after it, the
 * moment at which live memory ends, what follows it, and the end. */
static size_t count_parts(const struct pk_memory *m)
{
	size_t parts = 5;

	for (uint32_t i = 0; i < m->steps; i++)
		parts += !i || part_of(m, m->step[i].time) != part_of(m, m->step[i - 1].time);
	return parts;
}

static void make_room(struct drawing *d)
{
	const struct pk_profile *given = d->m->profile;
	size_t texts, rows = given->counter.count;
	struct pk_counter_table *t = &d->p.counter;
	struct pk_string_table *s = &d->p.string;

	for (uint32_t i = 1; i < rows; i++)
		name_of(d, i);
	rows += (SHOWN + 1) * count_parts(d->m);
	texts = (size_t)s->count + d->names.count + SHOWN + 4;
	s->text = memcpy(pk_malloc(pk_mul(texts, sizeof(*s->text))), s->text,
			 s->count * sizeof(*s->text));
	s->len = memcpy(pk_malloc(pk_mul(texts, sizeof(*s->len))), s->len,
			s->count * sizeof(*s->len));
	*t = (struct pk_counter_table){.count = 1,
				       .time = pk_calloc(rows, sizeof(*t->time)),
				       .process = pk_calloc(rows, sizeof(*t->process)),
				       .name = pk_calloc(rows, sizeof(*t->name)),
				       .series = pk_calloc(rows, sizeof(*t->series)),
				       .value = pk_calloc(rows, sizeof(*t->value))};
}

struct change {
	int64_t time, bytes;
	uint32_t series; /* number of the function if it is shown, SHOWN for others */
};

PK_COMPARE(by_time, struct change, PK_ORDER(a->time, b->time))

/* The functions that are shown, a series each, the largest first; the last series is that of the
 * others. */
struct functions {
	uint32_t series[SHOWN + 1]; /* names; 0 = not used */
	int64_t peak[SHOWN + 1];    /* alive at the peak */
	bool knows_peak;
	uint8_t *shown; /* by function: number of its series */
};

static void choose_functions(struct drawing *d, struct functions *f)
{
	const struct pk_profile *p = &d->p;
	const uint32_t *metric = d->m->metric;
	struct pk_memory_list list;

	*f = (struct functions){.knows_peak = metric[PK_MEMORY_PEAK] && pk_memory_has_peak(d->m)};
	f->shown = memset(pk_malloc(p->function.count), SHOWN, p->function.count);
	pk_memory_list_init(&list, p, metric[f->knows_peak ? PK_MEMORY_PEAK : PK_MEMORY_LEAKED],
			    false);
	for (uint32_t i = 0; i < list.count; i++) {
		PK_BUF_AUTO label = PK_BUF_INIT;

		f->peak[i < SHOWN ? i : SHOWN] += list.row[i].self;
		if (i >= SHOWN || list.row[i].self <= 0) /* others only call what allocates */
			continue;
		pk_function_label(&label, p, list.row[i].function, PK_LABEL_SHORT);
		f->shown[list.row[i].function] = (uint8_t)i;
		f->series[i] = add_string(d, label.data ? label.data : "");
	}
	f->series[SHOWN] = add_string(d, "other functions");
	pk_memory_list_release(&list);
}

static struct change *sort_changes(const struct drawing *d, const uint8_t *shown, size_t *count)
{
	const struct pk_sample_table *t = &d->p.sample;
	struct change *change = pk_malloc(pk_mul(t->count, sizeof(*change)));

	*count = 0;
	for (uint32_t i = 1; i < t->count; i++)
		if (pk_sample_metric(t, i) == d->m->metric[PK_MEMORY_LEAKED] &&
		    t->time[i] != PK_NULL)
			change[(*count)++] =
				(struct change){t->time[i], t->value[i],
						shown[pk_node_function(&d->p, t->node[i])]};
	pk_sort(change, *count, sizeof(*change), by_time);
	return change;
}

static void add_values(struct drawing *d, const struct functions *f, uint32_t name, int64_t time,
		       const int64_t *live)
{
	for (int k = 0; k <= SHOWN; k++)
		if (f->series[k])
			add_value(d, time, 0, name, f->series[k], (double)live[k]);
}

/* The peak may lie between the moments at which changes are noted. It is drawn as narrow as is
 * visible; from there to the `next` change, the memory `after` the peak is drawn. */
static void add_peak(struct drawing *d, const struct functions *f, uint32_t name, int64_t peak,
		     int64_t next, const int64_t *after)
{
	int64_t end = peak + d->m->duration / 500 + 1;

	add_values(d, f, name, peak, f->peak);
	if (end < next)
		add_values(d, f, name, end, after);
}

/* From here to the end of the recording, live memory is not known. */
static void add_nothing(struct drawing *d, const struct functions *f, uint32_t name, int64_t from)
{
	static const int64_t none[SHOWN + 1];

	add_values(d, f, name, from, none);
	if (from < d->m->duration)
		add_values(d, f, name, d->m->duration, none);
}

/* A value for each series and each part of the time in which something changed: the one at the
 * moment with most memory. Then the one at the peak. */
static void add_functions(struct drawing *d)
{
	uint32_t name = add_string(d, "live memory");
	int64_t live[SHOWN + 1] = {0}, most[SHOWN + 1] = {0}, sum = 0, highest = INT64_MIN;
	int64_t end = pk_memory_live_end(d->m);
	int64_t at = 0, peak, next = end, after[SHOWN + 1] = {0};
	bool others = false;
	struct functions f;
	struct change *change;
	size_t count;

	choose_functions(d, &f);
	change = sort_changes(d, f.shown, &count);
	pk_memory_peak(d->m, &peak);
	for (size_t i = 0; i < count; i++)
		others = others || change[i].series == SHOWN;
	if (!others && !f.peak[SHOWN])
		f.series[SHOWN] = 0;
	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count;

		pk_add_saturated(&live[change[i].series], change[i].bytes);
		pk_add_saturated(&sum, change[i].bytes);
		if (!last && change[i + 1].time == change[i].time)
			continue;
		if (change[i].time <= peak) {
			memcpy(after, live, sizeof(after));
			next = last ? end : change[i + 1].time;
		}
		if (sum > highest) {
			highest = sum;
			at = change[i].time;
			memcpy(most, live, sizeof(most));
		}
		if (!last && part_of(d->m, change[i + 1].time) == part_of(d->m, change[i].time))
			continue;
		if (at != peak || !f.knows_peak)
			add_values(d, &f, name, at, most);
		highest = INT64_MIN;
	}
	if (f.knows_peak)
		add_peak(d, &f, name, peak, next, after);
	if (at < end)
		add_values(d, &f, name, end, live);
	if (end < d->m->duration)
		add_nothing(d, &f, name, end + 1);
	free(change);
	free(f.shown);
}

/* A counter for each series, since series of one counter are drawn on top of each other. */
static void add_counters(struct drawing *d)
{
	const struct pk_counter_table *t = &d->m->profile->counter;
	uint32_t *name = pk_calloc((size_t)d->names.count + 1, sizeof(*name));

	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t number = name_of(d, i);

		if (!name[number]) {
			PK_BUF_AUTO text = PK_BUF_INIT;
			const char *counter = pk_text(&d->p, t->name[i]);

			pk_buf_adds(&text, pk_text(&d->p, t->series[i]));
			pk_buf_addf(&text, "%s%s", text.len && *counter ? " " : "", counter);
			pk_of_process(&text, &d->p, t->process[i]);
			name[number] = add_string(d, text.data ? text.data : "");
		}
		add_value(d, t->time[i], t->process[i], name[number], t->series[i], t->value[i]);
	}
	free(name);
}

static void mark_peak(struct drawing *d, struct pk_instant_table *marks)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	int64_t at, peak = pk_memory_peak(d->m, &at);

	if (peak == PK_NULL || at == PK_NULL)
		return;
	pk_buf_adds(&text, "peak: ");
	pk_format_value_unit(&text, peak, "bytes");
	marks->time[1] = at;
	marks->name[1] = add_string(d, text.data);
	marks->count = 2;
	d->p.instant = *marks;
}

static void release(struct drawing *d)
{
	struct pk_counter_table *t = &d->p.counter;

	free(t->time);
	free(t->process);
	free(t->name);
	free(t->series);
	free(t->value);
	free(d->p.string.text);
	free(d->p.string.len);
	pk_arena_release(&d->arena);
	pk_id_map_release(&d->kinds);
	pk_id_map_release(&d->names);
}

int pk_memory_draw(const struct pk_memory *m, const char *title, struct pk_output *out,
		   struct pk_error *err)
{
	struct pk_timeline_params params = {
		.title = title, .javascript = true, .plot = PLOT_HEIGHT};
	struct drawing d = {.m = m, .p = *m->profile};
	int64_t mark_time[2] = {0};
	uint32_t none[2] = {0}, mark_name[2] = {0};
	struct pk_instant_table marks = {1, mark_time, none, mark_name, none};
	struct pk_profile *item = &d.p;
	struct pk_profiles list = {&item, 1, 1};
	int status;

	if (!m->steps && !m->series_count)
		return pk_fail(err, PK_EFORMAT,
			       "'%s' does not say how much memory was used when: profkit "
			       "flamegraph draws what was alive",
			       pk_text(m->profile, m->profile->run.source[1]));
	make_room(&d);
	if (m->steps)
		add_functions(&d);
	add_counters(&d);
	mark_peak(&d, &marks);
	d.p.sample.count = 1; /* changes of memory are not functions that ran */
	status = pk_writer_timeline.write(&list, &params, out, err);
	release(&d);
	return status;
}
