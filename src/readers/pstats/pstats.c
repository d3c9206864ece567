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
 * Each key is read once; a reference to one that was read is found by its number.
 *
 * Variants: `profile` writes the number of calls alone for a caller, builtins
 * as ('', 0, name), and the code that `python -m profile` runs as ('profile', 0, code);
 * old versions of Stats.add joined the tuples of a caller instead of adding them (8, 12,
 * ... values); profiling.sampling adds ('__sampled__',): True; yappi swaps cc and nc;
 * pyinstrument writes -1 for both.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/pstats/internal.h"
#include "readers/pstats/producer.h"

#define FORGET_SIZE ((size_t)1 << 20)

struct values {
	int64_t count[2]; /* PK_NULL = unknown */
	double time[2];   /* seconds; NaN = unknown */
};

/* The next token, with a tuple or dict that was met before entered again. */
static int next(struct pstats *r, struct pk_marshal_token *t)
{
	if (pk_marshal_next(&r->m, t))
		return -1;
	if (t->type != PK_MARSHAL_REF)
		return 0;
	/* A numbered object is the name of a function, whose bytes may be freed. */
	return t->memo ? pstats_unexpected(r, t, "values") : pk_marshal_enter(&r->m, t);
}

static int read_sampled(struct pstats *r)
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

/* -1 is a number that is not known, for pyinstrument. */
static int read_count(struct pstats *r, const struct pk_marshal_token *t, int64_t *count)
{
	if (t->type == PK_MARSHAL_FLOAT) {
		bool whole = fabs(t->real) < 0x1p62 && t->real == floor(t->real);

		*count = whole ? (int64_t)t->real : PK_NULL;
		return whole ? 0
			     : pstats_repair(r, t->at, "count that is not a whole number ignored");
	}
	if (t->type != PK_MARSHAL_INT && t->type != PK_MARSHAL_BOOL)
		return pstats_unexpected(r, t, "a number of calls");
	*count = t->integer == -1 ? PK_NULL : t->integer;
	return t->cut ? pstats_repair(r, t->at, "count beyond 64 bits cut") : 0;
}

static int read_time(struct pstats *r, const struct pk_marshal_token *t, double *seconds)
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
static int read_values(struct pstats *r, struct values *v)
{
	struct pk_marshal_token t;

	for (int i = 0; i < 4; i++) {
		if (pk_marshal_next(&r->m, &t))
			return -1;
		if (i < 2 ? read_count(r, &t, &v->count[i]) : read_time(r, &t, &v->time[i - 2]))
			return -1;
	}
	return 0;
}

/* (nc, cc, tt, ct), or several of them joined. */
static int read_caller_tuple(struct pstats *r, const struct pk_marshal_token *t, struct values *v)
{
	struct values more;

	if (!t->count || t->count % 4)
		return pstats_repair(r, t->at, "caller without its four values taken as unknown")
			       ? -1
			       : pk_marshal_skip(&r->m, t);
	if (t->count > 4 && pstats_repair(r, t->at, "joined values of one caller added"))
		return -1;
	if (read_values(r, v))
		return -1;
	for (uint32_t i = 4; i < t->count; i += 4) {
		if (read_values(r, &more))
			return -1;
		for (int k = 0; k < 2; k++) {
			pk_add_known(&v->count[k], more.count[k]);
			v->time[k] += more.time[k];
		}
	}
	return 0;
}

static int64_t ns(double seconds)
{
	int64_t value;

	return pk_seconds_to_ns(seconds, &value) ? value : PK_NULL;
}

static void add_edge(struct pstats *r, uint32_t caller, uint32_t callee, int64_t nc, int64_t cc,
		     const double time[2])
{
	pk_build_edge(r->b, &(struct pk_edge){.caller = caller,
					      .callee = callee,
					      .metric = r->metric,
					      .calls = nc,
					      .primitive_calls = cc,
					      .self = ns(time[0]),
					      .total = ns(time[1]),
					      .self_raw = time[0],
					      .total_raw = time[1]});
}

static int read_caller(struct pstats *r, uint32_t caller, uint32_t callee, size_t at)
{
	struct values v = {{PK_NULL, PK_NULL}, {NAN, NAN}};
	struct pk_marshal_token t;

	if (next(r, &t))
		return -1;
	if (r->function[caller].caller_of == r->functions)
		return pstats_repair(r, at, "caller given twice: the first one kept")
			       ? -1
			       : pk_marshal_skip(&r->m, &t);
	r->function[caller].caller_of = r->functions;
	if (t.type == PK_MARSHAL_TUPLE ? read_caller_tuple(r, &t, &v)
				       : read_count(r, &t, &v.count[0]))
		return -1;
	add_edge(r, caller, callee, v.count[0], v.count[1], v.time);
	return 0;
}

static int read_function(struct pstats *r, uint32_t function, size_t at)
{
	struct pk_marshal_token t;
	struct values v;
	uint32_t caller;

	if (next(r, &t))
		return -1;
	if (t.type != PK_MARSHAL_TUPLE || t.count != 5)
		return pstats_unexpected(r, &t, "(calls, calls, time, time, callers)");
	if (r->function[function].read)
		return pstats_repair(r, at, "function given twice: the first one kept")
			       ? -1
			       : pk_marshal_skip(&r->m, &t);
	r->function[function].read = true;
	r->functions++;
	if (read_values(r, &v) || next(r, &t))
		return -1;
	if (t.type != PK_MARSHAL_DICT)
		return pstats_unexpected(r, &t, "a dict of callers");
	add_edge(r, 0, function, v.count[1], v.count[0], v.time);
	for (;;) {
		if (pstats_read_key(r, &t, &caller))
			return -1;
		if (t.type == PK_MARSHAL_END)
			return 0;
		if (!caller)
			return pstats_unexpected(r, &t, "a caller as (file, line, name)");
		if (read_caller(r, caller, function, t.at))
			return -1;
	}
}

/* Frees the bytes of the file that were read since the last time, unless they have objects that may
 * be read again: objects that can be referred to and have no number. Between two functions only the
 * outermost container is open, and nothing can refer to it. */
static void forget(struct pstats *r)
{
	const struct pk_marshal *m = &r->m;
	bool needed = m->interned.count;

	for (; r->refs_seen < m->shared.count; r->refs_seen++)
		needed |= !m->shared.item[r->refs_seen].open && !m->shared.item[r->refs_seen].memo;
	if (!needed)
		pk_input_forget(r->in, m->data + r->forgotten, m->at - r->forgotten);
	r->forgotten = m->at;
}

static int read_profile(struct pstats *r)
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
		if (r->m.at - r->forgotten >= FORGET_SIZE)
			forget(r);
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
	struct pstats r = {.b = b, .err = err, .in = in};
	const uint8_t *data;
	size_t len;
	int result;

	(void)params;
	data = pk_input_all(in, &len);
	if (pk_input_check(in, err))
		return -1;
	pk_marshal_init(&r.m, data, len, err);
	r.metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	result = read_profile(&r);
	if (!result)
		result = pstats_finish(b, r.metric, r.sampled, r.m.python2 || r.bytes_names, err);
	pk_marshal_release(&r.m);
	pk_buf_release(&r.text);
	free(r.function);
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
