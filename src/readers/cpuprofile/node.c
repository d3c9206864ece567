/*
 * Nodes of V8's CPU profiles, as they are in the file: a list of them that tells the children of
 * each, or its parent; or, before Chrome 58, nodes within each other.
 *
 *	{"id": 2, "callFrame": {...}, "hitCount": 3, "children": [3, 4],
 *	 "positionTicks": [{"line": 5, "ticks": 2}, {"line": 7, "ticks": 1}]}
 *	{"functionName": "f", "url": "a.js", "lineNumber": 3, "id": 2, "hitCount": 3,
 *	 "bailoutReason": "", "children": [{...}]}
 */
#include <string.h>

#include "base/alloc.h"
#include "readers/cpuprofile/internal.h"
#include "readers/v8/nested.h"

/* Converts numbers of lines and nodes; `other` stands for a value that is no such number. */
static uint32_t small(const struct pk_json *j, uint32_t other)
{
	int64_t value = pk_v8_whole(j, -1);

	return value >= 0 && value < CPU_NO_ID ? (uint32_t)value : other;
}

static int64_t next_whole(struct cpuprofile *c, int64_t other)
{
	int64_t value;

	pk_json_next(&c->json);
	value = pk_v8_whole(&c->json, other);
	pk_json_rest(&c->json);
	return value;
}

static void add_child(struct cpuprofile *c, struct cpu_node *n, uint32_t id)
{
	PK_GROW(c->child, c->children + 1, c->child_alloc);
	c->child[c->children++] = id;
	n->children++;
}

static int read_children(struct cpuprofile *c, struct cpu_node *n)
{
	struct pk_json *j = &c->json;

	n->child = (uint32_t)c->children;
	n->children = 0; /* the last list counts */
	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	pk_json_list(j, &c->list);
	for (size_t i = 0; i < c->list.count; i++)
		add_child(c, n, c->list.value[i]);
	while (pk_json_next_item(j)) {
		uint32_t id = small(j, CPU_NO_ID);

		pk_json_rest(j);
		if (id != CPU_NO_ID)
			add_child(c, n, id);
		else if (cpu_repair(c, "child that is no number left out"))
			return -1;
	}
	return 0;
}

static void read_tick(struct cpuprofile *c, struct cpu_node *n)
{
	struct cpu_tick tick = {0, 0};
	struct pk_json *j = &c->json;

	while (pk_json_next_key(j))
		if (pk_json_is(j, "line")) {
			pk_json_next(j);
			tick.line = small(j, 0);
			pk_json_rest(j);
		} else if (pk_json_is(j, "ticks")) {
			tick.ticks = next_whole(c, 0);
		} else {
			pk_json_skip(j);
		}
	if (!tick.line || tick.line >= INT32_MAX || tick.ticks <= 0)
		return;
	PK_GROW(c->tick, c->ticks + 1, c->tick_alloc);
	c->tick[c->ticks++] = tick;
	n->ticks++;
}

static void read_ticks(struct cpuprofile *c, struct cpu_node *n)
{
	n->tick = (uint32_t)c->ticks;
	n->ticks = 0;
	if (!pk_json_enter(&c->json, PK_JSON_ARRAY))
		return;
	while (pk_json_next_of(&c->json, PK_JSON_OBJECT))
		read_tick(c, n);
}

/* Why the function was not optimised, or no longer. */
static void read_reason(struct cpuprofile *c, struct cpu_node *n, const char *key)
{
	struct pk_label label = {.number = PK_NULL};

	if (!pk_json_next_text(&c->json, &c->buf) || !c->buf.len ||
	    !strcmp(c->buf.data, "no reason"))
		return;
	label.key = pk_build_text(c->b, key);
	label.text = pk_build_string(c->b, c->buf.data, c->buf.len);
	n->labels = pk_build_label_set(c->b, &label, 1);
}

