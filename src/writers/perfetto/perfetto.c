/*
 * Traces of Perfetto in protocol buffers (see readers/perfetto/perfetto.c), for ui.perfetto.dev and
 * trace_processor: a third to a sixth of the bytes that the same trace has as JSON.
 *
 * - Each thread is a track, and a sequence of packets: names, categories and names of arguments are
 *   interned per sequence, and times are the differences to the packet before (an incremental
 * clock). So a span takes some 30 bytes.
 * - Spans that overlap others of their thread are on tracks below that of the thread, because spans
 * of a track have to nest.
 * - Threads without a number are tracks with a name, or get a free one if they have samples;
 * processes without one get a free one.
 * - An arrow is a number that is on both of its spans.
 * - Samples of one metric are samples of perf, in a sequence of their own (samples.c).
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/events/spans.h"
#include "model/role_text.h"
#include "writers/perfetto/internal.h"
#include "writers/writer.h"

struct params {
	const char *metric;
};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 0, offsetof(struct params, metric), "NAME",
	 .help = "metric whose samples are written (default: the one that has most)"},
	PK_OPT_LAST,
};

#define FLUSH_SIZE ((size_t)256 << 10)

enum {
	BOOTTIME = 6,
	REALTIME = 1,
	OWN_CLOCK = 64,
	CLEARED = 1,
	NEEDS = 2,
	NO_MERGING = 2,
	TRACK_EVENT = 11, /* of a packet, and of its defaults */
};

void pk_perfetto_put_fixed(struct pk_buf *buf, uint32_t field, uint64_t value)
{
	value = htole64(value);
	pk_proto_put_varint(buf, (uint64_t)field << 3 | PK_PROTO_FIXED64);
	pk_buf_add(buf, &value, sizeof(value));
}

void pk_perfetto_put_message(struct pk_buf *buf, uint32_t field, const struct pk_buf *message)
{
	pk_proto_put_bytes(buf, field, message->len ? message->data : "", message->len);
}

static void put_text(struct pk_perfetto_out *c, struct pk_buf *buf, uint32_t field, uint32_t string)
{
	pk_proto_put_bytes(buf, field, pk_text(c->p, string), c->p->string.len[string]);
}

/* Writes the packet in c->packet, and empties it. */
static void end_packet(struct pk_perfetto_out *c)
{
	pk_perfetto_put_message(&c->buf, 1, &c->packet);
	c->packet.len = 0;
	pk_output_drain(c->out, &c->buf, FLUSH_SIZE);
}

static void put_clock(struct pk_buf *snapshot, uint64_t id, int64_t time)
{
	PK_BUF_AUTO clock = PK_BUF_INIT;

	pk_proto_put_number(&clock, 1, id);
	pk_proto_put_number(&clock, 2, (uint64_t)time);
	if (id == OWN_CLOCK)
		pk_proto_put_number(&clock, 3, 1);
	pk_perfetto_put_message(snapshot, 1, &clock);
}

void pk_perfetto_begin_sequence(struct pk_perfetto_out *c, uint32_t field,
				const struct pk_buf *defaults)
{
	struct pk_buf *message = &c->message;

	c->sequence++;
	c->time = c->base;
	c->name_count = c->category_count = 0;
	pk_id_map_release(&c->arg_names);
	c->arg_names = (struct pk_id_map){0};
	message->len = 0;
	put_clock(message, BOOTTIME, c->base);
	put_clock(message, OWN_CLOCK, c->base);
	if (c->p->run.start[1] != PK_NULL && c->p->run.start[1] >= 0)
		put_clock(message, REALTIME, c->p->run.start[1]);
	pk_proto_put_number(message, 2, BOOTTIME);
	pk_perfetto_put_message(&c->packet, 6, message);
	message->len = 0;
	pk_perfetto_put_message(message, field, defaults);
	pk_proto_put_number(message, 58, OWN_CLOCK);
	pk_perfetto_put_message(&c->packet, 59, message);
	pk_proto_put_number(&c->packet, 10, c->sequence);
	pk_proto_put_number(&c->packet, 13, CLEARED);
	end_packet(c);
}

