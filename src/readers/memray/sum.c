/*
 * Records of memray's captures of sums (--aggregate), for memray.c: all of them were written when
 * the program ended, those that refer to others in any order.
 *
 *	01 MEMORY_SNAPSHOT        ms since 1970, rss, live bytes: 8 bytes each
 *	02 AGGREGATED_ALLOCATION  thread, allocator, native frame, stack, generation of images,
 *	                          allocations at the peak and leaked, bytes of both: 8 bytes each
 *	03 PYTHON_TRACE_INDEX     frame, parent: defines a stack; its number is their count so far
 *	04 PYTHON_FRAME_INDEX     number, code, instruction, entry; to version 11: number, function,
 *	                          file, line, entry
 *	05-08, 0A, 0C             as in event.c          0D SURVIVING_OBJECT address [native frame]
 *	0E CODE_OBJECT            as there               0F TRAILER
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "readers/memray/internal.h"

struct memray_sums {
	struct row {
		uint64_t thread, native, stack;
		uint64_t value[2][2]; /* count, bytes: at the peak, leaked */
		uint32_t generation;
		uint8_t allocator;
	} * row;
	size_t rows, row_alloc;
	struct stack {
		uint64_t frame;
		uint32_t parent, depth;
		uint32_t node[2]; /* + 1, 0: not known yet; [1]: of the main thread */
	} * stack;                /* from 1 */
	size_t stacks, stack_alloc;
	struct frame {
		uint64_t code, offset;
		uint32_t location; /* 0: of code and offset */
	} * frame;
	size_t frames, frame_alloc;
};

void memray_sums_free(struct memray *m)
{
	if (!m->sums)
		return;
	free(m->sums->row);
	free(m->sums->stack);
	free(m->sums->frame);
	free(m->sums);
}

static int take_snapshot(struct memray *m)
{
	uint64_t ms = memray_fixed(&m->c, 8), rss = memray_fixed(&m->c, 8);
	uint64_t live = memray_fixed(&m->c, 8);

	if (!memray_is_whole(m))
		return memray_stop(m);
	if (ms > INT64_MAX || (int64_t)ms < m->header.start)
		ms = (uint64_t)m->header.start;
	return memray_memory(m, (int64_t)ms - m->header.start, rss, live);
}

static int take_row(struct memray *m)
{
	struct memray_sums *s = m->sums;
	struct memray_cursor *c = &m->c;
	struct row row = {.thread = memray_fixed(c, 8)};

	row.allocator = (uint8_t)(memray_fixed(c, 8) & 0xFF);
	row.native = memray_fixed(c, 8);
	row.stack = memray_fixed(c, 8);
	row.generation = (uint32_t)memray_fixed(c, 8);
	row.value[0][0] = memray_fixed(c, 8);
	row.value[1][0] = memray_fixed(c, 8);
	row.value[0][1] = memray_fixed(c, 8);
	row.value[1][1] = memray_fixed(c, 8);
	if (!memray_is_whole(m))
		return memray_stop(m);
	PK_GROW(s->row, s->rows + 1, s->row_alloc);
	s->row[s->rows++] = row;
	return 1;
}

static int take_stack(struct memray *m)
{
	struct memray_sums *s = m->sums;
	bool packed = m->header.version >= 12;
	uint64_t frame = packed ? memray_varint(&m->c) : memray_fixed(&m->c, 8);
	uint64_t parent = packed ? memray_varint(&m->c) : memray_fixed(&m->c, 4);

	if (!memray_is_whole(m))
		return memray_stop(m);
	if (parent > s->stacks)
		return pk_fail(m->err, PK_EFORMAT,
			       "byte %" PRIu64 ": stack %" PRIu64 " is not defined", m->place,
			       parent);
	PK_GROW(s->stack, s->stacks + 2, s->stack_alloc);
	if (!s->stacks)
		s->stack[0] = (struct stack){.node = {1, 1}};
	s->stack[++s->stacks] = (struct stack){
		.frame = frame, .parent = (uint32_t)parent, .depth = s->stack[parent].depth + 1};
	return 1;
}

static int take_frame(struct memray *m)
{
	struct memray_sums *s = m->sums;
	struct memray_cursor *c = &m->c;
	struct frame frame = {0};
	uint64_t number;

	if (m->header.version >= 12) {
		number = memray_varint(c);
		frame.code = memray_varint(c);
		frame.offset = memray_svarint(c);
		memray_byte(c);
		if (!memray_is_whole(m))
			return memray_stop(m);
	} else {
		size_t name_len, file_len;
		const char *name, *file;
		uint64_t line;

		number = memray_fixed(c, 8);
		name = memray_text(c, &name_len);
		file = memray_text(c, &file_len);
		line = memray_fixed(c, 4);
		memray_byte(c);
		if (!memray_is_whole(m))
			return memray_stop(m);
		frame.location = memray_python_place(m, name, name_len, file, file_len, line);
	}
	PK_GROW(s->frame, s->frames + 1, s->frame_alloc);
	s->frame[s->frames++] = frame;
	pk_id_map_put(&m->frame_of, (int64_t)number, (uint32_t)s->frames);
	return 1;
}

