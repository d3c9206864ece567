/*
 * Trace events of torch.profiler (PyTorch; the library that writes them is Kineto, and its
 * output_json.cpp the definition of the format):
 *
 *	{"schemaVersion": 1, "deviceProperties": [], "record_shapes": 1,
 *	 "baseTimeNanoseconds": 1790857026000000000, "traceEvents": [
 *	  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 92.820,
 *	   "dur": 2.5, "args": {"External id": 1, "Input Dims": [[8, 16], [16, 4]]}},
 *	  {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 95.1, "dur": 9.004,
 *	   "args": {"device": 0, "stream": 7, "correlation": 3}}], "traceName": "trace.json"}
 *
 * - The category says what an event is (model/events/activity.h). What ran on a device is on
 *   threads that are its streams, in processes that are devices.
 * - Times are whole us until torch 2.2, ns since; from 2.4 on they count from baseTimeNanoseconds.
 * - On threads of the host spans overlap (annotations begin within the Python function that opens
 *   them and end within another): who encloses whom is told as torch does, pk_nest's ENCLOSING.
 * - The span of the whole recording (category Trace) is no work: it becomes an instant, and the
 *   window of the run.
 * - [memory] instants also become counters of what is allocated and reserved.
 * - The version of torch is not in the file: torch_version.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/members.h"
#include "model/events/activity.h"
#include "readers/chrome/dialects/torch.h"

enum { ON_HOST = 1, ON_DEVICE = 2 };

struct torch {
	uint8_t *activity; /* by string of a category: enum pk_activity + 1; 0 = not classified
			      yet */
	uint8_t *place;    /* by index of a thread */
	uint32_t activity_alloc, place_alloc;
	bool is_old;       /* categories are those of torch up to 1.9 */
	int64_t window[2]; /* begin and length of the recording, as in the file; length 0 =
			      unknown */
};

static const char *text_of(struct pk_chrome *c, uint32_t string)
{
	return pk_text(pk_builder_profile(c->b), string);
}

/* A byte per id, zero at first. */
static uint8_t *byte_at(uint8_t **bytes, uint32_t *alloc, uint32_t id)
{
	PK_GROW_ZERO(*bytes, (size_t)id + 1, *alloc);
	return *bytes + id;
}

static enum pk_activity activity_of(struct pk_chrome *c, uint32_t category)
{
	struct torch *t = c->state;
	uint8_t *known = byte_at(&t->activity, &t->activity_alloc, category);

	if (!*known) {
		*known = (uint8_t)(pk_activity_of(text_of(c, category)) + 1);
		t->is_old |= !strcmp(text_of(c, category), "Operator");
	}
	return *known - 1;
}

static bool read_key(struct pk_chrome *c)
{
	uint32_t host;

	if (!pk_json_is(&c->json, "host_name"))
		return false;
	if (pk_json_next(&c->json) == PK_JSON_STRING) {
		host = pk_chrome_string(c);
		pk_build_meta(c->b, "host_name", text_of(c, host));
		pk_build_run_text(c->b, PK_RUN_HOST, text_of(c, host));
	}
	pk_json_rest(&c->json);
	return true;
}

/* Old files name a stream in the tid: "stream 7" for some events, 7 for others. */
static void find_stream(struct pk_chrome *c, struct pk_chrome_event *e)
{
	const char *tid = text_of(c, e->tid.text);
	int64_t stream;

	if (strncmp(tid, "stream ", 7) != 0 || !pk_chrome_whole(tid + 7, strlen(tid + 7), &stream))
		return;
	e->tid = (struct pk_chrome_number){stream, 0};
	e->thread = pk_chrome_thread(c, c->threads[e->thread].process, e->tid);
	if (!c->threads[e->thread].name)
		c->threads[e->thread].name = pk_build_text(c->b, tid);
}

/* Most arguments are those of operators and Python functions, which many commands do not need. */
static void leave_args_out(struct pk_chrome *c, enum pk_activity activity)
{
	if ((activity != PK_ACT_OP && activity != PK_ACT_PYTHON) ||
	    pk_builder_wants(c->b, PK_PART_HOST_ARGS))
		return;
	c->args_unread |= c->args.len > 2;
	c->args.len = 0;
}

