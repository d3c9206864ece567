/*
 * Samples within a trace: the lists "stackFrames" and "samples" beside the events, and events P.
 *
 *	"stackFrames": {"1": {"name": "main", "category": "app"},
 *	                "2": {"name": "run", "file": "a.c", "line": 3, "at": 5, "parent": 1}},
 *	"samples": [{"ts": 10, "pid": 7, "tid": "7", "name": "", "sf": 2, "weight": 1}]
 *
 * - A sample without a name lasts until the next one of its thread. The name of the others says
 *   what they count ("cycles", "allocated (bytes)", "sampled_time (ns)"), their weight how much.
 * - "line" is where the function begins, "at" what is executed in it.
 * - Time of samples is the metric "time" unless there are spans that last: then "sampled_time".
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/chrome/internal.h"

/* An entry of stackFrames. */
struct pk_chrome_stack_frame {
	uint32_t id, name, parent, file; /* strings */
	uint32_t node, line, at;
	uint8_t kind; /* enum pk_function_kind */
	bool open;    /* its path is being made; finds cycles */
};

struct pk_chrome_sample {
	int64_t time, weight;
	uint32_t thread, metric; /* index in c->threads; string, 0 = time */
	uint32_t frame, node;    /* string: id of a stack frame; or the node if it is known */
};

/* Reads the members that profkit writes beside the name. */
static void read_frame_place(struct pk_chrome *c, struct pk_chrome_stack_frame *f, bool file,
			     uint32_t *line, bool kind)
{
	struct pk_json *j = &c->json;
	int64_t number;

	if (file && j->token == PK_JSON_STRING)
		f->file = pk_chrome_string(c);
	if (line && j->token == PK_JSON_NUMBER && pk_chrome_whole(j->text, j->len, &number) &&
	    number > 0 && number < INT32_MAX)
		*line = (uint32_t)number;
	for (uint8_t k = 0; kind && j->token == PK_JSON_STRING && pk_function_kinds[k]; k++)
		if (pk_json_is(j, pk_function_kinds[k]))
			f->kind = k;
}

static void read_stack_frame(struct pk_chrome *c, struct pk_chrome_stack_frame *f)
{
	struct pk_json *j = &c->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		bool name = pk_json_is(j, "name"), parent = pk_json_is(j, "parent");
		bool file = pk_json_is(j, "file"), kind = pk_json_is(j, "kind");
		uint32_t *line = pk_json_is(j, "line") ? &f->line
				 : pk_json_is(j, "at") ? &f->at
						       : NULL;

		pk_json_next(j);
		if ((name || parent) && (j->token == PK_JSON_STRING || j->token == PK_JSON_NUMBER))
			*(name ? &f->name : &f->parent) = pk_chrome_string(c);
		else
			read_frame_place(c, f, file, line, kind);
		pk_json_rest(j);
	}
}

void pk_chrome_read_stack_frames(struct pk_chrome *c)
{
	struct pk_json *j = &c->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		struct pk_chrome_stack_frame f = {.id = pk_chrome_string(c)};

		read_stack_frame(c, &f);
		PK_GROW(c->stack_frames, (size_t)c->stack_frame_count + 1, c->stack_frame_alloc);
		c->stack_frames[c->stack_frame_count++] = f;
	}
}

void pk_chrome_add_sample(struct pk_chrome *c, int64_t time, uint32_t thread, uint32_t node,
			  uint32_t frame, uint32_t metric, int64_t weight)
{
	PK_GROW(c->samples, (size_t)c->sample_count + 1, c->sample_alloc);
	c->samples[c->sample_count++] =
		(struct pk_chrome_sample){time, weight, thread, metric, frame, node};
}

int pk_chrome_store_sample(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	const char *name = pk_text(pk_builder_profile(c->b), e->name);
	uint32_t node = 0, metric = 0;

	if (e->phase == 'P') {
		if (!strcmp(name, "Profile") || !strcmp(name, "ProfileChunk"))
			return pk_chrome_store_v8(c, e);
		if (!e->frame) {
			struct pk_function f = {.name = e->name};
			uint32_t function = pk_build_function(c->b, &f);

			node = pk_build_node(c->b, 0, pk_build_place(c->b, function, 0));
		}
	} else if (*name) {
		metric = e->name;
	}
	pk_chrome_add_sample(c, e->time, e->thread, node, e->frame, metric,
			     e->weight == PK_NULL ? 1 : e->weight);
	return 0;
}

int pk_chrome_read_samples(struct pk_chrome *c)
{
	struct pk_json *j = &c->json;
	int ret = 0;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (!ret && pk_json_next_item(j)) {
		if (j->token == PK_JSON_OBJECT) {
			ret = pk_chrome_read_sample(c);
		} else {
			pk_json_rest(j);
			ret = pk_chrome_repair(c, "sample that is no object left out");
		}
	}
	return ret;
}

PK_COMPARE(by_id, struct pk_chrome_stack_frame, PK_ORDER(a->id, b->id))

