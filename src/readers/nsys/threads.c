/*
 * Threads and streams. A globalTid packs host, process and thread; a globalPid has thread 0.
 *
 *	globalTid = 1 << 48 | pid << 24 | tid
 *
 *	ThreadNames(nameId, priority, globalTid)       4, 20, 281476838981743
 *	PROCESSES(globalPid, pid, name)                281476838981632, 111, "python3"
 *
 * A device is a process of its own, "GPU 0", and its streams are the threads of that, as in the
 * traces of torch. Streams of several processes or contexts may have one number on one device.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/nsys/internal.h"

enum { TID_BITS = 24, PID_BITS = 24, ID_MASK = 0xffffff };

static int64_t process_key(int64_t global)
{
	return global == PK_NULL ? PK_NULL : (int64_t)((uint64_t)global >> TID_BITS);
}

int nsys_read_names(struct nsys *n)
{
	static const char *const thread_columns[] = {"globalTid", "nameId"};
	static const char *const process_columns[] = {"globalPid", "name"};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, "ThreadNames", thread_columns, 2);

	/* Texts of threads that have no events are not made: the row in StringIds is enough. */
	while (status > 0 && nsys_next(&rows)) {
		int64_t name = nsys_int(&rows, 1);

		if (name != PK_NULL)
			pk_id_map_put(&n->thread_names, nsys_int(&rows, 0),
				      pk_id_map_get(&n->text_rows, name));
	}
	if (status < 0 || (status && nsys_close(&rows)))
		return -1;
	status = nsys_open(n, &rows, "PROCESSES", process_columns, 2);
	while (status > 0 && nsys_next(&rows)) {
		size_t len;
		const char *text = nsys_take_text(&rows, 1, &len);

		if (text)
			pk_id_map_put(&n->process_names, process_key(nsys_int(&rows, 0)),
				      nsys_add_text(n, text, len));
	}
	return status < 0 ? -1 : status ? nsys_close(&rows) : 0;
}

uint32_t nsys_process_number(struct nsys *n, int64_t global)
{
	struct nsys_last *last = &n->last_process;

	if (global == PK_NULL)
		return 1;
	if (!last->row || last->key != process_key(global))
		*last = (struct nsys_last){
			process_key(global),
			pk_id_map_number(&n->process_numbers, process_key(global))};
	return last->row;
}

static uint32_t name_of(struct nsys *n, const struct pk_id_map *names, int64_t id)
{
	return id == PK_NULL ? 0 : nsys_text_at(n, pk_id_map_get(names, id));
}

/* The processes of two hosts, or a device and a process, may have one number: the second one gets
 * no number. */
static bool take_pid(struct nsys *n, int64_t pid)
{
	if (pid == PK_NULL || pk_id_map_get(&n->pids, pid))
		return false;
	pk_id_map_put(&n->pids, pid, 1);
	return true;
}

static uint32_t make_host_process(struct nsys *n, int64_t key)
{
	int64_t pid = key & ID_MASK, host = key >> PID_BITS;
	uint32_t name = name_of(n, &n->process_names, key);
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (take_pid(n, pid))
		return pk_build_process(n->b, pid, name, PK_NULL);
	pk_buf_addf(&text, "%s (pid %" PRId64 ", host %" PRId64 ")",
		    name ? pk_text(pk_builder_profile(n->b), name) : "process", pid, host);
	return pk_build_process(n->b, PK_NULL, pk_build_string(n->b, text.data, text.len), PK_NULL);
}

static uint32_t host_process(struct nsys *n, int64_t global)
{
	int64_t key = process_key(global);
	uint32_t id;

	if (key == PK_NULL)
		return pk_build_process(n->b, PK_NULL, pk_build_text(n->b, "(unknown process)"),
					PK_NULL);
	id = pk_id_map_get(&n->processes, key);
	if (!id) {
		id = make_host_process(n, key);
		pk_id_map_put(&n->processes, key, id);
	}
	return id;
}

