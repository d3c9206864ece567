/*
 * Live memory by source line, as tracemalloc of Python 3.4 and later dumps it (Snapshot.dump): a
 * pickle (base/pickle/pickle.h) of two objects around a list of blocks.
 *
 *	Snapshot(traceback_limit=25, traces=_Traces(_traces=[
 *		(0, 128, (("/app/cache.py", 12), ("/app/cache.py", 17)), 2), ...]))
 *
 *	(domain, size, frames, number of frames)    3.9 and later
 *	(domain, size, frames)                      3.6 to 3.8
 *	(size, frames)                              before
 *
 * - A frame is a file and a line, the most recent first; there are no names of functions. Each
 *   place is a function "cache.py:12", so that tables by function are those of
 *   statistics("lineno").
 * - At most traceback_limit frames are recorded; the oldest ones are missing.
 * - Domain 0 is Python's memory; blocks of others (numpy has its own) have the label "domain".
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/pickle/pickle.h"
#include "base/text/str.h"
#include "readers/heap/heap.h"
#include "readers/reader.h"

enum { SNAPSHOT, TRACES };
static const struct pk_pickle_class classes[] = {
	{"tracemalloc", "Snapshot"},
	{"tracemalloc", "_Traces"},
	{NULL, NULL},
};

/* The kinds of values that replace tuples; ids are those of locations and nodes. */
enum { BLOCK, FRAME, STACK };

struct tracemalloc {
	struct pk_builder *b;
	struct pk_heap_metrics metrics;
	uint32_t domain;   /* string */
	int64_t read, cut; /* numbers of blocks, and of blocks whose oldest frames are missing */
	uint32_t *depth;   /* number of frames, by node */
	size_t depths;
	struct pk_buf text;
};

static uint32_t add_frame(struct tracemalloc *t, const char *file, size_t len, uint32_t line)
{
	struct pk_function function = {.kind = PK_KIND_PYTHON, .line = line};

	function.file = pk_build_string(t->b, file, len);
	t->text.len = 0;
	pk_buf_addf(&t->text, "%s:%u", pk_basename(file), line);
	function.name = pk_build_string(t->b, t->text.data, t->text.len);
	return pk_build_place(t->b, pk_build_function(t->b, &function), line);
}

static int read_frame(struct tracemalloc *t, struct pk_pickle *p, struct pk_pickle_value *v,
		      const struct pk_pickle_value *item)
{
	size_t len;
	const char *file = pk_pickle_text(p, &item[0], &len);

	if (item[1].integer < 0 || item[1].integer > UINT32_MAX)
		return pk_pickle_fail(p, "line %lld of a file", (long long)item[1].integer);
	*v = pk_pickle_own(FRAME, add_frame(t, file, len, (uint32_t)item[1].integer));
	return 0;
}

static void read_stack(struct tracemalloc *t, struct pk_pickle_value *v,
		       const struct pk_pickle_value *item, uint32_t count)
{
	uint32_t node = 0;

	for (uint32_t i = count; i--;)
		node = pk_build_node(t->b, node, item[i].id);
	PK_GROW_ZERO(t->depth, (size_t)node + 1, t->depths);
	t->depth[node] = count;
	*v = pk_pickle_own(STACK, node);
}

static int read_block(struct tracemalloc *t, struct pk_pickle *p, struct pk_pickle_value *v,
		      const struct pk_pickle_value *item, uint32_t count)
{
	const struct pk_pickle_value *size = &item[count > 2];
	struct pk_cost cost = {.node = size[1].id, .self = size->integer, .calls = PK_NULL};
	struct pk_label label = {.key = t->domain, .number = item[0].integer};

	if (size->integer < 0)
		return pk_pickle_fail(p, "a block of %lld bytes", (long long)size->integer);
	if (count > 2 && item[0].integer)
		cost.labels = pk_build_label_set(t->b, &label, 1);
	cost.metric = t->metrics.bytes[PK_HEAP_LEAKED];
	pk_build_cost_of(t->b, &cost);
	cost.metric = t->metrics.count[PK_HEAP_LEAKED];
	cost.self = 1;
	pk_build_cost_of(t->b, &cost);
	t->read++;
	t->cut +=
		count > 3 && item[3].type == PK_PICKLE_INT && item[3].integer > t->depth[cost.node];
	*v = pk_pickle_nothing();
	return 0;
}

