/* Nesting of spans: which encloses which, lanes, begins and ends, and self times that add up. */
#include "tests/check_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/str.h"
#include "model/events/lanes.h"
#include "model/events/nest.h"

/* A row: thread, begin, duration, name of one letter. */
struct row {
	uint32_t thread;
	int64_t time, duration;
	char name;
};

enum { B = -1, E = -2, NEEDED_END = -3 }; /* NEEDED_END: something refers to it */

struct made {
	struct pk_profile *p;
	struct pk_nest nest;
};

/* A label that says which row a span was. */
static uint32_t label_of(struct pk_builder *b, size_t row)
{
	struct pk_label label = {.key = pk_build_label(b, "row", 3), .number = (int64_t)row};

	return pk_build_label_set(b, &label, 1);
}

/* Adds a row, of which `open` is what is open on its thread, or NULL. */
static uint32_t add_row(struct pk_builder *b, struct pk_nest_open *open, const struct row *row)
{
	uint32_t label = row->name ? (uint32_t)(row->name - 'a') + 1 : 0;
	int64_t duration = row->duration;

	if (open && duration == B)
		return pk_nest_begin(open, b, row->time, row->thread, label, 0);
	if (open && duration < 0)
		return pk_nest_end(open, b, row->time, row->thread, label, 0, duration == E);
	if (duration < 0)
		duration = duration == B ? PK_NEST_BEGIN : PK_NEST_END;
	return pk_build_span(b, row->time, duration, row->thread, label, 0);
}

static uint32_t place(const struct made *m, size_t row)
{
	return pk_nest_place(&m->nest, (uint32_t)row);
}

/* added: becomes the row of each, and most ends are matched before; NULL: all have rows. */
static struct made nest_from(const struct row *rows, size_t count, enum pk_nest_rule rule,
			     int64_t slack, uint32_t *added)
{
	struct pk_nest_open open[4] = {{0}};
	struct pk_builder *b = pk_builder_new();
	uint32_t process = pk_build_process(b, 7, 0, PK_NULL);
	struct pk_nest_label labels[27];
	struct pk_nest_thread threads[4];
	struct made m = {.nest = {.labels = labels,
				  .threads = threads,
				  .thread_count = 4,
				  .slack = slack,
				  .wants_place = true}};

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	memset(labels, 0, sizeof(labels));
	memset(threads, 0, sizeof(threads));
	for (int i = 1; i < 4; i++) {
		struct pk_thread t = {.process = process, .tid = i, .sort = PK_NULL};

		pk_build_thread(b, &t);
		threads[i].rule = rule;
	}
	for (int i = 1; i < 27; i++) {
		char name = (char)('a' + i - 1);

		labels[i].name = pk_build_string(b, &name, 1);
		labels[i].location = pk_build_label(b, &name, 1);
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t row = add_row(b, added ? &open[rows[i].thread] : NULL, &rows[i]);

		if (added)
			added[i] = row;
		else
			pk_build_set(b, span, labels, row, label_of(b, row));
	}
	for (int i = 1; i < 4; i++) {
		pk_nest_end_matching(&open[i], b);
		threads[i].unmatch = open[i].unmatch;
	}
	pk_nest(&m.nest, b);
	m.p = pk_builder_finish(b);
	for (size_t i = 1; i <= count && !added; i++)
		if (place(&m, i) && rows[i - 1].duration >= B)
			ck_assert_uint_eq(m.p->label_set.number[m.p->span.labels[place(&m, i)]], i);
	return m;
}

static struct made nest(const struct row *rows, size_t count, enum pk_nest_rule rule, int64_t slack)
{
	return nest_from(rows, count, rule, slack, NULL);
}

static void release(struct made *m)
{
	free(m->nest.place);
	free(m->nest.lane_of);
	pk_profile_free(m->p);
}

