/*
 * What ran when, as `timeline` draws it: boxes of lanes, marks and counters, in columns.
 *
 *	"timeline": {"begin": 0, "end": 3000000, "sampled": false, "least": 300, "joined": 12, ...
 *	             "lanes": {"process": ["main (1)"], "thread": ["1"], "gpu": [0], "depth": [2],
 *	                       "spans": [14], "busy": [2000000], "first": [0], "last": [2900000]},
 *	             "boxes": {"lane": [0], "depth": [0], "symbol": [3], "count": [1],
 *	                       "begin": [0], "length": [120], "busy": [120], "others": [0]},
 *	             "marks": {"lane": [0], "time": [5], "count": [1], "name": ["gc"]},
 *	             "counters": [{"process": "main (1)", "name": "memory", "series": ["live"],
 *	                           "bytes": true, "highest": 12, "begin": [0], "length": [7],
 *	                           "low": [0], "high": [12], "of": [0]}]}
 *
 * Times count from the begin. A lane's busy is the sum of its outermost spans, or if spans overlap
 * the time in which any runs.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"
#include "writers/report/names.h"
#include "writers/report/parts/parts.h"
#include "writers/timeline/layout.h"

/* If there are many spans, those wider than a pixel of a picture of a few windows' width have a box
 * of their own. A larger number would need several passes to find that it is too large. */
enum { PIXELS = 8000, FEW_SPANS = 12000 };

struct pk_report_time {
	struct pk_timeline t;
	bool sampled; /* spans were made from samples */
};

struct pk_report_time *pk_report_time_new(const struct pk_report_data *d)
{
	const struct pk_profile *p = d->report->profile;
	struct pk_timeline_limits limits = {.pixels = PIXELS, .without_spans = true};
	const struct pk_span_table *spans = NULL;
	struct pk_report_time *time;

	if (!p->thread.count)
		return NULL;
	if (pk_timeline_of_samples(p))
		limits.sampled = d->report->metric;
	else if (!(spans = pk_timeline_spans(p, d->report->metric, NULL)))
		return NULL;
	time = pk_calloc(1, sizeof(*time));
	if (!spans || spans->count <= FEW_SPANS)
		limits.pixels = INT32_MAX;
	pk_timeline_init(&time->t, p, spans, &limits);
	time->sampled = !spans;
	time->t.spans = NULL;
	return time;
}

void pk_report_time_free(struct pk_report_time *time)
{
	if (!time)
		return;
	pk_timeline_release(&time->t);
	free(time);
}

/* Times of a file may be any. */
static int64_t length_of(int64_t begin, int64_t end)
{
	int64_t length;

	return __builtin_sub_overflow(end, begin, &length) ? INT64_MAX : length;
}

PK_COMPARE(longest_first, int64_t, PK_ORDER(*b, *a))

/* Boxes that are at least so long go into the page: `most` of them, or more if several are equal.
 */
static int64_t least_length(const struct pk_timeline *t, size_t most)
{
	PK_FREED int64_t *length = NULL;

	if (t->box_count <= most)
		return INT64_MIN;
	if (!most)
		return INT64_MAX;
	length = pk_malloc(pk_mul(t->box_count, sizeof(*length)));
	for (size_t i = 0; i < t->box_count; i++)
		length[i] = length_of(t->box[i].begin, t->box[i].end);
	pk_sort(length, t->box_count, sizeof(*length), longest_first);
	return length[most] < INT64_MAX ? length[most] + 1 : INT64_MAX;
}

static void put_texts(struct pk_json_writer *w, const char *key, const struct pk_timeline *t,
		      void (*label)(struct pk_buf *buf, const struct pk_profile *p,
				    uint32_t thread))
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_json_put_array(w, key);
	for (uint32_t i = 0; i < t->lane_count; i++) {
		text.len = 0;
		label(&text, t->p, t->lane[i].thread);
		pk_json_text_len(w, text.len ? text.data : "", text.len);
	}
	pk_json_end(w);
}

static void process_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t thread)
{
	pk_process_label(buf, p, p->thread.process[thread]);
}

