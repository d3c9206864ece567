/*
 * Samples of V8's CPU profiles and what call paths cost.
 *
 *	"samples": [2, 3, 3], "timeDeltas": [1200, 1000, -50]
 *
 * - The time before the first sample belongs to no sample. Times are found by times.c.
 * - "lines" says at which line each sample was taken. Where it is missing, positionTicks say how
 *   many samples of a node were taken at which line, but not which ones: the time of a node is
 *   divided in that proportion.
 * - Without samples and times, the time of the profile is divided in proportion to hitCount.
 * - Samples of the root have no call path: they are counted.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/cpuprofile/internal.h"

/* The path of a node at a line of its function. */
static uint32_t at_line(struct cpuprofile *c, const struct cpu_node *n, uint32_t line)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	uint32_t function = p->location.function[n->location];

	if (!n->node || !line || !p->function.file[function])
		return n->node;
	return pk_build_node(c->b, p->node.parent[n->node], pk_build_place(c->b, function, line));
}

static void put_cost(struct cpuprofile *c, const struct cpu_node *n, uint32_t path, int64_t value)
{
	const struct pk_cost cost = {.node = path,
				     .metric = c->metric,
				     .labels = n->labels,
				     .self = value,
				     .calls = PK_NULL};

	if (value)
		pk_build_cost_of(c->b, &cost);
}

static uint32_t line_of(const struct cpuprofile *c, size_t sample)
{
	return c->lines.value[sample] < INT32_MAX ? c->lines.value[sample] : 0;
}

/* The time of a sample; PK_NULL if the times of the file are made up. */
static int64_t time_of(const struct cpuprofile *c, int64_t units)
{
	return c->timed ? units / pk_power_of_ten(c->exponent) : PK_NULL;
}

/* Adds the cost or sample of one sample, where lines or times are kept. */
static void put_one(struct cpuprofile *c, const struct cpu_samples *s, const struct cpu_node *n,
		    size_t k, int64_t value)
{
	uint32_t path = s->with_lines ? at_line(c, n, line_of(c, k)) : n->node, row;

	if (!path)
		return;
	if (s->with_lines)
		put_cost(c, n, path, value);
	if (!s->ordered)
		return;
	row = pk_build_sample(c->b, time_of(c, s->time[k]), 0, path, c->metric, value);
	if (n->labels)
		pk_build_set(c->b, sample, labels, row, n->labels);
}

/* The sums cannot overflow, because the time of the whole profile fits into 64 bits. */
static int put_samples(struct cpuprofile *c, struct cpu_samples *s)
{
	struct cpu_sum *sum = c->sum;
	bool each;

	s->ordered = c->ordered && pk_builder_wants(c->b, PK_PART_ORDER);
	each = s->ordered || s->with_lines;
	for (size_t i = 0; i < s->count; i++) {
		int64_t next = i + 1 < s->count ? s->time[i + 1] : s->end;
		uint32_t found = cpu_find(c, c->samples.value[i]);

		if (!found &&
		    cpu_repair_sample(c, "sample of a node that is not in the file left out", i))
			return -1;
		sum[found].samples++;
		sum[found].self += next - s->time[i];
		if (each && found)
			put_one(c, s, &c->node[found], i, next - s->time[i]);
	}
	for (size_t i = 1; i <= c->nodes; i++) {
		c->without_stack += c->node[i].node ? 0 : (uint64_t)sum[i].samples;
		sum[i].self = s->with_lines ? 0 : sum[i].self; /* the costs are there */
	}
	if (!s->ordered && c->timed && s->count > c->without_stack)
		pk_build_unread(c->b, PK_PART_ORDER);
	return 0;
}

static int64_t share(int64_t value, int64_t part, int64_t whole)
{
	return (int64_t)((__int128)value * part / whole);
}

/* Divides the time of a node among its lines; the rest, of hits at no line, is its own. Returns
 * whether there are several places. */
static bool divide(struct cpuprofile *c, const struct cpu_node *n, int64_t self)
{
	int64_t whole = 0, sum = 0, before = 0;

	for (uint32_t i = 0; i < n->ticks; i++)
		pk_add_saturated(&whole, c->tick[n->tick + i].ticks);
	for (uint32_t i = 0; i < n->ticks; i++) {
		const struct cpu_tick *tick = &c->tick[n->tick + i];
		int64_t all = whole > n->hits ? whole : n->hits, end;

		pk_add_saturated(&sum, tick->ticks);
		end = share(self, sum, all);
		put_cost(c, n, at_line(c, n, tick->line), end - before);
		before = end;
	}
	put_cost(c, n, n->node, self - before);
	return n->ticks > 1 || (n->ticks && before != self);
}

