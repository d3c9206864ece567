/*
 * Spans that belong to no thread: b and e (n is an instant between), and the older S, T or p,
 * and F. An id tells them apart, and they nest within one id. When all events are read, each
 * becomes a span on a thread "async: CATEGORY" of its process, with as many lanes as needed
 * for ids to be side by side.
 *
 *	{"ph": "b", "id": "0x1", "pid": 7, "ts": 10, "cat": "load", "name": "page"}
 *	{"ph": "e", "id": "0x1", "pid": 7, "ts": 90, "cat": "load", "name": "page"}
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/build/id_map.h"
#include "model/events/lanes.h"
#include "readers/chrome/internal.h"

/* One event. A begin whose end was found is a span: `end` is set. */
struct pk_chrome_async {
	uint64_t key; /* a hash of process, id, and what else distinguishes ids; later their
			 number */
	int64_t time, end;
	uint32_t process; /* index in c->processes */
	uint32_t label, args, order;
	char phase;
	bool root; /* not within another span of its id */
};

/* The open events of one id. */
struct matching {
	struct pk_chrome *c;
	struct pk_chrome_async **stack;
	size_t depth, alloc;
	uint32_t *open; /* by name: number of open events */
	int64_t unmatched, misnested, unfinished, again;
};

uint64_t pk_chrome_async_key(const struct pk_chrome *c, const struct pk_chrome_event *e)
{
	bool old = strchr("STpF", e->phase) != NULL;
	uint64_t key = pk_hash_u64(e->id.hash ^ (old ? e->name : e->category));

	if (!e->id.global)
		key = pk_hash_u64(key ^ c->threads[e->thread].process);
	return pk_hash_u64(key ^ (uint64_t)e->scope << 32) ^ old;
}

/* The name of a step is an argument. */
static uint32_t step_name(struct pk_chrome *c)
{
	struct pk_json_slice args = {c->args.data, c->args.len};
	struct pk_json_slice name = pk_json_slice_member(args, "step");

	return name.len ? pk_chrome_slice_string(c, name) : pk_build_text(c->b, "step");
}

int pk_chrome_store_async(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct pk_chrome_async *a;
	uint64_t key = pk_chrome_async_key(c, e);

	if (!e->id.hash)
		return pk_chrome_repair(c, "asynchronous event without an id left out");
	if (e->phase == 'T' || e->phase == 'p')
		e->name = step_name(c);
	PK_GROW(c->asyncs, (size_t)c->async_count + 1, c->async_alloc);
	a = &c->asyncs[c->async_count++];
	*a = (struct pk_chrome_async){.key = key, .time = e->time, .end = PK_NULL};
	a->process = c->threads[e->thread].process;
	a->label = pk_chrome_label(c, e);
	a->order = c->async_count;
	a->phase = e->phase;
	if (c->args.len > 2 && pk_builder_wants(c->b, PK_PART_ARGS))
		a->args = pk_build_string(c->b, c->args.data, c->args.len);
	else
		c->args_unread |= e->args_there;
	return 0;
}

/* Numbers ids in the order of their first event, so that results do not depend on hashes. */
static void number_keys(struct pk_chrome *c)
{
	struct pk_id_map keys = {0};
	uint32_t i;

	for (i = 0; i < c->async_count; i++)
		c->asyncs[i].key = pk_id_map_number(&keys, (int64_t)c->asyncs[i].key);
	pk_id_map_release(&keys);
}

PK_COMPARE(by_key, struct pk_chrome_async,
	   PK_ORDER(a->key, b->key) ?: PK_ORDER(a->time, b->time) ?: PK_ORDER(a->order, b->order))

static uint32_t name_of(const struct matching *m, const struct pk_chrome_async *a)
{
	return m->c->labels[a->label].name;
}

static void open_span(struct matching *m, struct pk_chrome_async *a)
{
	PK_GROW(m->stack, m->depth + 1, m->alloc);
	a->root = !m->depth;
	m->stack[m->depth++] = a;
	m->open[name_of(m, a)]++;
}

static void close_span(struct matching *m, int64_t time)
{
	struct pk_chrome_async *a = m->stack[--m->depth];

	a->end = time;
	m->open[name_of(m, a)]--;
}

static void end_nestable(struct matching *m, const struct pk_chrome_async *a)
{
	uint32_t name = name_of(m, a);
	size_t i = m->depth;

	if (!i || (name && !m->open[name])) {
		m->unmatched++;
		return;
	}
	while (name && name_of(m, m->stack[i - 1]) != name)
		i--;
	m->misnested += (int64_t)(m->depth - i);
	if (a->args)
		m->stack[i - 1]->args = pk_chrome_join_args(m->c, m->stack[i - 1]->args, a->args);
	while (m->depth >= i)
		close_span(m, a->time);
}

/* T: a step lasts until the next one, or the end. */
static void step_into(struct matching *m, struct pk_chrome_async *a)
{
	if (!m->depth) {
		m->unmatched++;
		return;
	}
	if (m->depth > 1)
		close_span(m, a->time);
	open_span(m, a);
}

/* p: a step began where the one before it ended. */
static void step_past(struct matching *m, struct pk_chrome_async *a, int64_t *from)
{
	if (!m->depth) {
		m->unmatched++;
		return;
	}
	a->end = a->time;
	a->time = *from;
	*from = a->end;
}

