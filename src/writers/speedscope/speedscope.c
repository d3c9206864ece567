/*
 * speedscope: the JSON file format of https://www.speedscope.app, as its importer
 * (src/lib/file-format-spec.ts, src/lib/file-format.ts) takes it.
 *
 *	{"$schema": "https://www.speedscope.app/file-format-schema.json",
 *	 "shared": {"frames": [{"name": "main", "file": "app.py", "line": 3}]},
 *	 "profiles": [{"type": "sampled", "name": "app", "unit": "nanoseconds",
 *	   "startValue": 0, "endValue": 12, "samples": [[0]], "weights": [12]}]}
 *
 * - One profile for each run, thread and metric. Spans are written as events if all costs follow
 *   from them (see spans.h). Otherwise there are samples: those of the run in the order of time,
 *   equal neighbours joined if they have no times; or if it has none, one for each call path, depth
 *   first.
 * - Weights are whole numbers of the metric's base unit wherever they are whole. Zeros are left
 *   out, and negative ones, which the importer refuses; a note says so.
 * - Frames are equal when name, file and line are.
 * - A profile is named "RUN Process 12 Thread 34 "name" METRIC", without parts that all have in
 *   common, and with "(estimated)" if call paths are estimated. METRIC is there a second time in a
 *   key of its own, "metric", which only profkit reads; so are the times of samples, "times", in
 *   ns.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/hash.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "model/totals.h"
#include "writers/speedscope/spans.h"
#include "writers/writer.h"

struct sample {
	uint32_t metric, thread, node;
	int64_t place; /* position in its profile: by time, or depth first */
	uint32_t row;  /* keeps the order of equal samples */
	int64_t value, time;
};

struct writing {
	struct pk_json_writer json;
	const struct pk_profiles *list;
	uint32_t **frame; /* per run: function -> its number in the file + 1 */
	const struct pk_profile *p;
	size_t run;
	struct pk_speedscope_spans spans;
	struct sample *samples;
	size_t count, alloc;
	uint32_t *stack;
	size_t stack_alloc;
	uint32_t profiles,
		negative; /* number of profiles written; number of values that cannot be */
	struct pk_buf text;
};

struct shared { /* a frame of the file, and the first function that is equal to it */
	const struct pk_profile *p;
	uint32_t function;
};

struct sharing {
	struct shared *item;
	size_t count, alloc;
	struct pk_index index;
};

static bool same_text(const struct pk_profile *a, uint32_t x, const struct pk_profile *b,
		      uint32_t y)
{
	return a->string.len[x] == b->string.len[y] &&
	       memcmp(pk_text(a, x), pk_text(b, y), a->string.len[x]) == 0;
}

static bool same_frame(const struct shared *s, const struct pk_profile *p, uint32_t function)
{
	const struct pk_function_table *a = &s->p->function, *b = &p->function;

	return a->line[s->function] == b->line[function] &&
	       same_text(s->p, a->name[s->function], p, b->name[function]) &&
	       same_text(s->p, a->file[s->function], p, b->file[function]);
}

/* The number of the function's frame in the file, from 1. */
static uint32_t share_frame(struct sharing *s, const struct pk_profile *p, uint32_t function)
{
	uint32_t name = p->function.name[function], file = p->function.file[function];
	uint64_t hash = pk_hash_bytes(pk_text(p, name), p->string.len[name]);
	uint32_t *known;

	hash = pk_hash_mix(hash, pk_hash_bytes(pk_text(p, file), p->string.len[file]));
	known = PK_INDEX_FIND(&s->index, pk_hash_u64(hash ^ p->function.line[function]), id,
			      same_frame(&s->item[id - 1], p, function));
	if (*known)
		return *known;
	PK_GROW(s->item, s->count + 1, s->alloc);
	s->item[s->count++] = (struct shared){p, function};
	return *known = (uint32_t)s->count;
}

static void put_frames(struct writing *w, const struct sharing *s)
{
	size_t i;

	pk_json_put_array(&w->json, "frames");
	for (i = 0; i < s->count; i++) {
		const struct pk_profile *p = s->item[i].p;
		uint32_t function = s->item[i].function, name = p->function.name[function];
		uint32_t file = p->function.file[function];

		pk_json_flat_object(&w->json);
		pk_json_key(&w->json, "name");
		pk_json_text_len(&w->json, pk_text(p, name), p->string.len[name]);
		if (p->string.len[file]) {
			pk_json_key(&w->json, "file");
			pk_json_text_len(&w->json, pk_text(p, file), p->string.len[file]);
		}
		if (p->function.line[function])
			pk_json_put_int(&w->json, "line", p->function.line[function]);
		pk_json_end(&w->json);
	}
	pk_json_end(&w->json);
}

