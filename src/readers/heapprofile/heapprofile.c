/*
 * Heap profiles of V8 by sampling: node --heap-prof, "allocation sampling" of Chrome's developer
 * tools.
 *
 *	{"head": {"callFrame": {"functionName": "(root)", ...}, "selfSize": 0, "id": 1,
 *	          "children": [{"callFrame": {"functionName": "f", "url": "file:///a.js",
 *	                        "lineNumber": 3, ...}, "selfSize": 524608, "id": 2,
 *	                        "children": []}]},
 *	 "samples": [{"size": 262304, "nodeId": 2, "ordinal": 7}]}
 *
 * - selfSize is what was allocated and is live when the profile ends: the metric leaked. V8 scales
 *   it to an estimate of all allocations.
 * - Samples are single allocations in the order of "ordinal". Their sum of a node is its selfSize,
 *   unless memory was freed while V8 wrote the file: then the samples are left out, which is said.
 *   V8 also lists samples of nodes that it left out of the tree; how many is said.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "readers/reader.h"
#include "readers/v8/frame.h"
#include "readers/v8/nested.h"

struct node {
	uint32_t parent, location, node; /* parent: index; node: of the builder */
	int64_t id, size, sampled;       /* sum of its samples */
};

struct sample {
	int64_t size, node, ordinal;
};

struct heapprofile {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_v8_frames frames;
	struct node *node; /* from 1 */
	size_t nodes, node_alloc;
	uint32_t *open; /* by depth: the node that is being read */
	size_t open_alloc;
	struct sample *sample;
	size_t samples, sample_alloc;
	uint32_t metric;
	int64_t without_stack; /* bytes of the root */
};

static int repair(struct heapprofile *h, const char *what)
{
	return pk_build_repair(h->b, h->err, what, "byte %" PRIu64, pk_json_offset(&h->json));
}

static int64_t next_whole(struct heapprofile *h)
{
	int64_t value;

	pk_json_next(&h->json);
	value = pk_v8_whole(&h->json, -1);
	pk_json_rest(&h->json);
	return value;
}

static void open_node(void *data, uint32_t depth)
{
	struct heapprofile *h = data;

	PK_GROW(h->open, (size_t)depth + 1, h->open_alloc);
	PK_GROW(h->node, h->nodes + 2, h->node_alloc);
	h->node[++h->nodes] = (struct node){.parent = depth ? h->open[depth - 1] : 0, .id = -1};
	h->open[depth] = (uint32_t)h->nodes;
}

static int read_member(void *data, uint32_t depth)
{
	struct heapprofile *h = data;
	struct node *n = &h->node[h->open[depth]];

	if (pk_json_is(&h->json, "callFrame")) {
		n->location = pk_v8_read_frame(&h->frames, &h->json);
	} else if (pk_json_is(&h->json, "id")) {
		n->id = next_whole(h);
	} else if (pk_json_is(&h->json, "selfSize")) {
		n->size = next_whole(h);
		if (n->size < 0) {
			n->size = 0;
			return repair(h, "selfSize that is no whole number taken as 0");
		}
	} else {
		pk_json_skip(&h->json);
	}
	return 0;
}

static void close_node(void *data, uint32_t depth)
{
	(void)data, (void)depth;
}

static int read_samples(struct heapprofile *h)
{
	struct pk_json *j = &h->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(j, PK_JSON_OBJECT)) {
		struct sample s = {-1, -1, -1};

		while (pk_json_next_key(j))
			if (pk_json_is(j, "size"))
				s.size = next_whole(h);
			else if (pk_json_is(j, "nodeId"))
				s.node = next_whole(h);
			else if (pk_json_is(j, "ordinal"))
				s.ordinal = next_whole(h);
			else
				pk_json_skip(j);
		if (s.size < 0 || s.node < 0) {
			if (repair(h, "sample without a size or node left out"))
				return -1;
			continue;
		}
		PK_GROW(h->sample, h->samples + 1, h->sample_alloc);
		h->sample[h->samples++] = s;
	}
	return 0;
}

/* A node comes after the one that it is in. */
static int make_nodes(struct heapprofile *h, struct pk_id_map *ids)
{
	bool cut = false;

	for (size_t i = 1; i <= h->nodes; i++) {
		struct node *n = &h->node[i];
		uint32_t node = h->node[n->parent].node;

		if (n->location)
			node = pk_build_node(h->b, node, n->location);
		n->node = node;
		if (!node)
			pk_add_saturated(&h->without_stack, n->size);
		else if (n->size)
			cut |= pk_build_cost(h->b, 0, node, h->metric, n->size, PK_NULL);
		if (n->id >= 0 && !pk_id_map_get(ids, n->id))
			pk_id_map_put(ids, n->id, (uint32_t)i);
	}
	return cut ? repair(h, "sum of more than 64 bits cut") : 0;
}

static void describe(struct heapprofile *h, const char *what, int64_t count, int64_t bytes)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (count)
		pk_buf_addf(&text, "%" PRId64 ", of ", count);
	pk_buf_addf(&text, "%" PRId64 " bytes", bytes);
	pk_build_meta(h->b, what, text.data);
}

