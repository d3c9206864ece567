/*
 * pstats: what Python's cProfile, profile and profiling.sampling, PyPy, yappi
 * (type "pstat") and pyinstrument (-r pstats) write. One marshalled dict
 * (base/marshal.h) without any header; the shape is that of Lib/pstats.py and
 * Lib/cProfile.py of CPython:
 *
 *	{(file, line, name): (cc, nc, tt, ct,
 *	                      {(file, line, name): (nc, cc, tt, ct), ...}), ...}
 *
 *	{('a.py', 3, 'f'): (1, 6, 0.25, 1.5, {('a.py', 9, 'g'): (1, 1, 0.05, 1.5),
 *	                                      ('a.py', 3, 'f'): (5, 0, 0.2, 0.7)})}
 *
 * cc and nc are primitive and all calls (in this order outside, in the other inside), tt
 * and ct self and total seconds; inside they are those of the function while it
 * was called by that caller. ('~', 0, name) is a function without source.
 *
 * Variants: `profile` writes the number of calls alone for a caller, and builtins
 * as ('', 0, name); old versions of Stats.add joined the tuples of a caller
 * instead of adding them (8, 12, ... values); profiling.sampling adds
 * ('__sampled__',): True; yappi swaps cc and nc; pyinstrument writes -1 for both.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/marshal.h"
#include "base/num/units.h"
#include "readers/pstats/rows.h"
#include "readers/reader.h"

#define FORGET_SIZE ((size_t)1 << 20)

/* The next token, with a tuple or dict that was met before entered again. */
static int next(struct pstats_reader *r, struct pk_marshal_token *t)
{
	if (pk_marshal_next(&r->m, t))
		return -1;
	if (t->type != PK_MARSHAL_REF)
		return 0;
	/* What has a number is a function's name, and its bytes may be gone. */
	return t->memo ? pstats_unexpected(r, t, "values") : pk_marshal_enter(&r->m, t);
}

static int read_sampled(struct pstats_reader *r)
{
	struct pk_marshal_token t;

	if (pk_marshal_next(&r->m, &t))
		return -1;
	if (t.type != PK_MARSHAL_TEXT || t.len != 11 || memcmp(t.text, "__sampled__", 11))
		return pstats_unexpected(r, &t, "the text '__sampled__'");
	if (next(r, &t))
		return -1;
	r->sampled = true;
	return pk_marshal_skip(&r->m, &t);
}

static int read_count(struct pstats_reader *r, const struct pk_marshal_token *t, int64_t *count)
{
	if (t->type == PK_MARSHAL_FLOAT) {
		bool whole = fabs(t->real) < 0x1p62 && t->real == floor(t->real);

		*count = whole ? (int64_t)t->real : PSTATS_UNKNOWN;
		return whole ? 0
			     : pstats_repair(r, t->at, "count that is not a whole number ignored");
	}
	if (t->type != PK_MARSHAL_INT && t->type != PK_MARSHAL_BOOL)
		return pstats_unexpected(r, t, "a number of calls");
	*count = t->integer > INT64_MAX ? INT64_MAX
					: (t->integer < -INT64_MAX ? -INT64_MAX : t->integer);
	if (*count != t->integer)
		return pstats_repair(r, t->at, "count beyond 64 bits cut");
	return 0;
}

static int read_time(struct pstats_reader *r, const struct pk_marshal_token *t, double *seconds)
{
	if (t->type != PK_MARSHAL_FLOAT && t->type != PK_MARSHAL_INT && t->type != PK_MARSHAL_BOOL)
		return pstats_unexpected(r, t, "a time");
	*seconds = t->real;
	if (!isfinite(t->real))
		return pstats_repair(r, t->at, "time that is not finite taken as unknown");
	if (fabs(t->real) >= 0x1p63 / 1e9)
		return pstats_repair(r, t->at, "time beyond 292 years cut");
	return 0;
}

