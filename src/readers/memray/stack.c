/* Threads, their stacks, and what is allocated in them, for memray.c. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/memray/internal.h"

#define PUSHED 131072

void memray_switch(struct memray *m, uint64_t id)
{
	uint32_t row = pk_id_map_get(&m->thread_of, (int64_t)id);
	struct memray_thread *t;

	if (row) {
		m->now = &m->thread[row - 1];
		return;
	}
	PK_GROW(m->thread, m->threads + 1, m->thread_alloc);
	t = m->now = &m->thread[m->threads++];
	*t = (struct memray_thread){.is_main = id == m->header.main_thread};
	t->row = pk_build_thread(
		m->b, &(struct pk_thread){.process = m->process,
					  .tid = (int64_t)id,
					  .sort = PK_NULL,
					  .role = t->is_main ? PK_ROLE_MAIN : PK_ROLE_UNKNOWN});
	PK_GROW(t->frame, 1, t->alloc);
	t->frame[0] = (struct memray_frame){0};
	pk_id_map_put(&m->thread_of, (int64_t)id, (uint32_t)m->threads);
}

void memray_name_thread(struct memray *m, const char *name, size_t len)
{
	if (len)
		pk_build_thread_name(m->b, m->now->row, pk_build_string(m->b, name, len));
}

static uint32_t node_of(struct memray *m, uint32_t parent, uint64_t code, uint64_t offset)
{
	struct memray_pushed *p;

	if ((code | offset) >> 31)
		return pk_build_node(m->b, parent, memray_code_place(m, code, offset));
	if (!m->pushed)
		m->pushed = pk_calloc(PUSHED, sizeof(*m->pushed));
	p = &m->pushed[(parent * 4 + ((code * 5 + offset / 2) & 3)) & (PUSHED - 1)];
	if (!p->node || p->parent != parent || p->code != code || p->offset != offset)
		*p = (struct memray_pushed){
			parent, (uint32_t)code, (uint32_t)offset,
			pk_build_node(m->b, parent, memray_code_place(m, code, offset))};
	return p->node;
}

static bool is_below(const char *file, const char *folder)
{
	size_t len = folder ? strlen(folder) : 0;

	return len && !strncmp(file, folder, len) && file[len] == '/';
}

static bool is_of_python(const struct pk_profile *p, const char *file)
{
	return pk_starts_with(file, "<frozen ") ||
	       (is_below(file, pk_meta_find(p, "python library")) &&
		!strstr(file, "/site-packages/") && !strstr(file, "/dist-packages/"));
}

/* memray stats looks for modules in these frames, too. */
static void leave_out(struct memray *m, uint64_t code)
{
	const struct pk_profile *p = pk_builder_profile(m->b);
	uint32_t row = pk_id_map_get(&m->code_of, (int64_t)code);
	uint32_t file = row ? p->function.file[m->code[row - 1].function] : 0;

	if (!is_of_python(p, pk_text(p, file)))
		m->left_out = strstr(pk_text(p, file), "/memray/") ? 0 : file;
}

void memray_say_left_out(const struct memray *m)
{
	if (m->left_out)
		pk_build_meta(m->b, "program above the main thread",
			      pk_text(pk_builder_profile(m->b), m->left_out));
}

int memray_push(struct memray *m, uint32_t location, uint64_t code, uint64_t offset)
{
	struct memray_thread *t = m->now;
	uint32_t parent = t->frame[t->depth].node, node;

	if (t->is_main && t->depth < m->header.skipped) {
		node = 0;
		leave_out(m, code);
	} else if (location)
		node = pk_build_node(m->b, parent, location);
	else
		node = node_of(m, parent, code, offset);
	PK_GROW(t->frame, t->depth + 2, t->alloc);
	t->frame[++t->depth] = (struct memray_frame){.node = node};
	return 1;
}

static int settle_first(struct memray *m)
{
	const struct memray_waiting *w = &m->waiting[m->first_waiting];

	m->first_waiting = (m->first_waiting + 1) % MEMRAY_WAITING;
	m->waiting_count--;
	if (!w->path)
		m->unknown_frees += !pk_heap_remove(m->heap, w->thread, w->address);
	else if (!pk_heap_add(m->heap, w->path, w->address, w->size))
		return pk_build_repair(m->b, m->err,
				       "block at the address of another, which counts as freed",
				       "byte %" PRIu64, w->place);
	return 0;
}

int memray_settle(struct memray *m)
{
	while (m->waiting_count)
		if (settle_first(m))
			return -1;
	return 0;
}

