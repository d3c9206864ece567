/*
 * pprof's values and percentages.
 *
 *	1.10s      40ms       512kB      7        0
 *	98.21%     100%      0.7%
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "render/pprof/internal.h"

struct unit {
	const char *name, *alias[4];
	double factor;
};

static const struct unit bytes[] = {
	{"B", {"b", "byte"}, 1},
	{"kB", {"kb", "kbyte", "kilobyte"}, 1024.0},
	{"MB", {"mb", "mbyte", "megabyte"}, 1048576.0},
	{"GB", {"gb", "gbyte", "gigabyte"}, 1073741824.0},
	{"TB", {"tb", "tbyte", "terabyte"}, 1099511627776.0},
	{"PB", {"pb", "pbyte", "petabyte"}, 1125899906842624.0},
	{NULL, {NULL}, 0},
};
static const struct unit times[] = {
	{"ns", {"ns", "nanosecond"}, 1},    {"us", {"μs", "us", "microsecond"}, 1e3},
	{"ms", {"ms", "millisecond"}, 1e6}, {"s", {"s", "sec", "second"}, 1e9},
	{"hrs", {"hour", "hr"}, 3600e9},    {NULL, {NULL}, 0},
};
static const struct {
	const struct unit *units, *fallback;
} families[] = {{bytes, &bytes[0]}, {times, &times[3]}};

/* Compares without case, and accepts the plural. */
static const struct unit *find(const struct unit *units, const char *name)
{
	size_t len = strlen(name);

	len -= len > 2 && (name[len - 1] | 0x20) == 's';
	for (; units->name; units++)
		for (const char *const *a = units->alias; *a; a++)
			if (strlen(*a) == len && !strncasecmp(*a, name, len))
				return units;
	return NULL;
}

/* The largest unit that is at most the value. */
static const struct unit *fitting(const struct unit *units, double value)
{
	const struct unit *best = NULL;

	for (; units->name; units++)
		if (value / units->factor >= 1)
			best = units;
	return best;
}

double pprof_scale(int64_t value, const char *from, const char *to, const char **unit)
{
	bool any = !strcmp(to, "minimum") || !strcmp(to, "auto");

	if (value < 0 && value != INT64_MIN)
		return -pprof_scale(-value, from, to, unit);
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		const struct unit *units = families[i].units, *known = find(units, from), *wanted;
		double scaled;

		if (!known)
			continue;
		scaled = (double)value * known->factor;
		wanted = any ? fitting(units, scaled) : find(units, to);
		if (!wanted)
			wanted = families[i].fallback;
		*unit = wanted->name;
		return scaled / wanted->factor;
	}
	*unit = any || !strcmp(to, "count") || !strcmp(to, "sample") || !strcmp(to, "unit") ? ""
											    : to;
	return (double)value;
}

void pprof_value(struct pk_buf *buf, int64_t value, const char *from, const char *to)
{
	size_t begin = buf->len;
	const char *unit;

	pk_buf_addf(buf, "%.2f", pprof_scale(value, from, to, &unit));
	if (pk_ends_with(buf->data + begin, ".00"))
		buf->data[buf->len -= 3] = '\0';
	if (!strcmp(buf->data + begin, "-0"))
		buf->data[buf->len = begin] = '\0';
	if (buf->len == begin)
		pk_buf_addc(buf, '0');
	else if (strcmp(buf->data + begin, "0"))
		pk_buf_adds(buf, unit);
}

void pprof_percent(struct pk_buf *buf, int64_t value, int64_t total)
{
	double ratio = total ? fabs((double)value / (double)total) * 100 : 0;

	if (ratio >= 99.95 && ratio <= 100.05)
		pk_buf_adds(buf, "  100%");
	else
		pk_buf_addf(buf, ratio >= 1 ? "%5.2f%%" : "%5.2g%%", ratio);
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -value : value;
}

const char *pprof_unit(const struct pprof_graph *g, int64_t total)
{
	const char *from = g->unit, *least, *most;
	int64_t smallest = 0;

	if ((g->params->unit && strcmp(g->params->unit, "minimum")) || !g->count)
		return g->params->unit ? g->params->unit : "minimum";
	for (uint32_t i = 0; i < g->count; i++) {
		const struct pprof_node *n = &g->node[g->order[i]];
		int64_t value = magnitude(n->flat ? n->flat : n->cum);

		if (value && (!smallest || value < smallest))
			smallest = value;
	}
	smallest = smallest ? smallest : total;
	pprof_scale(smallest, from, "minimum", &least);
	pprof_scale(total, from, "minimum", &most);
	if (strcmp(least, most) && smallest < INT64_MAX / 100 && smallest * 100 < total)
		pprof_scale(smallest * 100, from, "minimum", &least);
	return *least ? least : from;
}