/* "1:a[0,9] 1:ab[2,5]": thread, path, begin and end of each span. */
static void check_spans(const struct made *m, const char *expected)
{
	const struct pk_profile *p = m->p;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;

	pk_buf_adds(&text, "");
	for (uint32_t i = 1; i < p->span.count; i++) {
		char path[30];
		size_t at = sizeof(path) - 1;

		path[at] = '\0';
		for (uint32_t node = p->span.node[i]; node; node = p->node.parent[node])
			path[--at] = *pk_text(p, p->function.name[pk_node_function(p, node)]);
		pk_buf_addf(&text, "%s%u:%s[%d,%d]", i > 1 ? " " : "", p->span.thread[i], path + at,
			    (int)p->span.time[i], (int)(p->span.time[i] + p->span.duration[i]));
	}
	ck_assert_str_eq(text.data ? text.data : "", expected);
	ck_assert_msg(!pk_profile_check(p, &err), "%s", err.text);
	pk_buf_release(&text);
}

/* Time in which a thread has spans: they are in order of their begins. */
static int64_t covered(const struct pk_profile *p, uint32_t thread)
{
	int64_t sum = 0, last = INT64_MIN;

	for (uint32_t i = 1; i < p->span.count; i++) {
		int64_t begin = p->span.time[i], end = begin + p->span.duration[i];

		if (p->span.thread[i] != thread || end <= last)
			continue;
		sum += end - (begin > last ? begin : last);
		last = end;
	}
	return sum;
}

static int64_t self_of(const struct pk_profile *p, uint32_t thread, const char *name)
{
	int64_t sum = 0;

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t frame = pk_node_function(p, p->cost.node[i]);

		if (pk_cost_thread(p, i) == thread &&
		    (!name || !strcmp(pk_text(p, p->function.name[frame]), name)))
			sum += p->cost.self[i];
	}
	return sum;
}

static void check_sums(const struct made *m)
{
	for (uint32_t i = 1; i < m->p->thread.count; i++)
		ck_assert_int_eq(self_of(m->p, i, NULL), covered(m->p, i));
}

/* In each thread a span is within the one that runs where it begins, and its path is longer by
 * one. */
static void check_nested(const struct pk_profile *p)
{
	const struct pk_span_table *t = &p->span;
	uint32_t open[4000], depth = 0;

	ck_assert_uint_le(t->count, 4000);
	for (uint32_t thread = 1; thread < p->thread.count; thread++, depth = 0) {
		for (uint32_t i = 1; i < t->count; i++) {
			if (t->thread[i] != thread)
				continue;
			while (depth && pk_span_end(p, open[depth - 1]) <= t->time[i])
				depth--;
			if (depth)
				ck_assert_int_le(pk_span_end(p, i),
						 pk_span_end(p, open[depth - 1]));
			ck_assert_uint_eq(p->node.parent[t->node[i]],
					  depth ? t->node[open[depth - 1]] : 0);
			open[depth++] = i;
		}
	}
}

#define NEST(rule, slack, ...)                  \
	nest((const struct row[]){__VA_ARGS__}, \
	     sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row), rule, slack)

START_TEST(spans_enclose_each_other)
{
	/* c and d touch; f takes no time where e begins, g where e ends. */
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 4, 2, 'd'}, {2, 1, 5, 'z'}, {1, 0, 10, 'a'},
			     {1, 2, 5, 'b'}, {1, 3, 1, 'c'}, {1, 10, 5, 'e'}, {1, 10, 0, 'f'},
			     {1, 15, 0, 'g'});

	check_spans(&m, "1:a[0,10] 1:ab[2,7] 1:abc[3,4] 1:abd[4,6] 1:e[10,15] 1:ef[10,10] "
			"1:g[15,15] 2:z[1,6]");
	ck_assert_int_eq(self_of(m.p, 1, "a"), 5);
	ck_assert_int_eq(self_of(m.p, 1, "b"), 2);
	ck_assert_int_eq(self_of(m.p, 1, "e"), 5);
	ck_assert_int_eq(self_of(m.p, 1, "f"), 0);
	check_sums(&m);
	/* d was row 1. */
	ck_assert_uint_eq(place(&m, 1), 4);
	ck_assert_uint_eq(place(&m, 2), 8);
	release(&m);
}
END_TEST

START_TEST(equal_spans_nest_in_order)
{
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 0, 5, 'b'}, {1, 0, 9, 'a'}, {1, 0, 5, 'c'});

	check_spans(&m, "1:a[0,9] 1:ab[0,5] 1:abc[0,5]");
	check_sums(&m);
	release(&m);
}
END_TEST

