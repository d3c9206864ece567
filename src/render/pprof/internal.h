#pragma once

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "render/pprof/pprof.h"

/* Functions, lines or files, with what calls what: pprof's graph. Rows from 1. */
struct pprof_node {
	const char *name;   /* as printed */
	const char *key[3]; /* function, file, object */
	uint64_t address;
	uint32_t line, column, begin;
	int64_t flat, cum;
	uint32_t seen; /* last path that it was counted in */
	bool kept;
};

struct pprof_edge {
	uint32_t from, to, seen;
	int64_t weight;
	bool inlined; /* by all paths */
};

struct pprof_graph {
	const struct pk_profile *p;
	const struct pk_pprof_params *params;
	int64_t *self;     /* by call path */
	uint32_t *node_of; /* by location */
	struct pprof_node *node;
	uint32_t nodes;
	size_t node_alloc;
	struct pk_index node_index;
	struct pprof_edge *edge;
	uint32_t edges;
	size_t edge_alloc;
	struct pk_index edge_index;
	struct pk_arena text;
	uint32_t *stack; /* a path, from its end */
	size_t stack_alloc;
	uint32_t *order;                   /* nodes that are shown, sorted */
	uint32_t count, original, dropped; /* of order; before -nodecount; by -nodefraction */
};

/* What is printed of it. */
struct pprof_text {
	struct pprof_graph *g;
	struct pk_output *output;
	struct pk_buf out; /* the end of it */
	const char *from, *unit;
	int64_t total;
};

/* The lines about the profile. */
void pprof_put_profile(struct pprof_text *t);
/* Right-aligned in `width`. */
void pprof_put_value(struct pprof_text *t, int width, int64_t value);
void pprof_put_traces(struct pprof_text *t);

/* Of traces, the nodes alone. */
void pprof_graph_init(struct pprof_graph *g, const struct pk_profile *p,
		      const struct pk_pprof_params *params);
void pprof_graph_release(struct pprof_graph *g);

/* A name as pprof demangles it. */
void pprof_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function);

/* Values in units: "1.10s", "0". The unit is one of pprof's names, "minimum" or "auto". */
double pprof_scale(int64_t value, const char *from, const char *to, const char **unit);
void pprof_value(struct pk_buf *buf, int64_t value, const char *from, const char *to);
void pprof_percent(struct pk_buf *buf, int64_t value, int64_t total);
/* The unit for all values of a graph. */
const char *pprof_unit(const struct pprof_graph *g, int64_t total);
