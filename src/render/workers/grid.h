#pragma once

#include "analysis/workers/workers.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "render/grid.h"

/*
 * The result of `workers` as a table, as lines of text below it, and as members of a JSON object.
 * Texts are borrowed from the result.
 */

/* The mark of each part of the time in bars: UTF-8, one column wide. */
extern const char *const pk_work_marks[PK_WORK_COUNT];

/* At most `rows` workers (0 = all): if there are more, those with the most and those with the least
 * useful time. *left_out becomes the number of those not shown. For people, bars and names fit into
 * `width` columns (0: as PK_WORKERS_WIDTH). */
enum { PK_WORKERS_WIDTH = 100 };
void pk_workers_grid(struct pk_grid *g, const struct pk_workers *w, size_t rows, bool people,
		     int width, size_t *left_out);
extern const struct pk_grid_columns pk_workers_columns;
/* "4 workers (by process), window 844.92 ms" */
void pk_workers_title(struct pk_buf *buf, const struct pk_workers *w);
/* Shares, summary, diagnoses, notes, in lines of at most `width` columns (0: as above; -1: no
 * limit). */
void pk_workers_text(struct pk_buf *buf, const struct pk_workers *w, int width, size_t left_out);
/* window, workers, shares, metrics, tasks, diagnosis, notes. */
void pk_workers_json(struct pk_json_writer *json, const struct pk_workers *w);
