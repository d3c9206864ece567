/*
 * pprof: profile.proto of github.com/google/pprof (see readers/pprof/pprof.c), for go tool pprof,
 * Pyroscope, Parca, speedscope. The same profile gives the same bytes; a name that ends in .gz is
 * compressed, as most tools want it.
 *
 * - A sample for each call path, thread and set of labels, with a value for each metric. The metric
 *   that profkit shows is written last, because pprof shows the last one; a profile that was read
 *   from pprof keeps its order.
 * - Inlined frames are lines of the location of the function that they were inlined into.
 * - Times are nanoseconds. Values with fractions are rounded.
 * - Threads become labels (thread, thread_id, pid, process) unless labels name them already.
 * - The meta data of the profile are comments "# KEY: VALUE", which pprof does not print.
 * - A profile without mappings gets one without a file that is marked as symbolized, so that pprof
 *   does not look for a program.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "base/protobuf.h"
#include "model/nameless.h"
#include "model/build/value_type.h"
#include "writers/writer.h"

#define FLUSH_SIZE ((size_t)256 << 10)
enum { ALL_SYMBOLS = 15 };

struct sample {
	uint32_t node, thread, labels;
};

struct writing {
	const struct pk_profile *p;
	struct pk_output *out;
	struct pk_buf buf, message, inner, lines; /* inner: a message in another one */
	uint32_t *type;                           /* metrics in the order of the file */
	uint32_t types;
	int64_t *divisor;  /* by metric */
	const char **unit; /* the same */

	uint32_t *string; /* number in the file, by string; 0 = not yet */
	uint32_t strings;
	struct pk_buf texts; /* the string table */
	uint32_t *function;  /* number in the file, by function */
	uint32_t functions;
	struct pk_buf function_messages;

	/* By node: the number of the location in which its path ends, and the node above that. */
	uint32_t *location, *above;
	uint32_t locations;
	struct pk_index location_index;
	uint32_t *ends; /* node at which each location was found */
	size_t ends_alloc;
	struct pk_buf location_messages;

	struct sample *sample;
	size_t samples, sample_alloc, value_alloc;
	int64_t *value;
	struct pk_index sample_index;
	bool rounded;
	bool is_pprof; /* read from pprof: its labels name the threads */
};

static void flush(struct writing *w, struct pk_buf *buf, size_t at_least)
{
	if (buf->len < at_least)
		return;
	pk_output_write(w->out, buf->data, buf->len);
	buf->len = 0;
}

static uint32_t add_text(struct writing *w, const char *text, size_t len)
{
	pk_proto_put_bytes(&w->texts, 6, text, len);
	return w->strings++;
}

static uint32_t text(struct writing *w, const char *text)
{
	return *text ? add_text(w, text, strlen(text)) : 0;
}

static uint32_t string(struct writing *w, uint32_t id)
{
	if (!w->p->string.len[id])
		return 0;
	if (!w->string[id])
		w->string[id] = add_text(w, pk_text(w->p, id), w->p->string.len[id]);
	return w->string[id];
}

/* proto3 leaves out zeros. */
static void put(struct pk_buf *buf, uint32_t field, uint64_t value)
{
	if (value)
		pk_proto_put_number(buf, field, value);
}

static void put_message(struct pk_buf *buf, uint32_t field, struct pk_buf *message)
{
	pk_proto_put_bytes(buf, field, message->data, message->len);
	message->len = 0;
}

/* Functions and locations. */

/* None for <module> and the like: where it is the name, pprof leaves out <...> as arguments of C++.
 */
static uint32_t system_name(const struct pk_profile *p, uint32_t function)
{
	const struct pk_function_table *t = &p->function;

	if (t->system_name && t->system_name[function])
		return t->system_name[function];
	return *pk_text(p, t->name[function]) == '<' ? 0 : t->name[function];
}

/* True if pprof names the location as profkit does when it has no function: after its mapping or
 * its address. */
static bool needs_no_name(const struct pk_profile *p, uint32_t location)
{
	uint32_t module = p->function.module[p->location.function[location]];
	bool mapped = p->location.mapping && p->location.mapping[location];

	return pk_is_nameless(p, location) && (mapped || !p->string.len[module]);
}

