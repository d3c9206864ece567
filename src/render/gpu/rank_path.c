/* What profkit gpu --critical-path and --what-if show of several ranks. */
#include "render/gpu/rank_path.h"

#include <inttypes.h>
#include <math.h>

#include "base/num/units.h"
#include "render/gpu/critical.h"

enum { P_RANK, P_TRACE, P_TIME, P_SHARE, P_TIMES, P_WHAT, P_COLUMNS };

static const struct pk_grid_column columns[P_COLUMNS] = {
	[P_RANK] = {"rank", "rank", PK_CELL_NUMBER,
		    .help = "Rank whose work it is; null for the transfer of collectives, and if "
			    "the trace does not say it"},
	[P_TRACE] = {"trace", NULL, PK_CELL_TEXT,
		     .help = "File of the trace; null for the transfer"},
	[P_TIME] = {"time", "time", PK_CELL_VALUE, "ns",
		    .help = "Time on the path; the rows add up to the time that the replay gives"},
	[P_SHARE] = {"share", "share", PK_CELL_SHARE,
		     .help = "time as a share of the sum of the rows"},
	[P_TIMES] = {"last", "last", PK_CELL_INT,
		     .help = "Collectives on the path for which this rank came last"},
	[P_WHAT] = {"what", "what", PK_CELL_TEXT, .help = "\"work\", or \"transfer\""},
};
const struct pk_grid_columns pk_ranks_columns = PK_GRID_COLUMNS(columns);

static struct pk_cell *add_row(struct pk_grid *grid, const struct pk_ranks *r, double time,
			       const char *what)
{
	struct pk_cell *row = pk_grid_row(grid, 0);

	pk_cell_int(&row[P_TIME], llround(time));
	pk_cell_real(&row[P_SHARE], r->replay > 0 ? time / r->replay : NAN);
	pk_cell_text(&row[P_WHAT], what);
	return row;
}

void pk_ranks_grid(struct pk_grid *grid, const struct pk_ranks *r)
{
	pk_grid_init(grid, columns, P_COLUMNS);
	for (uint32_t t = 0; t < r->gpu->traces; t++) {
		struct pk_cell *row = add_row(grid, r, r->rank[t].time, "work");

		pk_cell_int(&row[P_RANK], r->gpu->trace[t].rank);
		pk_cell_text(&row[P_TRACE], pk_texts_get(&r->gpu->names, r->gpu->trace[t].path));
		pk_cell_int(&row[P_TIMES], r->rank[t].times);
	}
	add_row(grid, r, r->transfer, "transfer");
}

void pk_ranks_change_grid(struct pk_grid *grid, const struct pk_ranks *r)
{
	pk_what_if_rows(grid);
	for (size_t i = 0; i < r->changes; i++)
		pk_what_if_add(grid, r->change[i].text, llround(r->change[i].time),
			       llround(r->change[i].saved), llround(r->measured));
}

void pk_ranks_words(struct pk_buf *buf, const struct pk_ranks *r)
{
	uint32_t most = 0;

	pk_buf_addf(buf, "critical path through %s ranks, which %s collective%s join%s: %s\n",
		    pk_in_count(r->gpu->traces).text, pk_in_count(r->joined).text,
		    r->joined == 1 ? "" : "s", r->joined == 1 ? "s" : "",
		    pk_in_ns(llround(r->measured)).text);
	pk_replay_words(buf, llround(r->replay), llround(r->measured));
	for (uint32_t t = 1; t < r->gpu->traces; t++)
		if (r->rank[t].time > r->rank[most].time)
			most = t;
	if (r->changes || !pk_replay_is_trusted(llround(r->replay), llround(r->measured)))
		return;
	pk_buf_adds(buf, "most of it is work of ");
	if (r->gpu->trace[most].rank == PK_NULL)
		pk_buf_add_visible(buf, pk_texts_get(&r->gpu->names, r->gpu->trace[most].path));
	else
		pk_buf_addf(buf, "rank %" PRId64, r->gpu->trace[most].rank);
	pk_buf_addf(buf, ", which comes last in %s of its collectives\n",
		    pk_in_count(r->rank[most].times).text);
}

void pk_ranks_json(struct pk_json_writer *w, const struct pk_ranks *r)
{
	pk_json_put(w, "collectives %jd", (intmax_t)r->joined);
	pk_replay_json(w, llround(r->replay), llround(r->measured));
}
