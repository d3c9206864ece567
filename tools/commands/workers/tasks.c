/* workers --by task: tasks of asyncio. */
#include "tools/commands/workers/tasks.h"

#include <stdlib.h>

#include "analysis/workers/async.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/cells.h"
#include "render/tables.h"
#include "tools/help/manual.h"

enum {
	T_TASK,
	T_LOOP,
	T_START,
	T_END,
	T_RUNNING,
	T_WAITING,
	T_RESUMABLE,
	T_STEPS,
	T_LONGEST,
	T_IN,
	T_AWAITS,
	T_COLUMNS
};

static const struct pk_grid_column columns[] = {
	[T_TASK] = {"task", "task", PK_CELL_TEXT, .help = "Name of the task"},
	[T_LOOP] = {"loop", NULL, PK_CELL_TEXT, .help = "Thread whose event loop runs it"},
	[T_START] = {"start", NULL, PK_CELL_VALUE, .help = "Start of its first step"},
	[T_END] = {"end", NULL, PK_CELL_VALUE, .help = "End of its last step"},
	[T_RUNNING] = {"running", "running", PK_CELL_VALUE, .help = "Time in its steps"},
	[T_WAITING] = {"waiting", "waiting", PK_CELL_VALUE,
		       .help = "Time between steps until the event loop knew at the latest that it "
			       "could go on"},
	[T_RESUMABLE] = {"resumable", "to resume", PK_CELL_VALUE,
			 .help = "Rest of the time between steps, at least: other tasks ran"},
	[T_STEPS] = {"steps", "steps", PK_CELL_INT, .help = "How often it ran"},
	[T_LONGEST] = {"longest", "longest", PK_CELL_VALUE,
		       .help = "Its longest step, in which no other task could run"},
	[T_IN] = {"longest_in", NULL, PK_CELL_TEXT, .help = "Function with which that step began"},
	[T_AWAITS] = {"awaits", "waits longest in", PK_CELL_TEXT,
		      .help = "Function in which it waits longest; null if it never waits"},
};
const struct pk_grid_columns pk_async_columns = PK_GRID_COLUMNS(columns);

struct shown {
	const struct pk_profiles *runs;
	const struct pk_profile *p;
	struct pk_async a;
};

PK_COMPARE(most_first, struct pk_async_task,
	   PK_ORDER(b->running, a->running) ?: PK_ORDER(a->thread, b->thread))

static void add_label(struct pk_grid *g, struct pk_cell *cell, const struct pk_profile *p,
		      uint32_t function)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (!function)
		return;
	pk_function_label(&name, p, function, PK_LABEL_SHORT);
	pk_cell_text_len(cell, pk_arena_copy(&g->arena, name.data, name.len), name.len);
}

static void add_row(struct pk_grid *g, const struct pk_profile *p, const struct pk_async_task *t)
{
	struct pk_cell *row = pk_grid_row(g, 0);

	pk_cell_text(&row[T_TASK], pk_text(p, p->thread.name[t->thread]));
	pk_cell_text(&row[T_LOOP], pk_text(p, p->thread.name[t->loop]));
	pk_cell_int(&row[T_START], t->start);
	pk_cell_int(&row[T_END], t->end);
	pk_cell_int(&row[T_RUNNING], t->running);
	pk_cell_int(&row[T_WAITING], t->waiting);
	pk_cell_int(&row[T_RESUMABLE], t->resumable);
	pk_cell_int(&row[T_STEPS], t->steps);
	pk_cell_int(&row[T_LONGEST], t->longest);
	add_label(g, &row[T_IN], p, t->longest_in);
	add_label(g, &row[T_AWAITS], p, t->waits_for);
}

static void write_members(struct pk_json_writer *json, void *data)
{
	const struct shown *s = data;

	pk_write_inputs(json, s->runs);
	pk_json_put_int(json, "rows_total", s->a.count);
	pk_json_put_int(json, "window", s->a.window);
	pk_json_put_int(json, "running", s->a.running);
	pk_json_put_int(json, "polling", s->a.polling);
}

static void add_share(struct pk_buf *buf, const char *what, int64_t part, int64_t whole)
{
	pk_buf_adds(buf, what);
	pk_format_percent(buf, whole > 0 ? (double)part / (double)whole : 0);
}