int memray_pop(struct memray *m, size_t count)
{
	if (count > m->now->depth) {
		m->now->depth = 0;
		if (memray_settle(m) || /* the repairs of those that wait come first */
		    pk_build_repair(m->b, m->err, "more frames popped than were pushed",
				    "byte %" PRIu64, m->place))
			return -1;
		return 1;
	}
	m->now->depth -= count;
	return 1;
}

uint32_t memray_no_stack(struct memray *m)
{
	static const char name[] = "<stack trace unavailable>";

	if (!m->no_stack)
		m->no_stack = pk_build_node(m->b, 0, pk_build_label(m->b, name, sizeof(name) - 1));
	return m->no_stack;
}

uint32_t memray_labels(struct memray *m, unsigned allocator)
{
	static const char *const names[ALLOCATORS] = {[PYMALLOC_MALLOC] = "pymalloc_malloc",
						      [PYMALLOC_CALLOC] = "pymalloc_calloc",
						      [PYMALLOC_REALLOC] = "pymalloc_realloc",
						      [MALLOC] = "malloc",
						      [REALLOC] = "realloc",
						      [CALLOC] = "calloc",
						      [POSIX_MEMALIGN] = "posix_memalign",
						      [ALIGNED_ALLOC] = "aligned_alloc",
						      [MEMALIGN] = "memalign",
						      [VALLOC] = "valloc",
						      [PVALLOC] = "pvalloc",
						      [MMAP] = "mmap"};
	struct pk_label label = {.number = PK_NULL};

	if (!m->labels[allocator] && names[allocator]) {
		label.key = pk_build_text(m->b, "allocator");
		label.text = pk_build_text(m->b, names[allocator]);
		m->labels[allocator] = pk_build_label_set(m->b, &label, 1);
	}
	return m->labels[allocator];
}

static uint32_t path_of(struct memray *m, unsigned allocator, uint64_t native)
{
	struct memray_frame *f = &m->now->frame[m->now->depth];
	uint32_t node, path;

	if (!native && f->path && f->allocator == allocator)
		return f->path;
	node = native ? memray_node(m, f->node, native, memray_generation(m)) : f->node;
	path = pk_heap_path(m->heap, m->now->row, node ? node : memray_no_stack(m),
			    memray_labels(m, allocator));
	if (!native) {
		f->path = path;
		f->allocator = allocator;
	}
	return path;
}

static int wait_for(struct memray *m, const struct memray_allocation *a, uint32_t path)
{
	unsigned last = (m->first_waiting + m->waiting_count) % MEMRAY_WAITING;

	pk_heap_prefetch(m->heap, a->address);
	m->waiting[last] =
		(struct memray_waiting){a->address, a->size, m->place, path, m->now->row};
	if (++m->waiting_count < MEMRAY_WAITING)
		return 1;
	return settle_first(m) ? -1 : 1;
}

static int change_range(struct memray *m, const struct memray_allocation *a)
{
	if (memray_settle(m))
		return -1;
	if (a->allocator == MUNMAP)
		m->unknown_frees += !pk_heap_unmap(m->heap, m->now->row, a->address, a->size);
	else if (!pk_heap_map(m->heap, path_of(m, MMAP, a->native), a->address, a->size) &&
		 pk_build_repair(m->b, m->err,
				 "range mapped over another, which counts as unmapped",
				 "byte %" PRIu64, m->place))
		return -1;
	return 1;
}

int memray_allocate(struct memray *m, const struct memray_allocation *a)
{
	if (a->size >> 56)
		return pk_fail(m->err, PK_EFORMAT,
			       "byte %" PRIu64 ": allocation of %" PRIu64
			       " bytes, more than there can be; the file is damaged here",
			       m->place, a->size);
	if (a->allocator == MMAP || a->allocator == MUNMAP)
		return change_range(m, a);
	if (memray_frees_block(a->allocator))
		return wait_for(m, a, 0);
	return wait_for(m, a, path_of(m, a->allocator, a->native));
}

int memray_memory(struct memray *m, int64_t ms, uint64_t rss, uint64_t live)
{
	int64_t time = pk_mul_saturated(ms, 1000000);

	m->last_time = time > m->last_time ? time : m->last_time;
	if (m->from != PK_NULL && time >= m->from) {
		pk_heap_begin(m->heap);
		m->from = PK_NULL;
	}
	if (m->at != PK_NULL && time >= m->at)
		pk_heap_end(m->heap);
	if (m->heap)
		pk_heap_set_time(m->heap, time);
	pk_build_counter(m->b, time, m->process, m->counter, m->rss, (double)rss);
	pk_build_counter(m->b, time, m->process, m->counter, m->live, (double)live);
	return 1;
}
