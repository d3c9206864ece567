/*
 * Times of lines, as kernprof -l and LineProfiler.dump_stats of line_profiler 1 to 5 write them: a
 * pickle (base/pickle/pickle.h) of one object.
 *
 *	LineStats(timings={("app.py", 10, "Tree.find"): [(12, 2400, 180000), (13, 1, 95)], ...},
 *		  unit=1e-09)
 *
 *	(file, first line, name): [(line, hits, ticks), ...]	sorted by line; empty if it
 *								never ran
 *
 * - unit is the length of a tick in seconds: 1e-6 up to version 3, 1e-9 from 4 on, 1e-7 on Windows.
 * - The module of the class tells the version: _line_profiler up to 2, line_profiler._line_profiler
 *   up to 5.0.0, then line_profiler.line_profiler.
 * - The time of a line is that of the clock and includes the functions it calls, so that a function
 *   that is called by another one in the file counts in both.
 * - Versions 4.0.x may have a line several times; these are added.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num/units.h"
#include "base/pickle/pickle.h"
#include "base/text/str.h"
#include "readers/reader.h"

static const struct pk_pickle_class classes[] = {
	{"_line_profiler", "LineStats"},
	{"line_profiler._line_profiler", "LineStats"},
	{"line_profiler.line_profiler", "LineStats"},
	{NULL, NULL},
};

struct line_profiler {
	struct pk_builder *b;
	struct pk_pickle *p;
	struct pk_error *err;
	uint32_t metric, hits;
	int64_t factor; /* values in a tick; 0: a tick is no whole number of them */
	long double real_factor;
	const char *function; /* for messages */
};

static bool is_whole(long double x)
{
	return x >= 1 && x < 1e18L && fabsl(x - roundl(x)) < 1e-6L;
}

/* Chooses decimals of a ns so that a tick is a whole number of values, if that is possible. */
static void add_metric(struct line_profiler *r, double unit)
{
	enum { DIGITS = 9 };
	long double tick = (long double)unit * 1000000000;
	int exponent = 0;

	while (exponent < DIGITS && !is_whole(tick * powl(10, exponent)))
		exponent++;
	if (!is_whole(tick * powl(10, exponent)))
		for (exponent = 0; exponent < DIGITS && tick * powl(10, exponent) < 1;)
			exponent++;
	tick *= powl(10, exponent);
	r->factor = is_whole(tick) ? (int64_t)roundl(tick) : 0;
	r->real_factor = tick;
	r->metric = pk_build_metric(r->b, "time", "ns", exponent, PK_METRIC_TIME,
				    r->factor ? PK_EXACT : PK_ROUNDED);
	r->hits = pk_build_metric(r->b, "hits", "count", 0, PK_METRIC_COUNT, PK_EXACT);
	pk_build_set(r->b, metric, counts, r->metric, r->hits);
}

static int64_t to_value(const struct line_profiler *r, int64_t ticks)
{
	long double value = (long double)ticks * r->real_factor;

	if (r->factor)
		return pk_mul_saturated(ticks, r->factor);
	return value < 9.2e18L ? llroundl(value) : INT64_MAX;
}

static int report_cut(struct line_profiler *r)
{
	return pk_build_repair(r->b, r->err, "value beyond 64 bits cut", "function '%s'",
			       r->function);
}

/* A number that is not negative; larger ones than 64 bits are cut. */
static int read_count(struct line_profiler *r, const struct pk_pickle_value *v, const char *what,
		      int64_t *count)
{
	if (v->type == PK_PICKLE_INT && v->integer >= 0) {
		*count = v->integer;
		return 0;
	}
	if (v->type == PK_PICKLE_FLOAT && v->real >= 0 && v->real < 9.2e18) {
		*count = llrint(v->real);
		return 0;
	}
	if (v->type == PK_PICKLE_BIG && !v->negative) {
		*count = INT64_MAX;
		return report_cut(r);
	}
	return pk_fail(r->err, PK_EFORMAT, "function '%s': %s is no count", r->function, what);
}

static int read_line(struct line_profiler *r, uint32_t function, const struct pk_pickle_value *v)
{
	uint32_t count;
	const struct pk_pickle_value *item = pk_pickle_items(r->p, v, &count);
	int64_t line, hits, ticks, value;
	uint32_t node;
	bool cut;

	if (v->type != PK_PICKLE_TUPLE || count != 3)
		return pk_fail(r->err, PK_EFORMAT,
			       "function '%s': expected (line, hits, time), found %s", r->function,
			       pk_pickle_name(v));
	if (read_count(r, &item[0], "the line", &line) ||
	    read_count(r, &item[1], "the number of hits", &hits) ||
	    read_count(r, &item[2], "the time", &ticks))
		return -1;
	if (!line || line >= UINT32_MAX)
		return pk_fail(r->err, PK_EFORMAT, "function '%s': line %" PRId64, r->function,
			       line);
	value = to_value(r, ticks);
	if (value == INT64_MAX && ticks != INT64_MAX && report_cut(r))
		return -1;
	node = pk_build_node(r->b, 0, pk_build_place(r->b, function, (uint32_t)line));
	cut = pk_build_cost(r->b, 0, node, r->metric, value, PK_NULL);
	cut |= pk_build_cost(r->b, 0, node, r->hits, hits, PK_NULL);
	return cut ? report_cut(r) : 0;
}