static bool is_own(const struct pk_pickle_value *v, unsigned kind)
{
	return v->type == PK_PICKLE_OWN && v->kind == kind;
}

/* The items of a tuple tell what it is. */
static int finish(void *data, struct pk_pickle *p, struct pk_pickle_value *v)
{
	struct tracemalloc *t = data;
	uint32_t count, frames = 0;
	const struct pk_pickle_value *item = pk_pickle_items(p, v, &count);

	if (v->type != PK_PICKLE_TUPLE || !count)
		return 0;
	if (count == 2 && item[0].type == PK_PICKLE_TEXT && item[1].type == PK_PICKLE_INT)
		return read_frame(t, p, v, item);
	if (count >= 2 && count <= 4 && item[0].type == PK_PICKLE_INT &&
	    is_own(&item[count == 2 ? 1 : 2], STACK) &&
	    (count == 2 || item[1].type == PK_PICKLE_INT))
		return read_block(t, p, v, item, count);
	while (frames < count && is_own(&item[frames], FRAME))
		frames++;
	if (frames == count)
		read_stack(t, v, item, count);
	return 0;
}

static int check_shape(struct tracemalloc *t, struct pk_pickle *p,
		       const struct pk_pickle_value *snapshot)
{
	const struct pk_pickle_value *limit, *traces, *list = NULL;
	uint32_t count = 0;

	traces = pk_pickle_find(p, snapshot, "traces");
	if (snapshot->type == PK_PICKLE_RECORD && snapshot->kind == SNAPSHOT && traces &&
	    traces->type == PK_PICKLE_RECORD && traces->kind == TRACES)
		list = pk_pickle_find(p, traces, "_traces");
	if (list)
		pk_pickle_items(p, list, &count);
	if (!list || (list->type != PK_PICKLE_LIST && list->type != PK_PICKLE_TUPLE) ||
	    (list->type == PK_PICKLE_LIST ? (int64_t)pk_pickle_nothings(p, list) + count : count) !=
		    t->read)
		return pk_pickle_fail(p, "not a snapshot of tracemalloc: expected Snapshot with a "
					 "list of blocks in its _Traces");
	limit = pk_pickle_find(p, snapshot, "traceback_limit");
	if (limit && limit->type == PK_PICKLE_INT) {
		t->text.len = 0;
		pk_buf_addf(&t->text, "%lld", (long long)limit->integer);
		pk_build_meta(t->b, "traceback_limit", t->text.data);
	}
	if (!t->cut)
		return 0;
	t->text.len = 0;
	pk_buf_addf(&t->text, "%lld of %lld blocks", (long long)t->cut, (long long)t->read);
	pk_build_meta(t->b, "older_frames_not_recorded", t->text.data);
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct tracemalloc t = {.b = b, .domain = pk_build_text(b, "domain")};
	struct pk_pickle_value snapshot;
	struct pk_pickle p;
	size_t more;
	int result;

	(void)params;
	pk_heap_metrics(b, 1U << PK_HEAP_LEAKED, &t.metrics);
	pk_build_run_text(b, PK_RUN_PRODUCER, "tracemalloc");
	pk_pickle_init(&p, in, err);
	p.classes = classes;
	p.finish = finish;
	p.data = &t;
	result = pk_pickle_read(&p, &snapshot) || check_shape(&t, &p, &snapshot) ? -1 : 0;
	pk_input_peek(in, 1, &more);
	if (!result && more)
		result = pk_build_repair(b, err, "what follows the snapshot ignored", "byte %llu",
					 (unsigned long long)pk_input_offset(in));
	pk_pickle_release(&p);
	free(t.depth);
	pk_buf_release(&t.text);
	return result ? -1 : pk_input_check(in, err);
}

/* The name of the module is the first text. */
static enum pk_score probe(const struct pk_probe *probe)
{
	struct pk_probe begin = {probe->data, probe->len < 64 ? probe->len : 64, false};

	if (!begin.len || !memchr("\x80(c", begin.data[0], 3))
		return PK_NO;
	return pk_probe_has(&begin, "tracemalloc") && pk_probe_has(&begin, "Snapshot") ? PK_MAGIC
										       : PK_NO;
}

static const char *const suffixes[] = {".pickle", ".pkl", ".tracemalloc", ".snapshot", NULL};

const struct pk_reader pk_reader_tracemalloc = {
	.name = "tracemalloc",
	.title = "live memory by source line of Python's tracemalloc",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_METRICS | PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read,
};
