/* workers --functions: what the busiest does more than the others. */
#include "tools/commands/workers/functions.h"

#include <math.h>

#include "analysis/workers/functions.h"
#include "base/num/units.h"
#include "render/cells.h"
#include "tools/help/manual.h"

enum {
	F_FUNCTION,
	F_MODULE,
	F_FILE,
	F_LINE,
	F_VALUE,
	F_MEAN,
	F_EXCESS,
	F_SHARE,
	F_VALUE_SHOWN,
	F_MEAN_SHOWN,
	F_EXCESS_SHOWN,
	F_SHARE_SHOWN,
	F_LABEL,
	F_COLUMNS
};

static const struct pk_grid_column columns[] = {
	[F_FUNCTION] = {"function", NULL, PK_CELL_TEXT, .help = "Name of the function"},
	[F_MODULE] = PK_GRID_MODULE,
	[F_FILE] = PK_GRID_FILE,
	[F_LINE] = PK_GRID_LINE,
	[F_VALUE] = {"value", NULL, PK_CELL_REAL,
		     .help = "Useful time of the busiest worker in the function itself"},
	[F_MEAN] = {"mean", NULL, PK_CELL_REAL, .help = "Mean of this time over all workers"},
	[F_EXCESS] = {"excess", NULL, PK_CELL_REAL, .help = "value - mean"},
	[F_SHARE] =
		{"share", NULL, PK_CELL_SHARE,
		 .help = "excess as a fraction of the sum over all functions; null if that is 0"},
	[F_VALUE_SHOWN] = {.heading = "its own", .type = PK_CELL_VALUE},
	[F_MEAN_SHOWN] = {.heading = "mean", .type = PK_CELL_VALUE},
	[F_EXCESS_SHOWN] = {.heading = "more", .type = PK_CELL_DELTA},
	[F_SHARE_SHOWN] = {.heading = "share", .type = PK_CELL_SHARE},
	[F_LABEL] = {.heading = "function", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_worker_function_columns = PK_GRID_COLUMNS(columns);

struct shown {
	const struct pk_workers *w;
	const struct pk_worker_functions *f;
	double excess; /* of all functions */
};

static void add_row(struct pk_grid *g, const struct shown *s, const struct pk_worker_function *row)
{
	const struct pk_profile *p = s->f->names;
	struct pk_cell *cell = pk_grid_row(g, 0);
	double value = (double)row->most / s->f->scale;

	pk_cells_function(&cell[F_FUNCTION], p, row->function);
	pk_cell_real(&cell[F_VALUE], value);
	pk_cell_real(&cell[F_MEAN], row->mean);
	pk_cell_real(&cell[F_EXCESS], row->excess);
	pk_cell_real(&cell[F_SHARE], s->excess > 0 ? row->excess / s->excess : NAN);
	pk_cell_int(&cell[F_VALUE_SHOWN], llround(value));
	pk_cell_int(&cell[F_MEAN_SHOWN], llround(row->mean));
	pk_cell_int(&cell[F_EXCESS_SHOWN], llround(row->excess));
	cell[F_SHARE_SHOWN] = cell[F_SHARE];
	pk_cell_label(g, &cell[F_LABEL], p, row->function, NULL);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct shown *s = data;

	pk_write_inputs(w, s->w->runs);
	pk_json_put(w, "worker %s workers %u unit %s excess %.17g rows_total %u",
		    s->w->worker[s->f->worker].name, s->w->count, s->w->unit, s->excess,
		    s->f->count);
}

static void make_title(struct pk_buf *title, const struct shown *s)
{
	pk_buf_addf(title,
		    "%s has the most useful time of %u workers: ", s->w->worker[s->f->worker].name,
		    s->w->count);
	pk_format_value_unit(title, llround(s->excess), s->w->unit);
	pk_buf_adds(title, " more than the average, in\n");
}

int pk_workers_show_functions(const struct pk_common *c, const struct pk_workers *w,
			      struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "workers.functions", .members = write_members};
	struct pk_worker_functions f;
	struct shown s = {.w = w, .f = &f};
	struct pk_grid g;
	size_t rows;
	int status;

	if (pk_worker_functions_init(&f, w, err))
		return pk_fail_context(err, "--functions");
	for (uint32_t i = 0; i < f.count; i++)
		s.excess += f.row[i].excess;
	rows = pk_common_rows(c, f.count);
	make_title(&frame.title, &s);
	pk_title_filters(&frame.title, c);
	if (rows < f.count)
		pk_buf_addf(&frame.footer, "\xE2\x80\xA6 %zu more functions; --limit 0 shows all\n",
			    f.count - rows);
	pk_grid_init(&g, columns, F_COLUMNS);
	g.one_unit = true;
	g.unit = w->unit;
	for (size_t i = 0; i < rows; i++)
		add_row(&g, &s, &f.row[i]);
	frame.data = &s;
	status = pk_show_grid(c, &g, &frame, err);
	pk_worker_functions_release(&f);
	return status;
}
