/*
 * Times of the samples of V8's CPU profiles.
 *
 *	"startTime": 5000, "timeDeltas": [1200, 1000, -50], "endTime": 8000
 *
 * Samples come in the order in which V8 took notice of them; a difference below zero is that of a
 * sample that was taken before others. Samples are put in the order of their times, as Chrome's
 * developer tools do. The old form has "timestamps" in seconds instead.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/cpuprofile/internal.h"

#define MOST_UNITS INT64_C(4000000000000000000)

int cpu_repair_sample(struct cpuprofile *c, const char *what, size_t sample)
{
	return pk_build_repair(c->b, c->err, what, "sample %zu", sample + 1);
}

bool cpu_is_time(double us)
{
	return us >= -CPU_MOST_TIME && us <= CPU_MOST_TIME;
}

int64_t cpu_in_units(const struct cpuprofile *c, double us)
{
	double units = us * c->units;

	if (fabs(units) < 1e15 && units == (double)(int64_t)units)
		return (int64_t)units;
	return units > MOST_UNITS ? MOST_UNITS : units < -MOST_UNITS ? -MOST_UNITS : llround(units);
}

/* Computes the times of samples from differences, or from times of the old form, in place. *late:
 * some samples are before earlier ones. */
static int add_up(struct cpuprofile *c, struct cpu_samples *s, struct pk_json_reals *list,
		  bool *late)
{
	bool absolute = list == &c->stamps;
	int64_t before = 0;

	_Static_assert(sizeof(*s->time) == sizeof(*list->value),
		       "one is in the place of the other");
	s->time = (void *)list->value;
	for (size_t i = 0; i < list->count; i++) {
		double us = list->value[i] - (absolute ? c->start : 0);
		bool is_one = cpu_is_time(us) && fabs(us) * c->units <= (double)MOST_UNITS;
		int64_t time = is_one ? cpu_in_units(c, us) : 0;

		time += absolute ? 0 : before;
		if (!is_one || time > MOST_UNITS || time < -MOST_UNITS) {
			time = before;
			if (cpu_repair_sample(
				    c, "time that is not valid taken as that of the sample before",
				    i))
				return -1;
		} else if (i && time < before) {
			*late = true;
			if (cpu_repair_sample(
				    c, "sample before an earlier one put in the order of time", i))
				return -1;
		}
		s->time[i] = before = time;
	}
	return 0;
}

/* Moves late samples, which are late by a few places only. Returns true if that was enough. */
static bool move_back(struct cpuprofile *c, struct cpu_samples *s, uint32_t *lines)
{
	uint32_t *node = c->samples.value;
	size_t moves = 0;

	for (size_t i = 1; i < s->count; i++) {
		int64_t time = s->time[i];
		uint32_t own = node[i], line = lines ? lines[i] : 0;
		size_t k = i;

		for (; k && s->time[k - 1] > time; k--) {
			if (++moves > s->count)
				break;
			s->time[k] = s->time[k - 1];
			node[k] = node[k - 1];
			if (lines)
				lines[k] = lines[k - 1];
		}
		s->time[k] = time;
		node[k] = own;
		if (lines)
			lines[k] = line;
		if (moves > s->count)
			return false;
	}
	return true;
}

struct sample {
	int64_t time;
	size_t place;
	uint32_t node, line;
};

PK_COMPARE(by_time, struct sample, PK_ORDER(a->time, b->time) ?: PK_ORDER(a->place, b->place))

static void sort(struct cpuprofile *c, struct cpu_samples *s)
{
	uint32_t *lines = c->lines.count >= s->count ? c->lines.value : NULL;
	struct sample *list;

	if (move_back(c, s, lines))
		return;
	list = pk_malloc(pk_mul(s->count, sizeof(*list)));
	for (size_t i = 0; i < s->count; i++)
		list[i] = (struct sample){s->time[i], i, c->samples.value[i], lines ? lines[i] : 0};
	pk_sort(list, s->count, sizeof(*list), by_time);
	for (size_t i = 0; i < s->count; i++) {
		s->time[i] = list[i].time;
		c->samples.value[i] = list[i].node;
		if (lines)
			lines[i] = list[i].line;
	}
	free(list);
}

/* Times count from startTime, or from a sample that is earlier. */
static void move(struct cpuprofile *c, struct cpu_samples *s)
{
	int64_t first = s->count ? s->time[0] : 0;

	if (first >= 0)
		return;
	for (size_t i = 0; i < s->count; i++)
		s->time[i] -= first;
	s->end -= first;
	c->start += (double)first / c->units;
}

/* When the last sample ends. The old form has seconds there, and mostly one more time. */
static int find_end(struct cpuprofile *c, struct cpu_samples *s, bool more)
{
	int64_t last = s->count ? s->time[s->count - 1] : 0;
	bool said = cpu_is_time(c->end - c->start);

	s->end = said ? cpu_in_units(c, c->end - c->start) : last;
	if (c->is_old && more)
		s->end = s->time[s->count];
	if (s->end >= last)
		return 0;
	s->end = last;
	if (c->is_old || !s->count)
		return 0;
	return cpu_repair_sample(c, "sample after the end of the profile", s->count - 1);
}

int cpu_find_times(struct cpuprofile *c, struct cpu_samples *s)
{
	struct pk_json_reals *list = c->stamps.count ? &c->stamps : &c->deltas;
	bool late = false, more;

	if (!cpu_is_time(c->start))
		c->start =
			c->stamps.count && cpu_is_time(c->stamps.value[0]) ? c->stamps.value[0] : 0;
	if (c->samples.count >= UINT32_MAX)
		return pk_fail(c->err, PK_ELIMIT, "more than 2^32 samples");
	if (add_up(c, s, list, &late))
		return -1;
	s->count = c->samples.count < list->count ? c->samples.count : list->count;
	more = list->count == s->count + 1;
	if (list->count != c->samples.count && !(more && c->is_old) &&
	    cpu_repair_sample(c, "not as many times as samples: those without a partner left out",
			      s->count))
		return -1;
	if (late && s->count)
		sort(c, s);
	if (find_end(c, s, more))
		return -1;
	move(c, s);
	return 0;
}
