/*
 * Samples of austin's binary file, for mojo.c: keys are looked up, and frames become call paths.
 *
 *	FRAME 1: file 77, function 78, line 12      key 1 stands for "a.py:main:12"
 *	STACK; FRAME_REF 1; METRIC_TIME 1000        a sample of that
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "readers/austin/austin.h"

#define NO_PROCESS PK_NULL
#define ANY_PROCESS (PK_NULL + 1)

/* The slot of a key, or where it would be put. */
static uint32_t find_slot(const struct pk_mojo_keys *k, int64_t pid, uint64_t key, uint32_t *tag)
{
	const struct pk_index *x = &k->index;
	uint32_t i;

	*tag = pk_index_tag(pk_hash_pair(key, (uint64_t)pid));
	for (i = *tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct pk_mojo_definition *d = &k->item[x->slot[i].id - 1];

		if (x->slot[i].tag == *tag && d->key == key && d->pid == pid)
			break;
	}
	return i;
}

static void put(struct pk_mojo_keys *k, const struct pk_mojo_definition *d)
{
	uint32_t tag, i;

	pk_index_reserve(&k->index);
	i = find_slot(k, d->pid, d->key, &tag);
	if (k->index.slot[i].id) {
		k->item[k->index.slot[i].id - 1] = *d;
		return;
	}
	PK_GROW(k->item, k->count + 1, k->alloc);
	k->item[k->count++] = *d;
	pk_index_put(&k->index, i, tag, (uint32_t)k->count);
}

static void define(struct pk_mojo *f, struct pk_mojo_keys *k, struct pk_mojo_definition d)
{
	d.pid = f->pid;
	put(k, &d);
	d.pid = ANY_PROCESS;
	put(k, &d);
}

static const struct pk_mojo_definition *find(const struct pk_mojo *f, const struct pk_mojo_keys *k,
					     uint64_t key)
{
	const int64_t where[] = {f->pid, NO_PROCESS, ANY_PROCESS};
	uint32_t tag, id;

	for (size_t i = 0; k->count && i < sizeof(where) / sizeof(*where); i++) {
		id = k->index.slot[find_slot(k, where[i], key, &tag)].id;
		if (id)
			return &k->item[id - 1];
	}
	return NULL;
}

void pk_mojo_define_string(struct pk_mojo *f, uint64_t key, const char *text, size_t len)
{
	struct pk_mojo_definition d = {.key = key, .text = pk_build_string(f->a.b, text, len)};

	define(f, &f->strings, d);
}

static void add_text(struct pk_mojo *f, struct pk_buf *buf, uint64_t key)
{
	const struct pk_mojo_definition *d = find(f, &f->strings, key);
	const struct pk_profile *p = pk_builder_profile(f->a.b);

	if (key == 1 && !d)
		pk_buf_adds(buf, "<unknown>");
	else if (d)
		pk_buf_add(buf, pk_text(p, d->text), p->string.len[d->text]);
}

/* True for native code, whose frames at the end of a stack are not kept when the stack is
 * repeated. */
static bool is_native(const char *file, size_t len)
{
	return !(len > 2 && !memcmp(file + len - 3, ".py", 3)) &&
	       !(len > 1 && file[0] == '<' && file[len - 1] == '>');
}

int pk_mojo_define_frame(struct pk_mojo *f, uint64_t key, uint64_t file, uint64_t function,
			 int64_t line)
{
	struct pk_mojo_definition d = {.key = key};
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_function made = {0};
	uint32_t executed = 0;

	pk_buf_add(&text, "", 0);
	add_text(f, &text, file);
	d.native = is_native(text.data, text.len);
	pk_buf_addc(&text, ':');
	add_text(f, &text, function);
	pk_buf_addf(&text, ":%" PRId64, line);
	f->expanded += text.len;
	if (f->expanded > 256 * f->a.place + (1 << 20))
		return pk_fail(f->a.err, PK_EFORMAT,
			       "byte %" PRIu64 ": long names are repeated in too many frames",
			       f->a.place);
	pk_austin_frame(f->a.b, text.data, text.len, &made, &executed);
	d.location = pk_build_place(f->a.b, pk_build_function(f->a.b, &made), executed);
	define(f, &f->frames, d);
	return 0;
}

static void push(struct pk_mojo *f, uint32_t location, bool native)
{
	if (!f->open || f->in_task)
		return;
	f->node = pk_build_node(f->a.b, f->node, location);
	if (!native)
		f->python = f->node;
}

void pk_mojo_push_text(struct pk_mojo *f, const char *text, size_t len)
{
	struct pk_function function = {0};
	uint32_t line = 0;

	pk_austin_frame(f->a.b, text, len, &function, &line);
	push(f, pk_build_place(f->a.b, pk_build_function(f->a.b, &function), line), true);
}

void pk_mojo_push_key(struct pk_mojo *f, uint64_t key)
{
	const struct pk_mojo_definition *d = find(f, &f->frames, key);

	if (d)
		push(f, d->location, d->native);
	else
		pk_mojo_push_text(f, "<unknown>", strlen("<unknown>"));
}

int pk_mojo_end(struct pk_mojo *f)
{
	struct pk_austin_sample s = {.count = 1};

	if (!f->open)
		return 0;
	f->open = f->in_task = false;
	if (f->thread >= f->bases) {
		uint32_t more = f->thread + 64;

		f->base = pk_realloc(f->base, pk_mul(more, sizeof(*f->base)));
		memset(f->base + f->bases, 0, (more - f->bases) * sizeof(*f->base));
		f->bases = more;
	}
	f->base[f->thread] = f->python;
	if (!f->has_time && !f->has_memory)
		return 0;
	if (f->a.full || (f->has_time && f->has_memory)) {
		s.count = 3;
		s.value[0] = f->time;
		s.value[1] = f->idle;
		s.value[2] = f->memory;
	} else {
		s.value[0] = f->has_time ? f->time : f->memory;
	}
	return pk_austin_add(&f->a, f->thread, &s, f->node ? f->node : pk_austin_no_frames(&f->a));
}

static bool is_hex(const char *text, size_t len, int64_t *n)
{
	uint64_t value = 0;

	if (!len || len > 16 || strspn(text, "0123456789abcdefABCDEF") != len)
		return false;
	value = strtoull(text, NULL, 16);
	*n = (int64_t)value;
	return *n != PK_NULL;
}

int pk_mojo_begin(struct pk_mojo *f, int64_t pid, const char *name, size_t len)
{
	struct pk_austin_owner owner = {.pid = pid, .tid = PK_NULL, .name = name, .name_len = len};

	if (pk_mojo_end(f))
		return -1;
	is_hex(name, len, &owner.tid);
	f->pid = pid;
	f->thread = pk_austin_thread(&f->a, &owner);
	f->open = true;
	f->idle = f->has_time = f->has_memory = false;
	f->node = f->python = 0;
	f->time = f->memory = 0;
	return 0;
}

void pk_mojo_repeat(struct pk_mojo *f)
{
	if (f->open && f->thread < f->bases)
		f->node = f->python = f->base[f->thread];
}

void pk_mojo_time(struct pk_mojo *f, int64_t time)
{
	if (f->in_task) {
		f->in_task = false;
		return;
	}
	f->time = time;
	f->has_time = true;
}

void pk_mojo_release(struct pk_mojo *f)
{
	free(f->strings.item);
	free(f->frames.item);
	free(f->base);
	pk_index_release(&f->strings.index);
	pk_index_release(&f->frames.index);
	pk_austin_release(&f->a);
}