/* Two counts and two times. */
static int read_values(struct pstats_reader *r, int64_t count[2], double time[2])
{
	struct pk_marshal_token t;

	for (int i = 0; i < 4; i++) {
		if (pk_marshal_next(&r->m, &t))
			return -1;
		if (i < 2 ? read_count(r, &t, &count[i]) : read_time(r, &t, &time[i - 2]))
			return -1;
	}
	return 0;
}

static int64_t add_counts(int64_t a, int64_t b)
{
	if (a == PSTATS_UNKNOWN || b == PSTATS_UNKNOWN)
		return PSTATS_UNKNOWN;
	pk_add_saturated(&a, b);
	return a;
}

/* (nc, cc, tt, ct), or several of them joined. */
static int read_caller_tuple(struct pstats_reader *r, const struct pk_marshal_token *t,
			     struct pstats_row *row)
{
	int64_t count[2];
	double time[2];

	if (!t->count || t->count % 4) {
		*row = (struct pstats_row){row->function, PSTATS_UNKNOWN, PSTATS_UNKNOWN, NAN, NAN};
		if (pstats_repair(r, t->at, "caller without its four values taken as unknown"))
			return -1;
		return pk_marshal_skip(&r->m, t);
	}
	if (t->count > 4 && pstats_repair(r, t->at, "joined values of one caller added"))
		return -1;
	if (read_values(r, count, time))
		return -1;
	*row = (struct pstats_row){row->function, count[0], count[1], time[0], time[1]};
	for (uint32_t i = 4; i < t->count; i += 4) {
		if (read_values(r, count, time))
			return -1;
		row->nc = add_counts(row->nc, count[0]);
		row->cc = add_counts(row->cc, count[1]);
		row->tt += time[0];
		row->ct += time[1];
	}
	return 0;
}

static int add_caller(struct pstats_reader *r, uint32_t function, size_t at,
		      struct pstats_row **row)
{
	PK_GROW(r->row, r->row_count + 1, r->row_alloc);
	*row = &r->row[r->row_count++];
	(*row)->function = function;
	if (r->caller_of[function] == r->functions) {
		r->caller_repeated = true;
		return pstats_repair(r, at, "caller given twice: the later one kept");
	}
	r->caller_of[function] = r->functions;
	return 0;
}

static int read_callers(struct pstats_reader *r)
{
	struct pk_marshal_token t;
	struct pstats_row *row;
	uint32_t function;
	int64_t count;

	for (;;) {
		if (pstats_read_key(r, &t, &function))
			return -1;
		if (t.type == PK_MARSHAL_END)
			return 0;
		if (!function)
			return pstats_unexpected(r, &t, "a caller as (file, line, name)");
		if (add_caller(r, function, t.at, &row) || next(r, &t))
			return -1;
		if (t.type == PK_MARSHAL_TUPLE) {
			if (read_caller_tuple(r, &t, row))
				return -1;
		} else {
			if (read_count(r, &t, &count))
				return -1;
			*row = (struct pstats_row){function, count, PSTATS_UNKNOWN, NAN, NAN};
		}
	}
}

/*
 * Gives back what was read of the file, but for objects that may be read again: those
 * that can be referred to and were not given a number. Between two functions no container
 * is open but the outermost, which nothing can refer to.
 */
static void forget(struct pstats_reader *r)
{
	const struct pk_marshal *m = &r->m;
	size_t from = r->forgotten, at, end;

	r->forgotten = m->at;
	if (m->interned.count)
		return;
	for (; r->refs_seen < m->shared.count; r->refs_seen++) {
		if (m->shared.item[r->refs_seen].open || m->shared.item[r->refs_seen].memo)
			continue;
		pk_marshal_place(m, r->refs_seen, &at, &end);
		if (at > from)
			pk_input_forget(r->in, m->data + from, at - from);
		from = end > from ? end : from;
	}
	if (m->at > from)
		pk_input_forget(r->in, m->data + from, m->at - from);
}

