/*
 * Trace events: the JSON of chrome://tracing, Perfetto's page and many viewers, as "Trace Event
 * Format" of the catapult project describes it; see readers/chrome/chrome.c.
 *
 *	{"traceEvents":[
 *	{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}},
 *	{"ph":"X","name":"work","cat":"op","pid":1,"tid":1,"ts":0.5,"dur":12.125,"args":{"n":1}}
 *	],"otherData":{"writer":"profkit"}}
 *
 * - Spans are events X, on asynchronous threads b and e; instants are i, counters C, flows s and f.
 *   Times are in us with as many decimals as are needed to be exact in ns.
 * - A profile without spans that knows when its samples were taken is written as py-spy does: B
 *   where a function comes on the stack, E where it leaves it, of the category "profkit".
 * - Samples beside spans stay samples (beside.c), and so do those of trace events.
 * - For any other profile, call paths are laid side by side, as wide as their cost; "layout" in
 *   otherData says so.
 * - baseTimeNanoseconds is when time 0 was, in ns since 1970, if that is known.
 * - Processes and threads without a number get one that is free. Numbers that a double cannot
 *   hold are texts.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "model/events/activity.h"
#include "model/events/spans.h"
#include "model/role_text.h"
#include "model/transform/transform.h"
#include "writers/chrome/internal.h"
#include "writers/writer.h"

struct params {
	const char *metric;
};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 0, offsetof(struct params, metric), "NAME",
	 .help = "metric to write if the profile has no spans (default: the first)"},
	PK_OPT_LAST,
};

static const char *const suffixes[] = {".trace.json", ".chrome.json", ".chrometrace.json",
				       ".pt.trace.json", NULL};

const char *pk_chrome_quoted(struct pk_chrome_out *c, uint32_t string)
{
	if (!c->quoted[string]) {
		PK_BUF_AUTO text = PK_BUF_INIT;

		pk_json_quote(&text, pk_text(c->p, string), c->p->string.len[string]);
		c->quoted[string] = pk_arena_copy(&c->arena, text.data, text.len);
	}
	return c->quoted[string];
}

void pk_chrome_us(struct pk_chrome_out *c, int64_t ns)
{
	pk_format_decimal(&c->buf, ns, 3);
}

void pk_chrome_begin(struct pk_chrome_out *c, char phase, const char *name, uint32_t category,
		     const char *where, int64_t time)
{
	pk_buf_adds(&c->buf, c->events++ ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	pk_buf_addc(&c->buf, phase);
	pk_buf_adds(&c->buf, "\",\"name\":");
	pk_buf_adds(&c->buf, name);
	if (category) {
		pk_buf_adds(&c->buf, ",\"cat\":");
		pk_buf_adds(&c->buf, pk_chrome_quoted(c, category));
	}
	pk_buf_addc(&c->buf, ',');
	pk_buf_adds(&c->buf, where);
	if (time == PK_NULL)
		return;
	pk_add_saturated(&time, c->offset);
	pk_buf_adds(&c->buf, ",\"ts\":");
	pk_chrome_us(c, time);
}

void pk_chrome_end(struct pk_chrome_out *c)
{
	pk_buf_addc(&c->buf, '}');
	pk_output_drain(c->out, &c->buf, 60000);
}

/* Gives rows without a number (PK_NULL) the smallest free numbers from 1. */
static int64_t *numbered(const int64_t *number, uint32_t count)
{
	int64_t *given = pk_malloc(pk_mul(count, sizeof(*given))), next = 1;
	PK_FREED int64_t *taken = pk_malloc(pk_mul(count, sizeof(*taken)));
	uint32_t i, at = 0;

	memcpy(given, number, count * sizeof(*given));
	memcpy(taken, number, count * sizeof(*taken));
	qsort(taken + 1, count - 1, sizeof(*taken), pk_compare_ints);
	for (i = 1; i < count; i++) {
		if (number[i] != PK_NULL)
			continue;
		while (at + 1 < count && taken[at + 1] <= next) {
			next += taken[at + 1] == next;
			at++;
		}
		given[i] = next++;
	}
	given[0] = 0;
	return given;
}