static uint32_t find_thread(struct nsys *n, int64_t global)
{
	uint32_t id = pk_id_map_get(&n->threads, global == PK_NULL ? -1 : global);
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};

	if (id)
		return id;
	if (global != PK_NULL)
		thread.tid = global & ID_MASK;
	if (thread.tid == (process_key(global) & ID_MASK))
		thread.role = PK_ROLE_MAIN;
	thread.process = host_process(n, global);
	thread.name = name_of(n, &n->thread_names, global);
	id = pk_build_thread(n->b, &thread);
	pk_id_map_put(&n->threads, global == PK_NULL ? -1 : global, id);
	return id;
}

uint32_t nsys_thread(struct nsys *n, int64_t global)
{
	struct nsys_last *last = &n->last_thread;

	if (!last->row || last->key != global)
		*last = (struct nsys_last){global, find_thread(n, global)};
	return last->row;
}

uint32_t nsys_ranges_thread(struct nsys *n, int64_t global, const char *name)
{
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};

	thread.process = host_process(n, global);
	thread.name = pk_build_text(n->b, name);
	return pk_build_thread(n->b, &thread);
}

static uint32_t device_process(struct nsys *n, int64_t device)
{
	uint32_t name, id = pk_id_map_get(&n->devices, device);
	char text[40];

	if (id)
		return id;
	snprintf(text, sizeof(text), device == PK_NULL ? "GPU" : "GPU %" PRId64, device);
	name = pk_build_text(n->b, text);
	id = pk_build_process(n->b, take_pid(n, device) ? device : PK_NULL, name, PK_NULL);
	pk_id_map_put(&n->devices, device, id);
	pk_build_set(n->b, process, labels, id, name);
	return id;
}

static int64_t hash_of(int64_t a, int64_t b, int64_t c)
{
	uint64_t h = pk_hash_u64((uint64_t)a);

	h = pk_hash_u64(h ^ (uint64_t)b);
	return (int64_t)pk_hash_u64(h ^ (uint64_t)c);
}

static uint32_t make_stream(struct nsys *n, const struct nsys_stream *s)
{
	int64_t place = hash_of(s->device, s->stream, 0);
	uint32_t others = pk_id_map_get(&n->places, place), id;
	struct pk_thread thread = {.sort = PK_NULL, .role = PK_ROLE_GPU, .tid = s->stream};
	char text[120];

	snprintf(text, sizeof(text), s->stream == PK_NULL ? "stream" : "stream %" PRId64,
		 s->stream);
	if (others) {
		size_t len = strlen(text);

		snprintf(text + len, sizeof(text) - len,
			 " (process %" PRId64 ", context %" PRId64 ")",
			 process_key(s->process) & ID_MASK, s->context == PK_NULL ? 0 : s->context);
		thread.tid = s->stream == PK_NULL || s->stream > ID_MASK || s->stream < 0
				     ? PK_NULL
				     : s->stream + ((int64_t)others << TID_BITS);
	}
	pk_id_map_put(&n->places, place, others + 1);
	thread.process = device_process(n, s->device);
	thread.name = pk_build_text(n->b, text);
	id = pk_build_thread(n->b, &thread);
	PK_GROW_ZERO(n->on_gpu, (size_t)id + 1, n->on_gpu_alloc);
	n->on_gpu[id] = true;
	return id;
}

uint32_t nsys_stream(struct nsys *n, const struct nsys_stream *s)
{
	int64_t key;
	uint32_t id;

	if (n->last_stream_id && !memcmp(s, &n->last_stream, sizeof(*s)))
		return n->last_stream_id;
	key = hash_of(hash_of(s->process, s->device, s->context), s->stream, 1);
	id = pk_id_map_get(&n->streams, key);
	if (!id) {
		id = make_stream(n, s);
		pk_id_map_put(&n->streams, key, id);
	}
	n->last_stream = *s;
	n->last_stream_id = id;
	return id;
}

bool nsys_is_gpu(const struct nsys *n, uint32_t thread)
{
	return thread < n->on_gpu_alloc && n->on_gpu[thread];
}
