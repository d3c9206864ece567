#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/workers/grid.h"

void pk_workers_title(struct pk_buf *buf, const struct pk_workers *w)
{
	pk_buf_addf(buf, "%s worker%s (by %s)", pk_in_count(w->count).text,
		    w->count == 1 ? "" : "s", pk_workers_bys[w->by]);
	if (!w->count)
		return;
	pk_buf_adds(buf, w->timed ? ", window " : ", window at least ");
	pk_workers_add_time(buf, w, pk_workers_span(w));
}

enum { ROOM = 100 };

/* Adds text in lines of ROOM columns. `used` columns of the first line are taken; the other lines
 * begin with the indent. */
static void add_wrapped(struct pk_buf *buf, const char *text, size_t used, const char *indent)
{
	bool first = true;

	for (; *text; first = false) {
		size_t word = strcspn(text, " "), wide = pk_utf8_width(text, word);

		if (!first && used + 1 + wide > ROOM) {
			pk_buf_addf(buf, "\n%s", indent);
			used = strlen(indent);
		} else if (!first) {
			pk_buf_addc(buf, ' ');
			used++;
		}
		pk_buf_add(buf, text, word);
		used += wide;
		text += word;
		text += *text == ' ';
	}
	pk_buf_addc(buf, '\n');
}

/* The shares of all workers, which also explain the marks of bars. */
static void add_shares(struct pk_buf *buf, const struct pk_workers *w)
{
	static const char *const names[] = {"useful", "overhead", "start-up", "tail", "waiting"};

	if (isnan(w->share[0]))
		return;
	pk_buf_adds(buf, "time of all workers: ");
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		if (k == PK_WORK_TAIL && !w->timed)
			continue;
		pk_buf_addf(buf, "%s%s %s %s", k ? "  " : "", pk_work_marks[k], names[k],
			    pk_in_percent(w->share[k]).text);
	}
	pk_buf_addc(buf, '\n');
}

/* The distribution of useful time, if not all workers are listed. */
static void add_distribution(struct pk_buf *buf, const struct pk_workers *w, size_t left_out)
{
	static const struct {
		const char *name;
		int percent;
	} points[] = {{"least", 0}, {"p10", 10}, {"p25", 25},  {"median", 50},
		      {"p75", 75},  {"p90", 90}, {"most", 100}};
	int64_t *u = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*u)));

	for (uint32_t i = 0; i < w->count; i++)
		u[i] = w->worker[i].work[PK_WORK_USEFUL];
	qsort(u, w->count, sizeof(*u), pk_compare_ints);
	pk_buf_addf(buf, "… %s more in between; --limit 0 shows all\nuseful time of all workers:",
		    pk_in_count((int64_t)left_out).text);
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		uint64_t place = (uint64_t)points[i].percent * w->count;

		pk_buf_addf(buf, "%s %s ", i ? "," : "", points[i].name);
		pk_workers_add_time(buf, w, u[place ? (place + 99) / 100 - 1 : 0]);
	}
	pk_buf_addc(buf, '\n');
	free(u);
}

static void add_diagnosis(struct pk_buf *buf, const struct pk_diagnosis *d)
{
	pk_buf_addf(buf, "\n%s: %s\n    ", d->code, d->headline);
	add_wrapped(buf, d->text, 4, "    ");
	if (d->advice) {
		pk_buf_adds(buf, "    \xE2\x86\x92 ");
		add_wrapped(buf, d->advice, 6, "      ");
	}
}

static void add_notes(struct pk_buf *buf, const struct pk_workers *w)
{
	char *text = pk_strdup(w->notes.data), *rest = text, *line;

	pk_buf_addc(buf, '\n');
	while ((line = strsep(&rest, "\n")))
		if (*line)
			add_wrapped(buf, line, 0, "  ");
	free(text);
}

void pk_workers_text(struct pk_buf *buf, const struct pk_workers *w, size_t left_out)
{
	if (left_out)
		add_distribution(buf, w, left_out);
	if (w->count) {
		add_shares(buf, w);
		pk_buf_add(buf, w->summary.data, w->summary.len);
	}
	for (int i = 0; i < w->diagnoses; i++)
		add_diagnosis(buf, &w->diagnosis[i]);
	if (w->notes.len)
		add_notes(buf, w);
}
