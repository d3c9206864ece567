/* The texts of workers: measures, diagnoses, advice. */
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

/* Adds text in lines of `room` columns. `used` columns of the first line are taken; the other lines
 * begin with the indent. */
static void add_wrapped(struct pk_buf *buf, const char *text, size_t room, size_t used,
			const char *indent)
{
	bool first = true;

	for (; *text; first = false) {
		size_t word = strcspn(text, " "), wide = pk_utf8_width(text, word);

		if (!first && used + 1 + wide > room) {
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

static const char *const work_names[] = {"useful", "overhead", "start-up", "tail", "waiting"};

/* The shares of all workers, which also explain the marks of bars. */
static void add_shares(struct pk_buf *buf, const struct pk_workers *w, size_t room)
{
	struct pk_buf part = PK_BUF_INIT;
	size_t used = strlen("time of all workers"), wide;

	if (isnan(w->share[0]))
		return;
	pk_buf_adds(buf, "time of all workers:");
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		if (k == PK_WORK_TAIL && !w->timed)
			continue;
		part.len = 0;
		pk_buf_addf(&part, "%s %s ", pk_work_marks[k], work_names[k]);
		pk_format_percent(&part, w->share[k]);
		wide = pk_utf8_width(part.data, part.len);
		used = used + 2 + wide > room ? 0 : used;
		pk_buf_addf(buf, "%s%s", !used ? "\n  " : k ? "  " : " ", part.data);
		used += 2 + wide;
	}
	pk_buf_addc(buf, '\n');
	pk_buf_release(&part);
}

/* The distribution of a part of the time, if not all workers are listed. */
static void add_distribution(struct pk_buf *buf, const struct pk_workers *w, enum pk_work work)
{
	static const struct {
		const char *name;
		int percent;
	} points[] = {{"least", 0}, {"p10", 10}, {"p25", 25},  {"median", 50},
		      {"p75", 75},  {"p90", 90}, {"most", 100}};
	PK_FREED int64_t *u = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*u)));
	uint32_t most = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		u[i] = w->worker[i].work[work];
		most = u[i] > w->worker[most].work[work] ? i : most;
	}
	qsort(u, w->count, sizeof(*u), pk_compare_ints);
	if (u[w->count - 1] <= 0) /* or not known */
		return;
	pk_buf_addf(buf, "%s time of all workers:", work_names[work]);
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		uint64_t place = (uint64_t)points[i].percent * w->count;

		pk_buf_addf(buf, "%s %s ", i ? "," : "", points[i].name);
		pk_workers_add_time(buf, w, u[place ? (place + 99) / 100 - 1 : 0]);
	}
	pk_buf_adds(buf, " (");
	pk_buf_add_visible(buf, w->worker[most].name);
	pk_buf_adds(buf, ")\n");
}

static void add_distributions(struct pk_buf *buf, const struct pk_workers *w, size_t left_out)
{
	pk_buf_addf(buf, "… %s more in between; --limit 0 shows all\n",
		    pk_in_count((int64_t)left_out).text);
	for (int k = 0; k < PK_WORK_COUNT; k++)
		add_distribution(buf, w, (enum pk_work)k);
}

static void add_diagnosis(struct pk_buf *buf, const struct pk_diagnosis *d, size_t room)
{
	pk_buf_addf(buf, "\n%s: %s\n    ", d->code, d->headline);
	add_wrapped(buf, d->text, room, 4, "    ");
	if (d->advice) {
		pk_buf_adds(buf, "    \xE2\x86\x92 ");
		add_wrapped(buf, d->advice, room, 6, "      ");
	}
}

/* Adds lines; a line that does not fit goes on in the next one. */
static void add_lines(struct pk_buf *buf, const struct pk_buf *lines, size_t room)
{
	char *text = pk_strdup(lines->len ? lines->data : ""), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			add_wrapped(buf, line, room, 0, "  ");
	free(text);
}

void pk_workers_text(struct pk_buf *buf, const struct pk_workers *w, int width, size_t left_out)
{
	size_t room = width < 0                           ? SIZE_MAX / 2
		      : width && width < PK_WORKERS_WIDTH ? (size_t)width
							  : PK_WORKERS_WIDTH;

	if (left_out)
		add_distributions(buf, w, left_out);
	if (w->count) {
		add_shares(buf, w, room);
		add_lines(buf, &w->summary, room);
	}
	for (int i = 0; i < w->diagnoses; i++)
		add_diagnosis(buf, &w->diagnosis[i], room);
	if (w->notes.len) {
		pk_buf_addc(buf, '\n');
		add_lines(buf, &w->notes, room);
	}
}
