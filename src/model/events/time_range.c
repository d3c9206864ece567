/*
 * Time ranges and steps as options have them.
 *
 *	10ms..20ms	25%..60%	3..5
 */
#include "model/events/time_range.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"

bool pk_has_times(const struct pk_profile *p)
{
	return p->span.count > 1 || (p->sample.count > 1 && p->sample.time[1] != PK_NULL);
}

int64_t pk_last_moment(const struct pk_profile *p)
{
	int64_t end = p->run.duration[1] == PK_NULL ? 0 : p->run.duration[1];
	uint32_t i;

	for (i = 1; i < p->sample.count; i++)
		if (p->sample.time[i] > end)
			end = p->sample.time[i];
	for (i = 1; i < p->span.count; i++)
		if (pk_span_end(p, i) > end)
			end = pk_span_end(p, i);
	return end;
}

const char *pk_time_range_advice(const char *text)
{
	const char *dots = strstr(text, "..");
	size_t len = strlen(text);
	bool bare = (dots && dots > text && pk_is_digit(dots[-1])) ||
		    (len && pk_is_digit(text[len - 1]));

	return bare ? " (numbers without a unit are seconds)" : "";
}

/* One side, len > 0 characters, in ns; -1 if it is wrong. */
static int64_t parse_moment(const char *text, size_t len, const struct pk_profile *p)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {{"ns", 1},        {"us", 1000},       {"ms", 1000000},     {"s", 1000000000},
		     {"", 1000000000}, {"m", 60000000000}, {"h", 3600000000000}};
	int64_t value, product;
	bool exact, overflow, whole;
	size_t used = pk_parse_decimal(text, len, 9, &value, &exact, &overflow), i;

	/* 20 s in ns are too large for nine more digits. */
	whole = overflow;
	if (whole)
		used = pk_parse_decimal(text, len, 0, &value, &exact, &overflow);
	if (!used || overflow || value < 0)
		return -1;
	text += used;
	len -= used;
	if (len == 1 && *text == '%' && (whole || value >= 100000000000))
		return INT64_MAX; /* the end is included */
	if (len == 1 && *text == '%')
		return (int64_t)((double)pk_last_moment(p) * (double)value / 1e11);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != len || memcmp(units[i].name, text, len))
			continue;
		if (whole)
			return __builtin_mul_overflow(value, units[i].ns, &product) ? -1 : product;
		if (units[i].ns < 1000000000)
			return value / (1000000000 / units[i].ns);
		if (__builtin_mul_overflow(value, units[i].ns / 1000000000, &product))
			return -1;
		return product;
	}
	return -1;
}

int pk_time_range_parse(struct pk_time_range *range, const char *text, const struct pk_profile *p,
			struct pk_error *err)
{
	const char *dots = strstr(text, ".."), *end;

	*range = (struct pk_time_range){INT64_MIN, INT64_MAX};
	if (!dots)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' is not a time range, which is A..B: 1.5s..2s, 10%%..20%%",
			       text);
	end = dots + 2;
	if (dots > text && (range->from = parse_moment(text, (size_t)(dots - text), p)) < 0)
		return pk_fail(err, PK_EUSAGE,
			       "'%.*s' is not a time, such as 1.5s, 200ms, 3us or 10%%",
			       (int)(dots - text), text);
	if (*end && (range->to = parse_moment(end, strlen(end), p)) < 0)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' is not a time, such as 1.5s, 200ms, 3us or 10%%", end);
	if (range->to <= range->from)
		return pk_fail(err, PK_EUSAGE, "'%s' ends before it begins%s", text,
			       pk_time_range_advice(text));
	return 0;
}

int64_t pk_step_number(const char *name)
{
	static const char step[] = "ProfilerStep#";
	int64_t number;
	bool exact, overflow;
	size_t len;

	if (strncmp(name, step, strlen(step)) != 0)
		return -1;
	name += strlen(step);
	len = pk_parse_decimal(name, strlen(name), 0, &number, &exact, &overflow);
	return len && !name[len] && number >= 0 ? number : -1;
}

/* One side, an integer. */
static int parse_step(const char *text, size_t len, int64_t *number, struct pk_error *err)
{
	bool exact, overflow;

	if (pk_parse_decimal(text, len, 0, number, &exact, &overflow) != len || !exact ||
	    *number < 0)
		return pk_fail(err, PK_EUSAGE, "'%.*s' is not the number of a step", (int)len,
			       text);
	return 0;
}

static int parse_steps(const char *text, int64_t *first, int64_t *last, struct pk_error *err)
{
	const char *dots = strstr(text, "..");

	*first = 0;
	*last = INT64_MAX;
	if (!dots && parse_step(text, strlen(text), first, err))
		return -1;
	if (!dots)
		*last = *first;
	else if ((dots > text && parse_step(text, (size_t)(dots - text), first, err)) ||
		 (dots[2] && parse_step(dots + 2, strlen(dots + 2), last, err)))
		return -1;
	if (*last < *first)
		return pk_fail(err, PK_EUSAGE, "'%s' ends before it begins", text);
	return 0;
}

int64_t *pk_step_numbers(const struct pk_profile *p)
{
	int64_t *step = pk_malloc(pk_mul(p->function.count, sizeof(*step)));

	for (uint32_t i = 0; i < p->function.count; i++)
		step[i] = p->function.kind[i] == PK_KIND_GPU
				  ? -1
				  : pk_step_number(pk_text(p, p->function.name[i]));
	return step;
}

int pk_step_range_parse(struct pk_time_range *range, const char *text, const struct pk_profile *p,
			struct pk_error *err)
{
	int64_t first, last, lowest = INT64_MAX, highest = -1, *steps;
	uint32_t i;

	*range = (struct pk_time_range){INT64_MAX, INT64_MIN};
	if (parse_steps(text, &first, &last, err))
		return -1;
	steps = pk_step_numbers(p);
	for (i = 1; i < p->span.count; i++) {
		int64_t step = steps[pk_node_function(p, p->span.node[i])];
		int64_t end = pk_span_end(p, i);

		if (step < 0)
			continue;
		lowest = step < lowest ? step : lowest;
		highest = step > highest ? step : highest;
		if (step < first || step > last)
			continue;
		range->from = p->span.time[i] < range->from ? p->span.time[i] : range->from;
		range->to = end > range->to ? end : range->to;
	}
	free(steps);
	if (highest < 0)
		return pk_fail(err, PK_EUSAGE, "the profile has no steps (ProfilerStep#1)");
	if (range->from == range->to)
		return pk_fail(err, PK_EUSAGE, "'%s' takes no time", text);
	if (range->from > range->to)
		return pk_fail(err, PK_EUSAGE, "'%s': the profile has the steps %lld..%lld", text,
			       (long long)lowest, (long long)highest);
	return 0;
}
