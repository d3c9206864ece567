/*
 * Nodes of CPU profiles of V8: call paths by function, each with the costs of its lines as ticks,
 * and the reason why its code was not optimised.
 *
 *	{"id": 2, "callFrame": {"functionName": "f", "scriptId": "1", "url": "a.js",
 *	                        "lineNumber": 3, "columnNumber": 0},
 *	 "hitCount": 2000000, "children": [3], "positionTicks": [{"line": 5, "ticks": 2000000}]}
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "writers/cpuprofile/internal.h"

enum { SEVERAL = UINT32_MAX };

static void note_labels(const struct cpu_out *w)
{
	for (uint32_t i = 1; i < w->p->cost.count; i++) {
		uint32_t *of_node = &w->labels[w->id[w->p->cost.node[i]]];
		uint32_t set = pk_cost_labels(w->p, i) + 1;

		if (pk_cost_metric(w->p, i) == w->metric)
			*of_node = !*of_node || *of_node == set ? set : SEVERAL;
	}
}

void cpu_make_nodes(struct cpu_out *w)
{
	const struct pk_profile *p = w->p;
	size_t most = (size_t)p->node.count + 1;
	struct pk_id_map ids = {.count = 0};

	w->id = pk_calloc(most, sizeof(*w->id));
	w->child = pk_calloc(most, sizeof(*w->child));
	w->next = pk_calloc(most, sizeof(*w->next));
	w->parent = pk_calloc(most, sizeof(*w->parent));
	w->node = pk_calloc(most, sizeof(*w->node));
	w->labels = pk_calloc(most, sizeof(*w->labels));
	w->hits = pk_calloc(most, sizeof(*w->hits));
	w->nodes = w->id[0] = CPU_ROOT;
	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t parent = w->id[p->node.parent[i]];
		int64_t key = (int64_t)parent << 32 | pk_node_function(p, i);
		uint32_t id = pk_id_map_number(&ids, key) + CPU_ROOT;

		w->id[i] = id;
		if (id <= w->nodes)
			continue;
		w->nodes = id;
		w->node[id] = i;
		w->parent[id] = parent;
	}
	pk_id_map_release(&ids);
	/* Backwards, so that each comes before its later siblings */
	for (uint32_t id = w->nodes; id > CPU_ROOT; id--) {
		w->next[id] = w->child[w->parent[id]];
		w->child[w->parent[id]] = id;
	}
	note_labels(w);
}

void cpu_release_nodes(struct cpu_out *w)
{
	free(w->id);
	free(w->child);
	free(w->next);
	free(w->parent);
	free(w->node);
	free(w->labels);
	free(w->hits);
}

static void put_text(struct cpu_out *w, const char *key, uint32_t string)
{
	pk_json_key(&w->json, key);
	pk_json_text_len(&w->json, pk_text(w->p, string), w->p->string.len[string]);
}

static void put_frame(struct cpu_out *w, uint32_t id)
{
	const struct pk_function_table *t = &w->p->function;
	uint32_t f = id == CPU_ROOT ? 0 : pk_node_function(w->p, w->node[id]);
	PK_BUF_AUTO script = PK_BUF_INIT;

	pk_buf_addf(&script, "%" PRIu32, t->file[f]);
	pk_json_key(&w->json, "callFrame");
	pk_json_flat_object(&w->json);
	if (id == CPU_ROOT)
		pk_json_put_text(&w->json, "functionName", "(root)");
	else
		put_text(w, "functionName",
			 strcmp(pk_text(w->p, t->name[f]), "(anonymous)") ? t->name[f] : 0);
	pk_json_put_text(&w->json, "scriptId", script.data);
	put_text(w, "url", t->file[f]);
	pk_json_put(&w->json, "lineNumber %jd columnNumber %jd", (int64_t)t->line[f] - 1,
		    t->line[f] ? INT64_C(0) : INT64_C(-1));
	pk_json_end(&w->json);
}

static void put_children(struct cpu_out *w, uint32_t id)
{
	if (!w->child[id])
		return;
	pk_json_put_flat_array(&w->json, "children");
	for (uint32_t child = w->child[id]; child; child = w->next[child])
		pk_json_int(&w->json, child);
	pk_json_end(&w->json);
}

/* Costs at lines of a node, in their order. */
static void put_ticks(struct cpu_out *w, const struct pk_groups *rows, uint32_t id)
{
	bool any = false;

	for (uint32_t k = rows->first[id]; k < rows->first[id + 1]; k++) {
		uint32_t row = rows->row[k], line = pk_node_line(w->p, w->p->cost.node[row]);

		if (!line || pk_cost_metric(w->p, row) != w->metric || w->p->cost.self[row] <= 0)
			continue;
		if (!any)
			pk_json_put_flat_array(&w->json, "positionTicks");
		any = true;
		pk_json_object(&w->json);
		pk_json_put(&w->json, "line %jd ticks %jd", (int64_t)line, w->p->cost.self[row]);
		pk_json_end(&w->json);
	}
	if (any)
		pk_json_end(&w->json);
}

/* V8 has one reason for each node: the first label of a set that is one. */
static const char *const reasons[] = {"deoptReason", "bailoutReason"};

static bool is_reason(const struct pk_profile *p, uint32_t set)
{
	const char *key = pk_text(p, p->label_set.key[set]);

	return p->label_set.number[set] == PK_NULL && !p->label_set.rest[set] &&
	       (!strcmp(key, reasons[0]) || !strcmp(key, reasons[1]));
}

static void put_reason(struct cpu_out *w, uint32_t id)
{
	uint32_t set = w->labels[id] && w->labels[id] != SEVERAL ? w->labels[id] - 1 : 0;

	if (set && is_reason(w->p, set))
		pk_json_put_text(&w->json, pk_text(w->p, w->p->label_set.key[set]),
				 pk_text(w->p, w->p->label_set.text[set]));
}

void cpu_put_nodes(struct cpu_out *w)
{
	PK_FREED uint32_t *id_of_cost = pk_calloc(w->p->cost.count, sizeof(*id_of_cost));
	struct pk_groups rows;

	for (uint32_t i = 1; i < w->p->cost.count; i++)
		id_of_cost[i] = w->id[w->p->cost.node[i]];
	pk_groups_init(&rows, id_of_cost, sizeof(*id_of_cost), 1, w->p->cost.count, w->nodes + 1);
	pk_json_put_array(&w->json, "nodes");
	for (uint32_t id = CPU_ROOT; id <= w->nodes; id++) {
		pk_json_flat_object(&w->json);
		pk_json_put_int(&w->json, "id", id);
		put_frame(w, id);
		pk_json_put_int(&w->json, "hitCount", w->hits[id]);
		put_children(w, id);
		put_ticks(w, &rows, id);
		put_reason(w, id);
		pk_json_end(&w->json);
	}
	pk_json_end(&w->json);
	pk_groups_release(&rows);
}

unsigned cpu_keeps_labels(const struct pk_profile *p)
{
	struct cpu_out w = {.p = p, .metric = pk_metric_find(p, NULL)};
	bool kept = true;

	for (uint32_t i = 1; i < p->label_set.count; i++)
		kept &= is_reason(p, i);
	if (!kept || p->label_set.count < 2)
		return 0;
	cpu_make_nodes(&w);
	for (uint32_t id = CPU_ROOT; id <= w.nodes; id++)
		kept &= w.labels[id] != SEVERAL;
	cpu_release_nodes(&w);
	return kept ? PK_PART_LABELS : 0;
}