static bool see_event(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct torch *t = c->state;
	enum pk_activity activity;

	if (e->tid.text)
		find_stream(c, e);
	if (e->phase != 'X')
		return true;
	activity = activity_of(c, e->category);
	if (activity == PK_ACT_TRACE) {
		e->phase = 'i';
		if (e->time != PK_NULL && e->duration > 0) {
			t->window[0] = e->time;
			t->window[1] = e->duration;
		}
		return true;
	}
	*byte_at(&t->place, &t->place_alloc, e->thread) |=
		pk_activity_is_device(activity) ? ON_DEVICE : ON_HOST;
	leave_args_out(c, activity);
	return true;
}

static void count_memory(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_json_slice args = {c->args.data, c->args.len};
	int64_t type = -1, id = 0, allocated = PK_NULL, reserved = PK_NULL;
	uint32_t process = c->processes[c->threads[e->thread].process].id, name;
	char text[40] = "CPU memory";

	pk_json_slice_int(pk_json_slice_member(args, "Device Type"), &type);
	pk_json_slice_int(pk_json_slice_member(args, "Device Id"), &id);
	pk_json_slice_int(pk_json_slice_member(args, "Total Allocated"), &allocated);
	pk_json_slice_int(pk_json_slice_member(args, "Total Reserved"), &reserved);
	if (type)
		snprintf(text, sizeof(text), "GPU %" PRId64 " memory", id);
	name = pk_build_text(c->b, text);
	if (type >= 0 && allocated != PK_NULL)
		pk_build_counter(c->b, e->time, process, name, pk_build_text(c->b, "allocated"),
				 (double)allocated);
	if (type > 0 && reserved != PK_NULL)
		pk_build_counter(c->b, e->time, process, name, pk_build_text(c->b, "reserved"),
				 (double)reserved);
}

static void see_stored(struct pk_chrome *c, const struct pk_chrome_event *e, enum pk_table_id table,
		       uint32_t row)
{
	(void)row;
	if (table == PK_TABLE_INSTANT && !strcmp(text_of(c, e->name), "[memory]"))
		count_memory(c, e);
}

/* "rank" of "distributedInfo"; PK_NULL if there is none. */
static int64_t find_rank(struct pk_chrome *c)
{
	const char *info = pk_meta_find(pk_builder_profile(c->b), "distributedInfo");
	struct pk_json_slice object = {info, info ? strlen(info) : 0};
	int64_t rank = PK_NULL;

	pk_json_slice_int(pk_json_slice_member(object, "rank"), &rank);
	return rank;
}

/* A process that is a device is named after it: "GPU 0". */
static void name_device(struct pk_chrome *c, struct pk_chrome_process *p)
{
	char name[40];

	if (!p->labels && p->pid.number != PK_NULL) {
		snprintf(name, sizeof(name), "GPU %" PRId64, p->pid.number);
		p->labels = pk_build_text(c->b, name);
	}
	p->name = p->labels;
}

/* Functions of Python threads without a number are recorded in the process of the first GPU. */
static bool is_called_gpu(struct pk_chrome *c, const struct pk_chrome_process *p)
{
	return p->labels && pk_starts_with(text_of(c, p->labels), "GPU ");
}

static void name_stream(struct pk_chrome *c, struct pk_chrome_thread *thread)
{
	const char *name = text_of(c, thread->name);
	size_t len = strlen(name);

	while (len && name[len - 1] == ' ')
		len--;
	if (len)
		thread->name = pk_build_string(c->b, name, len);
}

/* The profiler's own time (CUPTI's buffers, loading of modules) is in a process "-1" without a
 * name. */
static void name_overhead(struct pk_chrome *c, struct pk_chrome_thread *thread)
{
	struct pk_chrome_process *process = &c->processes[thread->process];

	if (!process->name)
		process->name = pk_build_text(c->b, "profiler overhead");
	if (!thread->name)
		thread->name = process->name;
}

