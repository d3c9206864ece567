/*
 * Snapshots of the memory of torch's devices: torch.cuda.memory._dump_snapshot, what is dumped when
 * memory runs out, and pickles of torch.cuda.memory_snapshot(). snapshot.c and entry.c read the
 * pickle, account.c and state.c make a profile of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/torch_memory/internal.h"

struct params {
	const char *at, *between;
	bool all_frames;
};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "at", 0, offsetof(struct params, at), "TIME",
	 .help = "leaked counts what is live at this time, instead of at the end"},
	{PK_OPT_TEXT, "between", 0, offsetof(struct params, between), "A..B",
	 .help = "leaked counts what was allocated after A and is live at B"},
	{PK_OPT_FLAG, "all-frames", 0, offsetof(struct params, all_frames),
	 .help = "Keep the frames of torch's recording and of Python's interpreter, which are the "
		 "same in "
		 "all call paths"},
	PK_OPT_LAST,
};

/* Frames */

uint32_t torch_string(struct torch *t, const struct pk_pickle *p, const struct pk_pickle_value *v)
{
	size_t len;
	const char *text = v ? pk_pickle_text(p, v, &len) : NULL;

	if (!text)
		return 0;
	PK_GROW_ZERO(t->known, (size_t)v->id + 1, t->knowns);
	if (!t->known[v->id].string)
		t->known[v->id].string = pk_build_string(t->b, text, len);
	return t->known[v->id].string;
}

enum role { AS_NAME, AS_FILE };

/* Names and files of frames that torch's memory_viz leaves out, too, and of the allocator, in which
 * all allocations end. */
static bool is_noise(const char *text, enum role role)
{
	static const char *const names[] = {"unwind::unwind",
					    "CapturedTraceback::gather",
					    "gather_with_cpp",
					    "__libc_start_main",
					    "PyEval_",
					    "PyObject_",
					    "PyFunction_",
					    "CUDACachingAllocator",
					    NULL};
	static const char *const files[] = {"core/boxing",
					    "/Register",
					    "/Redispatch",
					    "pythonrun.c",
					    "Modules/main.c",
					    "Objects/call.c",
					    "Objects/methodobject.c",
					    "pycore_ceval.h",
					    "ceval.c",
					    "cpython/abstract.h",
					    NULL};

	return role == AS_NAME ? !strcmp(text, "_start") || pk_has_any(text, names)
			       : pk_has_any(text, files);
}

static bool is_known_noise(struct torch *t, const struct pk_pickle_value *v, const char *text,
			   enum role role)
{
	struct torch_text *known;

	PK_GROW_ZERO(t->known, (size_t)v->id + 1, t->knowns);
	known = &t->known[v->id];
	if (!known->seen_as[role])
		known->noise_as[role] = is_noise(text, role);
	known->seen_as[role] = true;
	return known->noise_as[role];
}

/* Snapshots made of a torch profile have both in one text: "linear.py(116): forward". */
static size_t split_place(const char *name, size_t len, int64_t *line, size_t *file_len)
{
	enum { LONGEST = 4096 };

	for (size_t i = 1; i < len && len <= LONGEST; i++) {
		size_t digits = name[i - 1] == '(' ? strspn(name + i, "0123456789") : 0;

		if (!digits || digits > 9 || strncmp(name + i + digits, "): ", 3) != 0)
			continue;
		*line = atoll(name + i);
		*file_len = i - 1;
		return i + digits + 3;
	}
	return 0;
}

uint32_t torch_frame(struct torch *t, const struct pk_pickle *p,
		     const struct pk_pickle_value *name_value,
		     const struct pk_pickle_value *file_value, int64_t line)
{
	struct pk_function function = {.kind = PK_KIND_NATIVE};
	size_t len, file_len, begin = 0;
	const char *name = pk_pickle_text(p, name_value, &len);
	const char *file = pk_pickle_text(p, file_value, &file_len);

	if (!name || (!t->all_frames && (is_known_noise(t, name_value, name, AS_NAME) ||
					 (file && is_known_noise(t, file_value, file, AS_FILE)))))
		return 0;
	if (file && (!strcmp(file, "??") || !strcmp(file, "none")))
		file = NULL;
	if (!file && (begin = split_place(name, len, &line, &file_len))) {
		function.name = pk_build_string(t->b, name + begin, len - begin);
		function.file = pk_build_string(t->b, name, file_len);
	} else {
		function.name = torch_string(t, p, name_value);
		function.file = file ? torch_string(t, p, file_value) : 0;
	}
	if (begin ||
	    (file && ((file_len > 3 && !memcmp(file + file_len - 3, ".py", 3)) || *file == '<')))
		function.kind = PK_KIND_PYTHON;
	return pk_build_place(t->b, pk_build_function(t->b, &function),
			      line > 0 && line < UINT32_MAX ? (uint32_t)line : 0);
}

static void release(struct torch *t)
{
	free(t->event);
	free(t->block);
	free(t->segment);
	free(t->annotation);
	free(t->list);
	free(t->trace);
	free(t->stream);
	pk_index_release(&t->stream_index);
	free(t->category);
	free(t->history);
	free(t->field);
	free(t->known);
	free(t->device);
	pk_index_release(&t->stacks);
	free(t->stack);
	free(t->frame);
	pk_buf_release(&t->text);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	const struct params *o = params;
	struct torch t = {.b = b, .err = err, .all_frames = o->all_frames};
	int result;

	pk_build_run_text(b, PK_RUN_PRODUCER, "torch");
	result = pk_heap_read_moments(b, o->at, o->between, &t.from, &t.at, err);
	if (!result)
		result = torch_read_snapshot(&t, in);
	if (!result)
		result = torch_account(&t);
	release(&t);
	return result ? -1 : pk_input_check(in, err);
}

/* A dict or list that names the keys of segments. */
static enum pk_score probe(const struct pk_probe *probe)
{
	if (!probe->len || !memchr("\x80(}]", probe->data[0], 4))
		return PK_NO;
	if (pk_probe_has(probe, "device_traces") &&
	    (pk_probe_has(probe, "segments") || pk_probe_has(probe, "action")))
		return PK_SURE;
	return pk_probe_has(probe, "segment_type") && pk_probe_has(probe, "total_size") ? PK_SURE
											: PK_NO;
}

static const char *const suffixes[] = {".pickle", ".pkl", NULL};

const struct pk_reader pk_reader_torch_memory = {
	.name = "torch-memory",
	.title = "memory of torch's devices: snapshots of torch.cuda.memory",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_METRICS | PK_PART_META | PK_PART_THREADS |
		 PK_PART_ORDER | PK_PART_SPANS | PK_PART_MARKS | PK_PART_ARGS | PK_PART_LABELS,
	.probe = probe,
	.read = read,
};