/* Numbers the functions of call paths, in the order of the paths. */
static void share_frames(struct writing *w)
{
	struct sharing sharing = {.count = 0};
	size_t run;
	uint32_t node;

	w->frame = pk_calloc(w->list->count, sizeof(*w->frame));
	for (run = 0; run < w->list->count; run++) {
		const struct pk_profile *p = w->list->item[run];

		w->frame[run] = pk_calloc(p->function.count, sizeof(**w->frame));
		for (node = 1; node < p->node.count; node++) {
			uint32_t *number = &w->frame[run][pk_node_function(p, node)];

			if (!*number)
				*number = share_frame(&sharing, p, pk_node_function(p, node));
		}
	}
	put_frames(w, &sharing);
	free(sharing.item);
	pk_index_release(&sharing.index);
}

static void add_sample(struct writing *w, struct sample sample)
{
	if (w->spans.metric[sample.thread] == sample.metric)
		return; /* written as events */
	w->negative += sample.value < 0;
	if (sample.value <= 0)
		return;
	PK_GROW(w->samples, w->count + 1, w->alloc);
	sample.row = (uint32_t)w->count;
	w->samples[w->count++] = sample;
}

static unsigned drops(const struct pk_profile *p)
{
	bool *sampled = pk_sampled_metrics(p);
	bool any = memchr(sampled, true, p->metric.count) != NULL;

	free(sampled);
	return any || p->sample.count < 2 ? 0 : PK_PART_ORDER;
}

static void collect_costs(struct writing *w, const bool *sampled)
{
	const struct pk_profile *p = w->p;
	int64_t *place = pk_calloc(p->node.count, sizeof(*place)), next = 0;
	struct pk_tree tree;
	uint32_t node = 0, i;
	int depth;

	pk_tree_init(&tree, p, 1);
	pk_tree_link(&tree, p);
	while ((node = pk_tree_walk(&tree, p, node, &depth)))
		place[node] = next++;
	for (i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i);

		node = p->cost.node[i];
		if (!sampled[metric])
			add_sample(w, (struct sample){.metric = metric,
						      .thread = pk_cost_thread(p, i),
						      .node = node,
						      .place = place[node],
						      .time = PK_NULL,
						      .value = p->cost.self[i]});
	}
	pk_tree_release(&tree);
	free(place);
}

static void collect_samples(struct writing *w, const bool *sampled)
{
	const struct pk_sample_table *t = &w->p->sample;
	uint32_t i;

	for (i = 1; i < t->count; i++)
		if (sampled[pk_sample_metric(t, i)])
			add_sample(w,
				   (struct sample){.metric = pk_sample_metric(t, i),
						   .thread = t->thread[i],
						   .node = t->node[i],
						   .place = t->time[i] == PK_NULL ? 0 : t->time[i],
						   .time = t->time[i],
						   .value = t->value[i]});
}

PK_COMPARE(in_order, struct sample,
	   PK_ORDER(a->thread, b->thread) ?: PK_ORDER(a->metric, b->metric) ?:
	   PK_ORDER(a->place, b->place) ?: PK_ORDER(a->row, b->row))

/* Joins neighbours with the same path and without times. Returns the number left. */
static size_t join_equal(struct sample *samples, size_t count)
{
	size_t left = 0, i;

	for (i = 0; i < count; i++) {
		struct sample *last = left ? &samples[left - 1] : NULL;

		if (last && samples[i].time == PK_NULL && last->time == PK_NULL &&
		    last->node == samples[i].node && last->thread == samples[i].thread &&
		    last->metric == samples[i].metric)
			pk_add_saturated(&last->value, samples[i].value);
		else
			samples[left++] = samples[i];
	}
	return left;
}

static const char *unit_name(const struct pk_profile *p, uint32_t metric)
{
	const char *unit = pk_metric_unit(p, metric);

	if (strcmp(unit, "ns") == 0)
		return "nanoseconds";
	return strcmp(unit, "bytes") == 0 ? "bytes" : "none";
}

static void add_word(struct pk_buf *name, const char *text)
{
	if (name->len)
		pk_buf_addc(name, ' ');
	pk_buf_adds(name, text);
}

