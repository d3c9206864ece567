/*
 * Samples of V8's CPU profiles and what call paths cost.
 *
 *	"samples": [2, 3, 3], "timeDeltas": [1200, 1000, -50]
 *
 * - Samples come in the order in which V8 took notice of them; a difference below zero is one of a
 *   sample that was taken before others. They are put in the order of their times, as Chrome's
 *   developer tools do. What passes before the first sample belongs to none.
 * - "lines" says at which line each sample was taken. Where it is missing, positionTicks say how
 *   many samples of a node were taken at which line, but not which ones: the time of a node is
 *   divided in that proportion.
 * - Without samples and times, the time of the profile is divided in proportion to hitCount.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "readers/cpuprofile/internal.h"

/* us; more than 30 years */
static const double MOST_TIME = 1e15;

/* What was sampled, by number of the sample. */
struct samples {
	double *time; /* us since `base` */
	size_t count;
	uint32_t *order; /* by time; NULL = they are in order */
	double base, end;
	bool with_lines;
};

static int repair(struct cpuprofile *c, const char *what, size_t sample)
{
	return pk_build_repair(c->b, c->err, what, "sample %zu", sample + 1);
}

static bool is_time(double us)
{
	return us >= -MOST_TIME && us <= MOST_TIME;
}

/* Differences become times; *late: some are before others. */
static int add_up(struct cpuprofile *c, bool *late)
{
	double time = c->start;

	for (size_t i = 0; i < c->deltas.count; i++) {
		double delta = c->deltas.value[i];

		if (!is_time(delta) || !is_time(time + delta - c->start)) {
			delta = 0;
			if (repair(c, "difference of time that is none taken as 0", i))
				return -1;
		}
		if (delta < 0) {
			*late = true;
			if (repair(c, "sample before an earlier one put in the order of time", i))
				return -1;
		}
		c->deltas.value[i] = time += delta;
	}
	return 0;
}

/* Absolute times, of the old form. */
static int check_stamps(struct cpuprofile *c, bool *late)
{
	double *time = c->stamps.value;

	for (size_t i = 0; i < c->stamps.count; i++) {
		double before = i ? time[i - 1] : time[0];

		if (!is_time(time[i])) {
			time[i] = is_time(before) ? before : 0;
			if (repair(c, "time that is none taken as that of the sample before", i))
				return -1;
		} else if (time[i] < before) {
			*late = true;
			if (repair(c, "sample before an earlier one put in the order of time", i))
				return -1;
		}
	}
	return 0;
}

PK_COMPARE_ROWS(by_time, double, PK_ORDER(d[a], d[b]) ?: PK_ORDER(a, b))

static void sort(struct samples *s)
{
	s->order = pk_malloc(pk_mul(s->count, sizeof(*s->order)));
	for (size_t i = 0; i < s->count; i++)
		s->order[i] = (uint32_t)i;
	qsort_r(s->order, s->count, sizeof(*s->order), by_time, s->time);
}

static size_t at(const struct samples *s, size_t i)
{
	return s->order ? s->order[i] : i;
}

static void free_order(const struct samples *s)
{
	free(s->order);
}

/* Times of samples, and where they begin and end. */
static int find_times(struct cpuprofile *c, struct samples *s)
{
	struct pk_json_reals *times = c->stamps.count ? &c->stamps : &c->deltas;
	bool late = false, more;
	double last;

	if (!is_time(c->start))
		c->start = c->stamps.count && is_time(c->stamps.value[0]) ? c->stamps.value[0] : 0;
	if (c->stamps.count ? check_stamps(c, &late) : add_up(c, &late))
		return -1;
	s->time = times->value;
	s->count = c->samples.count < times->count ? c->samples.count : times->count;
	more = times->count == s->count + 1;
	if (times->count != c->samples.count && !(more && c->is_old) &&
	    repair(c, "not as many times as samples: those without a partner left out", s->count))
		return -1;
	if (s->count >= UINT32_MAX)
		return pk_fail(c->err, PK_ELIMIT, "more than 2^32 samples");
	if (late && s->count)
		sort(s);
	s->base = s->count && s->time[at(s, 0)] < c->start ? s->time[at(s, 0)] : c->start;
	last = s->count ? s->time[at(s, s->count - 1)] : c->start;
	s->end = more && c->is_old ? times->value[s->count] : c->end;
	if (!(s->end >= last)) {
		bool said = is_time(s->end) && !c->is_old;

		s->end = last;
		if (said && s->count &&
		    repair(c, "sample after the end of the profile", s->count - 1))
			return -1;
	}
	s->end = s->end - s->base <= MOST_TIME ? s->end : last;
	return 0;
}

static int64_t in_ns(double us)
{
	return llround(us * 1000);
}

/* The path of a node at a line of its function. */
static uint32_t at_line(struct cpuprofile *c, const struct cpu_node *n, uint32_t line)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	uint32_t function = p->location.function[n->location];

	if (!n->node || !line || !p->function.file[function])
		return cpu_path(c, n);
	return pk_build_node(c->b, p->node.parent[n->node], pk_build_place(c->b, function, line));
}

static void put_cost(struct cpuprofile *c, const struct cpu_node *n, uint32_t path, int64_t value)
{
	const struct pk_cost cost = {.node = path,
				     .metric = c->time,
				     .labels = n->labels,
				     .self = value,
				     .calls = PK_NULL};

	if (value)
		pk_build_cost_of(c->b, &cost);
}

