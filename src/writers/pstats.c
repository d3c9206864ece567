/*
 * pstats: the dict of Python's cProfile (see readers/pstats/pstats.c), in the types of marshal
 * that every Python since 2.5 reads: no shared objects, no short tuples.
 *
 *	{(file, line, name): (cc, nc, tt, ct, {(file, line, name): (nc, cc, tt, ct), ...}), ...}
 *
 * - Times are those of the file that was read, down to the last bit, order included.
 * - Values that Python can read but snakeviz, gprof2dot, flameprof or tuna cannot are changed, and
 *   a note says so: every caller has an entry of its own; all callers have four values (if times
 *   are not known, those of the function are divided in proportion to calls); numbers of calls that
 *   are not known are 1, times finite, names valid UTF-8; the mark of a sampled profile, at which
 *   Python before 3.15 stops, is left out; yappi's counts are in their right order.
 * - With -O exact none of this is changed: from a pstats file Python loads the same dict.
 * - Times are seconds; a metric that is no time is written as it is, and a note says so.
 */
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pstats/stats.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "writers/writer.h"

#define FLUSH_SIZE ((size_t)256 << 10)

struct params {
	const char *metric;
	bool exact;
};

static const struct {
	const char *one, *many;
} changes[] = {
	{"caller had no times: a share of the function's by calls",
	 "callers had no times: shares of the function's by calls"},
	{"number of calls that is not known written as 1",
	 "numbers of calls that are not known written as 1"},
	{"time that is not finite written as 0", "times that are not finite written as 0"},
	{"name that is not UTF-8 changed", "names that are not UTF-8 changed"},
	{"caller without an entry got one", "callers without an entry got one"},
};
enum { NO_TIMES, NO_CALLS, NOT_FINITE, NOT_UTF8, NO_ENTRY, CHANGES };

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 0, offsetof(struct params, metric), "NAME",
	 .help = "the metric to write (default: the first)"},
	{PK_OPT_FLAG, "exact", 0, offsetof(struct params, exact),
	 .help = "keep entries that Python reads, but snakeviz, flameprof or tuna do not"},
	PK_OPT_LAST,
};

static void add_u32(struct pk_buf *buf, char code, uint32_t value)
{
	char bytes[5] = {code};

	value = htole32(value);
	memcpy(bytes + 1, &value, 4);
	pk_buf_add(buf, bytes, 5);
}

static void add_int(struct pk_buf *buf, int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	unsigned char digits[10];
	int count = 0;

	if (value >= INT32_MIN && value <= INT32_MAX) {
		add_u32(buf, 'i', (uint32_t)(int32_t)value);
		return;
	}
	for (; rest; rest >>= 15, count++) {
		digits[2 * count] = (unsigned char)(rest & 0xFF);
		digits[2 * count + 1] = (unsigned char)(rest >> 8 & 0x7F);
	}
	add_u32(buf, 'l', (uint32_t)(value < 0 ? -count : count));
	pk_buf_add(buf, digits, 2 * (size_t)count);
}

static void add_float(struct pk_buf *buf, double value)
{
	uint64_t bits;
	char bytes[9] = {'g'};

	memcpy(&bits, &value, 8);
	bits = htole64(bits);
	memcpy(bytes + 1, &bits, 8);
	pk_buf_add(buf, bytes, 9);
}

static void add_text(struct pk_buf *buf, const char *text, uint32_t len)
{
	add_u32(buf, 'u', len);
	pk_buf_add(buf, text, len);
}

static void add_key(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	uint32_t file = p->function.file[function], name = p->function.name[function];

	add_u32(buf, '(', 3);
	add_text(buf, file ? pk_text(p, file) : "~", file ? p->string.len[file] : 1);
	add_int(buf, p->function.line[function]);
	add_text(buf, pk_text(p, name), p->string.len[name]);
}

struct writing {
	struct pk_stats stats;
	struct pk_output *out;
	struct pk_buf buf;
	bool exact;
	int fewest_calls; /* number of calls written if the number is not known */
	double *called;   /* by function: the total of its callees, as written; NaN = none */
	uint32_t changed[CHANGES];
};