START_TEST(overlaps_go_to_lanes)
{
	/* b overlaps a, and c fits into a; d overlaps both a and b. */
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 0, 10, 'a'}, {1, 5, 10, 'b'}, {1, 6, 2, 'c'},
			     {1, 7, 20, 'd'}, {1, 12, 1, 'e'}, {2, 0, 3, 'x'});

	check_spans(&m, "1:a[0,10] 1:ac[6,8] 1:e[12,13] 2:x[0,3] 4:b[5,15] 5:d[7,27]");
	ck_assert_int_eq(m.nest.counts.overlapping, 2);
	ck_assert_int_eq(m.nest.counts.first_overlapping, 5);
	ck_assert_int_eq(m.nest.counts.longest_overlap, 5);
	ck_assert_uint_eq(m.nest.first_lane, 4);
	ck_assert_uint_eq(m.nest.lane_count, 2);
	ck_assert_uint_eq(m.nest.lane_of[0], 1);
	ck_assert_uint_eq(m.p->thread.incarnation[4], 1);
	ck_assert_uint_eq(m.p->thread.incarnation[5], 2);
	ck_assert_str_eq(pk_text(m.p, m.p->thread.name[4]), "(overlapping)");
	check_sums(&m);
	release(&m);
}
END_TEST

START_TEST(slack_shortens)
{
	struct made m = NEST(PK_NEST_CLOSED, 2, {1, 0, 10, 'a'}, {1, 5, 7, 'b'}, {1, 20, 10, 'c'},
			     {1, 25, 8, 'd'});

	check_spans(&m, "1:a[0,10] 1:ab[5,10] 1:c[20,30] 4:d[25,33]");
	ck_assert_int_eq(m.nest.counts.shortened, 1);
	ck_assert_int_eq(m.nest.counts.first_shortened, 5);
	check_sums(&m);
	release(&m);
}
END_TEST

START_TEST(enclosing_keeps_what_overlaps)
{
	/* b ends a as a caller: c belongs to b, b to p. */
	struct made m = NEST(PK_NEST_ENCLOSING, 0, {1, 0, 20, 'p'}, {1, 1, 9, 'a'}, {1, 5, 10, 'b'},
			     {1, 6, 1, 'c'}, {1, 16, 1, 'd'});

	check_spans(&m, "1:p[0,20] 1:pa[1,10] 1:pb[5,15] 1:pbc[6,7] 1:pd[16,17]");
	ck_assert_int_eq(self_of(m.p, 1, "p"), 5);
	ck_assert_int_eq(self_of(m.p, 1, "a"), 4);
	ck_assert_int_eq(self_of(m.p, 1, "b"), 9);
	ck_assert_int_eq(m.nest.counts.overlapping, 0);
	check_sums(&m);
	release(&m);
}
END_TEST

START_TEST(begins_meet_their_ends)
{
	/* Order of rows tells what equal times do not: b and c are siblings, d is within e. */
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 0, B, 'a'}, {1, 5, B, 'b'}, {1, 5, E, 'b'},
			     {1, 5, B, 'c'}, {1, 7, E, 0}, {1, 7, B, 'e'}, {1, 7, B, 'd'},
			     {1, 7, E, 'd'}, {1, 7, E, 'e'}, {1, 9, E, 'a'});

	check_spans(&m, "1:a[0,9] 1:ab[5,5] 1:ac[5,7] 1:ae[7,7] 1:aed[7,7]");
	ck_assert_int_eq(self_of(m.p, 1, "a"), 7);
	ck_assert_int_eq(m.nest.counts.unmatched + m.nest.counts.misnested, 0);
	/* Ends are where their begins are. */
	ck_assert_uint_eq(place(&m, 10), 1);
	ck_assert_uint_eq(place(&m, 5), 3);
	check_sums(&m);
	release(&m);
}
END_TEST

