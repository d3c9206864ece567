#pragma once

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "base/text/texts.h"
#include "model/totals.h"
#include "render/pprof/pprof.h"

/* The frame of a sample without a stack. */
#define PPROF_NO_STACK "[no stack]"

/* pprof's graph: functions, lines or files, and their calls. Rows from 1. */
struct pprof_node {
	const char *key[3]; /* function, file, object; equal texts are the same pointer */
	const char *base;   /* of the object */
	uint64_t address;
	uint32_t line, column, begin;
	int64_t flat, cum;
	uint32_t open; /* while paths are walked: how often it is on the current one */
	bool kept;
};

struct pprof_edge {
	uint32_t from, to;
	uint32_t open; /* as that of a node */
	int64_t weight;
	bool inlined;  /* by all paths */
	bool residual; /* for at least one path, it leads over nodes that are not kept */
};

/* A tag of a node: labels of its samples, or a number among those with these labels; for
 * pictures. */
struct pprof_tag {
	const char *name;
	const char *labels; /* "kind:io\\nworker:1"; "" = none */
	uint32_t node, seen;
	bool is_number;
	int64_t number, flat, cum;
};

/* By label set: whether -tagfocus and -tagignore keep it. */
struct pprof_tag_filter {
	bool *kept;
	const char *unmatched; /* an option that matches nothing */
};

/* By string, what pprof shows of it; NULL = not yet known. Many functions may share a long text. */
struct pprof_known {
	const char *name[2]; /* of a function: to demangle, as it is */
	const char *file, *object, *base;
};

struct pprof_graph {
	const struct pk_profile *p;
	const struct pk_pprof_params *params;
	const char *unit; /* of the file, in which pprof computes: microseconds are ns here */
	int64_t factor;   /* by which values of the profile are divided */
	struct pk_tree tree;
	int64_t *self, *below; /* by call path: its value, and with those of all paths below */
	bool *has_costs;       /* a sum below can be 0 as well */
	uint32_t *node_of;     /* by location */
	struct pprof_node *node;
	uint32_t nodes;
	size_t node_alloc;
	struct pk_index node_index;
	struct pprof_edge *edge;
	uint32_t edges;
	size_t edge_alloc;
	struct pk_index edge_index;
	struct pk_arena text;
	struct pprof_known *known;
	struct pk_texts shared;            /* of nodes */
	uint32_t *order;                   /* nodes that are shown, sorted */
	uint32_t count, original, dropped; /* of order; before -nodecount; by -nodefraction */
	uint32_t dropped_edges;
	uint32_t silent_edges; /* of a picture: left out as small, which pprof does not say */
	struct pprof_tag *tag; /* by node, from 1 */
	uint32_t tags;
	size_t tag_alloc;
};

/* The printed text of a graph. */
struct pprof_text {
	struct pprof_graph *g;
	struct pk_output *output;
	struct pk_buf out; /* the end of the text, not yet written */
	const char *from, *unit;
	int64_t total;
};

/* The lines about the profile. */
void pprof_put_profile(struct pprof_text *t);
/* Appends the text aligned to the right in `width` characters. */
void pprof_right(struct pk_buf *buf, int width, const char *text);
void pprof_put_value(struct pprof_text *t, int width, int64_t value);
void pprof_put_traces(struct pprof_text *t);
/* Turns the header, which is all text so far, into the legend. */
void pprof_put_dot(struct pprof_text *t);

/* For traces, only the nodes. */
void pprof_graph_init(struct pprof_graph *g, const struct pk_profile *p,
		      const struct pk_pprof_params *params);
void pprof_graph_release(struct pprof_graph *g);
/* Counts the values of the nodes that are kept again, and the edges between them. */
void pprof_graph_count(struct pprof_graph *g);
/* True if a node is in the graph at all. */
bool pprof_is_there(const struct pprof_node *n);
/* Leaves out edges of less than this weight; returns how many. */
uint32_t pprof_drop_edges(struct pprof_graph *g, int64_t least);
/* Chooses and sorts the nodes of a picture, and leaves out those that clutter it. */
void pprof_trim_picture(struct pprof_graph *g, int64_t least_node, int64_t least_edge);

/* The tags of nodes that are kept; at least: of a tag, as of a node. */
void pprof_tags_count(struct pprof_graph *g, int64_t least);
/* Returns -1 with err for a bad expression. */
int pprof_tags_judge(struct pprof_tag_filter *f, const struct pk_profile *p,
		     const struct pk_pprof_filters *filters, struct pk_error *err);
bool pprof_tags_keep(const struct pprof_tag_filter *f, uint32_t set);
void pprof_tags_release(struct pprof_tag_filter *f);

/* By string, a key: the first unit that a number with this key has. The caller frees it. */
uint32_t *pprof_label_units(const struct pk_profile *p);
/* The unit that pprof assumes for this key. */
const char *pprof_label_unit(const struct pk_profile *p, const uint32_t *unit, uint32_t key);
/* The first unit of a number with the key "bytes". */
const char *pprof_bytes_unit(const struct pk_profile *p);
/* First of the tags of each node, from 1; the last is the end. The caller frees it. */
uint32_t *pprof_tags_first(struct pprof_graph *g);

/* Edges by the node that they come from, or, callers, lead to: those of node i, the largest first,
 * are first[i] to first[i + 1]. */
uint32_t *pprof_group_edges(const struct pprof_graph *g, bool callers, uint32_t **first);
/* The node as printed. */
void pprof_put_node_name(struct pk_buf *buf, const struct pprof_node *n);
/* strcmp of two of these. */
int pprof_compare_names(const struct pprof_node *a, const struct pprof_node *b);
/* The order of nodes that look the same. */
int pprof_compare_nodes(const struct pprof_node *a, const struct pprof_node *b);
void pprof_sort_edges(const struct pprof_graph *g, uint32_t *edge, size_t count);

/* The program or library of a location, a string; 0 = not known. */
uint32_t pprof_library(const struct pk_profile *p, uint32_t location);
/* Whether pprof shows the name as it is, and the name as it demangles it. */
bool pprof_name_is_final(const struct pk_profile *p, uint32_t function);
void pprof_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function);
/* The name in a picture: "(*Digest).Sum" without the path of its package. */
void pprof_short_name(struct pk_buf *buf, const char *name);

/* Values in units: "1.10s", "0". The unit is one of pprof's names, "minimum" or "auto". */
double pprof_scale(int64_t value, const char *from, const char *to, const char **unit);
void pprof_value(struct pk_buf *buf, int64_t value, const char *from, const char *to);
void pprof_percent(struct pk_buf *buf, int64_t value, int64_t total);
/* The unit for all values of a graph. */
const char *pprof_unit(const struct pprof_graph *g, int64_t total);
