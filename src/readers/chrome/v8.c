/*
 * Profiles of V8 within a trace, as Chrome's developer tools record them: an event P "Profile"
 * that says when it began, and "ProfileChunk" events with more nodes, samples and times.
 *
 *	{"ph": "P", "name": "Profile", "id": "0x2", "pid": 7, "tid": 259, "ts": 10,
 *	 "args": {"data": {"startTime": 8}}}
 *	{"ph": "P", "name": "ProfileChunk", "id": "0x2", "pid": 7, "tid": 260, "ts": 20, "args":
 *	 {"data": {"cpuProfile": {"nodes": [{"id": 2, "parent": 1, "callFrame": {"functionName":
 *	  "f", "url": "a.js", "lineNumber": 0}}], "samples": [2, 2]}, "timeDeltas": [100, 110],
 *	  "lines": [1, 3]}}}
 *
 * Until 2018 there was one event I for a thread, with all of it as in a file .cpuprofile:
 *
 *	{"ph": "I", "name": "CpuProfile", "pid": 7, "tid": 259, "ts": 900, "args": {"data":
 *	 {"cpuProfile": {"nodes": [{"id": 1, "callFrame": {...}, "children": [2]}, ...],
 *	  "startTime": 8, "samples": [2, 2], "timeDeltas": [100, 110]}}}}
 *
 * - Samples are of the thread of "Profile". Times are us, each counted from the one before.
 * - "lineNumber" counts from 0, and is where a function begins; "lines", of samples, count from 1.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome/internal.h"
#include "readers/v8/frame.h"

struct pk_chrome_v8 {
	uint32_t thread, number;
	int64_t time, last; /* ns, of the last sample; the largest id of a node */
};

/* Larger ids are not written by V8. */
enum { ID_BITS = 27, MOST_NODES = 1 << 26 };

/* The profile with a number, which is new or known. */
static struct pk_chrome_v8 *find_profile(struct pk_chrome *c, const struct pk_chrome_event *e,
					 uint32_t number)
{
	if (number > c->v8_count) {
		PK_GROW(c->v8, (size_t)number, c->v8_alloc);
		c->v8[c->v8_count++] = (struct pk_chrome_v8){
			.thread = e->thread, .number = number, .time = e->time};
	}
	return &c->v8[number - 1];
}

static struct pk_chrome_v8 *profile_of(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	uint64_t key = pk_hash_u64(e->id.hash ^ c->threads[e->thread].process);

	return find_profile(c, e, pk_id_map_number(&c->v8_keys, (int64_t)key));
}

static void set_start(struct pk_chrome_v8 *v, struct pk_json_slice data)
{
	int64_t us;

	if (pk_json_slice_int(pk_json_slice_member(data, "startTime"), &us) &&
	    us < PK_CHROME_MAX_TIME / 1000 && us > -PK_CHROME_MAX_TIME / 1000)
		v->time = us * 1000;
}

static int64_t node_key(const struct pk_chrome_v8 *v, int64_t id)
{
	return (int64_t)v->number << ID_BITS | id;
}

/* 0: the root. */
static uint32_t make_frame(struct pk_chrome *c, struct pk_json_slice frame)
{
	struct pk_v8_call call = {.line = -1, .column = -1};
	struct pk_json_slice url = pk_json_slice_member(frame, "url");

	call.name = pk_chrome_slice_string(c, pk_json_slice_member(frame, "functionName"));
	if (url.len > 2)
		call.file = pk_chrome_slice_string(c, url);
	pk_json_slice_int(pk_json_slice_member(frame, "lineNumber"), &call.line);
	return pk_v8_is_root(c->b, call.name) ? 0 : pk_v8_place(c->b, &call);
}

/* The parents of nodes whose children are listed. */
static void note_children(struct pk_id_map *parents, struct pk_json_slice nodes)
{
	struct pk_json_members m = pk_json_members(nodes.text, nodes.len), children;
	struct pk_json_slice node, list, item;
	int64_t id, child;

	while (pk_json_item(&m, &node)) {
		list = pk_json_slice_member(node, "children");
		if (!list.len || !pk_json_slice_int(pk_json_slice_member(node, "id"), &id) ||
		    id <= 0 || id > MOST_NODES)
			continue;
		children = pk_json_members(list.text, list.len);
		while (pk_json_item(&children, &item))
			if (pk_json_slice_int(item, &child) && child > 0 && child <= MOST_NODES)
				pk_id_map_put(parents, child, (uint32_t)id);
	}
}

