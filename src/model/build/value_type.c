/* What readers of pprof and OpenTelemetry share: see value_type.h. */
#include "model/build/value_type.h"

#include <string.h>

#include "base/text/str.h"

static const struct unit {
	const char *names[5], *base;
	enum pk_metric_kind kind;
	int64_t factor;
} units[] = {
	{{"nanoseconds", "nanosecond", "ns"}, "ns", PK_METRIC_TIME, 1},
	{{"microseconds", "microsecond", "us", "μs"}, "ns", PK_METRIC_TIME, 1000},
	{{"milliseconds", "millisecond", "ms"}, "ns", PK_METRIC_TIME, 1000000},
	{{"seconds", "second", "sec", "s"}, "ns", PK_METRIC_TIME, 1000000000},
	{{"bytes", "byte", "b", "B"}, "bytes", PK_METRIC_BYTES, 1},
	{{"kilobytes", "kilobyte", "kb", "kB"}, "bytes", PK_METRIC_BYTES, 1 << 10},
	{{"megabytes", "megabyte", "mb", "MB"}, "bytes", PK_METRIC_BYTES, 1 << 20},
};

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		for (const char *const *n = units[i].names; *n; n++)
			if (!strcmp(*n, name))
				return &units[i];
	return NULL;
}

int64_t pk_value_factor(const char *unit)
{
	const struct unit *known = find_unit(unit);

	return known ? known->factor : 1;
}

/* True if all values of a metric are whole in another unit. */
static bool is_whole(const struct pk_profile *p, uint32_t metric, int64_t factor)
{
	int64_t period = pk_metric_period(p, metric);

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric && p->cost.self[i] % factor)
			return false;
	return period == PK_NULL || period % factor == 0;
}

const char *pk_own_unit(const struct pk_profile *p, uint32_t metric, int64_t *factor)
{
	PK_BUF_AUTO key = PK_BUF_INIT;
	const char *own;

	pk_buf_addf(&key, PK_META_UNIT_OF "%s", pk_text(p, p->metric.name[metric]));
	own = pk_meta_find(p, key.data);
	*factor = own ? pk_value_factor(own) : 1;
	if (own && is_whole(p, metric, *factor))
		return own;
	*factor = 1;
	return NULL;
}

uint32_t pk_build_value_type(struct pk_builder *b, uint32_t name, uint32_t unit, int64_t *factor)
{
	const struct pk_profile *p = pk_builder_profile(b);
	const struct unit *known = find_unit(pk_text(p, unit));
	const char *text = name ? pk_text(p, name) : unit ? pk_text(p, unit) : "value";

	*factor = known ? known->factor : 1;
	return pk_build_metric(b, text,
			       known  ? known->base
			       : unit ? pk_text(p, unit)
				      : "count",
			       0, known ? known->kind : PK_METRIC_COUNT, PK_SAMPLED);
}

void pk_link_value_types(struct pk_builder *b)
{
	const struct pk_profile *p = pk_builder_profile(b);

	for (uint32_t m = 1; m < p->metric.count; m++) {
		const char *name = pk_text(p, p->metric.name[m]);
		PK_BUF_AUTO counts = PK_BUF_INIT;
		uint32_t found;

		if (!pk_ends_with(name, "_space"))
			continue;
		pk_buf_addf(&counts, "%.*s_objects", (int)(strlen(name) - strlen("_space")), name);
		found = pk_metric_find(p, counts.data);
		if (found)
			pk_build_set(b, metric, counts, m, found);
	}
}
