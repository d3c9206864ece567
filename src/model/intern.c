/*
 * Interning: equal strings, frames, processes, threads, metrics and call paths
 * get equal ids.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/builder_internal.h"

void pk_builder_intern_release(struct pk_builder *b)
{
	pk_index_release(&b->strings);
	pk_index_release(&b->frames);
	free(b->label_frame);
	free(b->node_slot);
	free(b->node_child);
}

uint32_t pk_build_string(struct pk_builder *b, const char *text, size_t len)
{
	struct pk_string_table *t = &b->p->string;
	struct pk_index *x = &b->strings;
	uint32_t tag, i, id;

	if (!text)
		return 0;
	if (len > UINT32_MAX - 1)
		pk_die("a text of %zu bytes", len);
	tag = pk_index_tag(pk_hash_bytes(text, len));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		id = x->slot[i].id;
		if (x->slot[i].tag == tag && t->len[id] == len && !memcmp(t->text[id], text, len))
			return id;
	}
	id = pk_builder_row(b, PK_TABLE_STRING);
	t->text[id] = pk_arena_copy(&b->p->text, text, len);
	t->len[id] = (uint32_t)len;
	pk_index_put(x, i, tag, id);
	return id;
}

uint32_t pk_build_text(struct pk_builder *b, const char *text)
{
	return text ? pk_build_string(b, text, strlen(text)) : 0;
}

static bool frame_is(const struct pk_profile *p, uint32_t id, const struct pk_frame *f)
{
	const struct pk_frame_table *t = &p->frame;

	return t->function[id] == f->function && t->file[id] == f->file && t->line[id] == f->line &&
	       t->module[id] == f->module && t->kind[id] == f->kind &&
	       pk_frame_address(p, id) == f->address;
}

static uint64_t frame_hash(const struct pk_frame *f)
{
	uint64_t h = pk_hash_u64((uint64_t)f->function << 32 | f->file);

	h = pk_hash_u64(h ^ ((uint64_t)f->module << 32 | f->line));
	return pk_hash_u64(h ^ f->address) + (uint64_t)f->kind;
}

uint32_t pk_build_frame(struct pk_builder *b, const struct pk_frame *frame)
{
	struct pk_frame_table *t = &b->p->frame;
	struct pk_index *x = &b->frames;
	uint32_t tag = pk_index_tag(frame_hash(frame)), i, id;

	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && frame_is(b->p, x->slot[i].id, frame))
			return x->slot[i].id;
	id = pk_builder_row(b, PK_TABLE_FRAME);
	t->function[id] = frame->function;
	t->module[id] = frame->module;
	t->file[id] = frame->file;
	t->line[id] = frame->line;
	t->kind[id] = (uint8_t)frame->kind;
	if (frame->address)
		pk_builder_column(b, PK_TABLE_FRAME, &t->address, sizeof(*t->address), NULL);
	if (t->address)
		t->address[id] = frame->address;
	pk_index_put(x, i, tag, id);
	return id;
}

uint32_t pk_build_label(struct pk_builder *b, const char *text, size_t len)
{
	uint32_t string = pk_build_string(b, text, len);
	struct pk_frame frame = {.function = string};

	if (string >= b->label_alloc) {
		uint32_t old = b->label_alloc;

		PK_GROW(b->label_frame, (size_t)string + 1, b->label_alloc);
		memset(b->label_frame + old, 0, (b->label_alloc - old) * sizeof(*b->label_frame));
	}
	if (!b->label_frame[string])
		b->label_frame[string] = pk_build_frame(b, &frame);
	return b->label_frame[string];
}

uint32_t pk_build_process(struct pk_builder *b, int64_t pid, uint32_t name, int64_t sort)
{
	struct pk_process_table *t = &b->p->process;
	uint32_t id;

	for (id = 1; id < t->count; id++)
		if (t->pid[id] == pid && (pid != PK_NULL || t->name[id] == name))
			return id;
	id = pk_builder_row(b, PK_TABLE_PROCESS);
	t->pid[id] = pid;
	t->name[id] = name;
	t->sort[id] = sort;
	return id;
}

uint32_t pk_build_thread(struct pk_builder *b, const struct pk_thread *thread)
{
	struct pk_thread_table *t = &b->p->thread;
	uint32_t id;

	for (id = t->count - 1; id > 0; id--)
		if (t->tid[id] == thread->tid && t->process[id] == thread->process &&
		    t->incarnation[id] == thread->incarnation && t->name[id] == thread->name)
			return id;
	id = pk_builder_row(b, PK_TABLE_THREAD);
	t->process[id] = thread->process;
	t->tid[id] = thread->tid;
	t->incarnation[id] = thread->incarnation;
	t->name[id] = thread->name;
	t->sort[id] = thread->sort;
	t->role[id] = (uint8_t)thread->role;
	return id;
}

void pk_build_thread_name(struct pk_builder *b, uint32_t thread, uint32_t name)
{
	b->p->thread.name[thread] = name;
}

void pk_build_process_name(struct pk_builder *b, uint32_t process, uint32_t name)
{
	b->p->process.name[process] = name;
}

uint32_t pk_build_metric(struct pk_builder *b, const char *name, const char *unit, int exponent,
			 enum pk_metric_kind kind, enum pk_exactness exactness)
{
	struct pk_metric_table *t = &b->p->metric;
	uint32_t name_id = pk_build_text(b, name), unit_id = pk_build_text(b, unit), id;

	for (id = 1; id < t->count; id++)
		if (t->name[id] == name_id && t->unit[id] == unit_id)
			return id;
	id = pk_builder_row(b, PK_TABLE_METRIC);
	t->name[id] = name_id;
	t->unit[id] = unit_id;
	t->exponent[id] = (uint8_t)exponent;
	t->kind[id] = (uint8_t)kind;
	t->exactness[id] = (uint8_t)exactness;
	return id;
}

void pk_build_metric_exactness(struct pk_builder *b, uint32_t metric, enum pk_exactness exactness)
{
	b->p->metric.exactness[metric] = (uint8_t)exactness;
}

static uint32_t node_hash(uint32_t parent, uint32_t frame, uint32_t line)
{
	uint64_t h = pk_hash_u64((uint64_t)parent << 32 | frame);

	return (uint32_t)((line ? pk_hash_u64(h ^ line) : h) >> 16);
}

static void grow_nodes(struct pk_builder *b)
{
	uint32_t size = b->node_slot ? (b->node_mask + 1) * 2 : 1024, node, i;
	const struct pk_node_table *t = &b->p->node;

	free(b->node_slot);
	b->node_slot = pk_calloc(size, sizeof(*b->node_slot));
	b->node_mask = size - 1;
	for (node = 1; node < t->count; node++) {
		i = node_hash(t->parent[node], t->frame[node], pk_node_line(b->p, node));
		for (i &= b->node_mask; b->node_slot[i]; i = (i + 1) & b->node_mask)
			;
		b->node_slot[i] = node;
	}
}

static uint32_t new_node(struct pk_builder *b, uint32_t parent, uint32_t frame, uint32_t line)
{
	struct pk_node_table *t = &b->p->node;
	uint32_t node = pk_builder_row(b, PK_TABLE_NODE);

	if (b->child_alloc < b->alloc[PK_TABLE_NODE]) {
		uint32_t old = b->child_alloc;

		b->child_alloc = b->alloc[PK_TABLE_NODE];
		b->node_child = pk_realloc(b->node_child, pk_mul(b->child_alloc, 4));
		memset(b->node_child + old, 0, (size_t)(b->child_alloc - old) * 4);
	}
	t->parent[node] = parent;
	t->frame[node] = frame;
	if (line)
		pk_builder_column(b, PK_TABLE_NODE, &t->line, sizeof(*t->line), NULL);
	if (t->line)
		t->line[node] = line;
	if (t->estimated)
		t->estimated[node] = 0;
	return node;
}

uint32_t pk_build_node(struct pk_builder *b, uint32_t parent, uint32_t frame, uint32_t line)
{
	const struct pk_node_table *t = &b->p->node;
	uint32_t node, i;

	/* Stacks that come one after the other mostly share the way to their leaf. */
	if (b->node_child) {
		node = b->node_child[parent];
		if (node && t->frame[node] == frame && pk_node_line(b->p, node) == line)
			return node;
	}
	if (!b->node_slot || (uint64_t)t->count * 4 >= (uint64_t)(b->node_mask + 1) * 3)
		grow_nodes(b);
	i = node_hash(parent, frame, line) & b->node_mask;
	for (; (node = b->node_slot[i]); i = (i + 1) & b->node_mask)
		if (t->parent[node] == parent && t->frame[node] == frame &&
		    pk_node_line(b->p, node) == line)
			break;
	if (!node) {
		node = new_node(b, parent, frame, line);
		b->node_slot[i] = node;
	}
	b->node_child[parent] = node;
	return node;
}

void pk_build_node_estimated(struct pk_builder *b, uint32_t node)
{
	struct pk_node_table *t = &b->p->node;

	pk_builder_column(b, PK_TABLE_NODE, &t->estimated, sizeof(*t->estimated), NULL);
	t->estimated[node] = 1;
}