void pk_perfetto_begin_events(struct pk_perfetto_out *c, uint64_t track)
{
	PK_BUF_AUTO defaults = PK_BUF_INIT;

	pk_proto_put_number(&defaults, 11, track);
	pk_perfetto_begin_sequence(c, TRACK_EVENT, &defaults);
}

void pk_perfetto_end_packet(struct pk_perfetto_out *c, uint32_t field, int64_t time)
{
	if (__builtin_add_overflow(time, c->base, &time))
		time = INT64_MAX;
	pk_proto_put_number(&c->packet, 8, time > c->time ? (uint64_t)(time - c->time) : 0);
	c->time = time > c->time ? time : c->time;
	pk_proto_put_number(&c->packet, 10, c->sequence);
	pk_perfetto_put_message(&c->packet, field, &c->event);
	if (c->texts.len)
		pk_perfetto_put_message(&c->packet, 12, &c->texts);
	pk_proto_put_number(&c->packet, 13, NEEDS);
	end_packet(c);
	c->event.len = c->texts.len = 0;
}

void pk_perfetto_end_event(struct pk_perfetto_out *c, int type, int64_t time)
{
	pk_proto_put_number(&c->event, 9, (uint64_t)type);
	pk_perfetto_end_packet(c, TRACK_EVENT, time);
}

static void put_descriptor(struct pk_perfetto_out *c)
{
	pk_perfetto_put_message(&c->packet, 60, &c->message);
	end_packet(c);
}

/* What the trace said of the thread, and its role if its time is not that of functions: adds to
 * c->message. */
static void put_description(struct pk_perfetto_out *c, uint32_t thread)
{
	const struct pk_thread_table *t = &c->p->thread;
	uint32_t own = t->description ? t->description[thread] : 0;
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (pk_role_metrics[t->role[thread]])
		pk_buf_addf(&text, "%s%s%s", PK_ROLE_DESCRIPTION, pk_thread_roles[t->role[thread]],
			    own ? "\n" : "");
	if (own)
		pk_buf_add(&text, pk_text(c->p, own), c->p->string.len[own]);
	if (text.len)
		pk_proto_put_bytes(&c->message, 14, text.data, text.len);
}

void pk_perfetto_put_track(struct pk_perfetto_out *c, uint64_t uuid, uint64_t parent,
			   const char *name, size_t len, const struct pk_buf *counter,
			   uint32_t thread)
{
	c->message.len = 0;
	put_description(c, thread);
	pk_proto_put_number(&c->message, 1, uuid);
	if (parent)
		pk_proto_put_number(&c->message, 5, parent);
	pk_proto_put_bytes(&c->message, 2, name, len);
	if (counter)
		pk_perfetto_put_message(&c->message, 8, counter);
	pk_proto_put_number(&c->message, 15, NO_MERGING);
	put_descriptor(c);
}

static bool is_small(int64_t number)
{
	return number >= INT32_MIN && number <= INT32_MAX;
}

/* Processes without a number, or with one that is too large, get one after the largest. */
static void number_processes(struct pk_perfetto_out *c)
{
	const struct pk_process_table *t = &c->p->process;
	int64_t last = 0;

	c->pid = pk_calloc(t->count, sizeof(*c->pid));
	for (uint32_t i = 1; i < t->count; i++)
		if (is_small(t->pid[i]) && t->pid[i] > last)
			last = t->pid[i];
	for (uint32_t i = 1; i < t->count; i++)
		c->pid[i] = is_small(t->pid[i]) ? t->pid[i] : last < INT32_MAX ? ++last : last;
}

