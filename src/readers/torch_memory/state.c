/*
 * What a snapshot of torch's memory says besides the events: the segments at the end with their
 * free blocks, as instants with arguments and in a sentence for people, and the annotations of the
 * profiler as spans.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json/write.h"
#include "readers/torch_memory/internal.h"

void torch_push_instant(struct torch_device *d, int64_t time, uint32_t thread, const char *name)
{
	struct torch *t = d->t;

	pk_build_instant(t->b, time, thread, pk_build_text(t->b, name), d->memory);
	if (!pk_builder_wants(t->b, PK_PART_ARGS))
		pk_build_unread(t->b, PK_PART_ARGS);
	else if (t->text.len)
		pk_build_arg_object(t->b, PK_TABLE_INSTANT,
				    pk_builder_profile(t->b)->instant.count - 1, t->text.data,
				    t->text.len);
}

static void add_free_blocks(struct pk_buf *text, const struct torch *t,
			    const struct torch_segment *s)
{
	const char *comma = "";

	pk_buf_adds(text, ", \"free\": [");
	for (uint32_t j = s->block; j < s->block + s->blocks; j++) {
		if (t->block[j].state != TORCH_INACTIVE)
			continue;
		pk_buf_addf(text, "%s%" PRId64, comma, t->block[j].size);
		comma = ", ";
	}
	pk_buf_adds(text, "]}");
}

static void push_segments(struct torch_device *d, int64_t time)
{
	struct torch *t = d->t;

	for (size_t i = 0; i < t->segments; i++) {
		const struct torch_segment *s = &t->segment[i];

		if (s->device != d->number)
			continue;
		t->text.len = 0;
		pk_buf_addf(&t->text,
			    "{\"address\": %" PRIu64 ", \"total\": %" PRId64
			    ", \"allocated\": %" PRId64 ", \"active\": %" PRId64
			    ", \"requested\": %" PRId64 ", \"expandable\": %s, \"type\": ",
			    s->address, s->total, s->allocated, s->active, s->requested,
			    s->expandable ? "true" : "false");
		pk_json_quote(&t->text, pk_text(pk_builder_profile(t->b), s->type),
			      strlen(pk_text(pk_builder_profile(t->b), s->type)));
		if (s->pool != UINT32_MAX)
			pk_buf_addf(&t->text, ", \"pool\": [%u, %u]", s->pool >> 16,
				    s->pool & 0xFFFF);
		add_free_blocks(&t->text, t, s);
		torch_push_instant(d, time, torch_thread(d, s->stream), "segment");
	}
}

static void say_fragmentation(struct torch_device *d)
{
	struct torch *t = d->t;
	int64_t total = 0, unused = 0, blocks = 0, largest = 0, segments = 0;

	for (size_t i = 0; i < t->segments; i++) {
		const struct torch_segment *s = &t->segment[i];

		if (s->device != d->number)
			continue;
		segments++;
		total += s->total;
		for (uint32_t j = s->block; j < s->block + s->blocks; j++) {
			if (t->block[j].state != TORCH_INACTIVE)
				continue;
			blocks++;
			unused += t->block[j].size;
			largest = t->block[j].size > largest ? t->block[j].size : largest;
		}
	}
	t->text.len = 0;
	pk_buf_addf(&t->text,
		    "%" PRId64 " bytes in %" PRId64 " segments; %" PRId64
		    " of them free, in %" PRId64 " blocks, the largest of %" PRId64,
		    total, segments, unused, blocks, largest);
	pk_build_meta(t->b,
		      pk_text(pk_builder_profile(t->b),
			      pk_builder_profile(t->b)->process.name[d->process]),
		      t->text.data);
}

/* Blocks from before the recording were not allocated during it. */
static void say_earlier(struct torch_device *d)
{
	struct torch *t = d->t;

	if (!d->earlier || !d->events.count)
		return;
	t->text.len = 0;
	pk_buf_addf(&t->text, "%" PRId64 " blocks of %" PRId64 " bytes", d->earlier,
		    d->earlier_bytes);
	pk_build_meta(t->b, "allocated before the history begins", t->text.data);
}

static void push_annotations(struct torch_device *d)
{
	struct torch *t = d->t;
	struct pk_thread thread = {.process = d->process, .tid = -1, .sort = -1};
	uint32_t row = 0;

	for (size_t i = 0; t->timed && i < t->annotations; i++) {
		const struct torch_annotation *a = &t->annotation[i];
		int64_t end = PK_NULL;

		if (a->end || a->device != d->number || a->time == PK_NULL)
			continue;
		for (size_t j = i + 1; j < t->annotations && j < i + 1000 && end == PK_NULL; j++)
			if (t->annotation[j].end && t->annotation[j].name == a->name &&
			    t->annotation[j].device == a->device)
				end = t->annotation[j].time;
		if (!row) {
			thread.name = pk_build_text(t->b, "annotations");
			row = pk_build_thread(t->b, &thread);
		}
		if (end == PK_NULL || end < a->time)
			end = t->end > a->time ? t->end : a->time;
		pk_build_span(
			t->b, a->time - t->begin, end - a->time, row,
			pk_build_node(t->b, 0,
				      pk_build_place(
					      t->b,
					      pk_build_function(
						      t->b, &(struct pk_function){.name = a->name}),
					      0)),
			pk_build_text(t->b, "annotation"));
	}
}

void torch_push_state(struct torch_device *d, int64_t time)
{
	push_segments(d, time);
	push_annotations(d);
	say_fragmentation(d);
	say_earlier(d);
}