static void put_number(struct pk_buf *buf, const char *key, int64_t number)
{
	bool is_double = number <= 9007199254740992 && number >= -9007199254740992;

	pk_buf_addf(buf, is_double ? "\"%s\":%" PRId64 : "\"%s\":\"%" PRId64 "\"", key, number);
}

/* True if the thread or process is named by a text instead of a number in the file. */
static bool is_called_by_name(const struct pk_chrome_out *c, int64_t number, uint32_t name)
{
	const char *text = pk_text(c->p, name);

	return c->own && number == PK_NULL && name && (!*text || text[strspn(text, "-0123456789")]);
}

static bool is_called_thread(const struct pk_chrome_out *c, uint32_t thread)
{
	return is_called_by_name(c, c->p->thread.tid[thread], c->p->thread.name[thread]) &&
	       !pk_chrome_is_async(c->p, thread);
}

static void number_threads(struct pk_chrome_out *c)
{
	const struct pk_profile *p = c->p;
	PK_FREED int64_t *pid = numbered(p->process.pid, p->process.count);
	PK_FREED int64_t *tid = numbered(p->thread.tid, p->thread.count);
	PK_BUF_AUTO text = PK_BUF_INIT;
	uint32_t i;

	c->process = pk_calloc(p->process.count, sizeof(*c->process));
	c->thread = pk_calloc(p->thread.count, sizeof(*c->thread));
	for (i = 0; i < p->process.count; i++) {
		text.len = 0;
		if (is_called_by_name(c, p->process.pid[i], p->process.name[i]))
			pk_buf_addf(&text, "\"pid\":%s", pk_chrome_quoted(c, p->process.name[i]));
		else
			put_number(&text, "pid", pid[i]);
		c->process[i] = pk_arena_copy(&c->arena, text.data, text.len);
	}
	for (i = 0; i < p->thread.count; i++) {
		text.len = 0;
		pk_buf_addf(&text, "%s,", c->process[p->thread.process[i]]);
		if (is_called_thread(c, i))
			pk_buf_addf(&text, "\"tid\":%s", pk_chrome_quoted(c, p->thread.name[i]));
		else
			put_number(&text, "tid", tid[i]);
		c->thread[i] = pk_arena_copy(&c->arena, text.data, text.len);
	}
}

/* An event that names a thread or process; value is JSON, NULL = not known. */
static void put_meta(struct pk_chrome_out *c, const char *what, const char *where, const char *key,
		     const char *value)
{
	if (!value)
		return;
	pk_chrome_begin(c, 'M', what, 0, where, PK_NULL);
	pk_buf_addf(&c->buf, ",\"args\":{\"%s\":%s}", key, value);
	pk_chrome_end(c);
}

static const char *quoted_or_null(struct pk_chrome_out *c, uint32_t string)
{
	return string ? pk_chrome_quoted(c, string) : NULL;
}

static void put_sort(struct pk_chrome_out *c, const char *what, const char *where, int64_t sort)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, sort);
	put_meta(c, what, where, "sort_index", sort == PK_NULL ? NULL : number);
}

/* Rows of the scheduler are no threads, and their time is not that of functions. */
static bool put_role(struct pk_chrome_out *c, uint32_t thread)
{
	uint8_t role = c->p->thread.role[thread];
	char text[20];

	if (role != PK_ROLE_CPU && role != PK_ROLE_STATES)
		return false;
	snprintf(text, sizeof(text), "\"%s\"", pk_thread_roles[role]);
	put_meta(c, "\"" PK_ROLE_EVENT "\"", c->thread[thread], "role", text);
	return c->p->thread.tid[thread] == PK_NULL;
}

static void put_threads(struct pk_chrome_out *c)
{
	const struct pk_profile *p = c->p;
	uint32_t i;

	for (i = 1; i < p->process.count; i++) {
		if (!is_called_by_name(c, p->process.pid[i], p->process.name[i]))
			put_meta(c, "\"process_name\"", c->process[i], "name",
				 quoted_or_null(c, p->process.name[i]));
		put_sort(c, "\"process_sort_index\"", c->process[i], p->process.sort[i]);
	}
	for (i = 1; c->own && p->process.labels && i < p->process.count; i++)
		put_meta(c, "\"process_labels\"", c->process[i], "labels",
			 quoted_or_null(c, p->process.labels[i]));
	for (i = 1; i < p->thread.count; i++) {
		bool row = put_role(c, i);

		if ((p->thread.incarnation[i] && !row) || pk_chrome_is_async(p, i))
			continue;
		if (!is_called_thread(c, i))
			put_meta(c, "\"thread_name\"", c->thread[i], "name",
				 quoted_or_null(c, p->thread.name[i]));
		put_sort(c, "\"thread_sort_index\"", c->thread[i], p->thread.sort[i]);
	}
}