/* Threads with samples that have no number of their own get one after the largest. */
static void number_threads(struct pk_perfetto_out *c)
{
	const struct pk_thread_table *t = &c->p->thread;
	int64_t last = 0;

	c->tid = pk_calloc(t->count, sizeof(*c->tid));
	c->sampled = pk_calloc(t->count, sizeof(*c->sampled));
	for (uint32_t i = 0; i < c->sample_count; i++)
		c->sampled[c->p->sample.thread[c->samples[i]]] = true;
	for (uint32_t i = 0; i < c->p->process.count; i++)
		last = c->pid[i] > last ? c->pid[i] : last;
	for (uint32_t i = 1; i < t->count; i++)
		if (is_small(t->tid[i]) && t->tid[i] > last)
			last = t->tid[i];
	for (uint32_t i = 0; i < t->count; i++) {
		/* trace_processor puts everything with the number of a thread on one track */
		if (i && is_small(t->tid[i]) && !t->incarnation[i])
			c->tid[i] = t->tid[i];
		else
			c->tid[i] = !c->sampled[i] ? PK_NULL : last < INT32_MAX ? ++last : last;
	}
}

int64_t pk_perfetto_pid(const struct pk_perfetto_out *c, uint32_t thread)
{
	return thread ? c->pid[c->p->thread.process[thread]] : c->tid[0];
}

static void put_processes(struct pk_perfetto_out *c)
{
	const struct pk_process_table *t = &c->p->process;
	PK_BUF_AUTO inner = PK_BUF_INIT;

	c->process = pk_calloc(t->count, sizeof(*c->process));
	for (uint32_t i = 1; i < t->count; i++) {
		c->process[i] = ++c->last_uuid;
		inner.len = c->message.len = 0;
		pk_proto_put_number(&inner, 1, (uint64_t)c->pid[i]);
		if (is_small(t->sort[i]))
			pk_proto_put_number(&inner, 3, (uint64_t)t->sort[i]);
		if (t->name[i])
			put_text(c, &inner, 6, t->name[i]);
		pk_proto_put_number(&c->message, 1, c->process[i]);
		pk_perfetto_put_message(&c->message, 3, &inner);
		put_descriptor(c);
	}
}

/* The track of a thread. */
static uint64_t put_thread(struct pk_perfetto_out *c, uint32_t thread)
{
	const struct pk_thread_table *t = &c->p->thread;
	uint32_t process = t->process[thread], name = t->name[thread];
	PK_BUF_AUTO inner = PK_BUF_INIT;
	uint64_t uuid = ++c->last_uuid;

	if (c->tid[thread] == PK_NULL) {
		pk_perfetto_put_track(c, uuid, c->process[process],
				      name ? pk_text(c->p, name) : "(no thread)",
				      name ? c->p->string.len[name] : 11, NULL, thread);
		return uuid;
	}
	pk_proto_put_number(&inner, 1, (uint64_t)pk_perfetto_pid(c, thread));
	pk_proto_put_number(&inner, 2, (uint64_t)c->tid[thread]);
	if (is_small(t->sort[thread]))
		pk_proto_put_number(&inner, 3, (uint64_t)t->sort[thread]);
	if (name)
		put_text(c, &inner, 5, name);
	c->message.len = 0;
	put_description(c, thread);
	pk_proto_put_number(&c->message, 1, uuid);
	if (process)
		pk_proto_put_number(&c->message, 5, c->process[process]);
	pk_perfetto_put_message(&c->message, 4, &inner);
	put_descriptor(c);
	return uuid;
}

static void add_to_list(struct pk_perfetto_lists *l, uint32_t row, uint32_t i)
{
	l->next[i] = l->first[row];
	l->first[row] = i;
}

static void make_lists(struct pk_perfetto_lists *l, uint32_t owners, uint32_t rows)
{
	l->first = pk_calloc(owners, sizeof(*l->first));
	l->next = pk_calloc(rows, sizeof(*l->next));
}

