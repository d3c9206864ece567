#pragma once

#include "analysis/gpu/critical/critical.h"
#include "analysis/gpu/gpu.h"
#include "base/text/str.h"
#include "render/grid.h"

/* The output of profkit gpu --critical-path: a row for each class of parts of the path, for each
 * operator, or for each name of what ran. Texts are borrowed from the profile. */
void pk_critical_grid(struct pk_grid *grid, const struct pk_critical *c, enum pk_gpu_by by);
extern const struct pk_grid_columns pk_critical_columns;

/* "critical path of ProfilerStep#3: 3.51 ms": a line, up to three. */
void pk_critical_title(struct pk_buf *buf, const struct pk_critical *c);
/* The classes that bound the time, largest first, with advice. */
void pk_critical_words(struct pk_buf *buf, const struct pk_critical *c);
/* Notes about odd events in the trace, a line each. */
void pk_critical_notes(struct pk_buf *buf, const struct pk_critical *c);
/* Members of the JSON object but "rows". */
void pk_critical_json(struct pk_json_writer *w, const struct pk_critical *c);

/* The same for --what-if: a row for each change. */
void pk_what_if_grid(struct pk_grid *grid, const struct pk_critical *c);
extern const struct pk_grid_columns pk_what_if_columns;
/* Such rows of another simulation. */
void pk_what_if_rows(struct pk_grid *grid);
void pk_what_if_add(struct pk_grid *grid, const char *change, int64_t time, int64_t saved,
		    int64_t whole);
/* The share by which a replay misses the measured time; beyond 5 % it is not trusted. */
void pk_replay_words(struct pk_buf *buf, int64_t replay, int64_t measured);
bool pk_replay_is_trusted(int64_t replay, int64_t measured);
void pk_replay_json(struct pk_json_writer *w, int64_t replay, int64_t measured);
/* How reliable the simulation is, and which change saves most. */
void pk_what_if_words(struct pk_buf *buf, const struct pk_critical *c);
void pk_what_if_json(struct pk_json_writer *w, const struct pk_critical *c);
