/* What profkit gpu --what-if shows. */
#include <math.h>
#include <string.h>

#include "analysis/gpu/waits.h"
#include "analysis/hotspots/hotspots.h"
#include "base/num/units.h"
#include "render/gpu/critical.h"

enum { W_CHANGE, W_TIME, W_SAVED, W_SHARE, W_COLUMNS };

static const struct pk_grid_column columns[W_COLUMNS] = {
	[W_CHANGE] = {"change", "what if", PK_CELL_TEXT, .help = "The change"},
	[W_TIME] = {"time", "time", PK_CELL_VALUE, "ns",
		    .help = "Time of the step with the change: its measured time minus saved"},
	[W_SAVED] = {"saved", "saved", PK_CELL_VALUE, "ns",
		     .help = "Time by which the simulation is faster with the change than without"},
	[W_SHARE] = {"share", "share", PK_CELL_SHARE,
		     .help = "saved as a share of the measured time"},
};
const struct pk_grid_columns pk_what_if_columns = PK_GRID_COLUMNS(columns);

void pk_what_if_rows(struct pk_grid *grid)
{
	pk_grid_init(grid, columns, W_COLUMNS);
}

void pk_what_if_add(struct pk_grid *grid, const char *change, int64_t time, int64_t saved,
		    int64_t whole)
{
	struct pk_cell *row = pk_grid_row(grid, 0);

	pk_cell_text(&row[W_CHANGE], change);
	pk_cell_int(&row[W_TIME], time);
	pk_cell_int(&row[W_SAVED], saved);
	pk_cell_real(&row[W_SHARE], pk_share(saved, whole));
}

void pk_what_if_grid(struct pk_grid *grid, const struct pk_critical *c)
{
	pk_what_if_rows(grid);
	for (uint32_t i = 0; i < c->changes; i++)
		pk_what_if_add(grid, c->change[i].text, c->change[i].time, c->change[i].saved,
			       pk_critical_time(c));
}

/* The share by which the replay misses the measured time. */
static double missed(int64_t replay, int64_t measured)
{
	return pk_share(replay - measured, measured);
}

bool pk_replay_is_trusted(int64_t replay, int64_t measured)
{
	const double most = 0.05;

	return fabs(missed(replay, measured)) <= most;
}

void pk_replay_words(struct pk_buf *buf, int64_t replay, int64_t measured)
{
	const double as_shown = 0.0005; /* "0.0%" */
	double by = missed(replay, measured);

	pk_buf_addf(buf, "played again without a change: %s, ", pk_in_ns(replay).text);
	if (replay == measured)
		pk_buf_adds(buf, "as measured\n");
	else if (fabs(by) < as_shown)
		pk_buf_adds(buf, "as measured to 0.1%\n");
	else
		pk_buf_addf(buf, "%s %s than measured%s\n", pk_in_percent(fabs(by)).text,
			    replay < measured ? "less" : "more",
			    pk_replay_is_trusted(replay, measured)
				    ? ""
				    : ":\nwhat follows cannot be trusted for this trace");
}

/* "'all-reduce=0' changes ncclDevKernel_AllReduce, ncclKernel_AllReduce and 3 more". */
static void add_names(struct pk_buf *buf, const struct pk_critical *c,
		      const struct pk_critical_change *change)
{
	enum { LONGEST = 48 };
	const struct pk_critical_names *n = &change->names;
	const uint32_t most = sizeof(n->first) / sizeof(*n->first);

	if (!n->count)
		return;
	pk_buf_addc(buf, '\'');
	pk_buf_add_visible(buf, change->text);
	pk_buf_adds(buf, "' changes ");
	for (uint32_t i = 0; i < n->count && i < most; i++) {
		const char *name = pk_text(c->profile, n->first[i]);

		pk_buf_adds(buf, i ? ", " : "");
		pk_gpu_add_name(buf, name, strlen(name), LONGEST);
	}
	if (n->count > most)
		pk_buf_addf(buf, " and %u more", n->count - most);
	pk_buf_addc(buf, '\n');
}

void pk_what_if_words(struct pk_buf *buf, const struct pk_critical *c)
{
	enum { LONGEST = 48 };
	const double least = 0.001; /* "0.1%": less is not worth a line */
	const struct pk_critical_change *best = c->changes ? &c->change[0] : NULL;
	int64_t time = pk_critical_time(c);

	for (uint32_t i = 0; i < c->changes; i++)
		add_names(buf, c, &c->change[i]);
	pk_replay_words(buf, c->replay, time);
	if (!best || !pk_replay_is_trusted(c->replay, time) ||
	    !(pk_share(best->saved, time) >= least))
		return;
	pk_buf_adds(buf, "most is saved by ");
	pk_gpu_add_name(buf, best->text, strlen(best->text), LONGEST);
	pk_buf_addf(buf, ": %s instead of %s\n", pk_in_ns(best->time).text, pk_in_ns(time).text);
}

void pk_replay_json(struct pk_json_writer *w, int64_t replay, int64_t measured)
{
	pk_json_put(w, "replay {time %jd measured %jd trusted %d}", (intmax_t)replay,
		    (intmax_t)measured, (int)pk_replay_is_trusted(replay, measured));
}

void pk_what_if_json(struct pk_json_writer *w, const struct pk_critical *c)
{
	pk_replay_json(w, c->replay, pk_critical_time(c));
}
