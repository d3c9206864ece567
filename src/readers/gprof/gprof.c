/*
 * What gprof prints: the flat profile, the call graph, or both, with or without its explanations
 * (-b), also by line (-l), of functions that were never called (-z), as on BSD (-T), and in cycles
 * instead of seconds.
 *
 *	Each sample counts as 0.01 seconds.
 *	  %   cumulative   self              self     total
 *	 time   seconds   seconds    calls  ms/call  ms/call  name
 *	 41.83      0.33     0.33      228     1.45     2.50  middle
 *	 24.08      0.76     0.19                             cmp
 *
 *	index % time    self  children    called     name
 *	                0.33    0.24     228/228         worker [2]	what called it
 *	[1]     72.2    0.33    0.24     228         middle [1]
 *	                0.24    0.00     229/229         leaf [3]	what it calls
 *	-----------------------------------------------
 *
 * - Times are those of samples, given with two digits. The total of a function is that of the call
 *   graph; with the flat profile alone that of its calls, if it has some.
 * - A call is in two entries, and taken once, by the numbers of the functions ([1]). Calls within a
 *   cycle have no times.
 * - With -l names are "main (app.c:12 @ 4011a6)": the times are those of lines.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/gprof/internal.h"
#include "readers/lines.h"

static int repair(struct gprof *r, const char *what)
{
	return pk_build_repair_line(r->b, r->err, what, r->line);
}

/* Values are read in 10^-9 of what the columns count. */
static int64_t scaled(int64_t nano, int64_t factor)
{
	long double value = (long double)nano * (long double)factor / 1e9L;

	return value < 9.2e18L && value > -9.2e18L ? llroundl(value)
	       : nano < 0                          ? -INT64_MAX
						   : INT64_MAX;
}

/* "41.83  0.33  0.33  228  1.45  2.50  middle". */
static int read_flat_row(struct gprof *r, struct gprof_text t, bool *is_row)
{
	int64_t percent, cumulative, self, calls = PK_NULL, own, total = 0, second;
	uint32_t number, line, function;
	struct gprof_sums *s;
	char sign;

	*is_row = gprof_take_value(&t, &percent) && gprof_take_value(&t, &cumulative) &&
		  gprof_take_value(&t, &self);
	if (!*is_row)
		return 0;
	if (gprof_take_count(&t, &calls, &sign, &second) && r->per_call)
		*is_row = gprof_take_value(&t, &own) && gprof_take_value(&t, &total);
	function = gprof_take_function(r, &t, &number, &line);
	if (!*is_row || !function)
		return repair(r, "line of the flat profile without a name ignored");
	s = &r->sums[function];
	self = scaled(self, r->factor);
	if (!s->in_graph)
		pk_add_saturated(&s->self, self);
	if (!s->in_graph)
		pk_add_known(&s->calls, calls);
	s->in_flat = true;
	if (calls != PK_NULL && !s->in_graph)
		pk_add_saturated(&s->total, scaled(total, pk_mul_saturated(r->per_call, calls)));
	if (line)
		pk_build_cost(r->b, 0, pk_build_node(r->b, 0, pk_build_place(r->b, function, line)),
			      r->metric, self, PK_NULL);
	r->any = true;
	return 0;
}

static void end_entry(struct gprof *r)
{
	r->entry = r->arcs;
	r->function = 0;
	r->skipped = false;
}