START_TEST(ends_that_do_not_match)
{
	/* x ends nothing; a ends b, too, whose own end comes at the same time; a ends c, whose end
	 * comes too late; s ends before it begins; o never ends. */
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 0, E, 'x'}, {1, 1, B, 'a'}, {1, 2, B, 'b'},
			     {1, 4, E, 'a'}, {1, 4, E, 'b'}, {1, 5, B, 'a'}, {1, 6, B, 'c'},
			     {1, 8, E, 'a'}, {1, 9, E, 'c'}, {1, 10, E, 's'}, {1, 10, B, 's'},
			     {1, 11, B, 'o'}, {1, 14, E, 'y'});

	check_spans(&m, "1:a[1,4] 1:ab[2,4] 1:a[5,8] 1:ac[6,8] 1:s[10,10] 1:o[11,14]");
	ck_assert_int_eq(m.nest.counts.unmatched, 3); /* x, c, y */
	ck_assert_int_eq(m.nest.counts.first_unmatched, 0);
	ck_assert_int_eq(m.nest.counts.misnested, 1);
	ck_assert_int_eq(m.nest.counts.first_misnested, 8);
	ck_assert_int_eq(m.nest.counts.unfinished, 1);
	ck_assert_int_eq(m.nest.counts.first_unfinished, 11);
	check_sums(&m);
	release(&m);
}
END_TEST

/* The first is that of the thread that comes first. */
START_TEST(begins_of_several_threads_do_not_end)
{
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 4, B, 'a'}, {1, 6, B, 'b'}, {2, 0, B, 'c'},
			     {2, 7, E, 'c'}, {2, 8, B, 'd'}, {3, 2, B, 'e'}, {3, 9, E, 'e'});

	ck_assert_int_eq(m.nest.counts.unfinished, 3);
	ck_assert_int_eq(m.nest.counts.first_unfinished, 4);
	release(&m);
}
END_TEST

START_TEST(begins_and_whole_spans_mix)
{
	/* Equal ones: what has a begin is outside. Whole spans that overlap it are put aside. */
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 0, 5, 'w'}, {1, 0, B, 'b'}, {1, 5, E, 'b'},
			     {1, 10, B, 'c'}, {1, 12, 9, 'x'}, {1, 13, B, 'd'}, {1, 14, E, 'd'},
			     {1, 20, E, 'c'});

	check_spans(&m, "1:b[0,5] 1:bw[0,5] 1:c[10,20] 1:cd[13,14] 4:x[12,21]");
	check_sums(&m);
	release(&m);
}
END_TEST

START_TEST(callers_of_spans_are_found)
{
	struct made m = NEST(PK_NEST_CLOSED, 0, {1, 0, 10, 'a'}, {1, 1, 2, 'b'}, {1, 4, 2, 'b'},
			     {1, 5, 1, 'c'}, {2, 0, 10, 'a'}, {2, 5, 1, 'b'});
	static const uint32_t expected[] = {0, 0, 1, 1, 3, 0, 5};
	uint32_t *parent = pk_span_parents(m.p);

	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(parent[i], expected[i]);
	free(parent);
	release(&m);
}
END_TEST

/* Spans drawn at random, sorted in every way that sorting knows: compared with a slow search. */
START_TEST(many_spans_at_random)
{
	enum { COUNT = 300000 };
	struct row *rows = calloc(COUNT, sizeof(*rows));
	struct made m;
	uint32_t seed = 1, *parent;

	for (int i = 0; i < COUNT; i++) {
		seed = seed * 1664525 + 1013904223;
		/* Nested by construction: blocks of 1024 halved again and again. */
		int64_t size = (int64_t)1 << (seed >> 8) % 11;
		int64_t at = (int64_t)(seed >> 12) % 1000000 / size * size;

		rows[i] = (struct row){1 + (_i == 1 ? seed >> 30 : 0) % 3, at, size,
				       (char)('a' + (seed >> 20) % 26)};
	}
	m = nest(rows, COUNT, PK_NEST_CLOSED, 0);
	ck_assert_uint_eq(m.p->span.count, COUNT + 1);
	ck_assert_int_eq(m.nest.counts.overlapping, 0);
	check_sums(&m);
	for (uint32_t i = 2; i < m.p->span.count; i++) {
		const struct pk_span_table *t = &m.p->span;

		if (t->thread[i] != t->thread[i - 1])
			continue;
		ck_assert_int_le(t->time[i - 1], t->time[i]);
		if (t->time[i - 1] == t->time[i])
			ck_assert_int_ge(t->duration[i - 1], t->duration[i]);
	}
	for (int i = 0; i < COUNT; i++) {
		uint32_t row = place(&m, i + 1);

		ck_assert_int_eq(m.p->span.time[row], rows[i].time);
		ck_assert_int_eq(m.p->span.duration[row], rows[i].duration);
	}
	parent = pk_span_parents(m.p);
	for (uint32_t i = 1; i < m.p->span.count; i += 997) {
		const struct pk_span_table *t = &m.p->span;
		uint32_t j = i - 1;

		while (j && (t->thread[j] != t->thread[i] ||
			     t->time[j] + t->duration[j] < t->time[i] + t->duration[i]))
			j--;
		ck_assert_uint_eq(parent[i], j);
	}
	free(parent);
	free(rows);
	release(&m);
}
END_TEST

