/*
 * What gprof -b -p prints, for `--like gprof`.
 *
 *	  %   cumulative   self              self     total
 *	 time   seconds   seconds    calls  ms/call  ms/call  name
 *	 41.83      0.33     0.33      228     1.45     2.50  middle
 *
 * - gprof counts in samples, and prints its numbers from doubles: they are computed in the same way
 *   here.
 * - Recursive calls are not counted. The total of a call includes the time below the function.
 * - Samples outside of all functions have no row, but are part of the whole.
 */
#include "render/gprof/flat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/demangle.h"
#include "model/totals.h"

struct row {
	const char *name;
	double self, total; /* samples */
	int64_t calls;
};

struct flat {
	const struct pk_profile *p;
	struct row *row;
	uint32_t rows;
	double rate;  /* samples in a unit of the columns */
	double whole; /* samples */
	const char *unit;
};

static const double SECOND = 1e9;

/* Values of the profile in samples. Those of gmon.out are not whole samples: the doubles of gprof
 * are kept beside them. */
static double samples(const struct flat *f, bool is_time, double raw, int64_t value)
{
	return isfinite(raw) ? raw * f->rate
	       : is_time     ? (double)value * f->rate / SECOND
			     : (double)value * f->rate;
}

static void set_rate(struct flat *f, uint32_t metric, bool is_time)
{
	int64_t period = pk_metric_period(f->p, metric);

	f->unit = is_time ? "seconds" : pk_text(f->p, f->p->metric.unit[metric]);
	f->rate = pow(10, f->p->metric.exponent[metric]);
	if (!is_time)
		return;
	f->rate = period > 0 ? SECOND / (double)period : SECOND;
	if (fabs(SECOND / round(f->rate) - (double)period) < 1) /* the period was rounded to ns */
		f->rate = round(f->rate);
}

PK_COMPARE(by_time, struct row,
	   PK_ORDER(b->self, a->self) ?: PK_ORDER(b->calls, a->calls) ?: strcmp(a->name, b->name))

static void make_rows(struct flat *f, uint32_t metric)
{
	bool is_time = f->p->metric.kind[metric] == PK_METRIC_TIME;
	struct pk_functions functions;

	set_rate(f, metric, is_time);
	pk_functions_init(&functions, f->p, metric);
	f->row = pk_calloc((size_t)functions.count + 1, sizeof(*f->row));
	f->whole = samples(f, is_time, NAN, functions.total);
	if (fabs(f->whole - round(f->whole)) < 1e-3)
		f->whole = round(f->whole);
	for (uint32_t i = 0; i < functions.count; i++) {
		const struct pk_function_total *t = &functions.row[i];
		int64_t calls = t->primitive_calls == PK_NULL ? t->calls : t->primitive_calls;
		struct row row = {.name = pk_text(f->p, f->p->function.name[t->function]),
				  .self = samples(f, is_time, t->self_raw, t->self),
				  .total = samples(f, is_time, t->total_raw, t->total),
				  .calls = calls == PK_NULL ? 0 : calls};

		if ((row.self || row.calls) && strcmp(row.name, "[unknown]"))
			f->row[f->rows++] = row;
	}
	pk_functions_release(&functions);
	pk_sort(f->row, f->rows, sizeof(*f->row), by_time);
}

/* The unit of times by call is that in which the longest is 1 to 1000. */
static double print_header(const struct flat *f, struct pk_output *out)
{
	static const struct {
		char prefix;
		double scale;
	} units[] = {{'T', 1e-12}, {'G', 1e-9}, {'M', 1e-6}, {'K', 1e-3}, {' ', 1},
		     {'m', 1e3},   {'u', 1e6},  {'n', 1e9},  {'p', 1e12}};
	double longest = 0;
	size_t unit = 0;

	for (uint32_t i = 0; i < f->rows; i++)
		if (f->row[i].calls)
			longest = fmax(longest, f->row[i].total / (double)f->row[i].calls);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && longest > 0; i++) {
		double scaled = units[i].scale * longest / f->rate;

		if (scaled >= 1 && scaled < 1000) {
			unit = i;
			break;
		}
	}
	pk_output_printf(out, "Flat profile:\n\nEach sample counts as %g %s.\n", 1 / f->rate,
			 f->unit);
	if (f->whole <= 0)
		pk_output_puts(out, " no time accumulated\n\n");
	pk_output_printf(out, "%5.5s %10.10s %8.8s %8.8s %8.8s %8.8s  %-8.8s\n", "%  ",
			 "cumulative", "self  ", "", "self  ", "total ", "");
	pk_output_printf(out, "%5.5s %9.9s %9.9s %8.8s %2c%s %2c%s  %-8.8s\n", "time", f->unit,
			 f->unit, "calls", units[unit].prefix, "s/call", units[unit].prefix,
			 "s/call", "name");
	return units[unit].scale;
}

static void print_name(const char *name, bool demangle, struct pk_output *out)
{
	PK_BUF_AUTO readable = PK_BUF_INIT;

	if (demangle && pk_demangle(&readable, name, strlen(name)))
		pk_output_write(out, readable.data, readable.len);
	else
		pk_output_puts(out, name);
	pk_output_putc(out, '\n');
}

void pk_gprof_flat(const struct pk_profile *p, uint32_t metric, bool demangle,
		   struct pk_output *out)
{
	struct flat f = {.p = p};
	double scale, sum = 0;

	make_rows(&f, metric);
	scale = print_header(&f, out);
	for (uint32_t i = 0; i < f.rows; i++) {
		const struct row *r = &f.row[i];

		sum += r->self;
		pk_output_printf(out, "%6.2f %9.2f %8.2f",
				 f.whole > 0 ? 100 * r->self / f.whole : 0, sum / f.rate,
				 r->self / f.rate);
		if (r->calls)
			pk_output_printf(out, " %8" PRId64 " %8.2f %8.2f  ", r->calls,
					 scale * r->self / f.rate / (double)r->calls,
					 scale * r->total / f.rate / (double)r->calls);
		else
			pk_output_printf(out, " %8.8s %8.8s %8.8s  ", "", "", "");
		print_name(r->name, demangle, out);
	}
	free(f.row);
}