static void put_costs(struct cpuprofile *c)
{
	bool divided = false;

	for (size_t i = 1; i <= c->nodes; i++)
		if (c->sum[i].self && c->node[i].node)
			divided |= divide(c, &c->node[i], c->sum[i].self);
	if (divided && !c->is_ours)
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
	double us = cpu_is_time(c->start) && cpu_is_time(c->end) && c->end > c->start
			    ? c->end - c->start
			    : 0;
	int64_t whole = cpu_in_units(c, us * (c->is_old && us < CPU_MOST_TIME / 1e6 ? 1e6 : 1)),
		sum = 0, before = 0;
	uint32_t count = pk_build_metric(c->b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);

	for (size_t i = 1; i <= c->nodes; i++) {
		const struct cpu_node *n = &c->node[i];

		if (!n->hits)
			continue;
		pk_add_saturated(&sum, n->hits);
		c->sum[i].self = share(whole, sum, hits) - before;
		before += c->sum[i].self;
		if (n->node)
			pk_build_cost_of(c->b, &(struct pk_cost){.node = n->node,
								 .metric = count,
								 .labels = n->labels,
								 .self = n->hits,
								 .calls = PK_NULL});
	}
	if (whole)
		pk_build_set(c->b, run, duration, 1, whole);
}

/* V8 lists a sample without counting a hit where the recording starts or code is deoptimised, and
 * counts hits before the recording without listing them. */
static void describe_hits(struct cpuprofile *c, const struct cpu_samples *s, int64_t hits)
{
	size_t differ = 0;

	for (size_t i = 1; i <= c->nodes; i++)
		differ += c->node[i].hits != c->sum[i].samples;
	c->buf.len = 0;
	pk_buf_addf(&c->buf, "%" PRId64 ", %zu are listed with a time; %zu node%s differ%s", hits,
		    s->count, differ, differ == 1 ? "" : "s", differ == 1 ? "s" : "");
	if (hits && differ)
		pk_build_meta(c->b, "samples by hitCount", c->buf.data);
}

static void describe(struct cpuprofile *c, const struct cpu_samples *s, int64_t hits)
{
	if (c->timed) {
		pk_build_set(c->b, run, clock_offset, 1, llround(c->start * 1000));
		if (s->end > 0)
			pk_build_set(c->b, run, duration, 1, time_of(c, s->end));
	}
	if (c->is_ours)
		return;
	describe_hits(c, s, hits);
	c->buf.len = 0;
	pk_buf_addf(&c->buf, "%" PRIu64, c->without_stack);
	if (c->without_stack)
		pk_build_meta(c->b, "samples without a stack", c->buf.data);
}

/* The metric of files that profkit wrote is in them: see writers/cpuprofile. */
static void make_metric(struct cpuprofile *c, bool is_sampled)
{
	const char *unit = c->unit.len ? c->unit.data : "ns";
	bool is_time = !strcmp(unit, "ns");
	enum pk_metric_kind kind = is_time                 ? PK_METRIC_TIME
				   : strcmp(unit, "bytes") ? PK_METRIC_COUNT
							   : PK_METRIC_BYTES;

	c->exponent = c->is_ours && c->exponent > 0 && c->exponent <= 6 ? c->exponent : 0;
	c->exactness = c->is_ours ? c->exactness : is_sampled ? PK_SAMPLED : PK_ESTIMATED;
	c->units = (double)pk_power_of_ten(c->exponent) * (is_time ? 1000 : 1);
	c->metric = pk_build_metric(c->b, c->is_ours ? c->name.data : "time", unit, c->exponent,
				    kind, c->exactness);
}

int cpu_make_samples(struct cpuprofile *c)
{
	struct cpu_samples s = {.count = 0};
	bool is_sampled = c->samples.count && (c->deltas.count || c->stamps.count);
	int64_t hits = add_hits(c);
	int ret = 0;

	make_metric(c, is_sampled);
	c->sum = pk_calloc(c->nodes + 1, sizeof(*c->sum));
	if (is_sampled) {
		if (c->is_old)
			c->start *= 1e6, c->end *= 1e6;
		ret = cpu_find_times(c, &s);
		s.with_lines = c->lines.count && c->lines.count >= s.count;
		if (!ret)
			ret = put_samples(c, &s);
		describe(c, &s, hits);
	} else if (hits) {
		put_hits(c, hits);
	}
	if (!ret)
		put_costs(c);
	return ret;
}