static void read_node(struct pk_chrome *c, struct pk_chrome_v8 *v, struct pk_json_slice text,
		      const struct pk_id_map *parents)
{
	int64_t id = 0, parent = 0;
	uint32_t frame, above = 0;

	pk_json_slice_int(pk_json_slice_member(text, "id"), &id);
	pk_json_slice_int(pk_json_slice_member(text, "parent"), &parent);
	if (id <= 0 || id > MOST_NODES)
		return;
	if (!parent && parents)
		parent = pk_id_map_get(parents, id);
	frame = make_frame(c, pk_json_slice_member(text, "callFrame"));
	if (parent > 0 && parent <= MOST_NODES)
		above = pk_id_map_get(&c->v8_nodes, node_key(v, parent));
	pk_id_map_put(&c->v8_nodes, node_key(v, id), frame ? pk_build_node(c->b, above, frame) : 0);
	v->last = id > v->last ? id : v->last;
}

static void read_nodes(struct pk_chrome *c, struct pk_chrome_v8 *v, struct pk_json_slice list,
		       const struct pk_id_map *parents)
{
	struct pk_json_members m = pk_json_members(list.text, list.len);
	struct pk_json_slice node;

	while (pk_json_item(&m, &node))
		read_node(c, v, node, parents);
}

/* The call path that ends in the line; functions of V8 itself have no file, and no lines. */
static uint32_t at_line(struct pk_chrome *c, uint32_t node, int64_t line)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	uint32_t function = node ? p->location.function[p->node.location[node]] : 0;

	if (line <= 0 || line >= INT32_MAX || !p->function.file[function])
		return node;
	return pk_build_node(c->b, p->node.parent[node],
			     pk_build_place(c->b, function, (uint32_t)line));
}

static void read_samples(struct pk_chrome *c, struct pk_chrome_v8 *v, struct pk_json_slice samples,
			 struct pk_json_slice deltas, struct pk_json_slice lines)
{
	struct pk_json_members s = pk_json_members(samples.text, samples.len);
	struct pk_json_members d = pk_json_members(deltas.text, deltas.len);
	struct pk_json_members l = pk_json_members(lines.text, lines.len);
	struct pk_json_slice id, delta, at;
	int64_t number, us, line;

	while (pk_json_item(&s, &id)) {
		if (pk_json_item(&d, &delta) && pk_json_slice_int(delta, &us) && us < INT32_MAX &&
		    us > -INT32_MAX)
			v->time += us * 1000;
		if (!pk_json_item(&l, &at) || !pk_json_slice_int(at, &line))
			line = 0;
		if (v->time > PK_CHROME_MAX_TIME || v->time < -PK_CHROME_MAX_TIME) {
			v->time = v->time < 0 ? -PK_CHROME_MAX_TIME : PK_CHROME_MAX_TIME;
			return;
		}
		if (pk_json_slice_int(id, &number) && number > 0 && number <= v->last)
			pk_chrome_add_sample(
				c, v->time, v->thread,
				at_line(c, pk_id_map_get(&c->v8_nodes, node_key(v, number)), line),
				0, 0, 0);
	}
}

int pk_chrome_store_v8(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_json_slice args = {c->args.data, c->args.len},
			     data = pk_json_slice_member(args, "data");
	struct pk_json_slice profile = pk_json_slice_member(data, "cpuProfile");
	struct pk_chrome_v8 *v = profile_of(c, e);

	if (!strcmp(pk_text(pk_builder_profile(c->b), e->name), "Profile")) {
		v->thread = e->thread;
		set_start(v, data);
		return 0;
	}
	read_nodes(c, v, pk_json_slice_member(profile, "nodes"), NULL);
	read_samples(c, v, pk_json_slice_member(profile, "samples"),
		     pk_json_slice_member(data, "timeDeltas"), pk_json_slice_member(data, "lines"));
	return 0;
}

bool pk_chrome_is_v8(const struct pk_chrome *c, const struct pk_chrome_event *e)
{
	return (e->phase == 'I' || e->phase == 'i') &&
	       !strcmp(pk_text(pk_builder_profile(c->b), e->name), "CpuProfile");
}

bool pk_chrome_store_v8_whole(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_json_slice args = {c->args.data, c->args.len},
			     data = pk_json_slice_member(args, "data");
	struct pk_json_slice profile = pk_json_slice_member(data, "cpuProfile");
	struct pk_json_slice nodes = pk_json_slice_member(profile, "nodes");
	struct pk_id_map parents = {.count = 0};
	struct pk_chrome_v8 *v;

	if (!nodes.len)
		return false;
	v = find_profile(
		c, e, pk_id_map_number(&c->v8_keys, (int64_t)pk_hash_u64(~(uint64_t)c->v8_count)));
	set_start(v, profile);
	note_children(&parents, nodes);
	read_nodes(c, v, nodes, &parents);
	read_samples(c, v, pk_json_slice_member(profile, "samples"),
		     pk_json_slice_member(profile, "timeDeltas"),
		     pk_json_slice_member(profile, "lines"));
	pk_id_map_release(&parents);
	return true;
}

void pk_chrome_release_v8(struct pk_chrome *c)
{
	pk_id_map_release(&c->v8_keys);
	pk_id_map_release(&c->v8_nodes);
	free(c->v8);
}