static uint32_t function(struct writing *w, uint32_t location)
{
	uint32_t id = w->p->location.function[location];
	const struct pk_function_table *t = &w->p->function;

	if (w->function[id])
		return w->function[id];
	w->function[id] = ++w->functions;
	put(&w->message, 1, w->functions);
	if (!needs_no_name(w->p, location) && !pk_is_empty_name(w->p, id))
		put(&w->message, 2, string(w, t->name[id]));
	put(&w->message, 3, string(w, system_name(w->p, id)));
	put(&w->message, 4, string(w, t->file[id]));
	put(&w->message, 5, t->line[id]);
	put_message(&w->function_messages, 5, &w->message);
	return w->functions;
}

/* One frame of a location, the innermost first. */
static void add_line(struct writing *w, uint32_t node)
{
	const struct pk_profile *p = w->p;
	uint32_t location = p->node.location[node], id = p->location.function[location];
	bool unnamed = needs_no_name(p, location) &&
		       !(p->function.system_name && p->function.system_name[id]);

	if (unnamed && !pk_location_line(p, location) && !pk_node_inlined(p, node))
		return;
	put(&w->inner, 1, function(w, location));
	put(&w->inner, 2, pk_location_line(p, location));
	put(&w->inner, 3, p->location.column ? p->location.column[location] : 0);
	put_message(&w->lines, 4, &w->inner);
}

static void add_location(struct writing *w, uint32_t node)
{
	const struct pk_profile *p = w->p;
	uint32_t location = p->node.location[node];
	uint32_t mapping = p->location.mapping ? p->location.mapping[location] : 0;

	put(&w->lines, 1, ++w->locations);
	put(&w->lines, 2, p->mapping.count > 1 ? mapping : 1);
	put(&w->lines, 3, p->location.address ? p->location.address[location] : 0);
	for (add_line(w, node); pk_node_inlined(p, node); add_line(w, node))
		node = p->node.parent[node];
	put_message(&w->location_messages, 4, &w->lines);
}

/* True if the locations in which two paths end are the same. */
static bool same_location(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	while (p->node.location[a] == p->node.location[b]) {
		if (pk_node_inlined(p, a) != pk_node_inlined(p, b))
			return false;
		if (!pk_node_inlined(p, a))
			return true;
		a = p->node.parent[a];
		b = p->node.parent[b];
	}
	return false;
}

static uint32_t find_location(struct writing *w, uint32_t node, uint64_t hash)
{
	uint32_t *known =
		PK_INDEX_FIND(&w->location_index, hash, id, same_location(w->p, w->ends[id], node));

	if (*known)
		return *known;
	add_location(w, node);
	PK_GROW(w->ends, (size_t)w->locations + 1, w->ends_alloc);
	w->ends[w->locations] = node;
	return *known = w->locations;
}

/* The location in which the path ends. */
static uint32_t location_of(struct writing *w, uint32_t node)
{
	uint64_t hash = 0;
	uint32_t n = node;

	if (w->location[node])
		return w->location[node];
	for (;; n = w->p->node.parent[n]) {
		hash = pk_hash_pair(hash, w->p->node.location[n]);
		if (!pk_node_inlined(w->p, n))
			break;
	}
	w->above[node] = w->p->node.parent[n];
	return w->location[node] = find_location(w, node, hash);
}

/* Samples. */

static uint32_t find_sample(struct writing *w, const struct sample *s)
{
	uint64_t hash = pk_hash_pair((uint64_t)s->node << 32 | s->thread, s->labels);
	uint32_t *known = PK_INDEX_FIND(&w->sample_index, hash, id,
					w->sample[id - 1].node == s->node &&
						w->sample[id - 1].thread == s->thread &&
						w->sample[id - 1].labels == s->labels);

	if (*known)
		return *known - 1;
	PK_GROW(w->sample, w->samples + 1, w->sample_alloc);
	PK_GROW_ZERO(w->value, (w->samples + 1) * w->p->metric.count, w->value_alloc);
	w->sample[w->samples++] = *s;
	*known = (uint32_t)w->samples;
	return *known - 1;
}

static void collect_samples(struct writing *w)
{
	const struct pk_profile *p = w->p;

	for (uint32_t i = 1; i < p->cost.count; i++) {
		struct sample s = {p->cost.node[i], pk_cost_thread(p, i), pk_cost_labels(p, i)};
		size_t row = find_sample(w, &s);

		pk_add_saturated(&w->value[row * p->metric.count + pk_cost_metric(p, i)],
				 p->cost.self[i]);
	}
}

