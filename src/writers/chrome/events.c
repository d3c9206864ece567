/* Writes spans, flows, instants and counters. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "model/args/text.h"
#include "model/events/spans.h"
#include "writers/chrome/internal.h"

/* Lists of arguments by their owner: first[row], then next[argument]. */
struct args {
	uint32_t *first, *next;
};

static void collect_args(struct args *args, const struct pk_profile *p, enum pk_table_id owner,
			 uint32_t rows)
{
	uint32_t i;

	*args = (struct args){NULL, NULL};
	if (p->arg.count == 1)
		return;
	args->first = pk_calloc(rows, sizeof(*args->first));
	args->next = pk_calloc(p->arg.count, sizeof(*args->next));
	for (i = p->arg.count - 1; i > 0; i--) {
		uint32_t row = p->arg.row[i];

		if (p->arg.owner[i] != owner || row >= rows)
			continue;
		args->next[i] = args->first[row];
		args->first[row] = i;
	}
}

static void release_args(struct args *args)
{
	free(args->first);
	free(args->next);
}

/* Writes ,"args":{..}: one object as it was read, or single keys with text values. */
static bool put_args(struct pk_chrome_out *c, const struct args *args, uint32_t row)
{
	const struct pk_arg_table *t = &c->p->arg;
	uint32_t i = args->first ? args->first[row] : 0;
	const char *separator = "";

	if (!i)
		return false;
	pk_buf_adds(&c->buf, ",\"args\":");
	if (!pk_arg_key(t, i)) {
		struct pk_json_slice text = pk_arg_text(c->p, i, &c->args);

		/* The text may have errors that were mended when it was read. */
		if (c->p->repair.count > 1 && !pk_json_read_text(text.text, text.len, NULL))
			pk_json_read_text(text.text, text.len, &c->buf);
		else
			pk_buf_add(&c->buf, text.text, text.len);
		return true;
	}
	pk_buf_addc(&c->buf, '{');
	for (; i; i = args->next[i]) {
		pk_buf_addf(&c->buf, "%s%s:", separator, pk_chrome_quoted(c, t->key[i]));
		pk_buf_adds(&c->buf, pk_chrome_quoted(c, t->value[i]));
		separator = ",";
	}
	pk_buf_addc(&c->buf, '}');
	return true;
}

/* Writes the place of a function as py-spy does. */
static void put_place(struct pk_chrome_out *c, uint32_t node)
{
	uint32_t function = pk_node_function(c->p, node), line = pk_node_line(c->p, node);

	if (c->p->function.file[function])
		pk_buf_addf(&c->buf, ",\"args\":{\"filename\":%s,\"line\":%" PRIu32 "}",
			    pk_chrome_quoted(c, c->p->function.file[function]),
			    line ? line : c->p->function.line[function]);
}

bool pk_chrome_placed_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	const struct pk_function_table *t = &p->function;
	const char *producer = pk_text(p, p->run.producer[1]),
		   *file = pk_text(p, t->file[function]);
	const char *name = pk_text(p, t->name[function]);
	const char *module = pk_text(p, t->module[function]);

	if (*file && pk_starts_with(producer, "viztracer"))
		pk_buf_addf(buf, "%s (%s:%u)", name, file, t->line[function]);
	else if (*file && pk_starts_with(producer, "torch"))
		pk_buf_addf(buf, "%s(%u): %s", file, t->line[function], name);
	else if (*file && !strcmp(producer, "XLA profiler"))
		pk_buf_addf(buf, "$%s:%u %s", file, t->line[function], name);
	else if (*module && !strcmp(producer, "XLA profiler"))
		pk_buf_addf(buf, "$%s %s", module, name);
	else if (t->kind[function] == PK_KIND_PYTHON && !strcmp(producer, "XLA profiler"))
		pk_buf_addf(buf, "$<unknown> %s", name);
	else
		return false;
	return true;
}

static const char *name_of(struct pk_chrome_out *c, uint32_t node)
{
	uint32_t function = pk_node_function(c->p, node);
	PK_BUF_AUTO name = PK_BUF_INIT, quoted = PK_BUF_INIT;

	if (!c->own || c->p->function.kind[function] == PK_KIND_UNKNOWN)
		return pk_chrome_quoted(c, c->p->function.name[function]);
	if (c->quoted_function[function])
		return c->quoted_function[function];
	if (pk_chrome_placed_name(&name, c->p, function)) {
		pk_json_quote(&quoted, name.data, name.len);
		c->quoted_function[function] = pk_arena_copy(&c->arena, quoted.data, quoted.len);
	} else {
		c->quoted_function[function] = pk_chrome_quoted(c, c->p->function.name[function]);
	}
	return c->quoted_function[function];
}