/* By thread, begin, longest first; the names of these rows are in the order of the file. */
static int by_begin(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->duration != b->duration)
		return a->duration > b->duration ? -1 : 1;
	return a->name - b->name;
}

static void check_same(const struct made *a, const struct made *b)
{
	const struct pk_profile *p = a->p, *q = b->p;

	ck_assert_uint_eq(a->nest.lane_count, b->nest.lane_count);
	ck_assert_uint_eq(p->span.count, q->span.count);
	for (uint32_t i = 1; i < p->span.count; i++) {
		ck_assert_uint_eq(p->span.thread[i], q->span.thread[i]);
		ck_assert_int_eq(p->span.time[i], q->span.time[i]);
		ck_assert_int_eq(p->span.duration[i], q->span.duration[i]);
		ck_assert_uint_eq(p->span.node[i], q->span.node[i]);
	}
	ck_assert_uint_eq(p->cost.count, q->cost.count);
	for (uint32_t i = 1; i < p->cost.count; i++)
		ck_assert_int_eq(p->cost.self[i], q->cost.self[i]);
}

/* Spans that overlap at random: those that come in order, which need no sorting, or of which two
 * rows alone are not in order, get the same call paths and lanes as the same in any order. */
START_TEST(rows_in_order_nest_as_others)
{
	enum { COUNT = 3000, STEP = 50 };
	enum pk_nest_rule rule = _i ? PK_NEST_ENCLOSING : PK_NEST_CLOSED;
	struct row rows[COUNT], row;
	struct made m, other;
	uint32_t seed = 1;

	for (int i = 0; i < COUNT; i++) {
		seed = seed * 1664525 + 1013904223;
		rows[i] = (struct row){1 + (seed >> 30) % 3, (seed >> 12) % 1000, (seed >> 8) % 32,
				       (char)('a' + i * 26 / COUNT)};
	}
	m = nest(rows, COUNT, rule, 1);
	ck_assert_int_eq(m.nest.counts.overlapping > 0, rule == PK_NEST_CLOSED);
	check_sums(&m);
	if (rule == PK_NEST_CLOSED)
		check_nested(m.p);
	qsort(rows, COUNT, sizeof(*rows), by_begin);
	other = nest(rows, COUNT, rule, 1);
	check_same(&m, &other);
	release(&other);
	for (int i = 0; i + 1 < COUNT; i++) {
		if (rows[i].duration == rows[i + 1].duration ||
		    (i % STEP && rows[i].thread == rows[i + 1].thread))
			continue;
		row = rows[i];
		rows[i] = rows[i + 1];
		rows[i + 1] = row;
		other = nest(rows, COUNT, rule, 1);
		check_same(&m, &other);
		release(&other);
		rows[i + 1] = rows[i];
		rows[i] = row;
	}
	release(&m);
}
END_TEST

enum { BACK = 1, NAMES = 2, WHOLE = 4, NEEDED = 8 };

static uint32_t draw(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 10) % below;
}

/* Begins and ends at random, many of them at the same time. */
static void draw_rows(struct row *rows, int count, uint32_t seed, uint32_t kinds)
{
	int64_t now[4] = {0};

	for (int i = 0; i < count; i++) {
		struct row *r = &rows[i];

		r->thread = 1 + draw(&seed, 3);
		r->time = now[r->thread] += draw(&seed, 3);
		r->duration = draw(&seed, 2) ? B : E;
		r->name = r->duration == B ? (char)('a' + draw(&seed, 4)) : 0;
		if (kinds & BACK && !draw(&seed, 40))
			r->time -= draw(&seed, 9);
		if (kinds & NAMES && r->duration == E && !draw(&seed, 20))
			r->name = (char)('a' + draw(&seed, 4));
		if (kinds & WHOLE && r->duration == B && !draw(&seed, 20))
			r->duration = draw(&seed, 5);
		if (kinds & NEEDED && r->duration == E && !draw(&seed, 3))
			r->duration = NEEDED_END;
	}
}