/* Replaces bytes that Python cannot decode, and lone surrogates, which other tools cannot. */
static uint32_t repaired_text(struct writing *w, struct pk_builder *b, uint32_t string)
{
	const struct pk_profile *p = pk_builder_profile(b);
	const char *text = pk_text(p, string);
	PK_BUF_AUTO buf = PK_BUF_INIT;
	size_t len = p->string.len[string], n;
	bool changed = false, valid;
	uint32_t cp;

	if (pk_utf8_valid(text, len))
		return string;
	for (size_t i = 0; i < len; i += n) {
		n = pk_utf8_decode_python(text + i, len - i, &cp, &valid);
		valid = valid && (w->exact || cp < 0xD800 || cp > 0xDFFF);
		if (valid)
			pk_buf_add(&buf, text + i, n);
		else
			pk_buf_adds(&buf, "\xEF\xBF\xBD");
		changed |= !valid;
	}
	string = pk_build_string(b, buf.data, buf.len);
	w->changed[NOT_UTF8] += changed;
	return string;
}

static void repair_function(void *data, struct pk_builder *b, struct pk_function *f)
{
	f->file = repaired_text(data, b, f->file);
	f->name = repaired_text(data, b, f->name);
}

static bool has_invalid_texts(const struct pk_profile *p)
{
	uint32_t i = 1;

	while (i < p->string.count && pk_utf8_valid(pk_text(p, i), p->string.len[i]))
		i++;
	return i < p->string.count;
}

static void make_finite(struct writing *w, double *value)
{
	if (isfinite(*value))
		return;
	w->changed[NOT_FINITE]++;
	*value = 0;
}

/* Formats without call counts have zeros here; counts of a pstats file are known. */
static void make_known(struct writing *w, int64_t *nc, int64_t *cc)
{
	if (*nc < w->fewest_calls) {
		*nc = *cc = 1;
		w->changed[NO_CALLS]++;
	}
	if (*cc < 0)
		*cc = *nc;
}

static void make_caller_portable(struct writing *w, struct pk_stats_numbers *c,
				 const struct pk_stats_numbers *f)
{
	double share = f->nc > 0 && c->nc > 0 ? (double)c->nc / (double)f->nc : 0;

	if (c->only_count) {
		c->tt = f->tt * share;
		c->ct = f->ct * share;
		c->only_count = false;
		w->changed[NO_TIMES]++;
	}
	make_known(w, &c->nc, &c->cc);
	make_finite(w, &c->tt);
	make_finite(w, &c->ct);
}

static void make_function_portable(struct writing *w, struct pk_stats_numbers *f)
{
	if (f->cc > f->nc) { /* yappi's order of the two counts */
		int64_t swap = f->cc;

		f->cc = f->nc;
		f->nc = swap;
	}
	make_finite(w, &f->tt);
	make_finite(w, &f->ct);
}

static void write_callers(struct writing *w, uint32_t function, const struct pk_stats_numbers *f)
{
	const struct pk_stats *s = &w->stats;

	pk_buf_addc(&w->buf, '{');
	for (uint32_t i = s->first[function]; i < s->first[function + 1]; i++) {
		uint32_t caller = s->arcs.row[s->arc[i]].caller;
		struct pk_stats_numbers c = pk_stats_of_caller(s, s->arc[i]);

		if (!w->exact)
			make_caller_portable(w, &c, f);
		w->called[caller] = c.ct + (isnan(w->called[caller]) ? 0 : w->called[caller]);
		add_key(&w->buf, s->p, caller);
		if (c.only_count) {
			add_int(&w->buf, c.nc);
			continue;
		}
		add_u32(&w->buf, '(', 4);
		add_int(&w->buf, c.nc);
		add_int(&w->buf, c.cc);
		add_float(&w->buf, c.tt);
		add_float(&w->buf, c.ct);
	}
	pk_buf_addc(&w->buf, '0');
}

