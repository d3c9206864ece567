/* What a slice remembers of a file by its text: names, processes, threads, flows. */
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "tools/chrome_slice_internal.h"

uint32_t pk_slice_text(struct pk_slicer *sl, enum pk_slice_kind kind, const char *bytes, size_t len)
{
	uint32_t tag =
		pk_index_tag(pk_hash_bytes(bytes, len) + (uint64_t)kind * 0x9E3779B97F4A7C15U);
	struct pk_index *x = &sl->texts;
	uint32_t i, id;
	char *copy;

	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask) {
		const struct pk_slice_text *t = &sl->text[id];

		if (x->slot[i].tag == tag && t->len == len + 1 && t->bytes[0] == (char)kind &&
		    !memcmp(t->bytes + 1, bytes, len))
			return id;
	}
	PK_GROW(sl->text, (size_t)sl->text_count + 2, sl->text_alloc);
	id = ++sl->text_count;
	copy = pk_arena_alloc(&sl->arena, len + 2);
	copy[0] = (char)kind;
	memcpy(copy + 1, bytes, len);
	copy[len + 1] = '\0';
	sl->text[id] = (struct pk_slice_text){.bytes = copy,
					      .len = len + 1,
					      .last = INT64_MIN,
					      .kept = !sl->s->process && !sl->s->thread};
	pk_index_put(x, i, tag, id);
	return id;
}

/* Numbers in quotes are those numbers. */
static struct pk_json_slice number_of(struct pk_json_slice value)
{
	struct pk_json_slice s = pk_json_slice_unquoted(value);
	int64_t number;

	if (!value.len)
		return (struct pk_json_slice){"0", 1};
	return pk_json_slice_int(value, &number) ? s : value;
}

uint32_t pk_slice_process(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	struct pk_json_slice pid = number_of(e->pid);

	return pk_slice_text(sl, PK_SLICE_PROCESS, pid.text, pid.len);
}

/* Key of a thread: "PID TID"; of what belongs to no thread: its category. */
uint32_t pk_slice_thread(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	struct pk_json_slice pid = number_of(e->pid), tid = number_of(e->tid);
	char small[200];
	struct pk_buf buf = PK_BUF_INIT;
	uint32_t id;

	if (pid.len + tid.len + 1 <= sizeof(small)) {
		memcpy(small, pid.text, pid.len);
		small[pid.len] = ' ';
		memcpy(small + pid.len + 1, tid.text, tid.len);
		id = pk_slice_text(sl, PK_SLICE_THREAD, small, pid.len + tid.len + 1);
	} else {
		pk_buf_addf(&buf, "%.*s %.*s", (int)pid.len, pid.text, (int)tid.len, tid.text);
		id = pk_slice_text(sl, PK_SLICE_THREAD, buf.data, buf.len);
		pk_buf_release(&buf);
	}
	if (!sl->text[id].process) {
		uint32_t process = pk_slice_process(sl, e);

		sl->text[id].process = process;
	}
	return id;
}

static bool is_async(char phase)
{
	return phase && strchr("bneSTpF", phase);
}

/* Asynchronous spans: those of the same category and id are told apart by nothing else. */
static uint32_t async_of(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	struct pk_buf key = PK_BUF_INIT, label = PK_BUF_INIT;
	struct pk_json_slice category = pk_json_slice_unquoted(e->category);
	uint32_t id, name;

	pk_buf_addf(&key, "%.*s %.*s %.*s", (int)category.len, category.text, (int)e->id.len,
		    e->id.text, (int)e->scope.len, e->scope.text);
	pk_buf_addf(&label, "async: %.*s", (int)category.len, category.text);
	id = pk_slice_text(sl, PK_SLICE_ASYNC, key.data, key.len);
	name = pk_slice_text(sl, PK_SLICE_LABEL, label.data, label.len);
	sl->text[id].name = name;
	if (!sl->text[id].process) {
		uint32_t process = pk_slice_process(sl, e);

		sl->text[id].process = process;
	}
	pk_buf_release(&label);
	pk_buf_release(&key);
	return id;
}

uint32_t pk_slice_place(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	return is_async(e->phase) ? async_of(sl, e) : pk_slice_thread(sl, e);
}

uint32_t pk_slice_flow(struct pk_slicer *sl, const struct pk_trace_event *e)
{
	uint64_t id_hash = pk_hash_bytes(e->id.text, e->id.len);
	uint64_t kind = pk_hash_bytes(e->category.text, e->category.len) ^
			pk_hash_u64(pk_hash_bytes(e->name.text, e->name.len));
	uint64_t key = pk_hash_mix(id_hash ^ 0x9E3779B97F4A7C15U, kind | 1);
	struct pk_index *x = &sl->flows;
	uint32_t tag = pk_index_tag(key), i, id;

	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && sl->flow[id].key == key)
			return id;
	PK_GROW(sl->flow, (size_t)sl->flow_count + 2, sl->flow_alloc);
	id = ++sl->flow_count;
	sl->flow[id] = (struct pk_slice_flow){key, PK_NULL, PK_NULL, 0, 0};
	pk_index_put(x, i, tag, id);
	return id;
}