static void put_label(struct writing *w, uint32_t key, uint32_t value, int64_t number,
		      uint32_t unit)
{
	put(&w->inner, 1, key);
	put(&w->inner, 2, value);
	put(&w->inner, 3, (uint64_t)number);
	put(&w->inner, 4, unit);
	put_message(&w->message, 3, &w->inner);
}

static void put_labels(struct writing *w, uint32_t labels)
{
	const struct pk_label_set_table *t = &w->p->label_set;

	for (; labels; labels = t->rest[labels]) {
		uint32_t key = string(w, t->key[labels]);

		if (t->number[labels] == PK_NULL)
			put_label(w, key, string(w, t->text[labels]), 0, 0);
		else
			put_label(w, key, 0, t->number[labels], string(w, t->unit[labels]));
	}
}

struct thread_keys {
	uint32_t thread, id, pid, process;
};

static void put_thread(struct writing *w, uint32_t thread, const struct thread_keys *key)
{
	const struct pk_profile *p = w->p;
	uint32_t process = p->thread.process[thread];

	if (p->thread.name[thread])
		put_label(w, key->thread, string(w, p->thread.name[thread]), 0, 0);
	if (p->thread.tid[thread] != PK_NULL)
		put_label(w, key->id, 0, p->thread.tid[thread], 0);
	if (process && p->process.pid[process] != PK_NULL)
		put_label(w, key->pid, 0, p->process.pid[process], 0);
	if (process && p->process.name[process])
		put_label(w, key->process, string(w, p->process.name[process]), 0, 0);
}

static int64_t scaled(struct writing *w, uint32_t metric, int64_t value)
{
	int64_t divisor = w->divisor[metric], rest = value % divisor;

	if (!rest)
		return value / divisor;
	w->rounded = true;
	return value / divisor + (2 * rest >= divisor) - (2 * rest <= -divisor);
}

static void write_sample(struct writing *w, size_t i, const struct thread_keys *keys)
{
	const struct sample *s = &w->sample[i];
	const int64_t *value = &w->value[i * w->p->metric.count];
	bool no_stack = !w->p->node.parent[s->node] &&
			!strcmp(pk_text(w->p, pk_node_name(w->p, s->node)), "[no stack]");

	for (uint32_t n = no_stack ? 0 : s->node; n; n = w->above[n])
		pk_proto_put_varint(&w->buf, location_of(w, n));
	put_message(&w->message, 1, &w->buf);
	for (uint32_t k = 0; k < w->types; k++)
		pk_proto_put_varint(&w->buf, (uint64_t)scaled(w, w->type[k], value[w->type[k]]));
	put_message(&w->message, 2, &w->buf);
	put_labels(w, s->labels);
	if (keys && s->thread)
		put_thread(w, s->thread, keys);
}

static void write_samples(struct writing *w)
{
	struct thread_keys keys = {0};
	struct pk_buf file = PK_BUF_INIT;

	collect_samples(w);
	if (!w->is_pprof && w->p->thread.count > 1)
		keys = (struct thread_keys){text(w, "thread"), text(w, "thread_id"), text(w, "pid"),
					    text(w, "process")};
	for (size_t i = 0; i < w->samples && !pk_output_failed(w->out); i++) {
		write_sample(w, i, keys.id ? &keys : NULL);
		put_message(&file, 2, &w->message);
		flush(w, &file, FLUSH_SIZE);
	}
	flush(w, &file, 1);
	pk_buf_release(&file);
}

/* Types of values. */

/* Takes the order of the file from which the profile was read. */
static bool take_order(struct writing *w, const char *list)
{
	uint32_t count = 0;

	while (list && *list && count < w->types) {
		size_t len = 0;
		uint32_t metric = 0;

		for (uint32_t m = 1; m < w->p->metric.count; m++) {
			const char *name = pk_text(w->p, w->p->metric.name[m]);
			size_t own = strlen(name);

			if (own > len && pk_starts_with(list, name) && strchr(" ", list[own])) {
				metric = m;
				len = own;
			}
		}
		for (uint32_t k = 0; k < count; k++)
			if (w->type[k] == metric)
				metric = 0;
		if (!metric)
			return false;
		w->type[count++] = metric;
		list += len + (list[len] == ' ');
	}
	return count == w->types;
}

