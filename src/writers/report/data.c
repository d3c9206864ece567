/*
 * The data of the page: columns of numbers, in which functions are numbers of a table of names.
 *
 *	{"profkit": "0.1.0", "inputs": [{"path": "x.folded", "format": "...", ...}],
 *	 "words": ["x.folded (...): time 3 ms"], "options": "", "files": "x.folded",
 *	 "metrics": [{"name": "time", "unit": "ns", "exponent": 0, "total": 3000000, ...}],
 *	 "texts": ["", "main", "x.py"],
 *	 "symbols": {"name": [1], "file": [2], "line": [3], "module": [0], "kind": [1]},
 *	 "functions": {"symbol": [0], "metrics": [{"self": [3000000], "total": [3000000], ...}]},
 *	 "calls": [{"count": 1, "left": 0, "caller": [0], "callee": [1], "total": [2000000], ...}],
 *	 "paths": {"depth": [0], "symbol": [0], "metrics": [{"self": [3000000], "rest": [0]}]}, ...}
 *
 * Callers and callees are rows of functions. Paths come in the order of a walk through the tree,
 * callers before callees: the depth tells the caller. What is not in the page of a path is its
 * "rest": its total less its self and the totals of the paths below it that are in the page. A
 * metric with "no_sum" has parts that exceed the whole; with values below 0, it has the "width" of
 * boxes and "whole_width". A column of nothing but zeros is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "writers/report/internal.h"

enum { LONGEST_TEXT = 2000 }; /* bytes of a name */

/* Texts and functions that the page names, each once. */
struct names {
	struct pk_index texts, symbols;
	struct text {
		const char *text;
		size_t len; /* LONGEST_TEXT: cut there */
		bool cut;
	} * text;
	uint32_t text_count, text_alloc; /* row 0 is "" */
	struct symbol {
		uint32_t name, file, module, line, kind;
	} * symbol;
	uint32_t symbol_count, symbol_alloc;
	uint32_t cut;
};

static size_t shown_length(const char *text, size_t len)
{
	if (len <= LONGEST_TEXT)
		return len;
	for (len = LONGEST_TEXT; len && ((unsigned char)text[len] & 0xC0) == 0x80;)
		len--;
	return len;
}

static uint32_t name_text(struct names *n, const struct pk_profile *p, uint32_t string)
{
	const char *text = pk_text(p, string);
	size_t len = shown_length(text, p->string.len[string]);
	uint32_t tag = pk_index_tag(pk_hash_bytes(text, len)), i;

	pk_index_reserve(&n->texts);
	for (i = tag & n->texts.mask; n->texts.slot[i].id; i = (i + 1) & n->texts.mask) {
		const struct text *t = &n->text[n->texts.slot[i].id - 1];

		if (n->texts.slot[i].tag == tag && t->len == len && !memcmp(t->text, text, len))
			return n->texts.slot[i].id - 1;
	}
	PK_GROW(n->text, n->text_count + 1, n->text_alloc);
	n->text[n->text_count] = (struct text){text, len, len < p->string.len[string]};
	n->cut += n->text[n->text_count].cut;
	pk_index_put(&n->texts, i, tag, ++n->text_count);
	return n->text_count - 1;
}

static uint32_t name_function(struct names *n, const struct pk_profile *p, uint32_t function)
{
	struct symbol s = {
		.name = name_text(n, p, p->function.name[function]),
		.file = name_text(n, p, p->function.file[function]),
		.module = name_text(n, p, p->function.module[function]),
		.line = p->function.line[function],
		.kind = p->function.kind[function],
	};
	uint32_t tag = pk_index_tag(pk_hash_bytes(&s, sizeof(s))), i;

	pk_index_reserve(&n->symbols);
	for (i = tag & n->symbols.mask; n->symbols.slot[i].id; i = (i + 1) & n->symbols.mask)
		if (n->symbols.slot[i].tag == tag &&
		    !memcmp(&n->symbol[n->symbols.slot[i].id - 1], &s, sizeof(s)))
			return n->symbols.slot[i].id - 1;
	PK_GROW(n->symbol, n->symbol_count + 1, n->symbol_alloc);
	n->symbol[n->symbol_count] = s;
	pk_index_put(&n->symbols, i, tag, ++n->symbol_count);
	return n->symbol_count - 1;
}

uint32_t pk_report_symbol(struct names *names, const struct pk_profile *p, uint32_t function)
{
	return name_function(names, p, function);
}

/* A column that is written unless all its values are 0. */
struct column {
	int64_t *value;
	uint32_t count;
};

