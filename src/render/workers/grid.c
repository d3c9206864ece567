/* The table of workers, with bars. */
#include "render/workers/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/notation.h"

enum {
	W_PROCESS,
	W_THREAD,
	W_NAME,
	W_ROLE,
	W_START,
	W_END,
	W_USEFUL,
	W_OVERHEAD,
	W_STARTUP,
	W_TAIL,
	W_WAIT,
	W_SAMPLES,
	W_TASKS,
	W_BAR,
	W_COLUMNS
};

static const struct pk_grid_column columns[W_COLUMNS] = {
	[W_PROCESS] = {"process", NULL, PK_CELL_NUMBER,
		       .help = "Number of the process; null: all processes"},
	[W_THREAD] = {"thread", NULL, PK_CELL_NUMBER,
		      .help = "Number of the thread; null: all threads"},
	[W_NAME] = {"name", "worker", PK_CELL_TEXT, .help = "Name of the worker"},
	[W_ROLE] = {"role", NULL, PK_CELL_TEXT,
		    .help = "Always worker; the parent and helper threads are not listed"},
	[W_START] = {"start", NULL, PK_CELL_VALUE, .help = "Start time"},
	[W_END] = {"end", NULL, PK_CELL_VALUE, .help = "End time"},
	[W_USEFUL] = {"useful", "useful", PK_CELL_VALUE, .help = "Time in the functions of tasks"},
	[W_OVERHEAD] = {"overhead", "overhead", PK_CELL_VALUE,
			.help = "Time for passing tasks and results"},
	[W_STARTUP] = {"startup", "start-up", PK_CELL_VALUE,
		       .help = "Time before its first useful moment"},
	[W_TAIL] = {"tail", "tail", PK_CELL_VALUE, .help = "Time after its last useful moment"},
	[W_WAIT] = {"wait", "waiting", PK_CELL_VALUE, .help = "Time without work in between"},
	[W_SAMPLES] = {"samples", NULL, PK_CELL_INT,
		       .help = "Number of samples; null if the profile is not sampled"},
	[W_TASKS] = {"tasks", "tasks", PK_CELL_INT, .help = "Number of tasks; null if not known"},
	[W_BAR] = {.heading = "share of the time", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_workers_columns = PK_GRID_COLUMNS(columns);

const char *const pk_work_marks[PK_WORK_COUNT] = {"\xE2\x96\x88", "\xE2\x96\x93", "\xE2\x96\x91",
						  "\xC2\xB7", "\xC2\xB7"};

/* Names and bars share the room beside the numbers; on a narrow terminal tasks are left out. */
enum {
	NUMBERS = 55,
	TASKS = 7,
	SHORTEST_BAR = 14,
	NARROW_BAR = 10,
	LONGEST_BAR = 32,
	NARROW = 96,
	SHORTEST_NAME = 8
};

struct room {
	size_t name, bar; /* columns */
};

static struct room share_room(const struct pk_workers *w, size_t width, size_t numbers)
{
	size_t left, longest = 6, bar = width < NARROW ? NARROW_BAR : SHORTEST_BAR;
	struct room room;

	left = width > numbers + bar + SHORTEST_NAME ? width - numbers : bar + SHORTEST_NAME;
	for (uint32_t i = 0; i < w->count; i++) {
		size_t len = strlen(w->worker[i].name);

		longest = len > longest ? len : longest;
	}
	room.name = longest < left - bar ? longest : left - bar;
	room.bar = left - room.name < LONGEST_BAR ? left - room.name : LONGEST_BAR;
	return room;
}

static bool is_continued(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* A long name is cut before the number at its end. */
static void put_name(struct pk_cell *cell, struct pk_grid *g, const char *name, size_t room)
{
	size_t len = strlen(name), head, tail;
	const char *number = strrchr(name, ' ');
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (len <= room) {
		pk_cell_text(cell, name);
		return;
	}
	tail = number ? strlen(number) : 0;
	if (tail > room / 2)
		tail = 0;
	head = room - tail - 1;
	while (head && is_continued(name[head]))
		head--;
	pk_buf_add(&text, name, head);
	pk_buf_adds(&text, "\xE2\x80\xA6");
	pk_buf_add(&text, name + len - tail, tail);
	pk_cell_copy(g, cell, &text);
}

/* Parts end at rounded sums, so that rounding of small parts does not shift the others. */
static void put_bar(struct pk_cell *cell, struct pk_grid *g, const struct pk_worker *worker,
		    int64_t whole, int bar)
{
	static const enum pk_work order[] = {PK_WORK_STARTUP, PK_WORK_USEFUL, PK_WORK_OVERHEAD,
					     PK_WORK_WAIT, PK_WORK_TAIL};
	char text[LONGEST_BAR * 3 + 1], *to = text;
	double sum = 0;
	int drawn = 0;

	if (whole <= 0)
		return;
	for (int i = 0; i < PK_WORK_COUNT; i++) {
		const char *mark = pk_work_marks[order[i]];

		sum += (double)worker->work[order[i]];
		for (; drawn < (int)(sum / (double)whole * bar + 0.5) && drawn < bar; drawn++)
			to = memcpy(to, mark, strlen(mark)) + strlen(mark);
	}
	pk_cell_text_len(cell, pk_arena_copy(&g->arena, text, (size_t)(to - text)),
			 (size_t)(to - text));
}

/* room: widths for people; NULL for machines. */
static void put_row(struct pk_grid *g, const struct pk_workers *w, const struct pk_worker *worker,
		    const struct room *room)
{
	struct pk_cell *row = pk_grid_row(g, 0);
	int64_t span = pk_workers_span(w);

	pk_cell_int(&row[W_PROCESS], worker->pid);
	pk_cell_int(&row[W_THREAD], worker->tid);
	if (room)
		put_name(&row[W_NAME], g, worker->name, room->name);
	else
		pk_cell_text(&row[W_NAME], worker->name);
	pk_cell_text(&row[W_ROLE], pk_worker_roles[worker->role]);
	pk_cell_int(&row[W_START], worker->start);
	pk_cell_int(&row[W_END], worker->end);
	for (int k = 0; k < PK_WORK_COUNT; k++)
		pk_cell_int(&row[W_USEFUL + k],
			    k == PK_WORK_TAIL && !w->timed ? PK_NULL : worker->work[k]);
	pk_cell_int(&row[W_SAMPLES], worker->samples);
	pk_cell_int(&row[W_TASKS], worker->tasks);
	if (room)
		put_bar(&row[W_BAR], g, worker, span, (int)room->bar);
}

struct order {
	int64_t useful;
	uint32_t index;
};

PK_COMPARE(most_first, struct order, PK_ORDER(b->useful, a->useful) ?: PK_ORDER(a->index, b->index))

/* The workers with the most and the least useful time, in the order of the file. */
static void put_extremes(struct pk_grid *g, const struct pk_workers *w, size_t rows,
			 const struct room *room)
{
	PK_FREED struct order *order = pk_malloc(pk_mul(w->count, sizeof(*order)));
	PK_FREED bool *shown = pk_calloc(w->count, sizeof(*shown));

	for (uint32_t i = 0; i < w->count; i++)
		order[i] = (struct order){w->worker[i].work[PK_WORK_USEFUL], i};
	qsort(order, w->count, sizeof(*order), most_first);
	for (size_t i = 0; i < rows; i++)
		shown[order[i % 2 ? w->count - 1 - i / 2 : i / 2].index] = true;
	for (uint32_t i = 0; i < w->count; i++)
		if (shown[i])
			put_row(g, w, &w->worker[i], room);
}

/* The heading of short bars is short. */
static void shorten_heading(struct pk_grid *g)
{
	struct pk_grid_column *own = pk_arena_alloc(&g->arena, sizeof(columns));

	memcpy(own, columns, sizeof(columns));
	own[W_BAR].heading = "share";
	g->columns = own;
}

static void fill(struct pk_grid *g, const struct pk_workers *w, size_t rows,
		 const struct room *room)
{
	pk_grid_init(g, columns, W_COLUMNS);
	g->unit = strcmp(w->unit, "ns") == 0 ? "ns" : "count";
	g->one_unit = true;
	g->spare = 1u << W_TASKS;
	g->lengthy = 1u << W_BAR;
	if (rows && rows < w->count) {
		put_extremes(g, w, rows, room);
		return;
	}
	for (uint32_t i = 0; i < w->count; i++)
		put_row(g, w, &w->worker[i], room);
}

/* The columns that numbers take, without those of tasks. */
static size_t numbers_of(const struct pk_grid *g)
{
	enum { GAP = 2 };
	struct pk_buf heading = PK_BUF_INIT;
	struct pk_view view;
	size_t sum = GAP;

	pk_view_init(&view, g);
	for (int i = 0; i + 1 < view.count; i++) {
		size_t wide = pk_view_width(&view, i);

		if (view.columns[i].index == W_NAME || view.columns[i].index == W_TASKS)
			continue;
		heading.len = 0;
		pk_view_heading(&heading, &view.columns[i]);
		sum += (wide > heading.len ? wide : heading.len) + GAP;
	}
	pk_buf_release(&heading);
	pk_view_release(&view);
	return sum;
}

void pk_workers_grid(struct pk_grid *g, const struct pk_workers *w, size_t rows, bool people,
		     int width, size_t *left_out)
{
	size_t tasks = w->tasks.tasks == PK_NULL ? 0 : TASKS;
	struct room room = share_room(w, PK_WORKERS_WIDTH, NUMBERS + tasks);

	*left_out = rows && rows < w->count ? w->count - rows : 0;
	fill(g, w, rows, people ? &room : NULL);
	if (!people || !width)
		return;
	room = share_room(w, (size_t)width, numbers_of(g) + (width < NARROW ? 0 : tasks));
	pk_grid_release(g);
	fill(g, w, rows, &room);
	if (room.bar < strlen(columns[W_BAR].heading))
		shorten_heading(g);
}