static void write_function(struct writing *w, uint32_t function, struct pk_stats_numbers f)
{
	struct pk_stats_numbers whole;

	if (!w->exact)
		make_function_portable(w, &f);
	whole = f;
	if (!w->exact)
		make_known(w, &f.nc, &f.cc);
	add_key(&w->buf, w->stats.p, function);
	add_u32(&w->buf, '(', 5);
	add_int(&w->buf, f.cc);
	add_int(&w->buf, f.nc);
	add_float(&w->buf, f.tt);
	add_float(&w->buf, f.ct);
	write_callers(w, function, &whole);
}

/* Adds callers that have no entry; their total is the sum of their callees. */
static void write_missing(struct writing *w)
{
	const struct pk_stats *s = &w->stats;

	for (uint32_t i = 0; i < s->p->function.count; i++) {
		struct pk_stats_numbers f = {.nc = 1, .cc = 1, .ct = w->called[i]};

		if (isnan(w->called[i]) || s->functions.of_function[i])
			continue;
		write_function(w, i, f);
		pk_output_drain(w->out, &w->buf, FLUSH_SIZE);
		w->changed[NO_ENTRY]++;
	}
}

static void write_dict(struct writing *w, bool sampled)
{
	pk_buf_addc(&w->buf, '{');
	for (size_t i = 0; i < w->stats.functions.count && !pk_output_failed(w->out); i++) {
		write_function(w, w->stats.functions.row[i].function,
			       pk_stats_of_function(&w->stats, i));
		pk_output_drain(w->out, &w->buf, FLUSH_SIZE);
	}
	if (!w->exact)
		write_missing(w);
	if (w->exact && sampled) {
		add_u32(&w->buf, '(', 1);
		add_text(&w->buf, "__sampled__", 11);
		pk_buf_addc(&w->buf, 'T');
	}
	pk_buf_addc(&w->buf, '0');
	pk_output_drain(w->out, &w->buf, 1);
}

static void add_notes(struct writing *w)
{
	for (int i = 0; i < CHANGES; i++)
		if (w->changed[i])
			pk_output_note(w->out, "%u %s", w->changed[i],
				       w->changed[i] == 1 ? changes[i].one : changes[i].many);
}

static void note_unit(const struct pk_profile *p, const char *name, struct pk_output *out)
{
	uint32_t metric = pk_metric_find(p, name);

	if (metric < p->metric.count && p->metric.kind[metric] != PK_METRIC_TIME)
		pk_output_note(out, "pstats has times only: one second for each 1 of '%s'",
			       pk_text(p, p->metric.name[metric]));
}

static int write_pstats(const struct pk_profiles *list, const void *params, struct pk_output *out,
			struct pk_error *err)
{
	const struct pk_profile *p = list->item[0];
	const struct params *o = params;
	struct writing w = {
		.out = out,
		.exact = o->exact,
		.fewest_calls = strcmp(pk_text(p, p->run.format[1]), "pstats") ? 1 : 0,
	};
	struct pk_stats_options stats = {.metric = o->metric,
					 .callers = true,
					 .edit = has_invalid_texts(p) ? repair_function : NULL,
					 .data = &w};
	int result = 0;

	if (o->metric && !pk_metric_find(p, o->metric))
		return pk_fail(err, PK_EUSAGE, "no metric '%s'", o->metric);
	if (pk_stats_init(&w.stats, list, &stats, err))
		return -1;
	pk_stats_group(&w.stats, false);
	w.called = pk_malloc(pk_mul(w.stats.p->function.count, sizeof(*w.called)));
	for (uint32_t i = 0; i < w.stats.p->function.count; i++)
		w.called[i] = NAN;
	if (w.stats.functions.count)
		write_dict(&w, !strcmp(pk_text(p, p->run.producer[1]), "profiling.sampling"));
	else
		result = pk_fail(err, PK_EFORMAT,
				 "no functions: python does not read an empty profile");
	add_notes(&w);
	note_unit(p, o->metric, out);
	pk_stats_release(&w.stats);
	free(w.called);
	pk_buf_release(&w.buf);
	return result;
}

static const char *const suffixes[] = {".prof", ".pstats", ".pstat", ".cprof", NULL};

const struct pk_writer pk_writer_pstats = {
	.name = "pstats",
	.title = "Python's cProfile (.prof), for pstats, snakeviz, gprof2dot, tuna",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES,
	.binary = true,
	.write = write_pstats,
};