/* True if the profile was read from trace events: then names and arguments have the files
 * already. */
static bool is_own(const struct pk_profile *p)
{
	return !strcmp(pk_text(p, p->run.format[1]), "chrome");
}

/* True if samples are written as samples; in other profiles without spans they become begins and
 * ends. */
static bool puts_beside(const struct pk_profile *p)
{
	return p->span.count > 1 || (is_own(p) && p->sample.count > 1);
}

/* True if some samples of the metric have times. Changes of a state, such as allocations and frees
 * of what is alive, say nothing about how long a function lasts. */
static bool has_times(const struct pk_profile *p, uint32_t metric)
{
	bool found = false;

	if (pk_metric_aggregate(p, metric) == PK_AGGREGATE_LAST)
		return false;
	for (uint32_t i = 1; i < p->sample.count && !found; i++)
		found = pk_sample_metric(&p->sample, i) == metric && p->sample.time[i] != PK_NULL;
	return found;
}

static void put_events(struct pk_chrome_out *c, uint32_t metric)
{
	put_threads(c);
	if (puts_beside(c->p))
		pk_chrome_put_spans(c);
	else if (metric && has_times(c->p, metric))
		pk_chrome_put_samples(c, metric);
	else if (metric)
		pk_chrome_put_tree(c, metric);
	pk_chrome_put_marks(c);
}

/* True if the value is JSON. Meta rows of trace events were JSON values; texts lost their quotes
 * when read. */
static bool is_json(const char *value)
{
	static const char *const words[] = {"true", "false", "null"};
	char *end;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(value, words[i]))
			return true;
	if (*value == '{' || *value == '[')
		return true;
	strtod(value, &end);
	return *value && !*end && strspn(value, "0123456789+-.eE") == strlen(value) &&
	       (*value != '0' || !value[1] || value[1] == '.');
}

/* The absolute time of time 0 of the file; 0 if the profile does not know it. */
static int64_t base_of(const struct pk_chrome_out *c)
{
	int64_t base = c->p->run.start[1];

	if (base == PK_NULL || __builtin_sub_overflow(base, c->offset, &base) || base < 0)
		return 0;
	return base;
}

/* Writes meta rows of the file. Short ones come before the events, where readers look for the
 * producer; long ones after, since they would keep readers from recognising the format. */
static void put_own_meta(struct pk_chrome_out *c, bool before)
{
	enum { SHORT = 1000 };
	const struct pk_meta_table *t = &c->p->meta;

	for (uint32_t i = 1; i < t->count; i++) {
		const char *value = pk_text(c->p, t->value[i]);

		if ((t->derived && t->derived[i]) ||
		    (c->p->string.len[t->value[i]] < SHORT) != before)
			continue;
		pk_buf_addf(&c->buf, before ? "%s:" : ",\n%s:", pk_chrome_quoted(c, t->key[i]));
		pk_buf_adds(&c->buf, is_json(value) ? value : pk_chrome_quoted(c, t->value[i]));
		pk_buf_adds(&c->buf, before ? ",\n" : "");
	}
}