static void column_init(struct column *c, uint32_t count)
{
	c->value = pk_calloc((size_t)count + 1, sizeof(*c->value));
	c->count = count;
}

static void put_column(struct pk_json_writer *w, const char *key, struct column *c)
{
	uint32_t i = 0;

	while (i < c->count && !c->value[i])
		i++;
	if (i < c->count) {
		pk_json_put_array(w, key);
		for (i = 0; i < c->count; i++)
			pk_json_int_or_null(w, c->value[i]);
		pk_json_end(w);
	}
	free(c->value);
	c->value = NULL;
}

/* What a function has in a metric; NULL if nothing. */
static const struct pk_function_total *total_of(const struct pk_hotspots *h, uint32_t function)
{
	uint32_t row = h->functions.of_function[function];

	if (!row || !pk_function_has_value(h->profile, &h->functions.row[row - 1]))
		return NULL;
	return &h->functions.row[row - 1];
}

static void put_function_metric(struct pk_json_writer *w, const struct pk_report_data *d,
				const struct pk_hotspots *h, uint32_t count)
{
	struct column self, total, calls, primitive, estimated;

	column_init(&self, count);
	column_init(&total, count);
	column_init(&calls, count);
	column_init(&primitive, count);
	column_init(&estimated, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct pk_function_total *f = total_of(h, d->function[i]);

		self.value[i] = !f || f->self_unknown ? PK_NULL : f->self;
		total.value[i] = !f || f->total_unknown ? PK_NULL : f->total;
		calls.value[i] = f ? f->calls : PK_NULL;
		primitive.value[i] = f ? f->primitive_calls : PK_NULL;
		estimated.value[i] = f ? 1 + f->estimated : 0; /* 0: the function has no row */
	}
	pk_json_object(w);
	put_column(w, "self", &self);
	put_column(w, "total", &total);
	put_column(w, "calls", &calls);
	put_column(w, "primitive", &primitive);
	put_column(w, "row", &estimated);
	pk_json_end(w);
}

static void put_functions(struct pk_json_writer *w, const struct pk_report_data *d,
			  struct names *names, uint32_t limit)
{
	uint32_t count = d->function_count < limit ? d->function_count : limit;
	int64_t left = 0;

	for (uint32_t i = count; i < d->function_count; i++) {
		const struct pk_function_total *f = total_of(&d->hotspots[0], d->function[i]);

		pk_add_saturated(&left, f ? f->self : 0);
	}
	pk_json_put_object(w, "functions");
	pk_json_put(w, "count %jd left %jd left_self %jd", (int64_t)count,
		    (int64_t)d->function_count - count, left);
	pk_json_put_array(w, "symbol");
	for (uint32_t i = 0; i < count; i++)
		pk_json_int(w, name_function(names, d->report->profile, d->function[i]));
	pk_json_end(w);
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 0; m < d->metric_count; m++)
		put_function_metric(w, d, &d->hotspots[m], count);
	pk_json_end(w);
	pk_json_end(w);
}

/* Calls between functions of the page; `limit` of them at most, the largest. Columns have a value
 * for each call. */
static void put_arcs(struct pk_json_writer *w, const struct pk_report_data *d, uint32_t m,
		     const struct pk_report_limits *limits)
{
	enum { CALLER, CALLEE, CALLS, SELF, TOTAL, ESTIMATED, COLUMNS };
	static const char *const key[COLUMNS] = {"caller", "callee", "calls",
						 "self",   "total",  "estimated"};
	const struct pk_arcs *arcs = &d->arcs[m];
	struct column column[COLUMNS];
	uint32_t shown = 0, count = 0, available = d->arc_count[m],
		 most = available < limits->nodes ? available : limits->nodes;

	for (int c = 0; c < COLUMNS; c++)
		column_init(&column[c], most);
	for (uint32_t i = 0; i < arcs->count; i++) /* a root is no call of a function */
		count += arcs->row[i].caller && arcs->row[i].callee;
	for (uint32_t i = 0; i < available && shown < most; i++) {
		const struct pk_arc *a = &arcs->row[d->arc[m][i] - 1];
		uint32_t caller = d->row_of[a->caller], callee = d->row_of[a->callee];

		if (!a->caller || !a->callee || caller >= limits->functions ||
		    callee >= limits->functions)
			continue;
		column[CALLER].value[shown] = caller;
		column[CALLEE].value[shown] = callee;
		column[CALLS].value[shown] = a->calls;
		column[SELF].value[shown] = a->self;
		column[TOTAL].value[shown] = a->total;
		column[ESTIMATED].value[shown++] = a->estimated;
	}
	pk_json_object(w);
	pk_json_put(w, "count %jd left %jd", (int64_t)shown, (int64_t)count - shown);
	for (int c = 0; c < COLUMNS; c++) {
		column[c].count = shown;
		put_column(w, key[c], &column[c]);
	}
	pk_json_end(w);
}

