/* The picture of workers: a lane for each over time. */
#include "writers/workers/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/builder.h"
#include "writers/timeline/timeline.h"

enum {
	MOST_LANES = 64,
	BINS = 500,       /* of a lane of several workers */
	MOST_STEPS = 300, /* of the number of workers, a few pixels each */
};

/* Colors that differ in lightness as well, for color-blind readers. */
static const struct pk_timeline_key keys[] = {
	{"useful", 0x0072B2}, {"overhead", 0xE69F00}, {"start-up", 0x56B4E9},
	{"tail", 0xCC79A7},   {"waiting", 0xC8C8C8},  {NULL, 0xC8C8C8}, /* other series */
};

/* The picture is made as a profile, which is then written as a timeline. */
struct picture {
	const struct pk_workers *w;
	struct pk_builder *b;
	uint32_t process;
	uint32_t node[PK_WORK_COUNT], category[PK_WORK_COUNT];
};

static void put_span(struct picture *p, uint32_t thread, int64_t begin, int64_t end,
		     enum pk_work work)
{
	if (end > begin)
		pk_build_span(p->b, begin, end - begin, thread, p->node[work], p->category[work]);
}

static void put_segments(struct picture *p, uint32_t thread, const struct pk_worker *worker)
{
	for (size_t i = 0; i < worker->segments; i++) {
		const struct pk_work_segment *s = &p->w->segment[worker->segment + i];

		put_span(p, thread, s->start, s->end, s->work);
	}
}

/* Times of several workers in each part of the window. */
struct bins {
	int64_t start;
	double width; /* ns */
	double time[BINS][PK_WORK_COUNT];
};

static void add_to_bins(struct bins *b, const struct pk_work_segment *s)
{
	double from = (double)(s->start - b->start) / b->width;
	double to = (double)(s->end - b->start) / b->width;

	for (int i = (int)from; i < BINS && (double)i < to; i++) {
		double low = from > i ? from : i, high = to < i + 1 ? to : i + 1;

		b->time[i][s->work] += high - low;
	}
}

static enum pk_work most_of(const double time[PK_WORK_COUNT])
{
	int most = 0;

	for (int i = 1; i < PK_WORK_COUNT; i++)
		if (time[i] > time[most])
			most = i;
	return (enum pk_work)most;
}

static void put_bins(struct picture *p, uint32_t thread, const struct bins *b)
{
	int64_t end = p->w->window.end;

	for (int from = 0, to; from < BINS; from = to) {
		enum pk_work work = most_of(b->time[from]);
		int64_t at;

		for (to = from + 1; to < BINS && most_of(b->time[to]) == work;)
			to++;
		at = b->start + (int64_t)(to * b->width);
		put_span(p, thread, b->start + (int64_t)(from * b->width), to < BINS ? at : end,
			 work);
	}
}

/* Sums side by side, for a profile without times. */
static void put_sums(struct picture *p, uint32_t thread, uint32_t first, uint32_t count)
{
	int64_t at = 0;

	for (int work = 0; work < PK_WORK_COUNT; work++) {
		int64_t sum = 0;

		for (uint32_t i = 0; i < count; i++)
			if (p->w->worker[first + i].work[work] > 0)
				pk_add_saturated(&sum, p->w->worker[first + i].work[work] / count);
		put_span(p, thread, at, at + sum, (enum pk_work)work);
		at += sum;
	}
}

static void add_percent(struct pk_buf *buf, const struct pk_workers *w, int64_t value)
{
	double share = (double)value / (double)pk_workers_span(w);

	if (value != PK_NULL && pk_workers_span(w) > 0)
		pk_format_percent(buf, share);
	else
		pk_buf_adds(buf, "not known");
}