static int read_function(struct line_profiler *r, const struct pk_pickle_value *key,
			 const struct pk_pickle_value *lines)
{
	struct pk_function f = {.kind = PK_KIND_PYTHON};
	uint32_t count, function;
	const struct pk_pickle_value *item = pk_pickle_items(r->p, key, &count);
	size_t file_len, name_len;
	const char *file;
	int64_t line;

	if (key->type != PK_PICKLE_TUPLE || count != 3 || item[0].type != PK_PICKLE_TEXT ||
	    item[2].type != PK_PICKLE_TEXT || lines->type != PK_PICKLE_LIST)
		return pk_fail(r->err, PK_EFORMAT,
			       "timings: expected (file, line, name) and a list, found %s and %s",
			       pk_pickle_name(key), pk_pickle_name(lines));
	file = pk_pickle_text(r->p, &item[0], &file_len);
	r->function = pk_pickle_text(r->p, &item[2], &name_len);
	if (read_count(r, &item[1], "the first line", &line))
		return -1;
	if (line >= UINT32_MAX)
		return pk_fail(r->err, PK_EFORMAT, "function '%s': line %" PRId64, r->function,
			       line);
	f.name = pk_build_string(r->b, r->function, name_len);
	f.file = pk_build_string(r->b, file, file_len);
	f.line = (uint32_t)line;
	function = pk_build_function(r->b, &f);
	item = pk_pickle_items(r->p, lines, &count);
	if (!count) /* it never ran */
		pk_build_cost(r->b, 0, pk_build_node(r->b, 0, pk_build_place(r->b, function, 0)),
			      r->metric, 0, PK_NULL);
	for (uint32_t i = 0; i < count; i++)
		if (read_line(r, function, &item[i]))
			return -1;
	return 0;
}

static int read_stats(struct line_profiler *r, const struct pk_pickle_value *stats)
{
	const struct pk_pickle_value *unit = pk_pickle_find(r->p, stats, "unit"), *item;
	const struct pk_pickle_value *timings = pk_pickle_find(r->p, stats, "timings");
	PK_BUF_AUTO text = PK_BUF_INIT;
	uint32_t count;

	if (stats->type != PK_PICKLE_RECORD || !timings || timings->type != PK_PICKLE_DICT ||
	    !unit || unit->type != PK_PICKLE_FLOAT)
		return pk_fail(r->err, PK_EFORMAT,
			       "not a profile of line_profiler: expected LineStats with timings "
			       "and unit");
	if (!(unit->real > 0) || !isfinite(unit->real) || unit->real > 1e6)
		return pk_fail(r->err, PK_EFORMAT, "the unit is %g s", unit->real);
	add_metric(r, unit->real);
	pk_format_real(&text, unit->real);
	pk_build_meta(r->b, "timer_unit", text.data);
	pk_build_meta(r->b, "class", classes[stats->kind].module);
	pk_build_meta(r->b, "times", "of lines include the functions they call");
	item = pk_pickle_items(r->p, timings, &count);
	for (uint32_t i = 0; i < count; i += 2)
		if (read_function(r, &item[i], &item[i + 1]))
			return -1;
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct pk_pickle p;
	struct line_profiler r = {.b = b, .p = &p, .err = err};
	struct pk_pickle_value stats;
	size_t more;
	int result;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "line_profiler");
	pk_pickle_init(&p, in, err);
	p.classes = classes;
	result = pk_pickle_read(&p, &stats) || read_stats(&r, &stats) ? -1 : 0;
	pk_input_peek(in, 1, &more);
	if (!result && more)
		result = pk_build_repair(b, err, "what follows the profile ignored",
					 "byte %" PRIu64, pk_input_offset(in));
	pk_pickle_release(&p);
	return result ? -1 : pk_input_check(in, err);
}

/* Module and class are the first texts. */
static enum pk_score probe(const struct pk_probe *probe)
{
	struct pk_probe begin = {probe->data, probe->len < 96 ? probe->len : 96, false};

	if (!begin.len || !memchr("\x80(c", begin.data[0], 3))
		return PK_NO;
	return pk_probe_has(&begin, "line_profiler") && pk_probe_has(&begin, "LineStats") ? PK_MAGIC
											  : PK_NO;
}

static const char *const suffixes[] = {".lprof", NULL};

const struct pk_reader pk_reader_line_profiler = {
	.name = "line-profiler",
	.title = "times of lines by line_profiler (kernprof -l)",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_METRICS | PK_PART_META,
	.probe = probe,
	.read = read,
};
