/*
 * workers --scaling: how more workers helped, with Amdahl's law and the universal scalability law.
 */
#include "tools/commands/workers/scaling.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/workers/scaling.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/events/time_range.h"
#include "writers/workers/scaling.h"

struct scaling {
	const struct pk_common *common;
	const struct pk_workers_options *options;
	struct pk_scaling_run *run;
	struct source { /* of each run */
		char *path, *format, *label;
	} * source;
	size_t count, alloc, source_alloc;
	bool untimed;
	struct pk_scaling result;
};

/* "FILE=8": cuts the number off, unless there is a file of that name. 0 = none is given. */
static int take_workers(char *operand, int64_t *workers, struct pk_error *err)
{
	char *equals = strrchr(operand, '='), *end;

	*workers = 0;
	if (!equals || !equals[1] || access(operand, F_OK) == 0)
		return 0;
	errno = 0;
	*workers = strtoll(equals + 1, &end, 10);
	if (*end || equals[1] == '-' || equals[1] == '+' || equals[1] == ' ')
		return *workers = 0;
	if (errno || *workers < 1 || *workers > UINT32_MAX)
		return pk_fail(err, PK_EUSAGE, "'%s' is not a number of workers", equals + 1);
	*equals = 0;
	return 0;
}

/* A run without workers is one by a single worker: it took as long as it says, or what it cost
 * where it does not say; all that was recorded of its only thread is useful. */
static void describe_alone(struct pk_scaling_run *run, const struct pk_profile *p)
{
	uint32_t thread = UINT32_MAX;
	bool several = false;
	int64_t sum = 0;

	for (uint32_t i = 1; i < p->cost.count; i++) {
		if (pk_cost_metric(p, i) != 1 || p->cost.self[i] <= 0)
			continue;
		pk_add_saturated(&sum, p->cost.self[i]);
		several |= thread != UINT32_MAX && pk_cost_thread(p, i) != thread;
		thread = pk_cost_thread(p, i);
	}
	run->time = (double)(pk_has_times(p) ? pk_last_moment(p) : sum);
	if (several || !(run->time > 0))
		return;
	run->useful = fmin((double)sum, run->time);
	run->load_balance = 1;
	run->communication = run->parallel = run->useful / run->time;
}

static void describe(struct pk_scaling_run *run, const struct pk_profile *p,
		     const struct pk_workers *w, int64_t workers)
{
	int64_t useful = w->sum[PK_WORK_USEFUL];

	*run = (struct pk_scaling_run){workers ? workers : w->count, NAN, NAN, NAN, NAN, NAN};
	if (!w->count) {
		run->workers = workers ? workers : 1;
		describe_alone(run, p);
		return;
	}
	run->time = (double)pk_workers_span(w);
	run->useful = useful == PK_NULL ? NAN : (double)useful;
	run->load_balance = w->metrics.load_balance;
	run->communication = w->metrics.communication_efficiency;
	run->parallel = w->metrics.parallel_efficiency;
}

static int add_run(struct scaling *s, struct pk_profile *p, int64_t workers, struct pk_error *err)
{
	struct pk_profiles one = {&p, 1, 1};
	struct pk_workers w;

	if (pk_workers_init(&w, &one, s->options, err))
		return -1;
	PK_GROW(s->run, s->count + 1, s->alloc);
	PK_GROW(s->source, s->count + 1, s->source_alloc);
	describe(&s->run[s->count], p, &w, workers);
	s->untimed |= w.count && !w.timed;
	s->source[s->count++] = (struct source){
		.path = pk_strdup(pk_text(p, p->run.source[1])),
		.format = pk_strdup(pk_text(p, p->run.format[1])),
		.label = p->run.label[1] ? pk_strdup(pk_text(p, p->run.label[1])) : NULL,
	};
	pk_workers_release(&w);
	return 0;
}

static int add_operand(struct scaling *s, const char *operand, struct pk_error *err)
{
	struct pk_common one = *s->common; /* a run at a time, also of a folder */
	char *path = pk_strdup(operand);
	struct pk_profiles list = {0};
	int64_t workers;
	int status = take_workers(path, &workers, err);

	one.files = NULL;
	if (!status)
		status = pk_load_inputs(&one, 1, &path, &list, err);
	for (size_t i = 0; i < list.count && !status; i++)
		status = add_run(s, list.item[i], workers, err);
	pk_profiles_release(&list);
	free(path);
	return status;
}