/* "NAME: 82.1% useful", "NAME and 7 more: 61.0% to 90.2% useful". */
static uint32_t lane_name(struct picture *p, uint32_t first, uint32_t count)
{
	const struct pk_worker *worker = &p->w->worker[first];
	int64_t least = INT64_MAX, most = INT64_MIN;
	PK_BUF_AUTO name = PK_BUF_INIT;

	for (uint32_t i = 0; i < count; i++) {
		int64_t useful = worker[i].work[PK_WORK_USEFUL];

		least = useful < least ? useful : least;
		most = useful > most ? useful : most;
	}
	pk_buf_adds(&name, worker->name);
	if (count > 1)
		pk_buf_addf(&name, " and %u more", count - 1);
	pk_buf_adds(&name, ": ");
	add_percent(&name, p->w, least);
	if (count > 1) {
		pk_buf_adds(&name, " to ");
		add_percent(&name, p->w, most);
	}
	pk_buf_adds(&name, " useful");
	return pk_build_string(p->b, name.data, name.len);
}

static uint32_t add_thread(struct picture *p, uint32_t name, uint32_t number)
{
	struct pk_thread thread = {.process = p->process,
				   .tid = PK_NULL,
				   .incarnation = number,
				   .name = name,
				   .sort = number};

	return pk_build_thread(p->b, &thread);
}

static void put_worker_lane(struct picture *p, uint32_t first, uint32_t count, struct bins *bins)
{
	const struct pk_workers *w = p->w;
	uint32_t thread = add_thread(p, lane_name(p, first, count), first + 1);

	if (!w->timed) {
		put_sums(p, thread, first, count);
		return;
	}
	if (count == 1) {
		put_segments(p, thread, &w->worker[first]);
		return;
	}
	bins->start = w->window.start;
	bins->width = (double)pk_workers_span(w) / BINS;
	memset(bins->time, 0, sizeof(bins->time));
	for (uint32_t i = first; i < first + count; i++)
		for (size_t k = 0; k < w->worker[i].segments; k++)
			add_to_bins(bins, &w->segment[w->worker[i].segment + k]);
	put_bins(p, thread, bins);
}

/* The parent is above the workers. While it does not work, it waits for them. */
static void put_parent(struct picture *p)
{
	const struct pk_worker *other = p->w->other, *end = other + p->w->others;
	PK_BUF_AUTO name = PK_BUF_INIT;
	uint32_t thread;

	while (other < end && (other->role != PK_WORKER_MAIN || !other->segments))
		other++;
	if (other == end)
		return;
	pk_buf_addf(&name, "%s: hands out the work", other->name);
	thread = add_thread(p, pk_build_string(p->b, name.data, name.len), 0);
	for (size_t i = 0; i < other->segments; i++) {
		const struct pk_work_segment *s = &p->w->segment[other->segment + i];
		bool works = s->work == PK_WORK_USEFUL || s->work == PK_WORK_OVERHEAD;

		put_span(p, thread, s->start, s->end, works ? s->work : PK_WORK_WAIT);
	}
}

/* Draws how many workers are useful from `time` on, and how many are not: together the plot is
 * always as high as all workers. */
static void put_active(struct picture *p, const char *name, int64_t time, double active)
{
	uint32_t counter = pk_build_text(p->b, name);

	pk_build_counter(p->b, time, p->process, counter, pk_build_text(p->b, "useful"), active);
	pk_build_counter(p->b, time, p->process, counter, pk_build_text(p->b, "without"),
			 (double)p->w->count - active);
}

static const char active_name[] = "workers with useful work";

/* The means of equal parts of the window, if there are very many steps. */
static void put_means(struct picture *p)
{
	const struct pk_workers *w = p->w;
	double span = (double)pk_workers_span(w);
	int64_t begin = w->window.start;
	size_t i = 0;

	for (int part = 1; part <= MOST_STEPS; part++) {
		int64_t end = w->window.start + (int64_t)(span * part / MOST_STEPS), at = begin;
		double sum = 0;

		while (at < end) {
			int64_t until = end;

			while (i + 1 < w->steps && w->step[i + 1].time <= at)
				i++;
			if (i + 1 < w->steps && w->step[i + 1].time < end)
				until = w->step[i + 1].time;
			sum += (double)w->step[i].active * (double)(until - at);
			at = until;
		}
		if (end > begin)
			put_active(p, active_name, begin, sum / (double)(end - begin));
		begin = end;
	}
}

