/*
 * CPU profiles of V8: node --cpu-prof, the inspector's Profiler.stop, Chrome's developer tools.
 *
 *	{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", ...}, "hitCount": 0,
 *	            "children": [2]},
 *	           {"id": 2, "callFrame": {"functionName": "f", "url": "file:///a.js",
 *	            "lineNumber": 3, "columnNumber": 10, "scriptId": "7"}, "hitCount": 2,
 *	            "positionTicks": [{"line": 5, "ticks": 2}], "deoptReason": "wrong map"}],
 *	 "startTime": 100, "endTime": 3100, "samples": [2, 2], "timeDeltas": [1000, 1000]}
 *
 * - Times are us. A sample is taken timeDeltas[i] after the one before it, the first one after
 *   startTime. It lasts until the next one, the last one until endTime.
 * - Without samples, hitCount tells how the time between startTime and endTime is divided.
 * - Before Chrome 58 nodes were within each other ("head"), startTime and endTime were seconds, and
 *   "timestamps" were absolute.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/cpuprofile/internal.h"

int cpu_repair(struct cpuprofile *c, const char *what)
{
	return pk_build_repair(c->b, c->err, what, "byte %" PRIu64, pk_json_offset(&c->json));
}

/* Reads numbers; other values are NaN. */
static void read_reals(struct cpuprofile *c, struct pk_json_reals *list)
{
	struct pk_json *j = &c->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return;
	pk_json_reals(j, list);
	while (pk_json_next_item(j)) {
		double value = NAN;

		if (j->token == PK_JSON_NUMBER)
			pk_parse_real(j->text, j->len, &value);
		pk_json_rest(j);
		PK_GROW(list->value, list->count + 1, list->alloc);
		list->value[list->count++] = value;
		pk_json_reals(j, list);
	}
}

/* The same as numbers of nodes or lines. */
static void read_ids(struct cpuprofile *c, struct cpu_ids *ids)
{
	struct pk_json_reals list = {.value = NULL};
	struct pk_json *j = &c->json;
	bool more = pk_json_enter(j, PK_JSON_ARRAY);

	while (more) {
		pk_json_reals(j, &list);
		more = pk_json_next_item(j);
		if (more) {
			PK_GROW(list.value, list.count + 1, list.alloc);
			list.value[list.count++] = (double)pk_v8_whole(j, -1);
			pk_json_rest(j);
		}
		PK_GROW(ids->value, ids->count + list.count, ids->alloc);
		for (size_t i = 0; i < list.count; i++) {
			double id = list.value[i];
			bool is_id = id >= 0 && id < CPU_NO_ID && id == floor(id);

			ids->value[ids->count++] = is_id ? (uint32_t)id : CPU_NO_ID;
		}
		list.count = 0;
	}
	free(list.value);
}

static void read_title(struct cpuprofile *c)
{
	if (pk_json_next_text(&c->json, &c->buf) && c->buf.len)
		pk_build_meta(c->b, "title", c->buf.data);
}

/* Reads the member that profkit writes, after its key; returns false for another key. */
static bool read_own(struct cpuprofile *c)
{
	struct pk_json *j = &c->json;

	if (pk_json_is(j, "profkitMetric")) {
		c->is_ours = pk_json_next_text(j, &c->name) && *c->name.data;
	} else if (pk_json_is(j, "profkitUnit")) {
		pk_json_next_text(j, &c->unit);
	} else if (pk_json_is(j, "profkitExactness")) {
		pk_json_next_text(j, &c->buf);
		for (int i = 0; pk_exactness_names[i]; i++)
			if (!strcmp(c->buf.data, pk_exactness_names[i]))
				c->exactness = (enum pk_exactness)i;
	} else if (pk_json_is(j, "profkitExponent")) {
		pk_json_next(j);
		c->exponent = (int)(pk_v8_whole(j, 0) & 15);
		pk_json_rest(j);
	} else if (pk_json_is(j, "profkitTimes")) {
		pk_json_next_text(j, &c->buf);
		c->timed = false;
		c->ordered = !strcmp(c->buf.data, "order");
	} else {
		return false;
	}
	return true;
}