static int take_object(struct memray *m)
{
	memray_varint(&m->c);
	if (m->header.native)
		memray_varint(&m->c);
	return memray_is_whole(m) ? 1 : memray_stop(m);
}

int memray_sum(struct memray *m)
{
	uint8_t tag = *m->c.at++;

	if (!m->sums)
		m->sums = pk_calloc(1, sizeof(*m->sums));
	if (!m->now && tag == 0x0A)
		return pk_fail(m->err, PK_EFORMAT, "byte %" PRIu64 ": record of no thread",
			       m->place);
	switch (tag) {
	case 0x01:
		return take_snapshot(m);
	case 0x02:
		return take_row(m);
	case 0x03:
		return take_stack(m);
	case 0x04:
		return take_frame(m);
	case 0x0D:
		return take_object(m);
	case 0x0F:
		m->ended = true;
		return 0;
	default:
		return memray_take_common(m, tag);
	}
}

/* The location of a frame, 0 if it is not defined. */
static uint32_t location_of(struct memray *m, uint64_t number)
{
	uint32_t row = pk_id_map_get(&m->frame_of, (int64_t)number);
	const struct frame *f = row ? &m->sums->frame[row - 1] : NULL;

	if (!f)
		return pk_build_label(m->b, "<unknown>", 9);
	return f->location ? f->location : memray_code_place(m, f->code, f->offset);
}

/* The node of a stack. Makes those of its parents first. */
static uint32_t node_of(struct memray *m, uint32_t stack, bool is_main)
{
	struct stack *s = m->sums->stack;
	PK_FREED uint32_t *chain = NULL;
	size_t count = 0, alloc = 0;

	for (; !s[stack].node[is_main]; stack = s[stack].parent) {
		PK_GROW(chain, count + 1, alloc);
		chain[count++] = stack;
	}
	while (count) {
		uint32_t parent = s[stack].node[is_main] - 1;

		stack = chain[--count];
		s[stack].node[is_main] = 1;
		if (!is_main || s[stack].depth > m->header.skipped)
			s[stack].node[is_main] +=
				pk_build_node(m->b, parent, location_of(m, s[stack].frame));
	}
	return s[stack].node[is_main] - 1;
}

static int push_row(struct memray *m, const struct row *row, const struct pk_heap_metrics *metrics)
{
	static const enum pk_heap_metric kinds[] = {PK_HEAP_PEAK, PK_HEAP_LEAKED};
	struct pk_cost cost = {.calls = PK_NULL};
	uint32_t node = 0;

	if (row->stack > m->sums->stacks || row->allocator >= ALLOCATORS)
		return pk_fail(m->err, PK_EFORMAT,
			       "a sum of allocations has %s %" PRIu64 ", which is not defined",
			       row->allocator >= ALLOCATORS ? "allocator" : "stack",
			       row->allocator >= ALLOCATORS ? row->allocator : row->stack);
	memray_switch(m, row->thread);
	if (row->stack)
		node = node_of(m, (uint32_t)row->stack, m->now->is_main);
	if (row->native)
		node = memray_node(m, node, row->native, row->generation);
	cost.node = node ? node : memray_no_stack(m);
	cost.thread = m->now->row;
	cost.labels = memray_labels(m, memray_allocator(m, row->allocator));
	for (int i = 0; i < 2; i++) {
		uint32_t metric[] = {metrics->count[kinds[i]], metrics->bytes[kinds[i]]};

		for (int j = 0; j < 2; j++) {
			cost.metric = metric[j];
			cost.self = row->value[i][j] < INT64_MAX ? (int64_t)row->value[i][j]
								 : INT64_MAX;
			if (cost.self)
				pk_build_cost_of(m->b, &cost);
		}
	}
	return 0;
}

int memray_sums_finish(struct memray *m)
{
	struct pk_heap_metrics metrics;

	pk_heap_metrics(m->b, 1U << PK_HEAP_PEAK | 1U << PK_HEAP_LEAKED, &metrics);
	for (size_t i = 0; i < m->sums->rows; i++) {
		if (push_row(m, &m->sums->row[i], &metrics))
			return -1;
	}
	return 0;
}