/* Shared by the boxes of a lane. */
struct lane {
	int64_t spans, busy, first, last;
};

static struct lane *add_up(const struct pk_timeline *t)
{
	struct lane *lane = pk_calloc((size_t)t->lane_count + 1, sizeof(*lane));

	for (uint32_t i = 0; i < t->lane_count; i++)
		lane[i].first = lane[i].last = PK_NULL;
	for (size_t i = 0; i < t->box_count; i++) {
		const struct pk_timeline_box *box = &t->box[i];
		struct lane *l = &lane[box->lane];

		l->spans += box->count;
		if (!box->depth)
			pk_add_saturated(&l->busy, box->busy);
		if (l->first == PK_NULL || box->begin < l->first)
			l->first = box->begin;
		if (l->last == PK_NULL || box->end > l->last)
			l->last = box->end;
	}
	return lane;
}

/* Spans that overlap are not all in the first row. */
static void unite(const struct pk_timeline *t, struct lane *lane)
{
	const struct pk_span_table *s = &t->p->span;
	int64_t until = INT64_MIN;

	for (uint32_t i = 0; i < t->lane_count; i++)
		lane[i].busy = 0;
	for (uint32_t i = 1; i < s->count; i++) {
		uint32_t at = t->lane_of_thread[s->thread[i]];
		int64_t begin = s->time[i], end = pk_span_end(t->p, i);

		if (s->thread[i] != s->thread[i - 1])
			until = INT64_MIN;
		if (at == UINT32_MAX || end <= until)
			continue;
		pk_add_saturated(&lane[at].busy, end - (begin > until ? begin : until));
		until = end;
	}
}

static int64_t since(const struct pk_timeline *t, int64_t time)
{
	return time == PK_NULL ? PK_NULL : length_of(t->begin, time);
}

static void put_lanes(struct pk_json_writer *w, const struct pk_timeline *t)
{
	PK_FREED struct lane *lane = add_up(t);

	if (t->row_of)
		unite(t, lane);
	pk_json_put_object(w, "lanes");
	put_texts(w, "process", t, process_label);
	put_texts(w, "thread", t, pk_thread_label);
	PK_REPORT_COLUMN(w, "gpu", t->lane_count,
			 t->p->thread.role[t->lane[i].thread] == PK_ROLE_GPU);
	PK_REPORT_COLUMN(w, "depth", t->lane_count, t->lane[i].depth);
	PK_REPORT_COLUMN(w, "spans", t->lane_count, lane[i].spans);
	PK_REPORT_COLUMN(w, "busy", t->lane_count, lane[i].busy);
	PK_REPORT_COLUMN(w, "first", t->lane_count, since(t, lane[i].first));
	PK_REPORT_COLUMN(w, "last", t->lane_count, since(t, lane[i].last));
	pk_json_end(w);
}

/* Returns the number of spans in boxes that are left out. */
static int64_t put_boxes(struct pk_json_writer *w, const struct pk_timeline *t,
			 struct pk_report_names *names, uint32_t limit)
{
	int64_t least = least_length(t, limit), left = 0;
	PK_FREED const struct pk_timeline_box **box =
		pk_malloc(pk_mul(t->box_count + 1, sizeof(*box)));
	size_t count = 0;

	for (size_t i = 0; i < t->box_count; i++) {
		if (length_of(t->box[i].begin, t->box[i].end) >= least)
			box[count++] = &t->box[i];
		else
			left += t->box[i].count;
	}
	pk_json_put_object(w, "boxes");
	PK_REPORT_COLUMN(w, "lane", count, box[i]->lane);
	PK_REPORT_COLUMN(w, "depth", count, box[i]->depth);
	PK_REPORT_COLUMN(w, "symbol", count,
			 pk_report_name_function(names, t->p, box[i]->function));
	PK_REPORT_COLUMN(w, "count", count, box[i]->count);
	PK_REPORT_COLUMN(w, "others", count, box[i]->others);
	PK_REPORT_COLUMN(w, "begin", count, since(t, box[i]->begin));
	PK_REPORT_COLUMN(w, "length", count, length_of(box[i]->begin, box[i]->end));
	PK_REPORT_COLUMN(w, "busy", count, box[i]->busy);
	pk_json_end(w);
	return left;
}