static void see_threads(struct pk_chrome *c)
{
	struct torch *t = c->state;
	bool is_rank = find_rank(c) != PK_NULL;
	PK_FREED uint8_t *processes = pk_calloc(c->process_count, 1);
	uint32_t i;

	for (i = 1; i < c->thread_count; i++) {
		struct pk_chrome_thread *thread = &c->threads[i];
		int64_t pid = c->processes[thread->process].pid.number;
		uint8_t place = *byte_at(&t->place, &t->place_alloc, i);

		processes[thread->process] |= place;
		if (place == ON_DEVICE) {
			thread->role = PK_ROLE_GPU;
			name_stream(c, thread);
			continue;
		}
		thread->nest.rule = PK_NEST_ENCLOSING;
		if (pid != PK_NULL && pid > 0 && thread->tid.number == pid)
			thread->role = is_rank ? PK_ROLE_RANK : PK_ROLE_MAIN;
		if (pid == -1)
			name_overhead(c, thread);
	}
	for (i = 1; i < c->process_count; i++)
		if (processes[i] == ON_DEVICE ||
		    (processes[i] & ON_DEVICE && is_called_gpu(c, &c->processes[i])))
			name_device(c, &c->processes[i]);
}

/* "torch/nn/modules/linear.py(116): forward", "<built-in method mul>", "nn.Module: Linear_0" */
static void make_python_function(struct pk_chrome *c, struct pk_function *function)
{
	const char *name = text_of(c, function->name), *open = name, *digits;
	size_t len = strlen(name), count;

	function->kind = PK_KIND_PYTHON;
	if (!strncmp(name, "<built-in ", 10)) {
		function->kind = PK_KIND_BUILTIN;
		return;
	}
	while ((open = strchr(open, '('))) {
		digits = ++open;
		count = strspn(digits, "0123456789");
		if (!count || count > 9 || strncmp(digits + count, "): ", 3) != 0)
			continue;
		function->line = (uint32_t)strtoul(digits, NULL, 10);
		function->file = pk_build_string(c->b, name, (size_t)(open - 1 - name));
		name = text_of(c, function->name) + (digits + count + 3 - name);
		function->name = pk_build_string(c->b, name,
						 len - (size_t)(name - text_of(c, function->name)));
		return;
	}
}

static void make_function(struct pk_chrome *c, const struct pk_chrome_label *label,
			  struct pk_function *function)
{
	enum pk_activity activity = activity_of(c, label->category);

	if (activity == PK_ACT_PYTHON)
		make_python_function(c, function);
	else if (pk_activity_is_device(activity))
		function->kind = PK_KIND_GPU;
	else if (activity == PK_ACT_OP || activity == PK_ACT_RUNTIME)
		function->kind = PK_KIND_NATIVE;
	else if (activity == PK_ACT_OVERHEAD)
		function->kind = PK_KIND_RUNTIME;
}

static int finish(struct pk_chrome *c)
{
	static const int64_t year_2001 = 978307200000000000;
	struct torch *t = c->state;
	int64_t rank = find_rank(c);
	char text[60];

	if (c->absolute == PK_NULL &&
	    c->base > year_2001) /* smaller values are a clock without a date */
		pk_build_set(c->b, run, start, 1, c->base);
	if (rank != PK_NULL) {
		snprintf(text, sizeof(text), "%" PRId64, rank);
		pk_build_derived(c->b, "rank", text);
		pk_build_set(c->b, run, rank, 1, rank);
	}
	if (t->window[1]) {
		int64_t begin = t->window[0] - c->base;

		snprintf(text, sizeof(text), "%" PRId64 "ns..%" PRId64 "ns", begin,
			 begin + t->window[1]);
		pk_build_derived(c->b, "trace_window", text);
		pk_build_set(c->b, run, window, 1, begin);
		pk_build_set(c->b, run, window_duration, 1, t->window[1]);
	}
	return torch_tell_version(c, t->is_old);
}

static void release(struct pk_chrome *c)
{
	struct torch *t = c->state;

	free(t->activity);
	free(t->place);
}

static const char *const processes[] = {TORCH_LEGACY, NULL};
static const char *const keys[] = {"schemaVersion", "deviceProperties", NULL};
static const char *const categories[] = {
	"cpu_op", "python_function", "cuda_runtime", "kernel", "gpu_memcpy", "Operator", NULL};

const struct pk_chrome_dialect pk_chrome_torch = {
	.signs = {[PK_CHROME_KEY] = keys,
		  [PK_CHROME_CATEGORY] = categories,
		  [PK_CHROME_PROCESS] = processes},
	.arguments = "i",
	.state_size = sizeof(struct torch),
	.key = read_key,
	.event = see_event,
	.stored = see_stored,
	.threads = see_threads,
	.function = make_function,
	.finish = finish,
	.release = release,
};