/* The paths of the page in the order of a walk. */
struct walk {
	uint32_t *node, *depth, count;
};

static void walk_init(struct walk *walk, const struct pk_report_data *d, uint32_t count)
{
	const uint32_t *parent = d->calls.profile->node.parent;
	uint32_t nodes = d->calls.profile->node.count, depth = 0, node;
	PK_FREED uint32_t *first = pk_calloc(nodes, sizeof(*first));
	PK_FREED uint32_t *next = pk_calloc(nodes, sizeof(*next));
	PK_FREED bool *kept = pk_calloc(nodes, sizeof(*kept));

	for (uint32_t i = 0; i < count; i++)
		kept[d->node[i]] = true;
	for (uint32_t i = nodes; i-- > 1;) {
		if (!kept[i])
			continue;
		next[i] = first[parent[i]];
		first[parent[i]] = i;
	}
	walk->node = pk_malloc(pk_mul(count, sizeof(*walk->node)));
	walk->depth = pk_malloc(pk_mul(count, sizeof(*walk->depth)));
	walk->count = 0;
	node = first[0];
	while (node) {
		walk->node[walk->count] = node;
		walk->depth[walk->count++] = depth;
		if (first[node]) {
			node = first[node];
			depth++;
			continue;
		}
		for (; node && !next[node]; depth--)
			node = parent[node];
		node = next[node];
	}
}

static void put_path_metric(struct pk_json_writer *w, const struct pk_report_data *d, uint32_t m,
			    const struct walk *walk)
{
	const struct pk_tree *tree = &d->tree[m];
	const uint32_t *parent = d->calls.profile->node.parent;
	PK_FREED int64_t *rest_of = pk_calloc(tree->count, sizeof(*rest_of));
	struct column self, rest, width, calls;

	column_init(&self, walk->count);
	column_init(&width, d->width[m] ? walk->count : 0);
	column_init(&rest, walk->count);
	column_init(&calls, walk->count);
	for (uint32_t i = walk->count; i-- > 0;) {
		uint32_t node = walk->node[i];

		self.value[i] = tree->self[node];
		if (d->width[m])
			width.value[i] = d->width[m][node];
		calls.value[i] = tree->calls ? tree->calls[node] : 0;
		pk_add_saturated(&rest_of[node], tree->total[node]);
		pk_add_saturated(&rest_of[node], -tree->self[node]);
		rest.value[i] = rest_of[node];
		pk_add_saturated(&rest_of[parent[node]], -tree->total[node]);
	}
	pk_json_object(w);
	pk_json_put_int(w, "total", tree->total[0]);
	if (d->no_sum[m])
		pk_json_put(w, "no_sum %d", true);
	if (d->width[m])
		pk_json_put_int(w, "whole_width", d->width[m][0]);
	put_column(w, "self", &self);
	put_column(w, "rest", &rest);
	put_column(w, "width", &width);
	put_column(w, "calls", &calls);
	pk_json_end(w);
}

static void put_paths(struct pk_json_writer *w, const struct pk_report_data *d, struct names *names,
		      uint32_t limit)
{
	const struct pk_profile *p = d->calls.profile;
	uint32_t count = d->node_count < limit ? d->node_count : limit;
	struct column estimated, depth;
	struct walk walk;

	walk_init(&walk, d, count);
	column_init(&estimated, count);
	column_init(&depth, count);
	pk_json_put_object(w, "paths");
	pk_json_put(w, "count %jd left %jd", (int64_t)count, (int64_t)d->node_total - count);
	pk_json_put_array(w, "symbol");
	for (uint32_t i = 0; i < count; i++) {
		pk_json_int(w, name_function(names, p, pk_node_function(p, walk.node[i])));
		estimated.value[i] = pk_node_estimated(p, walk.node[i]);
		depth.value[i] = walk.depth[i];
	}
	pk_json_end(w);
	put_column(w, "depth", &depth);
	put_column(w, "estimated", &estimated);
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 0; m < d->metric_count; m++)
		put_path_metric(w, d, m, &walk);
	pk_json_end(w);
	pk_json_end(w);
	free(walk.node);
	free(walk.depth);
}