static int read_function(struct pstats_reader *r, uint32_t function, size_t at)
{
	struct pk_marshal_token t;
	int64_t count[2];
	double time[2];

	if (next(r, &t))
		return -1;
	if (t.type != PK_MARSHAL_TUPLE || t.count != 5)
		return pstats_unexpected(r, &t, "(calls, calls, time, time, callers)");
	r->functions++;
	r->row_count = 1;
	if (read_values(r, count, time) || next(r, &t))
		return -1;
	if (t.type != PK_MARSHAL_DICT)
		return pstats_unexpected(r, &t, "a dict of callers");
	r->row[0] = (struct pstats_row){function, count[1], count[0], time[0], time[1]};
	if (read_callers(r))
		return -1;
	if (r->function[function].first &&
	    pstats_repair(r, at, "function given twice: the later one kept"))
		return -1;
	pstats_push(r);
	if (r->m.at - r->forgotten >= FORGET_SIZE)
		forget(r);
	return 0;
}

static int read_profile(struct pstats_reader *r)
{
	struct pk_marshal_token t;
	uint32_t function;

	if (pk_marshal_next(&r->m, &t))
		return -1;
	if (t.type != PK_MARSHAL_DICT)
		return pstats_unexpected(r, &t, "a dict");
	for (;;) {
		if (pstats_read_key(r, &t, &function))
			return -1;
		if (t.type == PK_MARSHAL_END)
			break;
		if (function ? read_function(r, function, t.at) : read_sampled(r))
			return -1;
	}
	if (!r->functions)
		return pk_fail(r->err, PK_EFORMAT,
			       "no functions: the profiler was never enabled, or saw no call");
	if (r->m.at < r->m.len)
		return pstats_repair(r, r->m.at, "bytes after the profile ignored");
	return 0;
}

static int read_pstats(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	struct pstats_reader r = {.b = b, .err = err, .in = in};
	const uint8_t *data;
	size_t len;
	int result;

	(void)params;
	data = pk_input_all(in, &len);
	if (pk_input_check(in, err))
		return -1;
	pk_marshal_init(&r.m, data, len, err);
	r.metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	PK_GROW(r.row, 1, r.row_alloc);
	result = read_profile(&r);
	if (!result)
		result = pstats_finish(&r);
	pk_marshal_release(&r.m);
	pk_buf_release(&r.text);
	free(r.function);
	free(r.caller_of);
	free(r.place);
	free(r.row);
	return result;
}

/* A dict, and in it a tuple of three that begins with a text, or the marker. */
static enum pk_score probe_pstats(const struct pk_probe *probe)
{
	const uint8_t *p = probe->data;
	uint32_t items;

	if (probe->len < 2 || (p[0] & 0x7F) != '{')
		return PK_NO;
	if ((p[1] & 0x7F) == '0')
		return probe->whole && probe->len == 2 ? PK_SURE : PK_MAYBE;
	if ((p[1] & 0x7F) == ')') {
		items = p[2];
		p += 3;
	} else if ((p[1] & 0x7F) == '(') {
		items = (uint32_t)(p[2] | p[3] << 8 | p[4] << 16) | (uint32_t)p[5] << 24;
		p += 6;
	} else {
		return PK_NO;
	}
	if ((items != 3 && items != 1) || !strchr("stuaAzZ", p[0] & 0x7F) || !(p[0] & 0x7F))
		return PK_NO;
	return PK_SURE;
}

static const char *const suffixes[] = {".prof",    ".pstats",   ".pstat", ".cprof",
				       ".profile", ".cprofile", ".out",   NULL};

const struct pk_reader pk_reader_pstats = {
	.name = "pstats",
	.title = "Python cProfile, profile, profiling.sampling and yappi (.prof)",
	.suffixes = suffixes,
	.keeps = PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES | PK_PART_META,
	.probe = probe_pstats,
	.read = read_pstats,
};