static struct pk_chrome_stack_frame *find(const struct pk_chrome *c, uint32_t id)
{
	struct pk_chrome_stack_frame wanted = {.id = id};

	if (!id || !c->stack_frame_count)
		return NULL;
	return bsearch(&wanted, c->stack_frames, c->stack_frame_count, sizeof(wanted), by_id);
}

/* The node of a stack frame. In a cycle of frames, the frame that repeats becomes a root. */
static uint32_t make_node(struct pk_chrome *c, struct pk_chrome_stack_frame *leaf)
{
	struct pk_chrome_stack_frame **path = NULL, *f;
	size_t count = 0, alloc = 0;
	uint32_t node = 0;

	for (f = leaf; f && !f->node && !f->open; f = find(c, f->parent)) {
		PK_GROW(path, count + 1, alloc);
		path[count++] = f;
		f->open = true;
	}
	node = f ? f->node : 0;
	while (count) {
		const struct pk_chrome_stack_frame *s = path[--count];
		struct pk_function function = {.name = s->name, .file = s->file, .kind = s->kind};

		function.line = s->file ? s->line : 0;
		if (!function.name)
			function.name = pk_build_text(c->b, "(no name)");
		node = pk_build_node(
			c->b, node,
			pk_build_place(c->b, pk_build_function(c->b, &function), s->at));
		path[count]->node = node;
		path[count]->open = false;
	}
	free(path);
	return node;
}

PK_COMPARE_ROWS(by_thread, struct pk_chrome_sample,
		PK_ORDER(d[a].thread, d[b].thread) ?: PK_ORDER(d[a].metric, d[b].metric) ?:
		PK_ORDER(d[a].time, d[b].time) ?: PK_ORDER(a, b))

static bool spans_last(const struct pk_chrome *c)
{
	const struct pk_span_table *t = &pk_builder_profile(c->b)->span;

	for (uint32_t i = 1; i < t->count; i++)
		if (t->duration[i] > 0 || t->duration[i] == PK_NEST_BEGIN ||
		    pk_nest_is_matched(t->duration[i]))
			return true;
	return false;
}

/* The metric with this name: "cycles" is a count, "allocated (bytes)" has a unit. */
static uint32_t named_metric(struct pk_chrome *c, uint32_t string)
{
	static const struct {
		const char *end, *unit;
		enum pk_metric_kind kind;
	} units[] = {{" (ns)", "ns", PK_METRIC_TIME},
		     {" (bytes)", "bytes", PK_METRIC_BYTES},
		     {" (count)", "count", PK_METRIC_COUNT}};
	const char *text = pk_text(pk_builder_profile(c->b), string);
	uint32_t metric;
	char *name;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!pk_ends_with(text, units[i].end) || strlen(text) == strlen(units[i].end))
			continue;
		name = pk_strndup(text, strlen(text) - strlen(units[i].end));
		metric = pk_build_metric(c->b, name, units[i].unit, 0, units[i].kind, PK_SAMPLED);
		free(name);
		return metric;
	}
	return pk_build_metric(c->b, text, "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
}

static uint32_t metric_of(struct pk_chrome *c, const struct pk_chrome_sample *s, bool beside)
{
	if (s->metric)
		return named_metric(c, s->metric);
	return pk_build_metric(c->b, beside ? "sampled_time" : "time", "ns", 0, PK_METRIC_TIME,
			       PK_SAMPLED);
}

void pk_chrome_finish_samples(struct pk_chrome *c)
{
	uint32_t *order, i;
	bool beside;

	if (!c->sample_count)
		return;
	beside = spans_last(c);
	if (beside) /* the metric of spans is the first */
		pk_build_metric(c->b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	pk_sort(c->stack_frames, c->stack_frame_count, sizeof(*c->stack_frames), by_id);
	order = pk_malloc(pk_mul(c->sample_count, sizeof(*order)));
	for (i = 0; i < c->sample_count; i++)
		order[i] = i;
	qsort_r(order, c->sample_count, sizeof(*order), by_thread, c->samples);
	for (i = 0; i < c->sample_count; i++) {
		struct pk_chrome_sample *s = &c->samples[order[i]];
		const struct pk_chrome_sample *next =
			i + 1 < c->sample_count ? &c->samples[order[i + 1]] : s;
		struct pk_chrome_stack_frame *f = find(c, s->frame);
		uint32_t node = s->node ? s->node : f ? make_node(c, f) : 0, metric;

		metric = metric_of(c, s, beside);
		if (!s->metric)
			s->weight = next->thread == s->thread && !next->metric
					    ? next->time - s->time
					    : 0;
		pk_build_sample(c->b, s->time, pk_chrome_thread_id(c, s->thread), node, metric,
				s->weight);
		if (node)
			pk_build_cost(c->b, pk_chrome_thread_id(c, s->thread), node, metric,
				      s->weight, PK_NULL);
	}
	free(order);
}