PK_COMPARE(by_ordinal, struct sample, PK_ORDER(a->ordinal, b->ordinal))

/* The first node whose samples do not add up to its size, NULL if all do; says how many samples
 * there are of nodes that are not in the tree. */
static const struct node *check_samples(struct heapprofile *h, const struct pk_id_map *ids)
{
	int64_t others = 0, bytes = 0;

	for (size_t i = 0; i < h->samples; i++) {
		uint32_t row = pk_id_map_get(ids, h->sample[i].node);

		if (!row) {
			others++;
			pk_add_saturated(&bytes, h->sample[i].size);
		} else {
			pk_add_saturated(&h->node[row].sampled, h->sample[i].size);
		}
	}
	if (others)
		describe(h, "samples that are not in the tree", others, bytes);
	for (size_t i = 1; i <= h->nodes; i++)
		if (h->node[i].node && h->node[i].sampled != h->node[i].size)
			return &h->node[i];
	return NULL;
}

static int make_samples(struct heapprofile *h, const struct pk_id_map *ids)
{
	const struct node *odd;

	if (!h->samples)
		return 0;
	odd = check_samples(h, ids);
	if (odd)
		return pk_build_repair(h->b, h->err,
				       "samples that do not add up to selfSize left out",
				       "node %" PRId64, odd->id);
	if (!pk_builder_wants(h->b, PK_PART_ORDER))
		return 0;
	pk_sort(h->sample, h->samples, sizeof(*h->sample), by_ordinal);
	for (size_t i = 0; i < h->samples; i++) {
		const struct sample *s = &h->sample[i];
		uint32_t node = h->node[pk_id_map_get(ids, s->node)].node;

		if (node)
			pk_build_sample(h->b, PK_NULL, 0, node, h->metric, s->size);
	}
	return 0;
}

static int make(struct heapprofile *h)
{
	struct pk_id_map ids = {.count = 0};
	int ret;

	if (!h->nodes)
		return pk_fail(h->err, PK_EFORMAT,
			       "no head, as every heap profile of V8 has: is the file whole?");
	h->node[0] = (struct node){.id = -1};
	h->metric = pk_build_metric(h->b, "leaked", "bytes", 0, PK_METRIC_BYTES, PK_SAMPLED);
	pk_build_set(h->b, metric, aggregate, h->metric, PK_AGGREGATE_LAST);
	ret = make_nodes(h, &ids);
	if (!ret)
		ret = make_samples(h, &ids);
	if (h->without_stack)
		describe(h, "allocated without a stack", 0, h->without_stack);
	pk_v8_describe_frames(&h->frames);
	pk_id_map_release(&ids);
	return ret;
}

static int read_members(struct heapprofile *h)
{
	static const struct pk_v8_nested nodes = {open_node, read_member, close_node};
	int ret = 0;

	while (!ret && pk_json_next_key(&h->json))
		if (pk_json_is(&h->json, "head"))
			ret = pk_v8_read_nested(&h->json, &nodes, h);
		else if (pk_json_is(&h->json, "samples"))
			ret = read_samples(h);
		else
			pk_json_skip(&h->json);
	return ret;
}

static int read_heapprofile(struct pk_input *in, const void *params, struct pk_builder *b,
			    struct pk_error *err)
{
	struct heapprofile *h = pk_calloc(1, sizeof(*h));
	int ret = 0;

	(void)params;
	h->b = h->frames.b = b;
	h->err = err;
	pk_json_open(&h->json, in);
	if (pk_json_enter(&h->json, PK_JSON_OBJECT))
		ret = read_members(h);
	if (!ret)
		ret = pk_reader_end_json(&h->json, b, err);
	if (!ret)
		ret = make(h);
	pk_v8_frames_release(&h->frames);
	free(h->node);
	free(h->open);
	free(h->sample);
	free(h);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	bool frame = false, size = false;
	struct pk_json *j;

	if (!pk_probe_is_object(probe) || !pk_probe_has(probe, "\"selfSize\""))
		return PK_NO;
	j = pk_malloc(sizeof(*j));
	pk_json_open_text(j, probe->data, probe->len);
	pk_json_next(j);
	while (pk_json_next_key(j) && !pk_json_is(j, "head"))
		pk_json_skip(j);
	if (j->token == PK_JSON_KEY && pk_json_enter(j, PK_JSON_OBJECT))
		while (!(frame && size) && pk_json_next_key(j)) {
			frame |= pk_json_is(j, "callFrame");
			size |= pk_json_is(j, "selfSize");
			pk_json_skip(j);
		}
	free(j);
	return frame && size ? PK_SURE : PK_NO;
}

static const char *const suffixes[] = {".heapprofile", NULL};

const struct pk_reader pk_reader_heapprofile = {
	.name = "heapprofile",
	.title = "live memory of V8 by sampling: node --heap-prof, Chrome's developer tools",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_META,
	.probe = probe,
	.read = read_heapprofile,
};