static void see(struct matching *m, struct pk_chrome_async *a, int64_t *from)
{
	switch (a->phase) {
	case 'b':
		open_span(m, a);
		break;
	case 'e':
		end_nestable(m, a);
		break;
	case 'S':
		if (m->depth) {
			m->again++;
			break;
		}
		*from = a->time;
		open_span(m, a);
		break;
	case 'T':
		step_into(m, a);
		break;
	case 'p':
		step_past(m, a, from);
		break;
	default: /* F */
		m->unmatched += !m->depth;
		while (m->depth)
			close_span(m, a->time);
	}
}

static void match_all(struct matching *m)
{
	struct pk_chrome *c = m->c;
	uint32_t i = 0, first;

	while (i < c->async_count) {
		int64_t from = 0, last = 0;

		for (first = i; i < c->async_count && c->asyncs[i].key == c->asyncs[first].key;
		     i++) {
			last = c->asyncs[i].time;
			see(m, &c->asyncs[i], &from);
		}
		m->unfinished += (int64_t)m->depth;
		while (m->depth)
			close_span(m, last);
	}
}

static uint32_t category_of(const struct pk_chrome *c, const struct pk_chrome_async *a)
{
	return c->labels[a->label].category;
}

/* By process and category, then by time. */
static int by_lane(const void *x, const void *y, void *data)
{
	const struct pk_chrome *c = data;
	const struct pk_chrome_async *a = &c->asyncs[*(const uint32_t *)x];
	const struct pk_chrome_async *b = &c->asyncs[*(const uint32_t *)y];
	uint32_t left = category_of(c, a), right = category_of(c, b);
	int order = PK_ORDER(a->process, b->process);

	order = order ? order : PK_ORDER(left, right);
	order = order ? order : PK_ORDER(a->time, b->time);
	return order ? order : PK_ORDER(a->order, b->order);
}

uint32_t pk_chrome_async_thread(struct pk_chrome *c, uint32_t process, uint32_t category,
				uint32_t lane)
{
	struct pk_thread thread = {.tid = PK_NULL, .incarnation = lane, .sort = PK_NULL};
	const char *text = pk_text(pk_builder_profile(c->b), category);

	c->text.len = 0;
	pk_buf_adds(&c->text, *text ? "async: " : "async");
	pk_buf_adds(&c->text, text);
	thread.process = pk_chrome_process_id(c, process);
	thread.name = pk_build_string(c->b, c->text.data, c->text.len);
	return pk_build_thread(c->b, &thread);
}

static void add_span(struct pk_chrome *c, const struct pk_chrome_async *a, uint32_t thread)
{
	uint32_t row;

	if (a->end == PK_NULL)
		return;
	row = pk_build_span(c->b, a->time, a->end - a->time, thread, a->label, category_of(c, a));
	if (a->args)
		pk_build_arg(c->b, PK_TABLE_SPAN, row, 0, a->args);
}

/* Adds a root span and the spans within it. */
static void add_tree(struct pk_chrome *c, uint32_t root, uint32_t thread)
{
	uint32_t i = root;

	do
		add_span(c, &c->asyncs[i++], thread);
	while (i < c->async_count && !c->asyncs[i].root && c->asyncs[i].key == c->asyncs[root].key);
}

static void lay_out(struct pk_chrome *c)
{
	uint32_t *roots = pk_malloc(pk_mul(c->async_count, sizeof(*roots))), count = 0, i;
	const struct pk_chrome_async *before = NULL;
	struct pk_lanes lanes = {0};

	for (i = 0; i < c->async_count; i++)
		if (c->asyncs[i].root)
			roots[count++] = i;
	qsort_r(roots, count, sizeof(*roots), by_lane, c);
	for (i = 0; i < count; i++) {
		const struct pk_chrome_async *a = &c->asyncs[roots[i]];
		/* a span of no duration must not enclose spans that begin at its time */
		int64_t end = a->end > a->time ? a->end : a->time + 1;

		if (!before || before->process != a->process ||
		    category_of(c, before) != category_of(c, a))
			pk_lanes_clear(&lanes);
		before = a;
		add_tree(c, roots[i],
			 pk_chrome_async_thread(c, a->process, category_of(c, a),
						pk_lanes_take(&lanes, a->time, end)));
	}
	pk_lanes_release(&lanes);
	free(roots);
}

int pk_chrome_finish_async(struct pk_chrome *c)
{
	struct matching m = {.c = c};

	if (!c->async_count)
		return 0;
	number_keys(c);
	qsort(c->asyncs, c->async_count, sizeof(*c->asyncs), by_key);
	m.open = pk_calloc(pk_builder_profile(c->b)->string.count, sizeof(*m.open));
	match_all(&m);
	lay_out(c);
	free(m.stack);
	free(m.open);
	if (pk_chrome_say(c, "asynchronous event without a begin left out", m.unmatched) ||
	    pk_chrome_say(c, "asynchronous span ended by the end of one around it", m.misnested) ||
	    pk_chrome_say(c, "asynchronous span without an end: ended with its id", m.unfinished) ||
	    pk_chrome_say(c, "second begin of an asynchronous span left out", m.again))
		return -1;
	return 0;
}