static void put_marks(struct pk_json_writer *w, const struct pk_timeline *t, size_t count)
{
	pk_json_put_object(w, "marks");
	PK_REPORT_COLUMN(w, "lane", count, t->mark[i].lane);
	PK_REPORT_COLUMN(w, "time", count, since(t, t->mark[i].time));
	PK_REPORT_COLUMN(w, "count", count, t->mark[i].count);
	pk_json_put_array(w, "name");
	for (size_t i = 0; i < count; i++)
		pk_report_text(w, pk_text(t->p, t->mark[i].name),
			       t->p->string.len[t->mark[i].name]);
	pk_json_end(w);
	pk_json_end(w);
}

/* Bytes where the name says so, as in the picture. */
static bool is_bytes(const struct pk_profile *p, const struct pk_timeline_counter *c)
{
	const char *name = pk_text(p, c->name);

	return pk_is_memory_counter(name) || strcasestr(name, "bytes") ||
	       (c->series_count && strcasestr(pk_text(p, c->series[0]), "bytes"));
}

static void put_counter(struct pk_json_writer *w, const struct pk_timeline *t,
			const struct pk_timeline_counter *c)
{
	const struct pk_timeline_area *area = t->area + c->first;
	PK_BUF_AUTO process = PK_BUF_INIT;

	pk_process_label(&process, t->p, c->process);
	pk_json_object(w);
	pk_json_put(w, "process %s bytes %d highest %.17g", process.len ? process.data : "",
		    is_bytes(t->p, c), c->highest);
	pk_json_key(w, "name");
	pk_report_text(w, pk_text(t->p, c->name), t->p->string.len[c->name]);
	pk_json_put_array(w, "series");
	for (uint32_t k = 0; k < c->series_count; k++)
		pk_report_text(w, pk_text(t->p, c->series[k]), t->p->string.len[c->series[k]]);
	pk_json_end(w);
	PK_REPORT_COLUMN(w, "begin", c->count, since(t, area[i].begin));
	PK_REPORT_COLUMN(w, "length", c->count, length_of(area[i].begin, area[i].end));
	PK_REPORT_COLUMN(w, "of", c->count, area[i].series);
	pk_json_put_array(w, "low");
	for (size_t i = 0; i < c->count; i++)
		pk_json_double(w, area[i].low, 7);
	pk_json_end(w);
	pk_json_put_array(w, "high");
	for (size_t i = 0; i < c->count; i++)
		pk_json_double(w, area[i].high, 17);
	pk_json_end(w);
	pk_json_end(w);
}

void pk_report_time_json(struct pk_json_writer *w, const struct pk_report_time *time,
			 struct pk_report_names *names, uint32_t limit)
{
	const struct pk_timeline *t;
	bool rest; /* whether there is room for marks and counters */
	int64_t left;

	if (!time)
		return;
	t = &time->t;
	rest = limit >= t->area_count + t->mark_count;
	pk_json_put_object(w, "timeline");
	pk_json_put(w, "begin %jd end %jd sampled %d together %jd least %jd joined %jd deep %jd",
		    t->begin, t->end, time->sampled, t->together, t->least, (int64_t)t->joined,
		    (int64_t)t->deep);
	pk_json_put(w, "other_spans %jd other_threads %jd other_counters %jd",
		    (int64_t)t->other_spans, (int64_t)t->other_threads,
		    (int64_t)t->other_counters + (rest ? 0 : t->counter_count));
	put_lanes(w, t);
	left = put_boxes(w, t, names, limit);
	put_marks(w, t, rest ? t->mark_count : 0);
	pk_json_put(w, "left %jd marks_left %jd", left, (int64_t)(rest ? 0 : t->mark_count));
	pk_json_put_array(w, "counters");
	for (uint32_t i = 0; rest && i < t->counter_count; i++)
		put_counter(w, t, &t->counter[i]);
	pk_json_end(w);
	pk_json_end(w);
}