static void collect(struct pk_perfetto_out *c)
{
	const struct pk_profile *p = c->p;

	make_lists(&c->span_args, p->span.count, p->arg.count);
	make_lists(&c->instant_args, p->instant.count, p->arg.count);
	for (uint32_t i = p->arg.count - 1; i > 0; i--) {
		if (p->arg.owner[i] == PK_TABLE_SPAN)
			add_to_list(&c->span_args, p->arg.row[i], i);
		else if (p->arg.owner[i] == PK_TABLE_INSTANT)
			add_to_list(&c->instant_args, p->arg.row[i], i);
	}
	make_lists(&c->from, p->span.count, p->flow.count);
	make_lists(&c->to, p->span.count, p->flow.count);
	for (uint32_t i = p->flow.count - 1; i > 0; i--) {
		add_to_list(&c->from, p->flow.from[i], i);
		add_to_list(&c->to, p->flow.to[i], i);
	}
}

PK_COMPARE_ROWS(by_thread, struct pk_instant_table,
		PK_ORDER(d->thread[a], d->thread[b]) ?: PK_ORDER(d->time[a], d->time[b]) ?:
		PK_ORDER(a, b))

/* Spans are sorted by thread; a thread without spans may still have instants. */
static void put_threads(struct pk_perfetto_out *c)
{
	const struct pk_span_table *s = &c->p->span;
	const struct pk_instant_table *t = &c->p->instant;
	PK_FREED uint32_t *rows = pk_malloc(pk_mul(t->count, sizeof(*rows)));
	PK_FREED uint32_t *first = pk_calloc(c->p->thread.count, sizeof(*first));
	PK_FREED uint32_t *end = pk_calloc(c->p->thread.count, sizeof(*end));
	uint32_t at = 0, count = t->count - 1, i;

	for (i = 0; i < count; i++)
		rows[i] = i + 1;
	qsort_r(rows, count, sizeof(*rows), by_thread, (void *)(uintptr_t)t);
	for (i = 1; i < s->count; i++) {
		if (!first[s->thread[i]])
			first[s->thread[i]] = i;
		end[s->thread[i]] = i + 1;
	}
	for (uint32_t thread = 0; thread < c->p->thread.count; thread++) {
		uint32_t moments = 0;
		uint64_t track;

		while (at + moments < count && t->thread[rows[at + moments]] == thread)
			moments++;
		if ((!first[thread] && !moments && !c->sampled[thread]) || pk_output_failed(c->out))
			continue;
		track = put_thread(c, thread);
		if (first[thread])
			pk_perfetto_put_spans(c, thread, track, first[thread], end[thread]);
		if (moments)
			pk_perfetto_put_instants(c, track, rows + at, moments);
		at += moments;
	}
}

static void release(struct pk_perfetto_out *c)
{
	struct pk_perfetto_lists *const lists[] = {&c->span_args, &c->instant_args, &c->from,
						   &c->to};
	struct pk_buf *const bufs[] = {&c->buf,   &c->packet,  &c->event,
				       &c->texts, &c->message, &c->args};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		free(lists[i]->first);
		free(lists[i]->next);
	}
	for (size_t i = 0; i < sizeof(bufs) / sizeof(*bufs); i++)
		pk_buf_release(bufs[i]);
	free(c->process);
	free(c->pid);
	free(c->tid);
	free(c->sampled);
	free(c->samples);
	free(c->names);
	free(c->categories);
	pk_id_map_release(&c->arg_names);
}