static int64_t repairs(const struct pk_nest_counts *c)
{
	return c->unmatched + 1000 * c->misnested + 1000000 * c->unfinished;
}

/* Of each kind of rows; with sanitizers each takes ten times as long. */
#ifdef PK_CHECK_PROFILES
#define TURNS 40
#else
#define TURNS 200
#endif

/* Ends that are matched while rows are added give what they give with rows of their own, also
 * where later rows show that they do not hold. */
START_TEST(ends_without_rows_nest_as_others)
{
	enum { COUNT = 120 };
	enum pk_nest_rule rule = _i & 16 ? PK_NEST_ENCLOSING : PK_NEST_CLOSED;
	uint32_t added[COUNT], fewer = 0;
	struct row rows[COUNT];

	for (uint32_t turn = 0; turn < TURNS; turn++) {
		struct made m, other;

		draw_rows(rows, COUNT, turn * 32 + (uint32_t)_i, (uint32_t)_i);
		m = nest(rows, COUNT, rule, 0);
		other = nest_from(rows, COUNT, rule, 0, added);
		check_same(&m, &other);
		ck_assert_int_eq(repairs(&m.nest.counts), repairs(&other.nest.counts));
		ck_assert_int_eq(m.nest.counts.first_unmatched, other.nest.counts.first_unmatched);
		for (int i = 0; i < COUNT; i++)
			if (rows[i].duration != E)
				ck_assert_uint_eq(place(&m, i + 1), place(&other, added[i]));
		fewer += m.nest.place_count > other.nest.place_count;
		release(&m);
		release(&other);
	}
	if (!(_i & (BACK | WHOLE | 16)))
		ck_assert_uint_gt(fewer, 0);
}
END_TEST

START_TEST(lanes_are_used_again)
{
	struct pk_lanes lanes = {0};

	ck_assert_uint_eq(pk_lanes_take(&lanes, 0, 10), 0);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 1, 5), 1);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 2, 3), 2);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 3, 20), 2);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 4, 6), 3);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 11, 12), 1);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 11, 12), 3);
	pk_lanes_clear(&lanes);
	ck_assert_uint_eq(pk_lanes_take(&lanes, 0, 1), 0);
	pk_lanes_release(&lanes);
}
END_TEST

/* Each gets the lane that has been free for the longest time, a new one only if none is free. */
START_TEST(lanes_at_random)
{
	struct pk_lanes lanes = {0};
	int64_t free_at[300];
	uint32_t seed = 1, count = 0;

	for (int begin = 0; begin < 300; begin++) {
		uint32_t best = 0;

		seed = seed * 1664525 + 1013904223;
		for (uint32_t i = 1; i < count; i++)
			best = free_at[i] < free_at[best] ? i : best;
		best = count && free_at[best] <= begin ? best : count++;
		free_at[best] = begin + (seed >> 8) % 60;
		ck_assert_uint_eq(pk_lanes_take(&lanes, begin, free_at[best]), best);
	}
	pk_lanes_release(&lanes);
}
END_TEST

static void add_loops(TCase *tcase)
{
	tcase_add_loop_test(tcase, many_spans_at_random, 0, 2);
	tcase_add_loop_test(tcase, rows_in_order_nest_as_others, 0, 2);
	tcase_add_loop_test(tcase, ends_without_rows_nest_as_others, 0, 32);
}

CHECK_MAIN_AND("nest", add_loops, spans_enclose_each_other, equal_spans_nest_in_order,
	       overlaps_go_to_lanes, slack_shortens, enclosing_keeps_what_overlaps,
	       begins_meet_their_ends, ends_that_do_not_match, begins_and_whole_spans_mix,
	       begins_of_several_threads_do_not_end, callers_of_spans_are_found,
	       lanes_are_used_again, lanes_at_random)