/* "file_info" of viztracer: the text of source files, and where functions are. */
static void put_sources(struct pk_chrome_out *c)
{
	const struct pk_profile *p = c->p;
	const struct pk_function_table *t = &p->function;
	PK_BUF_AUTO name = PK_BUF_INIT;
	const char *comma = "";

	if (!c->own || p->source.count == 1)
		return;
	pk_buf_adds(&c->buf, ",\n\"file_info\":{\"files\":{");
	for (uint32_t i = 1; i < p->source.count; i++, comma = ",") {
		const char *text = pk_text(p, p->source.text[i]);
		uint32_t len = p->string.len[p->source.text[i]], lines = 0, at;

		for (at = 0; at < len; at++)
			lines += text[at] == '\n';
		pk_buf_addf(&c->buf, "%s%s:[", comma, pk_chrome_quoted(c, p->source.file[i]));
		pk_json_quote(&c->buf, text, len);
		pk_buf_addf(&c->buf, ",%" PRIu32 "]", lines);
	}
	pk_buf_adds(&c->buf, "},\"functions\":{");
	comma = "";
	for (uint32_t i = 1; i < t->count; i++) {
		name.len = 0;
		if (!t->line[i] || !pk_chrome_placed_name(&name, p, i))
			continue;
		pk_buf_adds(&c->buf, comma);
		pk_json_quote(&c->buf, name.data, name.len);
		pk_buf_addf(&c->buf, ":[%s,%" PRIu32 "]", pk_chrome_quoted(c, t->file[i]),
			    t->line[i]);
		comma = ",";
	}
	pk_buf_adds(&c->buf, "}}");
}

static void put_start(struct pk_chrome_out *c)
{
	const char *producer = pk_text(c->p, c->p->run.producer[1]);
	bool viztracer = c->own && pk_starts_with(producer, "viztracer ");
	int64_t base = base_of(c);

	if (viztracer) {
		pk_buf_adds(&c->buf, "\"viztracer_metadata\":{\"version\":");
		pk_json_quote(&c->buf, producer + 10, strlen(producer + 10));
		pk_buf_adds(&c->buf, base ? "," : "");
	}
	if (base)
		pk_buf_addf(&c->buf, "\"baseTimeNanoseconds\":%" PRId64, base);
	pk_buf_adds(&c->buf, viztracer ? "},\n" : base ? ",\n" : "");
}

static void put_text(struct pk_chrome_out *c, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	pk_buf_addc(&c->buf, ',');
	pk_json_quote(&c->buf, key, strlen(key));
	pk_buf_addc(&c->buf, ':');
	pk_json_quote(&c->buf, text, strlen(text));
}

static void put_other_data(struct pk_chrome_out *c)
{
	const struct pk_profile *p = c->p;
	uint32_t i;

	pk_buf_adds(&c->buf, ",\"otherData\":{\"writer\":\"profkit\"");
	put_text(c, "format", pk_text(p, p->run.format[1]));
	put_text(c, "producer", pk_text(p, p->run.producer[1]));
	put_text(c, "command", pk_text(p, p->run.command[1]));
	put_text(c, "layout", c->layout);
	for (i = 1; i < p->meta.count; i++)
		put_text(c, pk_text(p, p->meta.key[i]), pk_text(p, p->meta.value[i]));
	pk_buf_adds(&c->buf, "}}\n");
}

/* The time of the first event, from which the profile's times count. */
static int64_t offset_of(const struct pk_profile *p)
{
	int64_t offset = p->run.clock_offset ? p->run.clock_offset[1] : 0;

	/* The clock of a merged run may begin after the first run. */
	return p->run.start[1] != PK_NULL && offset > p->run.start[1] ? p->run.start[1] : offset;
}

static int put_profile(struct pk_chrome_out *c, const struct params *params, struct pk_error *err)
{
	const struct pk_profile *p = c->p;
	uint32_t metric = pk_metric_find(p, params->metric);

	if (params->metric && !metric)
		return pk_fail(err, PK_EUSAGE, "there is no metric '%s'", params->metric);
	c->own = is_own(p);
	c->quoted = pk_calloc(p->string.count, sizeof(*c->quoted));
	c->quoted_function = pk_calloc(p->function.count, sizeof(*c->quoted_function));
	number_threads(c);
	c->offset = offset_of(p);
	pk_buf_adds(&c->buf, "{");
	put_start(c);
	if (c->own)
		put_own_meta(c, true);
	pk_buf_adds(&c->buf, "\"traceEvents\":[");
	put_events(c, metric);
	pk_buf_adds(&c->buf, "\n]");
	if (puts_beside(p))
		pk_chrome_put_beside(c);
	if (c->own) {
		put_own_meta(c, false);
		put_sources(c);
		pk_buf_adds(&c->buf, "}\n");
	} else {
		put_other_data(c);
	}
	pk_output_write(c->out, c->buf.data, c->buf.len);
	free(c->quoted);
	free(c->quoted_function);
	free(c->process);
	free(c->thread);
	return 0;
}

