/*
 * A part of a trace without a profile of it: chosen events are copied as they are written, with
 * members that profkit does not know, in memory that does not depend on the size of the file.
 *
 * The reader goes through the file twice. The first pass finds when the run begins and ends, its
 * steps, and the names of threads, from which follow the part of time and the threads that are
 * chosen. The second one copies (slice_copy.c). This is not possible for files with samples, whose
 * times and stacks belong together, or with begins and ends that are not in the order of time.
 */
#include "readers/chrome/slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/events/time_range.h"

int64_t pk_slice_duration(const struct pk_chrome_event *e)
{
	int64_t duration = e->duration == PK_NULL ? e->thread_duration : e->duration;

	return duration > 0 ? duration : 0; /* PK_NULL is below 0 */
}

static bool is_async(char phase)
{
	return strchr("bneSTpF", phase) != NULL;
}

uint32_t pk_slice_thread(struct pk_chrome *c, const struct pk_chrome_event *e, char phase)
{
	if (is_async(phase))
		return pk_chrome_async_thread(c, c->threads[e->thread].process, e->category, 0);
	return pk_chrome_thread_id(c, e->thread);
}

struct pk_slice_track *pk_slice_track(struct pk_chrome *c, const struct pk_chrome_event *e,
				      char phase, uint64_t *number)
{
	struct pk_chrome_slice *sl = c->slice;
	bool async = is_async(phase);
	struct pk_slice_tracks *tracks = async ? &sl->asyncs : &sl->threads;
	uint32_t at = e->thread;

	if (async)
		at = pk_id_map_number(&sl->async_ids, (int64_t)(pk_chrome_async_key(c, e) >> 1));
	PK_GROW_ZERO(tracks->item, (size_t)at + 1, tracks->alloc);
	*number = (uint64_t)at * 2 + async;
	return &tracks->item[at];
}

/* Those of a GPU are copies. */
static void learn_step(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	uint32_t location;

	if (pk_step_number(t->text[e->name]) < 0 ||
	    !strcmp(t->text[e->category], "gpu_user_annotation"))
		return;
	location = pk_build_label(c->b, t->text[e->name], t->len[e->name]);
	pk_build_span(c->b, e->time, pk_slice_duration(e), 0, pk_build_node(c->b, 0, location), 0);
}

static void learn_half(struct pk_chrome *c, const struct pk_chrome_event *e, char phase)
{
	uint64_t number;
	struct pk_slice_track *track = pk_slice_track(c, e, phase, &number);

	c->slice->needs_profile |= track->has_halves && e->time < track->last_half;
	track->has_halves = true;
	track->last_half = e->time;
}

/* A span without an end lasts until the last event of its thread. */
static void learn_end(struct pk_chrome *c, const struct pk_chrome_event *e, int64_t end)
{
	uint64_t number;
	struct pk_slice_track *track = pk_slice_track(c, e, 'X', &number);

	if (!track->has_spans || end > track->end)
		track->end = end;
	track->has_spans = true;
}

static void learn_event(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			bool names_thread)
{
	struct pk_chrome_slice *sl = c->slice;
	int64_t end = e->time + (e->phase == 'X' ? pk_slice_duration(e) : 0);

	c->has_samples |= phase == 'P' || (e->name && pk_chrome_is_v8(c, e));
	if (phase == 'C')
		pk_chrome_process_id(c, c->threads[e->thread].process);
	else if (!strchr("stf", phase))
		pk_slice_thread(c, e, phase);
	if (!names_thread && !strchr("stfvV", phase)) {
		sl->first = e->time < sl->first ? e->time : sl->first;
		sl->last = end > sl->last ? end : sl->last;
	}
	if (sl->s->step && e->phase == 'X')
		learn_step(c, e);
	if (pk_slice_is_begin(phase) || pk_slice_is_end(phase))
		learn_half(c, e, phase);
	if (strchr("XBE", phase))
		learn_end(c, e, end);
}

bool pk_chrome_slice_has_events(const struct pk_chrome *c)
{
	return c->slice && c->slice->first <= c->slice->last;
}