/* The unit of the file from which the profile was read, if no value changes by it. */
static void choose_unit(struct writing *w, uint32_t metric)
{
	const struct pk_profile *p = w->p;
	const char *unit = pk_metric_unit(p, metric), *own;
	int64_t factor;

	w->divisor[metric] = pk_power_of_ten(p->metric.exponent[metric]);
	w->unit[metric] = !strcmp(unit, "ns") ? "nanoseconds" : unit;
	own = pk_own_unit(p, metric, &factor);
	if (!own || w->divisor[metric] > 1)
		return;
	w->divisor[metric] = factor;
	w->unit[metric] = own;
}

static void put_type(struct writing *w, struct pk_buf *to, uint32_t field, const char *name,
		     const char *unit)
{
	put(&w->message, 1, text(w, name));
	put(&w->message, 2, text(w, unit));
	put_message(to, field, &w->message);
}

static void write_types(struct writing *w)
{
	const struct pk_profile *p = w->p;
	const char *unnamed = pk_meta_find(p, "unnamed sample type");

	w->types = p->metric.count - 1;
	w->type = pk_malloc(pk_mul(p->metric.count, sizeof(*w->type)));
	w->divisor = pk_malloc(pk_mul(p->metric.count, sizeof(*w->divisor)));
	w->unit = pk_malloc(pk_mul(p->metric.count, sizeof(*w->unit)));
	for (uint32_t m = 1; m < p->metric.count; m++)
		choose_unit(w, m);
	if (!take_order(w, pk_meta_find(p, "sample types")))
		for (uint32_t m = 1; m <= w->types; m++)
			w->type[m - 1] = m < w->types ? m + 1 : 1;
	for (uint32_t k = 0; k < w->types; k++) {
		const char *name = pk_text(p, p->metric.name[w->type[k]]);
		bool named = !unnamed || strcmp(unnamed, name);

		put_type(w, &w->buf, 1, named ? name : "", named ? w->unit[w->type[k]] : "");
	}
	flush(w, &w->buf, 1);
}

/* The rest. */

/* If a reader does not say what was symbolized: everything, unless addresses have no names, so that
 * pprof may look for them. */
static void guess_symbols(const struct writing *w, uint8_t *symbols)
{
	const struct pk_profile *p = w->p;
	const uint32_t *mapping = p->location.mapping;

	memset(symbols, w->is_pprof && p->mapping.count > 1 ? 0 : ALL_SYMBOLS,
	       p->mapping.count + 1);
	for (uint32_t l = 1; mapping && l < p->location.count; l++)
		if (pk_is_nameless(p, l))
			symbols[mapping[l]] = 0;
	for (uint32_t l = 1; mapping && l < p->location.count; l++)
		if (!w->is_pprof && !pk_is_nameless(p, l))
			symbols[mapping[l]] = ALL_SYMBOLS;
}

static void write_mappings(struct writing *w)
{
	const struct pk_mapping_table *t = &w->p->mapping;
	PK_FREED uint8_t *guess = pk_malloc((size_t)t->count + 1);

	guess_symbols(w, guess);
	for (uint32_t i = 1; i < t->count || i == 1; i++) {
		uint8_t symbols = t->symbols && i < t->count ? t->symbols[i] : guess[i];

		put(&w->message, 1, i);
		if (i < t->count) {
			put(&w->message, 2, t->start[i]);
			put(&w->message, 3, t->limit[i]);
			put(&w->message, 4, t->offset[i]);
			put(&w->message, 5, string(w, t->file[i]));
			put(&w->message, 6, string(w, t->build_id[i]));
		}
		for (uint32_t bit = 0; bit < 4; bit++)
			put(&w->message, 7 + bit, symbols >> bit & 1);
		put_message(&w->buf, 3, &w->message);
	}
	flush(w, &w->buf, 1);
}

static uint32_t meta(struct writing *w, const char *key)
{
	const char *value = pk_meta_find(w->p, key);

	return value ? text(w, value) : 0;
}