/* Appends process and thread as py-spy names them, which importers can parse. */
static void add_thread(struct pk_buf *name, const struct pk_profile *p, uint32_t thread)
{
	uint32_t process = p->thread.process[thread];
	int64_t pid = p->process.pid[process], tid = p->thread.tid[thread];

	if (process && pid != PK_NULL) {
		add_word(name, "Process");
		pk_buf_addf(name, " %" PRId64, pid);
	}
	if (tid != PK_NULL) {
		add_word(name, "Thread");
		pk_buf_addf(name, " %" PRId64, tid);
		if (p->thread.name[thread])
			pk_buf_addf(name, " \"%s\"", pk_text(p, p->thread.name[thread]));
	} else if (p->thread.name[thread]) {
		add_word(name, pk_text(p, p->thread.name[thread]));
	}
}

static void add_run(struct pk_buf *name, const struct pk_profile *p)
{
	uint32_t label = p->run.label[1], source = p->run.source[1];

	if (label)
		add_word(name, pk_text(p, label));
	else if (source)
		add_word(name, pk_basename(pk_text(p, source)));
}

static void put_name(struct writing *w, uint32_t thread, uint32_t metric, bool estimated)
{
	const struct pk_profile *p = w->p;

	w->text.len = 0;
	if (w->list->count > 1 || !thread)
		add_run(&w->text, p);
	if (thread)
		add_thread(&w->text, p, thread);
	if (p->metric.count > 2 || !w->text.len)
		add_word(&w->text, pk_text(p, p->metric.name[metric]));
	if (estimated)
		add_word(&w->text, "(estimated)");
	pk_json_key(&w->json, "name");
	pk_json_text_len(&w->json, w->text.data, w->text.len);
	if (p->metric.count > 2)
		pk_json_put_text(&w->json, "metric", pk_text(p, p->metric.name[metric]));
}

static void put_weight(struct writing *w, int64_t value, uint32_t metric)
{
	w->text.len = 0;
	pk_format_decimal(&w->text, value, w->p->metric.exponent[metric]);
	pk_json_raw(&w->json, w->text.data, w->text.len);
}

static void put_stack(struct writing *w, uint32_t node)
{
	size_t depth = 0;

	for (; node; node = w->p->node.parent[node]) {
		PK_GROW(w->stack, depth + 1, w->stack_alloc);
		w->stack[depth++] = w->frame[w->run][pk_node_function(w->p, node)] - 1;
	}
	pk_json_flat_array(&w->json);
	while (depth)
		pk_json_int(&w->json, w->stack[--depth]);
	pk_json_end(&w->json);
}

static void begin_profile(struct writing *w, const char *type, uint32_t thread, uint32_t metric,
			  bool estimated)
{
	w->profiles++;
	pk_json_object(&w->json);
	pk_json_put_text(&w->json, "type", type);
	put_name(w, thread, metric, estimated);
	pk_json_put_text(&w->json, "unit", unit_name(w->p, metric));
}

/* Writes the spans of one thread; times count from the start of the run. */
static void put_events(struct writing *w, uint32_t thread)
{
	int64_t end = pk_speedscope_spans_end(&w->spans, thread);
	int64_t duration = w->p->run.duration[1];

	begin_profile(w, "evented", thread, w->spans.metric[thread], false);
	pk_json_put(&w->json, "startValue %jd endValue %jd", w->spans.start,
		    duration > end ? duration : end);
	pk_json_put_array(&w->json, "events");
	pk_speedscope_spans_put(&w->spans, &w->json, thread, w->frame[w->run]);
	pk_json_end(&w->json);
	pk_json_end(&w->json);
}

/* Writes the samples of one thread and metric. */
static void put_profile(struct writing *w, const struct sample *samples, size_t count)
{
	uint32_t metric = samples[0].metric;
	bool estimated = false, timed = true;
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		timed &= samples[i].time != PK_NULL;
		pk_add_saturated(&sum, samples[i].value);
		estimated |= pk_node_estimated(w->p, samples[i].node);
	}
	begin_profile(w, "sampled", samples[0].thread, metric, estimated);
	pk_json_put(&w->json, "startValue %u endValue", 0);
	put_weight(w, sum, metric);
	pk_json_put_array(&w->json, "samples");
	for (i = 0; i < count && !pk_output_failed(w->json.out); i++)
		put_stack(w, samples[i].node);
	pk_json_end(&w->json);
	if (timed)
		pk_json_put_flat_array(&w->json, "times");
	for (i = 0; timed && i < count; i++)
		pk_json_int(&w->json, samples[i].time);
	if (timed)
		pk_json_end(&w->json);
	pk_json_put_flat_array(&w->json, "weights");
	for (i = 0; i < count; i++)
		put_weight(w, samples[i].value, metric);
	pk_json_end(&w->json);
	pk_json_end(&w->json);
}