bool pk_chrome_slice_may_copy(const struct pk_chrome *c, const struct pk_chrome_event *e)
{
	const struct pk_time_range *range = &c->slice->range;
	int64_t end = e->time;

	pk_add_saturated(&end, e->duration == PK_NULL ? INT64_MAX : e->duration);
	return e->time == PK_NULL || (e->time < range->to && end >= range->from);
}

/* Errors of the first pass are repairs; errors in arguments are found in the second pass only. */
void pk_chrome_slice_broken(struct pk_chrome *c)
{
	c->slice->result->broken += c->copies ? 1 : UINT64_MAX;
}

void pk_chrome_slice_event(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			   bool names_thread)
{
	if (c->copies)
		pk_slice_copy_event(c, e, phase, names_thread);
	else
		learn_event(c, e, phase, names_thread);
}

/* The part of time that is chosen, as times of the file. */
static int choose_time(struct pk_chrome *c, struct pk_error *err)
{
	struct pk_chrome_slice *sl = c->slice;
	uint32_t all = pk_build_node(c->b, 0, pk_build_label(c->b, "all", 3));

	if (sl->first > sl->last)
		sl->first = sl->last = 0;
	pk_build_span(c->b, sl->first, sl->last - sl->first, 0, all, 0);
	pk_build_times_from_first(c->b);
	if (pk_selection_range(&sl->range, sl->s, pk_builder_profile(c->b), err))
		return -1;
	if (sl->range.from != INT64_MIN)
		pk_add_saturated(&sl->range.from, sl->first);
	if (sl->range.to != INT64_MAX)
		pk_add_saturated(&sl->range.to, sl->first);
	return 0;
}

static int choose_threads(struct pk_chrome *c, struct pk_error *err)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	struct pk_chrome_slice *sl = c->slice;

	pk_chrome_name_all(c);
	sl->thread_count = p->thread.count;
	sl->process_count = p->process.count;
	sl->thread_kept = pk_calloc(sl->thread_count, sizeof(bool));
	sl->process_kept = pk_calloc(sl->process_count, sizeof(bool));
	return pk_select_threads(p, sl->s, sl->thread_kept, sl->process_kept,
				 &sl->result->unmatched, err);
}

/* After the bracket of the list of events. */
static int copy_list(struct pk_chrome *c)
{
	c->slice->comma = false;
	if (pk_chrome_read_events(c))
		return -1;
	pk_slice_end_list(c, c->lists == c->slice->lists);
	pk_output_puts(c->slice->out, "\n]");
	c->slice->comma = true;
	return 0;
}

/* Members beside the events. */
static int copy_members(struct pk_chrome *c)
{
	struct pk_chrome_slice *sl = c->slice;
	static const char events[] = "\"traceEvents\": [";
	struct pk_json *j = &c->json;
	uint64_t cuts = j->repair[PK_JSON_CUT].count;
	const char *text;
	size_t len;

	for (;;) {
		pk_json_begin(j, SIZE_MAX);
		if (!pk_json_next_key(j))
			break;
		if (pk_json_is(j, "traceEvents")) {
			pk_json_finish(j);
			pk_json_next(j);
			pk_slice_put(sl, events, strlen(events));
			if (copy_list(c))
				return -1;
			continue;
		}
		if (!pk_json_skip(j) || j->repair[PK_JSON_CUT].count != cuts)
			break;
		text = pk_json_written(j, &len);
		for (; *text != '"'; text++)
			len--;
		pk_slice_put(sl, text, len);
	}
	pk_json_finish(j);
	return 0;
}

static int copy_file(struct pk_chrome *c)
{
	struct pk_chrome_slice *sl = c->slice;
	int ret = 0;

	while (!ret && !c->ended && pk_json_next(&c->json) > PK_JSON_END) {
		bool list = c->json.token == PK_JSON_ARRAY;

		pk_output_puts(sl->out, list ? "[" : "{");
		sl->comma = false;
		ret = list ? copy_list(c) : copy_members(c);
		pk_output_puts(sl->out, list ? "\n" : "\n}\n");
	}
	return ret;
}

