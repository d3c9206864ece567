#include "model/time_range.h"

#include <string.h>

#include "base/units.h"

bool pk_has_times(const struct pk_profile *p)
{
	return p->span.count > 1 || (p->sample.count > 1 && p->sample.time[1] != PK_NULL);
}

/* The last moment known: what 100% is. */
static int64_t end_of(const struct pk_profile *p)
{
	int64_t end = p->run.duration[1] == PK_NULL ? 0 : p->run.duration[1];
	uint32_t i;

	for (i = 1; i < p->sample.count; i++)
		if (p->sample.time[i] > end)
			end = p->sample.time[i];
	for (i = 1; i < p->span.count; i++)
		if (p->span.time[i] + p->span.duration[i] > end)
			end = p->span.time[i] + p->span.duration[i];
	return end;
}

/* One side, len > 0 characters: ns, or -1. */
static int64_t parse_moment(const char *text, size_t len, const struct pk_profile *p)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {{"ns", 1},        {"us", 1000},       {"ms", 1000000},     {"s", 1000000000},
		     {"", 1000000000}, {"m", 60000000000}, {"h", 3600000000000}};
	int64_t value, product;
	bool exact, overflow;
	size_t used = pk_parse_decimal(text, len, 9, &value, &exact, &overflow), i;

	if (!used || overflow || value < 0)
		return -1;
	text += used;
	len -= used;
	if (len == 1 && *text == '%' && value >= 100000000000)
		return INT64_MAX; /* the last moment belongs to it */
	if (len == 1 && *text == '%')
		return (int64_t)((double)end_of(p) * (double)value / 1e11);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != len || memcmp(units[i].name, text, len))
			continue;
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
		return pk_fail(err, PK_EUSAGE, "'%s' is no part of time: A..B is wanted", text);
	end = dots + 2;
	if (dots > text && (range->from = parse_moment(text, (size_t)(dots - text), p)) < 0)
		return pk_fail(err, PK_EUSAGE, "'%.*s' is no time (1.5s, 200ms, 3us, 10%% are)",
			       (int)(dots - text), text);
	if (*end && (range->to = parse_moment(end, strlen(end), p)) < 0)
		return pk_fail(err, PK_EUSAGE, "'%s' is no time (1.5s, 200ms, 3us, 10%% are)", end);
	if (range->to <= range->from)
		return pk_fail(err, PK_EUSAGE, "'%s' ends before it begins", text);
	return 0;
}