static int write_chrome(const struct pk_profiles *list, const void *params, struct pk_output *out,
			struct pk_error *err)
{
	struct pk_chrome_out c = {.p = list->item[0], .out = out};
	int status = put_profile(&c, params, err);

	if (c.layout)
		pk_output_note(out, "times are not the profile's: %s", c.layout);
	pk_buf_release(&c.buf);
	pk_buf_release(&c.args);
	pk_arena_release(&c.arena);
	return status;
}

/* True if the metrics are times of spans, and others those of samples beside these. */
static bool knows_metrics(const struct pk_profile *p, bool *gpu)
{
	PK_FREED bool *sampled = pk_sampled_metrics(p);

	*gpu = false;
	for (uint32_t i = 1; i < p->metric.count; i++) {
		*gpu |= !strcmp(pk_text(p, p->metric.name[i]), pk_role_metrics[PK_ROLE_GPU]);
		if (sampled[i] == pk_is_span_metric(p, i))
			return false;
	}
	return p->span.count > 1 && !pk_chrome_loses_samples(p);
}

/* True if devices are processes with the names of XLA, by which readers recognise them. */
static bool has_xla_names(const struct pk_profile *p)
{
	bool named = false;

	for (uint32_t i = 1; i < p->thread.count; i++) {
		const char *name = pk_text(p, p->process.name[p->thread.process[i]]);
		bool device = pk_starts_with(name, "/device:");

		if (device != (p->thread.role[i] == PK_ROLE_GPU))
			return false;
		named |= device;
	}
	return named;
}

/* True if a reader finds the metrics again. It recognises times on GPUs by the names of processes,
 * or by categories, and after "kernel" it knows the others. */
static bool keeps_metrics(const struct pk_profile *p)
{
	bool kernels = false, gpu;

	if (!knows_metrics(p, &gpu))
		return false;
	if (has_xla_names(p))
		return true;
	for (uint32_t i = 1; i < p->span.count; i++) {
		const char *category = pk_text(p, p->span.category[i]);
		bool on_gpu = p->thread.role[p->span.thread[i]] == PK_ROLE_GPU;

		if (pk_activity_is_device(pk_activity_of(category)) != on_gpu)
			return false;
		kernels |= !strcmp(category, "kernel");
	}
	return kernels == gpu;
}

static unsigned also_keeps(const struct pk_profile *p)
{
	unsigned spans = p->span.count > 1 ? PK_PART_CALLS : 0;

	if (is_own(p))
		return spans | PK_PART_FILES | PK_PART_METRICS;
	if (keeps_metrics(p))
		spans |= PK_PART_METRICS;
	return spans | (pk_spans_have_files(p) ? 0 : PK_PART_FILES);
}

static unsigned drops(const struct pk_profile *p)
{
	bool lost = puts_beside(p) ? pk_chrome_loses_samples(p)
				   : !has_times(p, pk_metric_find(p, NULL));

	return lost ? PK_PART_ORDER : 0;
}

static const struct pk_kept_if kept_if[] = {
	{PK_PART_CALLS, "the profile has spans", .with = PK_PART_SPANS},
	{PK_PART_FILES, "no function of a span has a file", .from = "chrome"},
	{PK_PART_METRICS,
	 "they are times of spans (on GPUs: of kernels) and of samples beside them",
	 .from = "chrome", .with = PK_PART_SPANS},
	{.parts = PK_PART_ORDER, .when = "samples of its metric are no changes of a state"},
	{PK_PART_ORDER, "samples beside spans have times and are whole numbers",
	 .with = PK_PART_SPANS},
	{0},
};

const struct pk_writer pk_writer_chrome = {
	.name = "chrome",
	.title = "trace events: JSON for chrome://tracing, Perfetto and others",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_THREADS | PK_PART_ORDER | PK_PART_SPANS | PK_PART_MARKS |
		 PK_PART_ARGS | PK_PART_META | PK_PART_SOURCES,
	.estimates = true,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.drops = drops,
	.write = write_chrome,
};
