#pragma once

#include "model/build/id_map.h"
#include "readers/reader.h"
#include "readers/v8/frame.h"

/* Shared by the files of this reader. The members of a file come in any order, and nodes refer to
 * later ones, so all is read before anything is built. */
struct cpu_node {
	uint32_t id, parent;                   /* parent: index, from 1; 0 = none */
	uint32_t location;                     /* 0: the root */
	uint32_t labels;                       /* label set */
	uint32_t child, children, tick, ticks; /* its first in these lists, and how many */
	uint32_t node;                         /* of the builder */
	bool built, open;
	int64_t parent_id; /* as in the file; -1 = not said */
	int64_t hits;
};

struct cpu_tick {
	uint32_t line;
	int64_t ticks;
};

struct cpuprofile {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_v8_frames frames;
	struct pk_buf buf;

	struct cpu_node *node; /* from 1 */
	size_t nodes, node_alloc;
	uint32_t *child; /* ids */
	size_t children, child_alloc;
	struct pk_json_list list;
	struct cpu_open *open; /* by depth */
	size_t open_alloc;
	struct cpu_tick *tick;
	size_t ticks, tick_alloc;
	uint32_t *by_id; /* of the smaller ids: index of the node */
	size_t by_ids;
	struct pk_id_map more_ids; /* of the others */

	struct cpu_ids { /* values that are no numbers are CPU_NO_ID */
		uint32_t *value;
		size_t count, alloc;
	} samples, lines;
	struct pk_json_reals deltas, stamps;
	double start, end; /* us; NaN = not said */
	bool is_old;       /* the form before Chrome 58 */

	/* The facts that profkit adds: the metric, and whether times are real. */
	struct pk_buf name, unit;
	enum pk_exactness exactness;
	int exponent;
	bool is_ours, timed, ordered;

	uint32_t metric;
	struct cpu_sum {
		int64_t self, samples; /* self: units of the metric */
	} * sum;                       /* by node */
	double units;                  /* units of the metric in a us */
	uint64_t without_stack;
};

enum { CPU_NO_ID = UINT32_MAX };

/* A repair at the place that is read. */
int cpu_repair(struct cpuprofile *c, const char *what);
/* node.c: after "nodes", after "head". */
int cpu_read_nodes(struct cpuprofile *c);
int cpu_read_head(struct cpuprofile *c);
/* tree.c: gives all nodes their call paths. */
int cpu_make_tree(struct cpuprofile *c);
/* The index of the node with an id; 0 = there is none. */
static inline uint32_t cpu_find(const struct cpuprofile *c, uint32_t id)
{
	return id < c->by_ids ? c->by_id[id] : pk_id_map_get(&c->more_ids, id);
}
/* Samples, by their number. */
struct cpu_samples {
	int64_t *time; /* since startTime, in units of the metric */
	size_t count;
	int64_t end;
	bool with_lines, ordered;
};

/* times.c: the times of samples, and when the last one ends. */
int cpu_find_times(struct cpuprofile *c, struct cpu_samples *s);
#define CPU_MOST_TIME 4e15 /* us; larger values are no times */
bool cpu_is_time(double us);
/* us in units of the metric; sums of two fit into 64 bits. */
int64_t cpu_in_units(const struct cpuprofile *c, double us);
int cpu_repair_sample(struct cpuprofile *c, const char *what, size_t sample);
/* sample.c: samples and costs. */
int cpu_make_samples(struct cpuprofile *c);