enum {
	S_WORKERS,
	S_RUN,
	S_TIME,
	S_SPEEDUP,
	S_EFFICIENCY,
	S_SERIAL,
	S_USEFUL,
	S_LOAD,
	S_COMMUNICATION,
	S_PARALLEL,
	S_COMPUTATION,
	S_GLOBAL,
	S_AMDAHL,
	S_USL,
	S_COLUMNS
};

static const struct pk_grid_column columns[] = {
	[S_WORKERS] = {"workers", "workers", PK_CELL_INT, .help = "Number of workers"},
	[S_RUN] = {"run", NULL, PK_CELL_TEXT, .help = "Label of the run, or its file"},
	[S_TIME] = {"time", "time", PK_CELL_VALUE, "ns", .help = "Duration of the run"},
	[S_SPEEDUP] = {"speedup", "speed-up", PK_CELL_RATIO,
		       .help = "time of the reference (the runs with the fewest workers) / time"},
	[S_EFFICIENCY] = {"efficiency", "efficiency", PK_CELL_SHARE,
			  .help = "speedup / (workers / workers of the reference)"},
	[S_SERIAL] = {"serial_fraction", "serial", PK_CELL_SHARE,
		      .help = "Serial fraction of Karp and Flatt; null for the reference"},
	[S_USEFUL] = {"useful", "useful", PK_CELL_VALUE, "ns",
		      .help = "Useful time of all workers; this and the next columns are null if "
			      "not known"},
	[S_LOAD] = {"load_balance", "load balance", PK_CELL_SHARE,
		    .help = "Mean / largest useful time of the workers"},
	[S_COMMUNICATION] = {"communication_efficiency", "communication", PK_CELL_SHARE,
			     .help = "Largest useful time of a worker / time"},
	[S_PARALLEL] = {"parallel_efficiency", "parallel", PK_CELL_SHARE,
			.help = "load_balance * communication_efficiency"},
	[S_COMPUTATION] = {"computation_scaling", "computation", PK_CELL_SHARE,
			   .help = "Useful time of the reference / useful"},
	[S_GLOBAL] = {"global_efficiency", "global", PK_CELL_SHARE,
		      .help = "parallel_efficiency * computation_scaling"},
	[S_AMDAHL] = {"amdahl_time", "Amdahl", PK_CELL_VALUE, "ns",
		      .help = "Time by Amdahl's law; null if it cannot be fitted"},
	[S_USL] = {"usl_time", "USL", PK_CELL_VALUE, "ns",
		   .help = "Time by the universal scalability law"},
	[S_COLUMNS] = {.heading = "run", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_scaling_columns = PK_GRID_COLUMNS(columns);

static int64_t whole(double ns)
{
	return isnan(ns) || fabs(ns) >= 9e18 ? PK_NULL : llround(ns);
}

static void add_row(struct pk_grid *g, const struct scaling *s,
		    const struct pk_scaling_point *point)
{
	struct pk_cell *row = pk_grid_row(g, 0);
	const struct pk_scaling_run *run = &point->run;
	const struct source *source = &s->source[point->index];
	const char *name = source->label ? source->label : source->path;

	pk_cell_int(&row[S_WORKERS], run->workers);
	pk_cell_text(&row[S_RUN], name);
	pk_cell_int(&row[S_TIME], whole(run->time));
	pk_cell_real(&row[S_SPEEDUP], point->speedup);
	pk_cell_real(&row[S_EFFICIENCY], point->efficiency);
	pk_cell_real(&row[S_SERIAL], point->serial_fraction);
	pk_cell_int(&row[S_USEFUL], whole(run->useful));
	pk_cell_real(&row[S_LOAD], run->load_balance);
	pk_cell_real(&row[S_COMMUNICATION], run->communication);
	pk_cell_real(&row[S_PARALLEL], run->parallel);
	pk_cell_real(&row[S_COMPUTATION], point->computation);
	pk_cell_real(&row[S_GLOBAL], point->global);
	pk_cell_int(&row[S_AMDAHL], whole(point->amdahl));
	pk_cell_int(&row[S_USL], whole(point->usl));
	pk_cell_text(&row[S_COLUMNS], name);
}

static void write_law(struct pk_json_writer *w, const char *name, const struct pk_scaling_law *law)
{
	pk_json_key(w, name);
	if (!law->known) {
		pk_json_null(w);
		return;
	}
	pk_json_put(w, "{time %jd sigma %g kappa %g peak %g bound %g error %g}", whole(law->time1),
		    law->sigma, law->kappa, law->peak, law->bound, law->exact ? NAN : law->error);
}

static void write_inputs(struct pk_json_writer *w, const struct scaling *s)
{
	pk_json_put_array(w, "inputs");
	for (size_t i = 0; i < s->count; i++)
		pk_write_input(w, s->source[i].path, s->source[i].format, s->source[i].label);
	pk_json_end(w);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct scaling *s = data;

	write_inputs(w, s);
	pk_json_put(w, "reference {workers %jd time %jd}", s->result.reference,
		    whole(s->result.time0));
	write_law(w, "amdahl", &s->result.amdahl);
	write_law(w, "usl", &s->result.usl);
}

static void add_error(struct pk_buf *buf, const struct pk_scaling_law *law)
{
	if (law->exact)
		pk_buf_adds(
			buf,
			" (there are no more runs than parameters, so the fit proves nothing)\n");
	else
		pk_buf_addf(buf, " (error of the fit %.1f%%)\n", 100 * law->error);
}

static void make_footer(struct pk_buf *buf, const struct scaling *s)
{
	const struct pk_scaling_law *amdahl = &s->result.amdahl, *usl = &s->result.usl;

	if (amdahl->known) {
		pk_buf_addf(buf, "Amdahl: %.3g%% is serial", 100 * amdahl->sigma);
		if (!isinf(amdahl->bound))
			pk_buf_addf(buf, ", at most %.3g times as fast as one worker",
				    amdahl->bound);
		add_error(buf, amdahl);
	}
	if (usl->known) {
		pk_buf_addf(buf, "USL: contention %.3g, coherence %.3g", usl->sigma, usl->kappa);
		if (!isinf(usl->peak))
			pk_buf_addf(buf, ", fastest with %.0f worker%s: %.3g times",
				    floor(usl->peak), usl->peak < 2 ? "" : "s", usl->bound);
		add_error(buf, usl);
	}
	if (s->untimed)
		pk_buf_adds(buf,
			    "some runs have no times: the time of their busiest worker is used\n");
}

static int show(const struct scaling *s, struct pk_error *err)
{
	struct pk_grid_frame frame = {
		.schema = "scaling", .members = write_members, .data = (void *)s};
	struct pk_grid g;

	pk_buf_addf(&frame.title, "%zu runs, relative to %lld worker%s\n", s->count,
		    (long long)s->result.reference, s->result.reference == 1 ? "" : "s");
	make_footer(&frame.footer, s);
	pk_grid_init(&g, columns, S_COLUMNS + 1);
	g.spare = 1U << S_USEFUL | 1U << S_LOAD | 1U << S_COMMUNICATION | 1U << S_PARALLEL |
		  1U << S_COMPUTATION | 1U << S_GLOBAL | 1U << S_AMDAHL | 1U << S_USL;
	for (size_t i = 0; i < s->count; i++)
		add_row(&g, s, &s->result.point[i]);
	return pk_show_grid(s->common, &g, &frame, err);
}

static int draw(const struct scaling *s, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(s->common->output, err);

	if (!out)
		return -1;
	pk_scaling_draw(&s->result, NULL, out);
	return pk_output_commit(out, err);
}

int pk_workers_scaling(const struct pk_common *c, const struct pk_workers_options *options,
		       int argc, char **argv, struct pk_error *err)
{
	struct scaling s = {.common = c, .options = options};
	int status = 0;

	for (int i = 0; i < argc && !status; i++)
		status = add_operand(&s, argv[i], err);
	if (!status) {
		status = pk_scaling_init(&s.result, s.run, s.count, err);
		if (status)
			pk_fail_context(err, "--scaling");
	}
	if (!status)
		status = (pk_wants_svg(c) ? draw : show)(&s, err);
	pk_scaling_release(&s.result);
	for (size_t i = 0; i < s.count; i++) {
		free(s.source[i].path);
		free(s.source[i].format);
		free(s.source[i].label);
	}
	free(s.source);
	free(s.run);
	return status;
}