/* "[1]  72.2  0.33  0.24  228+5  middle [1]". */
static int read_primary(struct gprof *r, struct gprof_text t)
{
	int64_t value[3], called = PK_NULL, recursive = 0;
	uint32_t line, values = 0;
	struct gprof_sums *s;
	bool in_cycle;
	char sign;

	t.at = memchr(t.at, ']', (size_t)(t.end - t.at));
	if (!t.at)
		return repair(r, "line of the call graph not understood ignored");
	t.at++;
	while (values < 3 && gprof_take_value(&t, &value[values]))
		values++;
	gprof_take_count(&t, &called, &sign, &recursive);
	gprof_skip_blanks(&t);
	r->skipped = pk_text_begins(t.at, (size_t)(t.end - t.at), "<cycle ");
	in_cycle = memmem(t.at, (size_t)(t.end - t.at), " <cycle ", 8);
	r->function = 0; /* an entry that is damaged may have two such lines */
	if (!r->skipped && values >= 2)
		r->function = gprof_take_function(r, &t, &r->number, &line);
	if (!r->function) {
		r->arcs = r->entry;
		if (r->skipped)
			return 0;
		r->skipped = true;
		return repair(r, "line of the call graph not understood ignored");
	}
	s = &r->sums[r->function];
	if (!s->in_graph)
		*s = (struct gprof_sums){
			.calls = PK_NULL, .primitive = PK_NULL, .in_flat = s->in_flat};
	s->in_graph = true;
	s->in_cycle |= in_cycle;
	r->any = true;
	pk_add_saturated(&s->self, scaled(value[values - 2], r->factor));
	pk_add_saturated(&s->total, scaled(value[values - 2], r->factor));
	pk_add_saturated(&s->total, scaled(value[values - 1], r->factor));
	if (called != PK_NULL) {
		pk_add_known(&s->primitive, called);
		pk_add_known(&s->calls, called);
		pk_add_known(&s->calls, recursive);
	}
	for (size_t i = r->entry; i < r->arcs; i++) {
		r->arc[i].callee = r->function;
		r->arc[i].callee_number = r->number;
	}
	return 0;
}

/* "0.33  0.24  228/228  worker [2]": a caller before the line of the entry, what it calls behind
 * it. */
static int read_arc(struct gprof *r, struct gprof_text t)
{
	struct gprof_arc arc = {.self = PK_NULL, .total = PK_NULL, .calls = PK_NULL};
	int64_t self, below, all;
	uint32_t function, number, line;
	char sign;

	gprof_skip_blanks(&t);
	if (pk_text_begins(t.at, (size_t)(t.end - t.at), "called/total")) /* the header of BSD */
		return 0;
	if (r->skipped || pk_text_begins(t.at, (size_t)(t.end - t.at), "<spontaneous>"))
		return 0;
	if (gprof_take_value(&t, &self) && gprof_take_value(&t, &below)) {
		arc.self = scaled(self, r->factor);
		arc.total = arc.self;
		pk_add_saturated(&arc.total, scaled(below, r->factor));
	}
	if (!gprof_take_count(&t, &arc.calls, &sign, &all))
		return repair(r, "line of the call graph not understood ignored");
	function = gprof_take_function(r, &t, &number, &line);
	if (!function)
		return repair(r, "line of the call graph not understood ignored");
	if (r->function) {
		arc.caller = r->function;
		arc.caller_number = r->number;
		arc.callee = function;
		arc.callee_number = number;
	} else {
		arc.caller = function;
		arc.caller_number = number;
	}
	PK_GROW(r->arc, r->arcs + 1, r->arc_alloc);
	r->arc[r->arcs++] = arc;
	return 0;
}

/* " time   seconds   seconds    calls  ms/call  ms/call  name": the units of the columns. */
static bool is_flat_header(struct gprof *r, const char *line, size_t len)
{
	static const struct {
		const char *name;
		int64_t factor;
	} units[] = {{"ms/call", 1000000},
		     {"us/call", 1000},
		     {"ns/call", 1},
		     {"s/call", 1000000000},
		     {"/call", 1}};

	if (!pk_text_ends(line, len, "name") || pk_text_begins(line, len, "index"))
		return false;
	if (!memmem(line, len, "seconds", 7) && !memmem(line, len, "cycles", 6))
		return false;
	r->cycles = !memmem(line, len, "seconds", 7);
	r->factor = r->cycles ? 1 : 1000000000;
	r->per_call = 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && !r->per_call; i++)
		if (memmem(line, len, units[i].name, strlen(units[i].name)))
			r->per_call = units[i].factor;
	if (memmem(line, len, "ps/call", 7) || memmem(line, len, "Ts/call", 7))
		r->per_call = 1; /* too small to be seen, or not known */
	return true;
}

/* "index % time    self  children    called     name"; without "time" it counts cycles. */
static bool is_graph_header(const char *line, size_t len)
{
	return pk_text_begins(line, len, "index") && memchr(line, '%', len) &&
	       memmem(line, len, " called", 7) && memmem(line, len, " self", 5) &&
	       memmem(line, len, " name", 5);
}

