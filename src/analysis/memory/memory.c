/* Counters of memory over time, and what of a profile says how much was alive. */
#include "analysis/memory/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "model/events/time_range.h"
#include "model/totals.h"

const char *const pk_memory_metrics[] = {"peak", "leaked", "temporary", "allocated"};

uint32_t pk_memory_metric(const struct pk_profile *p, const char *name)
{
	for (uint32_t m = 1; m < p->metric.count; m++)
		if (p->metric.kind[m] == PK_METRIC_BYTES &&
		    !strcmp(pk_text(p, p->metric.name[m]), name))
			return m;
	return 0;
}

uint32_t pk_memory_count(const struct pk_profile *p, uint32_t metric)
{
	uint32_t counts = p->metric.counts ? p->metric.counts[metric] : 0;

	return pk_ends_with(pk_text(p, p->metric.name[counts]), "allocations") ? counts : 0;
}

bool pk_is_memory_counter(const char *name)
{
	const char *word = strstr(name, "memory");

	return word && (word == name || word[-1] == ' ') &&
	       (!word[6] || pk_starts_with(word + 6, " of "));
}

bool pk_is_memory(const struct pk_profile *p)
{
	if (p->metric.count > 1)
		return p->metric.kind[1] == PK_METRIC_BYTES;
	return p->counter.count > 1 && pk_is_memory_counter(pk_text(p, p->counter.name[1]));
}

/* The series that tells most about a program comes first. */
static int rank_of(const char *series)
{
	static const char *const names[] = {"heap", "active", "allocated", "rss", "reserved"};
	int i, count = sizeof(names) / sizeof(names[0]);

	for (i = 0; i < count && strcmp(names[i], series); i++)
		continue;
	return i;
}

struct finder {
	struct pk_id_map names, series; /* by name and series; by process and the number of these */
	uint32_t alloc;
};

static struct pk_memory_series *series_of(struct pk_memory *m, struct finder *f, uint32_t row)
{
	const struct pk_counter_table *t = &m->profile->counter;
	uint32_t name = pk_id_map_number(&f->names, (int64_t)t->name[row] << 32 | t->series[row]);
	uint32_t number = pk_id_map_number(&f->series, (int64_t)t->process[row] << 32 | name);

	if (number > m->series_count) {
		PK_GROW(m->series, number, f->alloc);
		m->series[m->series_count++] = (struct pk_memory_series){
			.process = t->process[row],
			.name = t->name[row],
			.series = t->series[row],
			.rank = rank_of(pk_text(m->profile, t->series[row])),
			.last = INT64_MIN,
			.highest = INT64_MIN};
	}
	return &m->series[number - 1];
}

PK_COMPARE(by_rank, struct pk_memory_series,
	   PK_ORDER(a->rank, b->rank)
		   ?: PK_ORDER(b->highest, a->highest)
		   ?: PK_ORDER(a->process, b->process))

static int64_t bytes_of(double value)
{
	return fabs(value) < 0x1p62 ? llround(value) : 0;
}

static void find_series(struct pk_memory *m)
{
	const struct pk_counter_table *t = &m->profile->counter;
	struct finder f = {.alloc = 0};
	uint32_t known = 0;
	bool memory = false;

	for (uint32_t i = 1; i < t->count; i++) {
		int64_t value = bytes_of(t->value[i]);
		struct pk_memory_series *s;

		if (t->name[i] != known || !known) {
			known = t->name[i];
			memory = pk_is_memory_counter(pk_text(m->profile, known));
		}
		s = memory && t->time[i] != PK_NULL ? series_of(m, &f, i) : NULL;
		if (!s)
			continue;
		s->count++;
		s->last = t->time[i] > s->last ? t->time[i] : s->last;
		if (value > s->highest || (value == s->highest && t->time[i] < s->highest_at)) {
			s->highest = value;
			s->highest_at = t->time[i];
		}
	}
	pk_id_map_release(&f.names);
	pk_id_map_release(&f.series);
	pk_sort(m->series, m->series_count, sizeof(*m->series), by_rank);
}

/* The peak may be that of one process, as mprof's, and others may have had more. */
static uint32_t series_with_peak(const struct pk_memory *m)
{
	uint32_t metric = m->metric[PK_MEMORY_PEAK], nearest = 0;
	double peak = metric ? (double)pk_metric_total(m->profile, metric) : 0, least = peak / 10;

	for (uint32_t i = 0; metric && i < m->series_count; i++) {
		double away = fabs((double)m->series[i].highest - peak);

		if (m->series[i].rank == m->series->rank && away < least) {
			nearest = i;
			least = away;
		}
	}
	return nearest;
}