static int put_profile(struct pk_perfetto_out *c, const char *metric, struct pk_error *err)
{
	const struct pk_profile *p = c->p;

	if (pk_perfetto_choose_samples(c, metric, err))
		return -1;
	if (p->span.count < 2 && p->instant.count < 2 && p->counter.count < 2 && !c->sample_count)
		return pk_fail(err, PK_EUSAGE,
			       "perfetto needs events or samples with times, and '%s' has none",
			       pk_text(p, p->run.source[1]));
	if (p->run.clock_offset && p->run.clock_offset[1] > 0)
		c->base = p->run.clock_offset[1];
	c->names = pk_calloc(p->function.count, sizeof(*c->names));
	c->categories = pk_calloc(p->string.count, sizeof(*c->categories));
	collect(c);
	number_processes(c);
	number_threads(c);
	put_processes(c);
	put_threads(c);
	pk_perfetto_put_counters(c);
	pk_perfetto_put_samples(c);
	if (c->buf.len)
		pk_output_write(c->out, c->buf.data, c->buf.len);
	if (c->lanes)
		pk_output_note(c->out, "%lld overlapping spans are on tracks of their own",
			       (long long)c->lanes);
	return 0;
}

static int write_perfetto(const struct pk_profiles *list, const void *params, struct pk_output *out,
			  struct pk_error *err)
{
	struct pk_perfetto_out c = {.p = list->item[0], .out = out};
	const struct params *given = params;
	int status = put_profile(&c, given->metric, err);

	release(&c);
	return status;
}

/* The metric of the samples that are written, 0 = none. */
static uint32_t sampled_metric(const struct pk_profile *p)
{
	PK_FREED uint8_t *state = pk_span_samples(p);

	return pk_perfetto_sampled_metric(p, state);
}

/* Readers find the metrics of the times of spans again, by the roles of their threads, and one that
 * counts samples. */
static bool keeps_metrics(const struct pk_profile *p, uint32_t sampled)
{
	for (uint32_t m = 1; m < p->metric.count; m++)
		if (m == sampled ? !pk_perfetto_only_counts(p, m)
				 : p->span.count < 2 || !pk_is_span_metric(p, m))
			return false;
	return true;
}

static unsigned also_keeps(const struct pk_profile *p)
{
	uint32_t sampled = sampled_metric(p);
	unsigned parts = keeps_metrics(p, sampled) ? PK_PART_METRICS : 0;

	if (!sampled)
		return parts;
	if (!pk_spans_have_files(p))
		parts |= PK_PART_FILES;
	return pk_perfetto_knows_labels(p) ? parts | PK_PART_LABELS : parts;
}

static unsigned drops(const struct pk_profile *p)
{
	PK_FREED bool *sampled = pk_sampled_metrics(p);
	unsigned parts = p->sample.count > 1 ? PK_PART_ORDER : 0;

	for (uint32_t m = 1; m < p->metric.count; m++)
		if (sampled[m] && pk_metric_aggregate(p, m) == PK_AGGREGATE_SUM)
			parts = 0;
	if (p->span.count < 2 && !sampled_metric(p))
		parts |= PK_PART_PATHS;
	return parts;
}

static const struct pk_kept_if kept_if[] = {
	{PK_PART_METRICS,
	 "they are times of spans: of functions, GPUs, CPUs and states; and samples "
	 "that count 1",
	 .with = PK_PART_SPANS},
	{PK_PART_FILES, "functions of samples have them, and those of spans have none",
	 .with = PK_PART_ORDER},
	{PK_PART_LABELS, "they are the CPU and its mode", .with = PK_PART_ORDER},
	{.parts = PK_PART_PATHS, .when = "they are those of spans or samples"},
	{.parts = PK_PART_ORDER, .when = "samples are no changes of a state"},
	{0},
};

static const char *const suffixes[] = {".pftrace", ".perfetto-trace", NULL};

const struct pk_writer pk_writer_perfetto = {
	.name = "perfetto",
	.title = "traces of Perfetto in protocol buffers, for ui.perfetto.dev",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_THREADS | PK_PART_ORDER | PK_PART_SPANS |
		 PK_PART_MARKS | PK_PART_ARGS,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.drops = drops,
	.binary = true,
	.write = write_perfetto,
};