static uint32_t line_of(const struct cpuprofile *c, size_t sample)
{
	double line = c->lines.value[sample];

	return line >= 1 && line < INT32_MAX ? (uint32_t)line : 0;
}

static int put_samples(struct cpuprofile *c, const struct samples *s)
{
	bool ordered = pk_builder_wants(c->b, PK_PART_ORDER);

	for (size_t i = 0; i < s->count; i++) {
		size_t k = at(s, i);
		double next = i + 1 < s->count ? s->time[at(s, i + 1)] : s->end;
		uint32_t found = cpu_find(c, c->samples.value[k]), path, row;
		int64_t time = in_ns(s->time[k] - s->base), value = in_ns(next - s->base) - time;
		struct cpu_node *n = &c->node[found];

		if (!found) {
			if (repair(c, "sample of a node that is not in the file left out", k))
				return -1;
			continue;
		}
		if (s->with_lines)
			put_cost(c, n, at_line(c, n, line_of(c, k)), value);
		else
			pk_add_saturated(&n->self, value);
		if (!ordered)
			continue;
		path = s->with_lines ? at_line(c, n, line_of(c, k)) : cpu_path(c, n);
		row = pk_build_sample(c->b, time, 0, path, c->time, value);
		if (n->labels)
			pk_build_set(c->b, sample, labels, row, n->labels);
	}
	if (!ordered && s->count)
		pk_build_unread(c->b, PK_PART_ORDER);
	return 0;
}

static int64_t share(int64_t value, int64_t part, int64_t whole)
{
	return (int64_t)((__int128)value * part / whole);
}

/* Divides the time of a node among its lines; the rest, of hits at no line, is its own. Returns
 * whether there are several places. */
static bool divide(struct cpuprofile *c, const struct cpu_node *n)
{
	int64_t whole = 0, sum = 0, before = 0;

	for (uint32_t i = 0; i < n->ticks; i++)
		pk_add_saturated(&whole, c->tick[n->tick + i].ticks);
	for (uint32_t i = 0; i < n->ticks; i++) {
		const struct cpu_tick *tick = &c->tick[n->tick + i];
		int64_t all = whole > n->hits ? whole : n->hits, end;

		pk_add_saturated(&sum, tick->ticks);
		end = share(n->self, sum, all);
		put_cost(c, n, at_line(c, n, tick->line), end - before);
		before = end;
	}
	put_cost(c, n, cpu_path(c, n), n->self - before);
	return n->ticks > 1 || (n->ticks && before != n->self);
}

static void put_costs(struct cpuprofile *c)
{
	bool divided = false;

	for (size_t i = 1; i <= c->nodes; i++)
		if (c->node[i].self)
			divided |= divide(c, &c->node[i]);
	if (divided)
		pk_build_meta(c->b, "lines",
			      "the time of a function is divided among its lines by positionTicks");
}

static int64_t add_hits(const struct cpuprofile *c)
{
	int64_t hits = 0;

	for (size_t i = 1; i <= c->nodes; i++)
		pk_add_saturated(&hits, c->node[i].hits);
	return hits;
}

/* Without samples: a share of the time for each hit, and how many there were. */
static void put_hits(struct cpuprofile *c, int64_t hits)
{
	double us =
		is_time(c->start) && is_time(c->end) && c->end > c->start ? c->end - c->start : 0;
	int64_t whole = in_ns(us * (c->is_old ? 1e6 : 1)), sum = 0, before = 0;
	uint32_t count = pk_build_metric(c->b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);

	for (size_t i = 1; i <= c->nodes; i++) {
		struct cpu_node *n = &c->node[i];

		if (!n->hits)
			continue;
		pk_add_saturated(&sum, n->hits);
		n->self = share(whole, sum, hits) - before;
		before += n->self;
		pk_build_cost_of(c->b, &(struct pk_cost){.node = cpu_path(c, n),
							 .metric = count,
							 .labels = n->labels,
							 .self = n->hits,
							 .calls = PK_NULL});
	}
	if (whole)
		pk_build_set(c->b, run, duration, 1, whole);
}

static void describe(struct cpuprofile *c, const struct samples *s, int64_t hits)
{
	pk_build_set(c->b, run, clock_offset, 1, in_ns(s->base));
	if (s->end > s->base)
		pk_build_set(c->b, run, duration, 1, in_ns(s->end - s->base));
	if (!hits || hits == (int64_t)s->count)
		return;
	c->buf.len = 0;
	pk_buf_addf(&c->buf, "%" PRId64 " by hitCount, %zu with a time", hits, s->count);
	pk_build_meta(c->b, "samples", c->buf.data);
}

int cpu_make_samples(struct cpuprofile *c)
{
	struct samples s = {.count = 0};
	bool is_timed = c->samples.count && (c->deltas.count || c->stamps.count);
	int64_t hits = add_hits(c);
	int ret = 0;

	c->time = pk_build_metric(c->b, "time", "ns", 0, PK_METRIC_TIME,
				  is_timed ? PK_SAMPLED : PK_ESTIMATED);
	if (is_timed) {
		if (c->is_old)
			c->start *= 1e6, c->end *= 1e6;
		ret = find_times(c, &s);
		s.with_lines = c->lines.count && c->lines.count >= s.count;
		if (!ret)
			ret = put_samples(c, &s);
		free_order(&s);
		describe(c, &s, hits);
	} else if (hits) {
		put_hits(c, hits);
	}
	if (!ret)
		put_costs(c);
	return ret;
}