const struct pk_memory_series *pk_memory_shown(const struct pk_memory *m)
{
	return m->series_count ? &m->series[m->shown] : NULL;
}

PK_COMPARE(by_time, struct pk_memory_step, PK_ORDER(a->time, b->time))

/* Samples of live memory are changes. */
static void find_steps(struct pk_memory *m)
{
	const struct pk_sample_table *t = &m->profile->sample;
	uint32_t metric = m->metric[PK_MEMORY_LEAKED], kept = 0;
	int64_t live = 0;

	if (!metric)
		return;
	m->step = pk_malloc(pk_mul(t->count, sizeof(*m->step)));
	for (uint32_t i = 1; i < t->count; i++)
		if (pk_sample_metric(t, i) == metric && t->time[i] != PK_NULL)
			m->step[m->steps++] = (struct pk_memory_step){t->time[i], t->value[i]};
	pk_sort(m->step, m->steps, sizeof(*m->step), by_time);
	for (uint32_t i = 0; i < m->steps; i++) {
		pk_add_saturated(&live, m->step[i].live);
		if (!kept || m->step[kept - 1].time != m->step[i].time)
			m->step[kept++].time = m->step[i].time;
		m->step[kept - 1].live = live;
	}
	m->steps = kept;
	for (uint32_t i = 0; i < m->steps; i++)
		if (m->step[i].live > m->step[m->highest].live)
			m->highest = i;
}

static void find_growth(struct pk_memory *m)
{
	const struct pk_profile *p = m->profile;
	const struct pk_sample_table *t = &p->sample;
	uint32_t metric = m->metric[PK_MEMORY_LEAKED];
	int64_t from = m->duration / 2, to = m->duration - m->duration / 10, *grown;

	if (!metric || m->duration <= 0 || m->since != PK_NULL ||
	    (m->end != PK_NULL && m->end < to))
		return;
	grown = pk_calloc(p->function.count, sizeof(*grown));
	for (uint32_t i = 1; i < t->count; i++)
		if (pk_sample_metric(t, i) == metric && t->time[i] != PK_NULL &&
		    t->time[i] > from && t->time[i] <= to)
			pk_add_saturated(&grown[pk_node_function(p, t->node[i])], t->value[i]);
	pk_memory_list_values(&m->growth, p, grown);
	free(grown);
}

/* A recording in which all changes have the same time has one step. A series may have the peak, and
 * what was before and after it. */
static bool says_more(const struct pk_memory *m)
{
	const struct pk_memory_series *s = pk_memory_shown(m);
	int64_t at, peak = pk_memory_peak(m, &at);

	return s && m->steps == 1 && s->count > 1 && s->last > m->step->time &&
	       s->highest >= peak - peak / 10;
}

/* "0.312 s", as src/readers/heap/ says it; PK_NULL if it is not said. */
static int64_t said_time(const struct pk_profile *p, const char *key)
{
	const char *text = pk_meta_find(p, key);
	bool exact, overflow;
	int64_t time;

	return text && pk_parse_decimal(text, strlen(text), 9, &time, &exact, &overflow) ? time
											 : PK_NULL;
}

/* Up to the last counter or mark, too: live memory may end before the recording does. */
static void find_times(struct pk_memory *m)
{
	const struct pk_profile *p = m->profile;

	m->duration = pk_last_moment(p);
	for (uint32_t i = 0; i < m->series_count; i++)
		if (m->series[i].last > m->duration)
			m->duration = m->series[i].last;
	for (uint32_t i = 1; i < p->instant.count; i++)
		if (p->instant.time[i] > m->duration)
			m->duration = p->instant.time[i];
	m->end = said_time(p, "leaked at");
	m->since = said_time(p, "leaked since");
}

void pk_memory_init(struct pk_memory *m, const struct pk_profile *p)
{
	*m = (struct pk_memory){.profile = p};
	for (int i = 0; i < PK_MEMORY_KINDS; i++)
		m->metric[i] = pk_memory_metric(p, pk_memory_metrics[i]);
	find_series(m);
	m->shown = series_with_peak(m);
	find_times(m);
	find_steps(m);
	find_growth(m);
	m->series_drawn = !m->steps || says_more(m);
}

void pk_memory_release(struct pk_memory *m)
{
	pk_memory_list_release(&m->growth);
	free(m->step);
	free(m->series);
	memset(m, 0, sizeof(*m));
}