static void collect_run(struct writing *w, size_t run)
{
	PK_FREED bool *sampled = NULL;

	w->p = w->list->item[run];
	w->run = run;
	w->count = 0;
	sampled = pk_sampled_metrics(w->p);
	pk_speedscope_spans_init(&w->spans, w->p);
	collect_costs(w, sampled);
	collect_samples(w, sampled);
	pk_sort(w->samples, w->count, sizeof(*w->samples), in_order);
	w->count = join_equal(w->samples, w->count);
}

/* The end of the samples of the thread and metric that begin at `first`. */
static size_t end_of_profile(const struct writing *w, size_t first)
{
	size_t end = first + 1;

	while (end < w->count && w->samples[end].thread == w->samples[first].thread &&
	       w->samples[end].metric == w->samples[first].metric)
		end++;
	return end;
}

/* The profile that speedscope opens first: the largest one of the usual metric. Of threads with
 * spans, it is the first. */
static uint32_t largest_profile(const struct writing *w)
{
	uint32_t metric = pk_metric_find(w->p, NULL), largest = 0, profile = 0;
	int64_t most = 0;

	for (uint32_t thread = 0; thread < w->p->thread.count; thread++)
		if (w->spans.metric[thread])
			return 0;
	for (size_t first = 0, end; first < w->count; first = end, profile++) {
		int64_t sum = 0;

		end = end_of_profile(w, first);
		for (size_t i = first; i < end; i++)
			pk_add_saturated(&sum, w->samples[i].value);
		if (w->samples[first].metric != metric || sum <= most)
			continue;
		most = sum;
		largest = profile;
	}
	return largest;
}

static void put_run(struct writing *w)
{
	for (uint32_t thread = 0; thread < w->p->thread.count; thread++)
		if (w->spans.metric[thread])
			put_events(w, thread);
	for (size_t first = 0, end; first < w->count; first = end) {
		end = end_of_profile(w, first);
		put_profile(w, w->samples + first, end - first);
	}
	pk_speedscope_spans_release(&w->spans);
	free(w->frame[w->run]);
}

static void put_title(struct writing *w)
{
	size_t i;

	w->text.len = 0;
	for (i = 0; i < w->list->count && i < 3; i++) {
		if (i)
			pk_buf_addc(&w->text, ',');
		add_run(&w->text, w->list->item[i]);
	}
	if (!w->text.len)
		return;
	pk_json_key(&w->json, "name");
	pk_json_text_len(&w->json, w->text.data, w->text.len);
}

static int write_speedscope(const struct pk_profiles *list, const void *params,
			    struct pk_output *out, struct pk_error *err)
{
	struct writing w = {.list = list};
	size_t i;

	(void)params;
	collect_run(&w, 0);
	pk_json_init(&w.json, out, 1);
	pk_json_object(&w.json);
	pk_json_put_text(&w.json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	put_title(&w);
	pk_json_put(&w.json, "exporter %s activeProfileIndex %u", "profkit@" PACKAGE_VERSION,
		    largest_profile(&w));
	pk_json_put_object(&w.json, "shared");
	share_frames(&w);
	pk_json_end(&w.json);
	pk_json_put_array(&w.json, "profiles");
	for (i = 0; i < list->count; i++) {
		if (i)
			collect_run(&w, i);
		put_run(&w);
	}
	pk_json_end(&w.json);
	pk_json_end(&w.json);
	pk_note_negative(out, w.negative);
	free(w.frame);
	free(w.samples);
	free(w.stack);
	pk_buf_release(&w.text);
	return w.profiles ? 0 : pk_fail(err, PK_EUSAGE, "no call path has a value above 0");
}

static unsigned also_keeps(const struct pk_profile *p)
{
	struct pk_speedscope_spans spans;
	unsigned parts;

	pk_speedscope_spans_init(&spans, p);
	parts = pk_speedscope_spans_all(&spans) ? PK_PART_SPANS | PK_PART_CALLS : 0;
	pk_speedscope_spans_release(&spans);
	return parts;
}

static const struct pk_kept_if kept_if[] = {
	{PK_PART_SPANS | PK_PART_CALLS, "all costs follow from the spans", .with = PK_PART_SPANS},
	{.parts = PK_PART_ORDER, .when = "samples are no changes of a state"},
	{0},
};

static const char *const suffixes[] = {".speedscope.json", ".json", NULL};

const struct pk_writer pk_writer_speedscope = {
	.name = "speedscope",
	.title = "speedscope JSON",
	.suffixes = suffixes,
	.needs = PK_PART_PATHS,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_ORDER,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.drops = drops,
	.many = true,
	.write = write_speedscope,
};