static int compile(struct pk_slice_filter *f, const char *pattern, const char *option,
		   struct pk_error *err)
{
	if (pattern && !(f->re = pk_regex_new(pattern, err)))
		return pk_fail_context(err, "--%s", option);
	return 0;
}

/* Reads the file once with c. */
static int pass(struct pk_chrome *c, const char *path, int (*read)(struct pk_chrome *c),
		struct pk_error *err)
{
	int ret;

	c->in = pk_input_open(path, err);
	if (!c->in)
		return pk_fail_context(err, "reading '%s'", path);
	pk_json_open(&c->json, c->in);
	c->lists = 0;
	c->ended = false;
	c->in_page = pk_chrome_is_page(c->in);
	ret = c->in_page ? 0 : read(c);
	if (!ret)
		ret = pk_input_check(c->in, err);
	pk_input_close(c->in);
	return ret ? pk_fail_context(err, "reading '%s'", path) : 0;
}

static int run(struct pk_chrome *c, const char *path, struct pk_output *out, struct pk_error *err)
{
	struct pk_chrome_slice *sl = c->slice;
	const struct pk_selection *s = sl->s;

	if (compile(&sl->category, s->category, "category", err) ||
	    compile(&sl->event, s->event, "event", err) || pass(c, path, pk_chrome_read_all, err))
		return -1;
	if (c->in_page || c->has_lines || sl->needs_profile ||
	    (c->has_samples && !pk_selection_is_empty(s)))
		return 0;
	if (pk_chrome_say_repairs(c) || choose_time(c, err) || choose_threads(c, err))
		return -1;
	sl->lists = c->lists;
	sl->out = out;
	c->copies = true;
	pk_chrome_reset_dialect(c);
	if (pass(c, path, copy_file, err))
		return -1;
	if (s->event && !sl->event.found)
		sl->result->unmatched = "event";
	if (s->category && !sl->category.found)
		sl->result->unmatched = "category";
	return 1;
}

static void release_tracks(struct pk_slice_tracks *tracks)
{
	for (uint32_t i = 0; i < tracks->alloc; i++)
		free(tracks->item[i].open);
	free(tracks->item);
}

static void release(struct pk_chrome_slice *sl)
{
	pk_regex_free(sl->category.re);
	pk_regex_free(sl->event.re);
	free(sl->label_name);
	free(sl->category.verdict);
	free(sl->event.verdict);
	free(sl->thread_kept);
	free(sl->process_kept);
	release_tracks(&sl->threads);
	release_tracks(&sl->asyncs);
	pk_id_map_release(&sl->async_ids);
	pk_id_map_release(&sl->names);
	free(sl->name_open);
	for (uint32_t i = 0; i < sl->flow_alloc; i++)
		pk_buf_release(&sl->flow[i].text);
	free(sl->flow);
	pk_id_map_release(&sl->flow_ids);
	free(sl->cover);
	pk_buf_release(&sl->buf);
}

/* For a selection that asks for nothing else. */
static bool can_cut(const struct pk_selection *s)
{
	struct pk_selection rest = *s;

	rest.process = rest.thread = rest.category = rest.event = rest.time = rest.step = NULL;
	rest.longer_than = 0;
	return pk_selection_is_empty(&rest);
}

int pk_chrome_slice(const char *path, const struct pk_selection *s, struct pk_output *out,
		    struct pk_slice_result *result, struct pk_error *err)
{
	struct pk_chrome_slice sl = {
		.s = s, .result = result, .first = INT64_MAX, .last = INT64_MIN};
	struct pk_chrome c;
	int ret;

	if (!can_cut(s))
		return 0;
	pk_chrome_init(&c, pk_builder_new(), err);
	pk_builder_set_wanted(c.b, 0);
	c.slice = &sl;
	ret = run(&c, path, out, err);
	pk_chrome_release(&c);
	pk_build_run_text(c.b, PK_RUN_SOURCE, path);
	result->seen = pk_builder_finish(c.b);
	release(&sl);
	return ret;
}