static void put_steps(struct picture *p)
{
	const struct pk_workers *w = p->w;

	if (w->steps > MOST_STEPS)
		put_means(p);
	else
		for (size_t i = 0; i + 1 < w->steps; i++)
			if (w->step[i + 1].time > w->step[i].time)
				put_active(p, active_name, w->step[i].time, w->step[i].active);
	put_active(p, active_name, w->window.end, 0);
}

/* The ideal: the same work, shared evenly and without loss. */
static void put_ideal(struct picture *p)
{
	const struct pk_workers *w = p->w;
	static const char name[] = "the same work without loss";

	put_active(p, name, w->window.start, w->count);
	put_active(p, name, w->window.start + w->sum[PK_WORK_USEFUL] / w->count, 0);
	put_active(p, name, w->window.end, 0);
}

static void begin_picture(struct picture *p)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	p->b = pk_builder_new();
	pk_format_count(&name, p->w->count);
	pk_buf_adds(&name, p->w->count == 1 ? " worker" : " workers");
	p->process = pk_build_process(p->b, PK_NULL, pk_build_string(p->b, name.data, name.len), 0);
	for (int i = 0; i < PK_WORK_COUNT; i++) {
		p->category[i] = pk_build_text(p->b, keys[i].category);
		p->node[i] = pk_build_node(
			p->b, 0, pk_build_label(p->b, keys[i].category, strlen(keys[i].category)));
	}
}

static void add_metric(struct pk_buf *buf, const char *name, double share)
{
	if (isnan(share))
		return;
	pk_buf_addf(buf, "%s%s %s", buf->len ? ", " : "", name, pk_in_percent(share).text);
}

static void make_subtitle(struct pk_buf *buf, const struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;

	add_metric(buf, "parallel efficiency", m->parallel_efficiency);
	add_metric(buf, "load balance", m->load_balance);
	add_metric(buf, "tail", m->tail_loss);
	if (!w->timed)
		pk_buf_addf(buf, "%sonly sums: the profile has no times", buf->len ? "; " : "");
}

static int draw(const struct pk_workers *w, struct pk_profile *p, const char *title,
		struct pk_output *out, struct pk_error *err)
{
	struct pk_profiles list = {&p, 1, 1};
	struct pk_buf subtitle = PK_BUF_INIT;
	struct pk_timeline_params params = {.title = title,
					    .color = PK_TIMELINE_BY_CATEGORY,
					    .keys = keys,
					    .javascript = true,
					    .unit = strcmp(w->unit, "ns") == 0 ? NULL : w->unit};
	int status;

	make_subtitle(&subtitle, w);
	params.subtitle = subtitle.data;
	status = pk_write(&pk_writer_timeline, &list, &params, out, err);
	pk_buf_release(&subtitle);
	return status;
}

int pk_workers_draw(const struct pk_workers *w, const char *title, struct pk_output *out,
		    struct pk_error *err)
{
	uint32_t each = w->count / MOST_LANES + (w->count % MOST_LANES != 0), i;
	struct picture p = {.w = w};
	struct bins *bins;
	struct pk_profile *made;
	int status;

	if (!w->count)
		return pk_fail(err, PK_EFORMAT, "there is nothing to draw: no workers were found");
	begin_picture(&p);
	if (w->timed)
		put_parent(&p);
	bins = pk_malloc(sizeof(*bins));
	for (i = 0; i < w->count; i += each)
		put_worker_lane(&p, i, each < w->count - i ? each : w->count - i, bins);
	free(bins);
	if (w->timed) {
		put_steps(&p);
		if (w->sum[PK_WORK_USEFUL] != PK_NULL)
			put_ideal(&p);
	}
	made = pk_builder_finish(p.b);
	status = draw(w, made, title, out, err);
	pk_profile_free(made);
	return status;
}