bool pk_chrome_is_async(const struct pk_profile *p, uint32_t thread)
{
	return p->thread.tid[thread] == PK_NULL &&
	       strncmp(pk_text(p, p->thread.name[thread]), "async: ", 7) == 0;
}

static void put_complete(struct pk_chrome_out *c, const struct args *args, uint32_t span)
{
	const struct pk_span_table *t = &c->p->span;

	pk_chrome_begin(c, 'X', name_of(c, t->node[span]), t->category[span],
			c->thread[t->thread[span]], t->time[span]);
	pk_buf_adds(&c->buf, ",\"dur\":");
	pk_chrome_us(c, t->duration[span]);
	if (!put_args(c, args, span) && !c->own)
		put_place(c, t->node[span]);
	pk_chrome_end(c);
}

/* The open asynchronous spans of one thread. Nested spans have the id of the outermost. */
struct async {
	uint32_t *open;
	uint32_t count, alloc;
};

static void put_half(struct pk_chrome_out *c, char phase, uint32_t span, uint32_t id, int64_t time)
{
	const struct pk_span_table *t = &c->p->span;

	pk_chrome_begin(c, phase, name_of(c, t->node[span]), t->category[span],
			c->process[c->p->thread.process[t->thread[span]]], time);
	pk_buf_addf(&c->buf, ",\"id\":\"0x%" PRIx32 "\"", id);
}

static void end_async(struct pk_chrome_out *c, struct async *a, uint32_t depth)
{
	while (a->count && a->count >= depth) {
		uint32_t span = a->open[--a->count];

		put_half(c, 'e', span, a->open[0], pk_span_end(c->p, span));
		pk_chrome_end(c);
	}
}

static void begin_async(struct pk_chrome_out *c, struct async *a, const struct args *args,
			uint32_t span, uint32_t depth)
{
	end_async(c, a, depth);
	PK_GROW(a->open, (size_t)a->count + 1, a->alloc);
	a->open[a->count++] = span;
	put_half(c, 'b', span, a->open[0], c->p->span.time[span]);
	put_args(c, args, span);
	pk_chrome_end(c);
}

/* A time at which the span is the innermost of its thread, if there is one. For readers a span is
 * still running at its end. */
static int64_t moment_of(const struct pk_profile *p, uint32_t span)
{
	const struct pk_span_table *t = &p->span;
	int64_t at = t->time[span], end = pk_span_end(p, span);
	uint32_t i;

	for (i = span + 1; i < t->count && t->thread[i] == t->thread[span]; i++) {
		int64_t other = pk_span_end(p, i);

		if (t->time[i] > at || at > end)
			break;
		if (other >= at)
			at = other < INT64_MAX ? other + 1 : other;
	}
	return at <= end ? at : t->time[span];
}

static void put_flow_end(struct pk_chrome_out *c, char phase, uint32_t flow, uint32_t span)
{
	const struct pk_profile *p = c->p;
	uint32_t category = p->flow.category[flow];

	pk_chrome_begin(c, phase, category ? pk_chrome_quoted(c, category) : "\"flow\"", category,
			c->thread[p->span.thread[span]], moment_of(p, span));
	pk_buf_addf(&c->buf, ",\"id\":%" PRIu32, flow);
	if (phase == 'f')
		pk_buf_adds(&c->buf, ",\"bp\":\"e\"");
	pk_chrome_end(c);
}

static void put_flows(struct pk_chrome_out *c)
{
	const struct pk_flow_table *t = &c->p->flow;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		if (!t->from[i] || !t->to[i])
			continue;
		put_flow_end(c, 's', i, t->from[i]);
		put_flow_end(c, 'f', i, t->to[i]);
	}
}