static void put_metrics(struct pk_json_writer *w, const struct pk_report_data *d)
{
	const struct pk_profile *p = d->report->profile;

	pk_json_put_array(w, "metrics");
	for (uint32_t i = 0; i < d->metric_count; i++) {
		uint32_t m = d->metric[i];

		pk_json_object(w);
		pk_json_put(w, "name %s unit %s exponent %u", pk_text(p, p->metric.name[m]),
			    pk_metric_unit(p, m), (unsigned)p->metric.exponent[m]);
		pk_json_put_text(w, "kind", pk_metric_kinds[p->metric.kind[m]]);
		pk_json_put_text(w, "exactness", pk_exactness_names[p->metric.exactness[m]]);
		pk_json_put_text(w, "aggregate", pk_aggregates[pk_metric_aggregate(p, m)]);
		pk_json_put_int(w, "total", d->hotspots[i].functions.total);
		pk_json_end(w);
	}
	pk_json_end(w);
	pk_json_put_int(w, "metrics_left", d->metrics_left);
}

static void put_inputs(struct pk_json_writer *w, const struct pk_report *r)
{
	pk_json_put_array(w, "inputs");
	for (size_t i = 0; i < r->runs->count; i++) {
		const struct pk_profile *p = r->runs->item[i];

		pk_json_put(w, "{path %s format %s producer %s size %jd crc %jd}",
			    pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]),
			    pk_text(p, p->run.producer[1]), r->file[i].size,
			    (int64_t)r->file[i].crc);
	}
	pk_json_end(w);
	pk_json_put(w, "options %s files %s", r->options, r->files);
	pk_json_put_array(w, "words");
	for (const char *line = r->words; *line; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		pk_json_text_len(w, line, len);
		if (!line[len])
			break;
	}
	pk_json_end(w);
}

static void put_names(struct pk_json_writer *w, const struct names *n)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct column column[5];
	static const char *const key[] = {"name", "file", "module", "line", "kind"};

	pk_json_put_array(w, "texts");
	for (uint32_t i = 0; i < n->text_count; i++) {
		text.len = 0;
		pk_buf_add(&text, n->text[i].text, n->text[i].len);
		pk_buf_adds(&text, n->text[i].cut ? "\xE2\x80\xA6" : "");
		pk_json_text_len(w, text.data, text.len);
	}
	pk_json_end(w);
	pk_json_put_int(w, "texts_cut", n->cut);
	for (int c = 0; c < 5; c++)
		column_init(&column[c], n->symbol_count);
	for (uint32_t i = 0; i < n->symbol_count; i++) {
		const struct symbol *s = &n->symbol[i];

		column[0].value[i] = s->name;
		column[1].value[i] = s->file;
		column[2].value[i] = s->module;
		column[3].value[i] = s->line;
		column[4].value[i] = s->kind;
	}
	pk_json_put_object(w, "symbols");
	pk_json_put_int(w, "count", n->symbol_count);
	for (int c = 0; c < 5; c++)
		put_column(w, key[c], &column[c]);
	pk_json_end(w);
	pk_json_put_array(w, "kinds");
	for (int i = 0; i <= PK_KIND_IDLE; i++)
		pk_json_text(w, pk_function_kinds[i]);
	pk_json_end(w);
}

void pk_report_json(struct pk_buf *json, const struct pk_report_data *d,
		    const struct pk_report_limits *limits)
{
	struct pk_output *out = pk_output_to_buf(json);
	struct pk_error err = PK_ERROR_INIT;
	struct names names = {0};
	struct pk_json_writer w;

	name_text(&names, d->report->profile, 0);
	pk_json_init(&w, out, 0);
	pk_json_object(&w);
	pk_json_put_text(&w, "profkit", d->report->version);
	put_inputs(&w, d->report);
	put_metrics(&w, d);
	put_functions(&w, d, &names, limits->functions);
	pk_json_put_array(&w, "calls");
	for (uint32_t m = 0; m < d->metric_count; m++)
		put_arcs(&w, d, m, limits);
	pk_json_end(&w);
	if (d->has_tree)
		put_paths(&w, d, &names, limits->nodes);
	pk_report_parts_json(&w, d->parts, &names, limits);
	put_names(&w, &names);
	pk_json_end(&w);
	pk_output_commit(out, &err); /* to memory: it does not fail */
	pk_index_release(&names.texts);
	pk_index_release(&names.symbols);
	free(names.text);
	free(names.symbol);
}