/* Reads the value of a key that both forms have; returns false for another key. */
static bool read_common(struct cpuprofile *c, struct cpu_node *n, int *ret)
{
	struct pk_json *j = &c->json;

	if (pk_json_is(j, "id")) {
		pk_json_next(j);
		n->id = small(j, CPU_NO_ID);
		pk_json_rest(j);
	} else if (pk_json_is(j, "hitCount")) {
		n->hits = next_whole(c, -1);
		if (n->hits < 0) {
			n->hits = 0;
			*ret = cpu_repair(c, "hitCount that is no number taken as 0");
		}
	} else if (pk_json_is(j, "positionTicks") || pk_json_is(j, "lineTicks")) {
		read_ticks(c, n);
	} else if (pk_json_is(j, "deoptReason")) {
		read_reason(c, n, "deoptReason");
	} else if (pk_json_is(j, "bailoutReason")) {
		read_reason(c, n, "bailoutReason");
	} else {
		return false;
	}
	return true;
}

static int keep_node(struct cpuprofile *c, const struct cpu_node *n)
{
	if (n->id == CPU_NO_ID)
		return cpu_repair(c, "node without an id left out");
	PK_GROW(c->node, c->nodes + 2, c->node_alloc);
	c->node[++c->nodes] = *n;
	return 0;
}

static int read_node(struct cpuprofile *c)
{
	struct cpu_node n = {.id = CPU_NO_ID, .parent_id = -1};
	struct pk_json *j = &c->json;
	bool framed = false;
	int ret = 0;

	while (!ret && pk_json_next_key(j))
		if (pk_json_is(j, "callFrame")) {
			n.location = pk_v8_read_frame(&c->frames, j);
			framed = true;
		} else if (pk_json_is(j, "children")) {
			ret = read_children(c, &n);
		} else if (pk_json_is(j, "parent")) {
			n.parent_id = next_whole(c, -1);
		} else if (!read_common(c, &n, &ret)) {
			pk_json_skip(j);
		}
	if (!ret && !framed && j->token == PK_JSON_OBJECT_END) {
		struct pk_v8_call call = {.line = -1, .column = -1};

		n.location = pk_v8_add_call(&c->frames, &call);
		ret = cpu_repair(c, "node without a callFrame taken as anonymous");
	}
	return ret ? ret : keep_node(c, &n);
}

int cpu_read_nodes(struct cpuprofile *c)
{
	struct pk_json *j = &c->json;
	int ret = 0;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (!ret && pk_json_next_item(j)) {
		if (j->token == PK_JSON_OBJECT) {
			ret = read_node(c);
		} else {
			pk_json_rest(j);
			ret = cpu_repair(c, "node that is no object left out");
		}
	}
	return ret;
}

/* A node of the old form that is not complete. */
struct cpu_open {
	struct pk_v8_call call;
	uint32_t index;
};

static uint32_t next_string(struct cpuprofile *c)
{
	if (!pk_json_next_text(&c->json, &c->buf) || !c->buf.len)
		return 0;
	return pk_build_string(c->b, c->buf.data, c->buf.len);
}

static void open_old(void *data, uint32_t depth)
{
	struct cpu_node n = {.id = CPU_NO_ID, .parent_id = -1};
	struct cpuprofile *c = data;

	PK_GROW(c->open, (size_t)depth + 1, c->open_alloc);
	PK_GROW(c->node, c->nodes + 2, c->node_alloc);
	n.parent = depth ? c->open[depth - 1].index : 0;
	c->node[++c->nodes] = n;
	c->open[depth] =
		(struct cpu_open){.call = {.line = -1, .column = -1}, .index = (uint32_t)c->nodes};
}

static int read_old(void *data, uint32_t depth)
{
	struct cpuprofile *c = data;
	struct cpu_open *o = &c->open[depth];
	struct pk_json *j = &c->json;
	int ret = 0;

	if (pk_json_is(j, "functionName"))
		o->call.name = next_string(c);
	else if (pk_json_is(j, "url"))
		o->call.file = next_string(c);
	else if (pk_json_is(j, "lineNumber"))
		o->call.line = next_whole(c, -1);
	else if (pk_json_is(j, "columnNumber"))
		o->call.column = next_whole(c, -1);
	else if (!read_common(c, &c->node[o->index], &ret))
		pk_json_skip(j);
	return ret;
}

static void close_old(void *data, uint32_t depth)
{
	struct cpuprofile *c = data;
	const struct cpu_open *o = &c->open[depth];

	c->node[o->index].location = pk_v8_add_call(&c->frames, &o->call);
}

int cpu_read_head(struct cpuprofile *c)
{
	static const struct pk_v8_nested reader = {open_old, read_old, close_old};

	c->is_old = true;
	return pk_v8_read_nested(&c->json, &reader, c);
}