/* The members of the file, after its "{". */
static int read_members(struct cpuprofile *c)
{
	struct pk_json *j = &c->json;
	int ret = 0;

	while (!ret && pk_json_next_key(j))
		if (pk_json_is(j, "nodes"))
			ret = cpu_read_nodes(c);
		else if (pk_json_is(j, "head"))
			ret = cpu_read_head(c);
		else if (pk_json_is(j, "samples"))
			read_ids(c, &c->samples);
		else if (pk_json_is(j, "timeDeltas"))
			read_reals(c, &c->deltas);
		else if (pk_json_is(j, "timestamps"))
			read_reals(c, &c->stamps);
		else if (pk_json_is(j, "lines"))
			read_ids(c, &c->lines);
		else if (pk_json_is(j, "startTime"))
			c->start = pk_json_next_real(&c->json);
		else if (pk_json_is(j, "endTime"))
			c->end = pk_json_next_real(&c->json);
		else if (pk_json_is(j, "title"))
			read_title(c);
		else if (!read_own(c))
			pk_json_skip(j);
	return ret;
}

static int make(struct cpuprofile *c)
{
	if (!c->nodes)
		return pk_fail(c->err, PK_EFORMAT,
			       "no list of nodes, as every CPU profile of V8 has: is it whole?");
	if (cpu_make_tree(c) || cpu_make_samples(c))
		return -1;
	pk_v8_describe_frames(&c->frames);
	return 0;
}

static void release(struct cpuprofile *c)
{
	pk_v8_frames_release(&c->frames);
	pk_buf_release(&c->buf);
	pk_buf_release(&c->name);
	pk_buf_release(&c->unit);
	pk_id_map_release(&c->more_ids);
	free(c->node);
	free(c->child);
	free(c->list.value);
	free(c->open);
	free(c->tick);
	free(c->by_id);
	free(c->samples.value);
	free(c->deltas.value);
	free(c->stamps.value);
	free(c->sum);
	free(c->lines.value);
	free(c);
}

static int read_cpuprofile(struct pk_input *in, const void *params, struct pk_builder *b,
			   struct pk_error *err)
{
	struct cpuprofile *c = pk_calloc(1, sizeof(*c));
	int ret = 0;

	(void)params;
	c->b = c->frames.b = b;
	c->err = err;
	c->start = c->end = NAN;
	c->timed = c->ordered = true;
	c->exactness = PK_SAMPLED;
	pk_json_open(&c->json, in);
	if (pk_json_enter(&c->json, PK_JSON_OBJECT))
		ret = read_members(c);
	if (!ret)
		ret = pk_reader_end_json(&c->json, b, err);
	if (!ret)
		ret = make(c);
	release(c);
	return ret;
}

/* True if the first node of a list is one, after its "[". */
static bool is_node(struct pk_json *j)
{
	if (!pk_json_next_of(j, PK_JSON_OBJECT))
		return false;
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "callFrame"))
			return true;
		pk_json_skip(j);
	}
	return false;
}

/* True if the object that comes next is the root in the form before Chrome 58. */
static bool is_head(struct pk_json *j)
{
	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return false;
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "functionName"))
			return true;
		pk_json_skip(j);
	}
	return false;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	bool samples = false, deltas = false;
	struct pk_json *j;
	enum pk_score score = PK_NO;

	/* Other JSON is not parsed for this. */
	if (!pk_probe_is_object(probe) ||
	    (!pk_probe_has(probe, "\"callFrame\"") && !pk_probe_has(probe, "\"functionName\"") &&
	     !pk_probe_has(probe, "\"timeDeltas\"")))
		return PK_NO;
	j = pk_malloc(sizeof(*j));
	pk_json_open_text(j, probe->data, probe->len);
	pk_json_next(j);
	while (!score && pk_json_next_key(j))
		if (pk_json_is(j, "nodes") && pk_json_enter(j, PK_JSON_ARRAY)) {
			if (!is_node(j))
				break;
			score = PK_SURE;
		} else if (pk_json_is(j, "head")) {
			if (!is_head(j))
				break;
			score = PK_SURE;
		} else {
			samples |= pk_json_is(j, "samples");
			deltas |= pk_json_is(j, "timeDeltas");
			pk_json_skip(j);
		}
	free(j);
	return score ? score : deltas ? samples ? PK_SURE : PK_LIKELY : PK_NO;
}

static const char *const suffixes[] = {".cpuprofile", NULL};

const struct pk_reader pk_reader_cpuprofile = {
	.name = "cpuprofile",
	.title = "CPU profiles of V8: node --cpu-prof, Chrome's developer tools",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_METRICS | PK_PART_ORDER | PK_PART_META |
		 PK_PART_LABELS,
	.probe = probe,
	.read = read_cpuprofile,
};