/* "           (K)        (K)": the columns are thousands of cycles. */
static bool is_thousands(const char *line, size_t len)
{
	struct gprof_text t = {line, line + len};

	gprof_skip_blanks(&t);
	return pk_text_begins(t.at, (size_t)(t.end - t.at), "(K)");
}

static void set_metric(struct gprof *r)
{
	if (!r->metric && r->cycles)
		r->metric =
			pk_build_metric(r->b, "cycles", "cycles", 0, PK_METRIC_COUNT, PK_SAMPLED);
	else if (!r->metric)
		r->metric = pk_build_metric(r->b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
}

/* "Each sample counts as 0.01 seconds." */
static void read_period(struct gprof *r, const char *line, size_t len)
{
	static const char before[] = "Each sample counts as ";
	int64_t period;
	bool exact, overflow;

	if (!pk_text_begins(line, len, before) || !memmem(line, len, " seconds", 8))
		return;
	line += strlen(before);
	len -= strlen(before);
	set_metric(r);
	if (pk_parse_decimal(line, len, 9, &period, &exact, &overflow) && period > 0)
		pk_build_period(r->b, period);
}

static int read_graph_line(struct gprof *r, const char *line, size_t len)
{
	struct gprof_text t = {line, line + len};

	if (pk_text_begins(line, len, "-----")) {
		end_entry(r);
		return 0;
	}
	if (*line == '\f' || pk_text_begins(line, len, "Index by function name") ||
	    pk_text_begins(line, len, " This table describes") ||
	    pk_text_begins(line, len, "Flat profile:")) {
		end_entry(r);
		r->state = OUTSIDE;
		return 0;
	}
	return *line == '[' ? read_primary(r, t) : read_arc(r, t);
}

static int read_line(void *data, const char *line, size_t len)
{
	struct gprof *r = data;
	bool is_row;

	len = pk_text_trim(line, len);
	if (!len) {
		r->state = r->state == FLAT ? OUTSIDE : r->state;
		return 0;
	}
	if (is_graph_header(line, len)) {
		r->state = GRAPH;
		if (!r->metric)
			r->cycles = !memmem(line, len, "time", 4);
		r->factor = r->cycles ? 1 : 1000000000;
		set_metric(r);
		return 0;
	}
	if ((r->state == FLAT_HEADER || r->state == GRAPH) && is_thousands(line, len)) {
		r->factor = 1000;
		r->per_call = r->per_call ? 1000 : 0;
		return 0;
	}
	if (r->state == GRAPH)
		return read_graph_line(r, line, len);
	if (is_flat_header(r, line, len)) {
		r->state = FLAT_HEADER;
		set_metric(r);
		return 0;
	}
	if (r->state == OUTSIDE) {
		read_period(r, line, len);
		return 0;
	}
	if (read_flat_row(r, (struct gprof_text){line, line + len}, &is_row))
		return -1;
	r->state = is_row ? FLAT : OUTSIDE;
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	static const struct pk_line_reader lines = {.line = read_line};
	struct gprof r = {.b = b, .err = err, .factor = 1000000000};
	int result;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "gprof");
	result = pk_read_lines(in, &lines, &r, &r.line, err) ? -1 : 0;
	if (!result && !r.any)
		result =
			pk_fail(err, PK_EFORMAT, "no functions: gprof saw no samples and no calls");
	if (!result)
		gprof_push_edges(&r);
	free(r.sums);
	free(r.arc);
	return result;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	const char *line = NULL;
	size_t len;

	while (pk_probe_line(probe, &line, &len)) {
		if (pk_text_begins(line, len, "Flat profile:") ||
		    pk_text_begins(line, len, "granularity: each sample hit") ||
		    is_graph_header(line, pk_text_trim(line, len)))
			return PK_SURE;
		if (memmem(line, len, "\"", 1) || memmem(line, len, "<?", 2))
			return PK_NO;
	}
	return PK_NO;
}

static const char *const suffixes[] = {".gprof", ".prof", ".txt", NULL};

const struct pk_reader pk_reader_gprof = {
	.name = "gprof",
	.title = "tables of gprof: flat profile and call graph",
	.suffixes = suffixes,
	.keeps = PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES,
	.probe = probe,
	.read = read,
};