void pk_chrome_put_spans(struct pk_chrome_out *c)
{
	const struct pk_profile *p = c->p;
	struct async *async = pk_calloc(p->thread.count, sizeof(*async));
	uint32_t *depth = pk_node_depths(p), i;
	struct args args;

	collect_args(&args, p, PK_TABLE_SPAN, p->span.count);
	for (i = 1; i < p->span.count && !pk_output_failed(c->out); i++) {
		uint32_t thread = p->span.thread[i];

		if (pk_chrome_is_async(p, thread))
			begin_async(c, &async[thread], &args, i, depth[p->span.node[i]]);
		else
			put_complete(c, &args, i);
	}
	for (i = 0; i < p->thread.count; i++) {
		end_async(c, &async[i], 0);
		free(async[i].open);
	}
	put_flows(c);
	release_args(&args);
	free(depth);
	free(async);
}

/* The duration of the torch recording that begins at this instant; 0 if none does. */
static int64_t window_of(const struct pk_chrome_out *c, uint32_t instant)
{
	const struct pk_instant_table *t = &c->p->instant;
	const struct pk_run_table *run = &c->p->run;

	if (!c->own || !run->window || run->window[1] != t->time[instant] ||
	    strcmp(pk_text(c->p, t->category[instant]), "Trace") != 0 ||
	    pk_starts_with(pk_text(c->p, t->name[instant]), "Iter"))
		return 0;
	return run->window_duration[1];
}

static void put_instants(struct pk_chrome_out *c)
{
	const struct pk_instant_table *t = &c->p->instant;
	struct args args;
	int64_t window;
	uint32_t i;

	collect_args(&args, c->p, PK_TABLE_INSTANT, t->count);
	for (i = 1; i < t->count && !pk_output_failed(c->out); i++) {
		window = window_of(c, i);
		pk_chrome_begin(c, window ? 'X' : 'i', pk_chrome_quoted(c, t->name[i]),
				t->category[i], c->thread[t->thread[i]], t->time[i]);
		if (window) {
			pk_buf_adds(&c->buf, ",\"dur\":");
			pk_chrome_us(c, window);
		} else {
			pk_buf_adds(&c->buf, t->thread[i] ? ",\"s\":\"t\"" : ",\"s\":\"g\"");
		}
		put_args(c, &args, i);
		pk_chrome_end(c);
	}
	release_args(&args);
}

static void put_series(struct pk_chrome_out *c, uint32_t row)
{
	const struct pk_counter_table *t = &c->p->counter;

	pk_buf_adds(&c->buf, t->series[row] ? pk_chrome_quoted(c, t->series[row]) : "\"value\"");
	pk_buf_addc(&c->buf, ':');
	if (isfinite(t->value[row]))
		pk_format_real(&c->buf, t->value[row]);
	else
		pk_buf_adds(&c->buf, "null");
}

/* True if two values belong to one event: series of one counter, counted at one time. */
static bool is_same_event(const struct pk_counter_table *t, uint32_t first, uint32_t row)
{
	uint32_t i;

	if (t->time[row] != t->time[first] || t->process[row] != t->process[first] ||
	    t->name[row] != t->name[first])
		return false;
	for (i = first; i < row; i++)
		if (t->series[i] == t->series[row])
			return false;
	return true;
}

/* True for counters that the reader made of torch's memory events. */
static bool is_made(const struct pk_chrome_out *c, uint32_t name)
{
	return c->own && pk_starts_with(pk_text(c->p, c->p->run.producer[1]), "torch") &&
	       pk_ends_with(pk_text(c->p, name), " memory");
}

static void put_counters(struct pk_chrome_out *c)
{
	const struct pk_counter_table *t = &c->p->counter;
	uint32_t i = 1, first;

	while (i < t->count && !pk_output_failed(c->out)) {
		if (is_made(c, t->name[i])) {
			i++;
			continue;
		}
		first = i;
		pk_chrome_begin(c, 'C', pk_chrome_quoted(c, t->name[i]), 0,
				c->process[t->process[i]], t->time[i]);
		pk_buf_adds(&c->buf, ",\"args\":{");
		put_series(c, i++);
		for (; i < t->count && i - first < 100 && is_same_event(t, first, i); i++) {
			pk_buf_addc(&c->buf, ',');
			put_series(c, i);
		}
		pk_buf_addc(&c->buf, '}');
		pk_chrome_end(c);
	}
}

void pk_chrome_put_marks(struct pk_chrome_out *c)
{
	put_instants(c);
	put_counters(c);
}