static void make_title(struct pk_buf *title, const struct shown *s)
{
	const struct pk_async *a = &s->a;
	int64_t rest = a->window;

	pk_add_saturated(&rest, -a->running);
	pk_add_saturated(&rest, -a->polling);
	pk_buf_add_visible(title, pk_text(s->p, s->p->run.source[1]));
	pk_buf_adds(title, ": ");
	pk_format_count(title, a->count);
	pk_buf_addf(title, " task%s of asyncio in %u event loop%s, ", a->count == 1 ? "" : "s",
		    a->loops, a->loops == 1 ? "" : "s");
	pk_format_value_unit(title, a->window, "ns");
	add_share(title, "\ntime of the loop: tasks ", a->running, a->window);
	add_share(title, ", waiting for events ", a->polling, a->window);
	add_share(title, ", itself and callbacks ", rest, a->window);
	pk_buf_addc(title, '\n');
}

/* Adds what all tasks wait for, largest first, and the step that kept others waiting longest. */
static void add_footer(struct pk_buf *buf, const struct shown *s, size_t rows)
{
	enum { MOST = 5 };
	const struct pk_async_task *longest = &s->a.task[0];
	int64_t below = INT64_MAX, all = 0;

	if (rows < s->a.count)
		pk_buf_addf(buf, "\xE2\x80\xA6 %zu more tasks; --limit 0 shows all\n",
			    s->a.count - rows);
	for (uint32_t i = 0; i < s->a.count; i++) {
		longest = s->a.task[i].longest > longest->longest ? &s->a.task[i] : longest;
		pk_add_saturated(&all, s->a.task[i].waiting);
	}
	pk_buf_adds(buf, "\nlongest step: ");
	pk_format_value_unit(buf, longest->longest, "ns");
	pk_buf_addf(buf, " of %s, begun in ", pk_text(s->p, s->p->thread.name[longest->thread]));
	pk_function_label(buf, s->p, longest->longest_in, PK_LABEL_SHORT);
	pk_buf_adds(buf, "; no other task could run\n");
	for (int i = 0; i < MOST; i++) {
		uint32_t most = 0;

		for (uint32_t k = 1; k < s->p->function.count; k++)
			if (s->a.waits[k] > s->a.waits[most] && s->a.waits[k] < below)
				most = k;
		if (!most)
			break;
		below = s->a.waits[most];
		pk_buf_adds(buf, i ? "                " : "tasks wait for: ");
		pk_function_label(buf, s->p, most, PK_LABEL_SHORT);
		add_share(buf, " ", below, all);
		pk_buf_addc(buf, '\n');
	}
}

static int show(const struct pk_common *c, struct shown *s, struct pk_error *err)
{
	struct pk_grid_frame frame = {
		.schema = "workers.tasks", .members = write_members, .data = s};
	size_t rows = pk_common_rows(c, s->a.count);
	struct pk_grid g;

	if (!s->a.count)
		return pk_fail(err, PK_EFORMAT,
			       "--by task: '%s' has no tasks of asyncio; viztracer --log_async "
			       "records them",
			       pk_text(s->p, s->p->run.source[1]));
	qsort(s->a.task, s->a.count, sizeof(*s->a.task), most_first);
	make_title(&frame.title, s);
	pk_title_filters(&frame.title, c);
	add_footer(&frame.footer, s, rows);
	pk_grid_init(&g, columns, T_COLUMNS);
	g.unit = "ns";
	g.one_unit = true;
	for (size_t i = 0; i < rows; i++)
		add_row(&g, s->p, &s->a.task[i]);
	return pk_show_grid(c, &g, &frame, err);
}

int pk_workers_show_tasks(const struct pk_common *c, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err)
{
	struct shown s = {.runs = runs, .p = runs->item[0]};
	struct pk_classes classes;
	int status;

	if (runs->count > 1)
		return pk_fail(err, PK_EUSAGE, "--by task shows the tasks of one file");
	if (pk_classes_init(&classes, s.p, options->classify, options->classify_count, err))
		return -1;
	pk_async_init(&s.a, s.p, &classes);
	status = show(c, &s, err);
	pk_async_release(&s.a);
	pk_classes_release(&classes);
	return status;
}
