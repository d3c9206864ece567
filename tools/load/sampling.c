/* What info and the summary say of how often threads were sampled. */
#include "tools/load/sampling.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "tools/table.h"

enum { MOST_THREADS = 10 };

/* "name (pid/tid)", as far as they are known; "?" if nothing is. */
static void add_thread(struct pk_buf *text, const struct pk_profile *p, uint32_t thread)
{
	uint32_t process = p->thread.process[thread];
	int64_t pid = process ? p->process.pid[process] : PK_NULL;
	int64_t tid = thread ? p->thread.tid[thread] : PK_NULL;
	const char *name = pk_text(p, p->thread.name[thread]);
	bool numbered = thread && (pid != PK_NULL || tid != PK_NULL);

	name = !thread ? "no thread" : *name ? name : pk_text(p, p->process.name[process]);
	pk_buf_adds(text, *name || numbered ? name : "?");
	if (!numbered)
		return;
	pk_buf_adds(text, *name ? " (" : "(");
	if (pid != PK_NULL)
		pk_buf_addf(text, "%" PRId64, pid);
	if (tid != PK_NULL)
		pk_buf_addf(text, "%s%" PRId64, pid != PK_NULL ? "/" : "", tid);
	pk_buf_addc(text, ')');
}

void pk_sampling_sentence(struct pk_buf *text, const struct pk_profile *p,
			  const struct pk_sampling *s)
{
	const struct pk_sampled_thread *worst = s->gap == UINT32_MAX ? NULL : &s->thread[s->gap];

	if (!s->sampled)
		return;
	if (!s->timed) {
		pk_buf_adds(text, "time between samples not recorded");
		return;
	}
	if (!worst) {
		pk_buf_adds(text, "no thread has two samples");
		return;
	}
	pk_buf_addf(text, "every %s in the median; longest gap %s from %s",
		    pk_in_ns(s->interval).text, pk_in_ns(worst->gap).text,
		    pk_in_ns(worst->gap_start).text);
	if (s->threads > 1) {
		pk_buf_adds(text, " in ");
		add_thread(text, p, worst->thread);
	}
}

void pk_add_line(struct pk_grid *g, const char *what, struct pk_buf *text)
{
	struct pk_cell *cell = pk_grid_row(g, 0);

	pk_cell_text(cell, what);
	pk_cell_text(cell + 1, pk_arena_copy(&g->arena, text->len ? text->data : "", text->len));
	text->len = 0;
}

static void add_thread_row(struct pk_grid *g, const struct pk_profile *p, uint32_t metric,
			   const struct pk_sampled_thread *th, struct pk_buf *text)
{
	add_thread(text, p, th->thread);
	pk_buf_adds(text, ": ");
	pk_table_value(text, p, metric, th->total);
	if (th->samples != PK_NULL)
		pk_buf_addf(text, ", %s sample%s", pk_in_count(th->samples).text,
			    th->samples == 1 ? "" : "s");
	if (th->start != PK_NULL && th->start < th->end)
		pk_buf_addf(text, ", %s to %s", pk_in_ns(th->start).text, pk_in_ns(th->end).text);
	else if (th->start != PK_NULL)
		pk_buf_addf(text, ", at %s", pk_in_ns(th->start).text);
	if (th->gap != PK_NULL)
		pk_buf_addf(text, ", every %s, longest gap %s", pk_in_ns(th->interval).text,
			    pk_in_ns(th->gap).text);
	pk_add_line(g, "thread", text);
}

PK_COMPARE(by_total, struct pk_sampled_thread,
	   PK_ORDER(b->total, a->total) ?: PK_ORDER(a->thread, b->thread))

void pk_sampling_rows(struct pk_grid *g, const struct pk_profile *p, uint32_t metric,
		      const struct pk_sampling *s)
{
	/* without threads, none is named */
	uint32_t threads = p->thread.count > 1 ? s->threads : 0, i;
	uint32_t shown = threads < MOST_THREADS ? threads : MOST_THREADS;
	struct pk_sampled_thread *order;
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!s->sampled)
		return;
	pk_sampling_sentence(&text, p, s);
	pk_add_line(g, "sampling", &text);
	order = pk_malloc(pk_mul(s->threads + 1, sizeof(*order)));
	for (i = 0; i < s->threads; i++)
		order[i] = s->thread[i];
	qsort(order, s->threads, sizeof(*order), by_total);
	for (i = 0; i < shown; i++)
		add_thread_row(g, p, metric, &order[i], &text);
	if (shown < threads) {
		pk_buf_addf(&text, "(%s more; --format json shows all)",
			    pk_in_count(threads - shown).text);
		pk_add_line(g, "thread", &text);
	}
	free(order);
}

static void add_thread_object(struct pk_json_writer *w, const struct pk_profile *p, uint32_t metric,
			      const struct pk_sampled_thread *th)
{
	uint32_t process = p->thread.process[th->thread];
	uint32_t name = th->thread ? p->thread.name[th->thread] : 0;

	pk_json_put(
		w, "{process %jd process_name %s thread %jd name %s total %.*jd samples %jd",
		process ? p->process.pid[process] : PK_NULL,
		process && p->process.name[process] ? pk_text(p, p->process.name[process]) : NULL,
		th->thread ? p->thread.tid[th->thread] : PK_NULL, name ? pk_text(p, name) : NULL,
		p->metric.exponent[metric], th->total, th->samples);
	pk_json_put(w, "start %jd end %jd interval %jd gap_start %jd gap %jd}", th->start, th->end,
		    th->interval, th->gap_start, th->gap);
}

void pk_sampling_member(struct pk_json_writer *w, const struct pk_profile *p, uint32_t metric,
			const struct pk_sampling *s)
{
	pk_json_key(w, "sampling");
	if (!s->sampled) {
		pk_json_null(w);
		return;
	}
	pk_json_object(w);
	pk_json_put(w, "period %.*jd interval %jd", p->metric.exponent[metric],
		    pk_metric_period(p, 1), s->interval);
	pk_json_put_array(w, "threads");
	for (uint32_t i = 0; i < s->threads; i++)
		add_thread_object(w, p, metric, &s->thread[i]);
	pk_json_end(w);
	pk_json_end(w);
}