static void write_period(struct writing *w)
{
	const struct pk_profile *p = w->p;
	const char *type = pk_meta_find(p, "period type"), *period = pk_meta_find(p, "period");
	const char *slash = type ? strrchr(type, '/') : NULL;

	for (uint32_t m = 1; m < p->metric.count; m++) {
		if (pk_metric_period(p, m) == PK_NULL)
			continue;
		put_type(w, &w->buf, 11, pk_text(p, p->metric.name[m]), w->unit[m]);
		put(&w->buf, 12, (uint64_t)scaled(w, m, pk_metric_period(p, m)));
		return;
	}
	if (!slash)
		return;
	pk_buf_add(&w->inner, type, (size_t)(slash - type) + 1);
	w->inner.data[slash - type] = '\0';
	put_type(w, &w->buf, 11, w->inner.data, slash + 1);
	w->inner.len = 0;
	put(&w->buf, 12, period ? (uint64_t)strtoll(period, NULL, 10) : 0);
}

static void write_comments(struct writing *w)
{
	static const char *const ours[] = {"sample types", "period type",         "period",
					   "doc url",      "default sample type", "drop frames",
					   "keep frames",  "unnamed sample type"};
	const struct pk_meta_table *t = &w->p->meta;

	for (uint32_t i = 1; i < t->count; i++) {
		const char *key = pk_text(w->p, t->key[i]), *value = pk_text(w->p, t->value[i]);
		size_t k = 0;

		if (pk_starts_with(key, PK_META_UNIT_OF) && t->derived && t->derived[i])
			continue;
		while (k < sizeof(ours) / sizeof(*ours) && strcmp(ours[k], key))
			k++;
		if (k < sizeof(ours) / sizeof(*ours))
			continue;
		if (strcmp(key, "comment")) {
			pk_buf_addf(&w->inner, "# %s: %s", key, value);
			pk_proto_put_number(&w->buf, 13, text(w, w->inner.data));
			w->inner.len = 0;
		} else {
			put(&w->buf, 13, text(w, value));
		}
	}
}

static void write_rest(struct writing *w)
{
	const struct pk_run_table *run = &w->p->run;

	flush(w, &w->location_messages, 1);
	flush(w, &w->function_messages, 1);
	put(&w->buf, 7, meta(w, "drop frames"));
	put(&w->buf, 8, meta(w, "keep frames"));
	put(&w->buf, 9, run->start[1] == PK_NULL ? 0 : (uint64_t)run->start[1]);
	put(&w->buf, 10, run->duration[1] == PK_NULL ? 0 : (uint64_t)run->duration[1]);
	write_period(w);
	write_comments(w);
	put(&w->buf, 14, meta(w, "default sample type"));
	put(&w->buf, 15, meta(w, "doc url"));
	flush(w, &w->texts, 1);
	flush(w, &w->buf, 1);
}

static void release(struct writing *w)
{
	struct pk_buf *const bufs[] = {&w->buf,
				       &w->message,
				       &w->inner,
				       &w->lines,
				       &w->texts,
				       &w->function_messages,
				       &w->location_messages};
	void *const arrays[] = {w->type,     w->divisor, w->unit, w->string, w->function,
				w->location, w->above,   w->ends, w->sample, w->value};

	for (size_t i = 0; i < sizeof(bufs) / sizeof(*bufs); i++)
		pk_buf_release(bufs[i]);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		free(arrays[i]);
	pk_index_release(&w->location_index);
	pk_index_release(&w->sample_index);
}

static int write_pprof(const struct pk_profiles *list, const void *params, struct pk_output *out,
		       struct pk_error *err)
{
	const struct pk_profile *p = list->item[0];
	struct writing w = {
		.p = p,
		.out = out,
		.is_pprof = !strcmp(pk_text(p, p->run.format[1]), "pprof"),
	};

	(void)params;
	(void)err;
	w.string = pk_calloc(p->string.count, sizeof(*w.string));
	w.function = pk_calloc(p->function.count, sizeof(*w.function));
	w.location = pk_calloc(p->node.count, sizeof(*w.location));
	w.above = pk_calloc(p->node.count, sizeof(*w.above));
	add_text(&w, "", 0);
	write_types(&w);
	write_samples(&w);
	write_mappings(&w);
	write_rest(&w);
	if (w.rounded)
		pk_output_note(out, "values rounded to whole numbers, since pprof has no others");
	release(&w);
	return 0;
}

static const char *const suffixes[] = {".pprof", ".pb", NULL};

const struct pk_writer pk_writer_pprof = {
	.name = "pprof",
	.title = "profile.proto of pprof, for go tool pprof, Pyroscope, Parca",
	.suffixes = suffixes,
	.needs = PK_PART_PATHS,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS | PK_PART_META |
		 PK_PART_LABELS,
	.binary = true,
	.write = write_pprof,
};