int64_t pk_memory_peak(const struct pk_memory *m, int64_t *at)
{
	const struct pk_memory_series *s = pk_memory_shown(m);
	int64_t series = s ? s->highest : PK_NULL, peak = series;
	int64_t live = m->steps ? m->step[m->highest].live : 0, said;
	uint32_t metric = m->metric[PK_MEMORY_PEAK];

	*at = s ? s->highest_at : PK_NULL;
	if (!metric) /* one moment has no peak */
		return m->duration > 0 ? peak : PK_NULL;
	peak = pk_metric_total(m->profile, metric);
	/* Memory that was measured from time to time may miss the peak. */
	said = said_time(m->profile, "peak at");
	if (said >= 0 && said <= m->duration) {
		*at = said;
		return peak;
	}
	if (m->steps && live >= series && live >= peak - peak / 10)
		*at = m->step[m->highest].time;
	else if (series < peak - peak / 10)
		*at = PK_NULL;
	return peak;
}

bool pk_memory_has_peak(const struct pk_memory *m)
{
	int64_t at, peak = pk_memory_peak(m, &at);

	return peak != PK_NULL && at != PK_NULL && m->since == PK_NULL &&
	       (m->end == PK_NULL || at <= m->end);
}

int64_t pk_memory_live_end(const struct pk_memory *m)
{
	return m->end != PK_NULL && m->end < m->duration ? m->end : m->duration;
}

struct curve {
	int64_t *value, *end; /* of each part: the highest, the last; PK_NULL */
	int64_t step, highest;
	uint32_t count;
};

static void add_point(struct curve *c, int64_t time, int64_t bytes)
{
	int64_t part = time < 0 ? 0 : time / c->step;
	uint32_t k = part < c->count ? (uint32_t)part : c->count - 1;

	c->end[k] = bytes;
	c->value[k] = bytes > c->value[k] ? bytes : c->value[k];
	c->highest = bytes > c->highest ? bytes : c->highest;
}

/* The peak may lie between the moments that are known. Of several heaps, it is of none alone. */
static bool shows_peak(const struct pk_memory *m)
{
	const struct pk_memory_series *s = pk_memory_shown(m);
	int64_t at, peak = pk_memory_peak(m, &at);

	if (!s || !m->series_drawn)
		return pk_memory_has_peak(m);
	return peak != PK_NULL && at != PK_NULL && s->highest_at != at &&
	       (m->series_count < 2 || m->series[1].rank != m->series->rank);
}

static void add_points(struct curve *c, const struct pk_memory *m)
{
	const struct pk_counter_table *t = &m->profile->counter;
	const struct pk_memory_series *s = pk_memory_shown(m);
	int64_t at, peak = pk_memory_peak(m, &at);

	if (shows_peak(m))
		add_point(c, at, peak);
	for (uint32_t i = 0; i < m->steps && !m->series_drawn; i++)
		add_point(c, m->step[i].time, m->step[i].live);
	for (uint32_t i = 1; i < t->count && m->series_drawn; i++)
		if (t->process[i] == s->process && t->name[i] == s->name &&
		    t->series[i] == s->series && t->time[i] != PK_NULL)
			add_point(c, t->time[i], bytes_of(t->value[i]));
}

int64_t pk_memory_curve(const struct pk_memory *m, int64_t *value, uint32_t count)
{
	struct curve c = {value, pk_malloc(pk_mul(count, sizeof(*value))), m->duration / count + 1,
			  PK_NULL, count};
	const struct pk_memory_series *s = pk_memory_shown(m);
	int64_t last = PK_NULL, end = !m->series_drawn ? pk_memory_live_end(m) : s ? s->last : 0;

	for (uint32_t k = 0; k < count; k++)
		value[k] = c.end[k] = PK_NULL;
	if (m->steps || m->series_count)
		add_points(&c, m);
	for (uint32_t k = 0; k < count; k++) {
		/* The value at the end of the part before holds until the first value of this
		 * part. */
		if ((int64_t)k * c.step <= end && last > value[k] &&
		    (!m->series_drawn || value[k] == PK_NULL))
			value[k] = last;
		last = c.end[k] == PK_NULL ? last : c.end[k];
	}
	free(c.end);
	return c.highest;
}

uint32_t pk_memory_bytes(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->metric.count; i++)
		if (p->metric.kind[i] == PK_METRIC_BYTES)
			return i;
	return 0;
}

bool pk_memory_is_known(const struct pk_memory *m)
{
	return pk_memory_bytes(m->profile) || (m->series_count && m->series->highest > 0);
}
