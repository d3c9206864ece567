/*
 * Profiles of V8 within a trace, as Chrome's developer tools record them: an event P "Profile"
 * that says when it began, and "ProfileChunk" events with more nodes, samples and times.
 *
 *	{"ph": "P", "name": "Profile", "id": "0x2", "pid": 7, "tid": 259, "ts": 10,
 *	 "args": {"data": {"startTime": 8}}}
 *	{"ph": "P", "name": "ProfileChunk", "id": "0x2", "pid": 7, "tid": 260, "ts": 20, "args":
 *	 {"data": {"cpuProfile": {"nodes": [{"id": 2, "parent": 1, "callFrame": {"functionName":
 *	  "f", "url": "a.js", "lineNumber": 0}}], "samples": [2, 2]}, "timeDeltas": [100, 110]}}}
 *
 * - Samples are of the thread of "Profile". Times are us, each counted from the one before.
 * - Lines count from 0; they are where a function begins.
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

static struct pk_chrome_v8 *profile_of(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	uint64_t key = pk_hash_u64(e->id.hash ^ c->threads[e->thread].process);
	uint32_t number = pk_id_map_number(&c->v8_keys, (int64_t)key);

	if (number > c->v8_count) {
		PK_GROW(c->v8, (size_t)number, c->v8_alloc);
		c->v8[c->v8_count++] = (struct pk_chrome_v8){
			.thread = e->thread, .number = number, .time = e->time};
	}
	return &c->v8[number - 1];
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

static void read_node(struct pk_chrome *c, struct pk_chrome_v8 *v, struct pk_json_slice text)
{
	int64_t id = 0, parent = 0;
	uint32_t frame, above = 0;

	pk_json_slice_int(pk_json_slice_member(text, "id"), &id);
	pk_json_slice_int(pk_json_slice_member(text, "parent"), &parent);
	if (id <= 0 || id > MOST_NODES)
		return;
	frame = make_frame(c, pk_json_slice_member(text, "callFrame"));
	if (parent > 0 && parent <= MOST_NODES)
		above = pk_id_map_get(&c->v8_nodes, node_key(v, parent));
	pk_id_map_put(&c->v8_nodes, node_key(v, id), frame ? pk_build_node(c->b, above, frame) : 0);
	v->last = id > v->last ? id : v->last;
}

static void read_samples(struct pk_chrome *c, struct pk_chrome_v8 *v, struct pk_json_slice samples,
			 struct pk_json_slice deltas)
{
	struct pk_json_members s = pk_json_members(samples.text, samples.len);
	struct pk_json_members d = pk_json_members(deltas.text, deltas.len);
	struct pk_json_slice id, delta;
	int64_t number, us;

	while (pk_json_item(&s, &id)) {
		if (pk_json_item(&d, &delta) && pk_json_slice_int(delta, &us) && us < INT32_MAX &&
		    us > -INT32_MAX)
			v->time += us * 1000;
		if (v->time > PK_CHROME_MAX_TIME)
			return;
		if (pk_json_slice_int(id, &number) && number > 0 && number <= v->last)
			pk_chrome_add_sample(c, v->time, v->thread,
					     pk_id_map_get(&c->v8_nodes, node_key(v, number)), 0, 0,
					     0);
	}
}

int pk_chrome_store_v8(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct pk_json_slice args = {c->args.data, c->args.len},
			     data = pk_json_slice_member(args, "data"), node;
	struct pk_json_slice profile = pk_json_slice_member(data, "cpuProfile"), list;
	struct pk_chrome_v8 *v = profile_of(c, e);
	struct pk_json_members m;
	int64_t us;

	if (!strcmp(pk_text(pk_builder_profile(c->b), e->name), "Profile")) {
		v->thread = e->thread;
		if (pk_json_slice_int(pk_json_slice_member(data, "startTime"), &us) &&
		    us < PK_CHROME_MAX_TIME / 1000 && us > -PK_CHROME_MAX_TIME / 1000)
			v->time = us * 1000;
		return 0;
	}
	list = pk_json_slice_member(profile, "nodes");
	m = pk_json_members(list.text, list.len);
	while (pk_json_item(&m, &node))
		read_node(c, v, node);
	read_samples(c, v, pk_json_slice_member(profile, "samples"),
		     pk_json_slice_member(data, "timeDeltas"));
	return 0;
}

void pk_chrome_release_v8(struct pk_chrome *c)
{
	pk_id_map_release(&c->v8_keys);
	pk_id_map_release(&c->v8_nodes);
	free(c->v8);
}
