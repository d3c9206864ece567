/*
 * Selections: functions are judged once, then every call path finds its new place
 * in one pass (parents come first), and what refers to paths follows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/regex.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/transform/edges.h"
#include "model/label.h"
#include "model/events/spans.h"
#include "model/transform/transform.h"

enum function_mark {
	FOCUS = 1,
	IGNORE = 2,
	SHOW = 4,
	HIDE = 8,
	SHOW_FROM = 16,
	PRUNE_FROM = 32,
	LIBRARY = 64,
};

/* KEPT: something at the path or below it is kept, so it is needed. OWN: at the path itself. COSTS:
 * that is not 0. */
enum path_mark {
	IN_FOCUS = 1,
	IN_IGNORE = 2,
	SHOWN_FROM = 4,
	PRUNED = 8,
	KEPT = 16,
	OWN = 32,
	COSTS = 64
};

struct selector {
	struct pk_copy copy; /* first: callbacks get its address */
	const struct pk_selection *s;
	uint8_t *function_marks, *path_marks; /* per function, per node */
	uint32_t *outermost; /* only_my_code, per node: the path of the outermost library, if no
			      * function of the program is above; otherwise 0 */
	bool *thread_kept, *process_kept, *label_kept, *span_kept, *instant_kept;
	bool *span_gone; /* its stack is left out, with its time */
	bool has_focus, has_show, has_show_from;
};

static bool wants_paths(const struct pk_selection *s)
{
	return s->focus || s->ignore || s->show || s->hide || s->show_from || s->prune_from ||
	       s->collapse_recursion || s->fold_library || s->only_my_code || s->no_inlines;
}

/* True if some events are wanted and others not, whatever their thread. */
static bool chooses_events(const struct pk_selection *s)
{
	return s->category || s->event || s->longer_than > 0;
}

bool pk_selection_is_empty(const struct pk_selection *s)
{
	return !wants_paths(s) && !s->process && !s->thread && !s->rank && !s->labels.count &&
	       !s->no_labels.count && !s->time && !s->step && !chooses_events(s) && !s->trim_path &&
	       s->granularity == PK_AS_READ && s->demangling == PK_DEMANGLE_NO;
}

static bool is_library(const struct pk_profile *p, uint32_t function)
{
	static const char *const parts[] = {
		"/site-packages/", "/dist-packages/", "<frozen ",          "/lib/python",
		"/lib64/python",   "/lib/pypy",       "\\site-packages\\", NULL};

	return p->function.kind[function] == PK_KIND_BUILTIN ||
	       p->function.kind[function] == PK_KIND_RUNTIME ||
	       pk_has_any(pk_text(p, p->function.file[function]), parts);
}

static bool text_matches(const struct pk_regex *re, const struct pk_profile *p, uint32_t string)
{
	return pk_regex_search(re, pk_text(p, string), p->string.len[string]);
}

bool pk_function_matches(const struct pk_regex *re, const struct pk_profile *p, uint32_t function,
			 struct pk_buf *place)
{
	const struct pk_function_table *t = &p->function;

	if (text_matches(re, p, t->name[function]))
		return true;
	if (t->module[function] && text_matches(re, p, t->module[function]))
		return true;
	if (!t->file[function])
		return false;
	place->len = 0;
	pk_buf_addf(place, "%s:%u", pk_text(p, t->file[function]), t->line[function]);
	return pk_regex_search(re, place->data, place->len);
}

static int mark_functions(struct selector *sel, const char *pattern, enum function_mark mark,
			  const char *option, const char **unmatched, struct pk_error *err)
{
	const struct pk_profile *p = sel->copy.p;
	PK_BUF_AUTO place = PK_BUF_INIT;
	bool found = false;
	uint32_t i;
	struct pk_regex *re;

	if (!pattern)
		return 0;
	if (!(re = pk_regex_new(pattern, err)))
		return pk_fail_context(err, "--%s", option);
	for (i = 1; i < p->function.count; i++) {
		if (!pk_function_matches(re, p, i, &place))
			continue;
		sel->function_marks[i] |= mark;
		found = true;
	}
	if (!found)
		*unmatched = option;
	pk_regex_free(re);
	return 0;
}

static int mark_all_functions(struct selector *sel, const char **unmatched, struct pk_error *err)
{
	const struct pk_selection *s = sel->s;
	uint32_t i;

	if (mark_functions(sel, s->focus, FOCUS, "focus", unmatched, err) ||
	    mark_functions(sel, s->ignore, IGNORE, "ignore", unmatched, err) ||
	    mark_functions(sel, s->show, SHOW, "show", unmatched, err) ||
	    mark_functions(sel, s->hide, HIDE, "hide", unmatched, err) ||
	    mark_functions(sel, s->show_from, SHOW_FROM, "show-from", unmatched, err) ||
	    mark_functions(sel, s->prune_from, PRUNE_FROM, "prune-from", unmatched, err))
		return -1;
	for (i = 1; (s->fold_library || s->only_my_code) && i < sel->copy.p->function.count; i++)
		if (is_library(sel->copy.p, i))
			sel->function_marks[i] |= LIBRARY;
	return 0;
}

/* A number is compared with the id, anything else with the name as an expression. */
static int filter_threads(const struct pk_profile *p, const char *pattern, bool by_process,
			  bool *kept, const char **unmatched, struct pk_error *err)
{
	const char *option = by_process ? "process" : "thread";
	bool found = false;
	long long number;
	struct pk_regex *re;
	uint32_t i;
	char *end;

	if (!pattern)
		return 0;
	if (!(re = pk_regex_new(pattern, err)))
		return pk_fail_context(err, "--%s", option);
	number = strtoll(pattern, &end, 0);
	for (i = 0; i < p->thread.count; i++) {
		uint32_t process = p->thread.process[i];
		int64_t id = by_process ? p->process.pid[process] : p->thread.tid[i];
		uint32_t name = by_process ? p->process.name[process] : p->thread.name[i];
		bool match = i && (!*end ? id == number : text_matches(re, p, name));

		kept[i] &= match;
		found |= match;
	}
	if (!found)
		*unmatched = option;
	pk_regex_free(re);
	return 0;
}

/* A run of another rank is skipped without the message that nothing matches, because the files of
 * all ranks may be read. */
static int filter_rank(const struct pk_profile *p, const char *rank, bool *kept,
		       const char **unmatched, struct pk_error *err)
{
	bool known = false;
	char *end;
	long long number = rank ? strtoll(rank, &end, 10) : 0;

	if (!rank)
		return 0;
	if (end == rank || *end)
		return pk_fail(err, PK_EUSAGE, "--rank %s: it is the number of a rank", rank);
	for (uint32_t i = 0; i < p->thread.count; i++) {
		int64_t of = pk_process_rank(p, p->thread.process[i]);

		kept[i] &= of == number;
		known |= of != PK_NULL;
	}
	if (!known)
		*unmatched = "rank";
	return 0;
}

int pk_select_threads(const struct pk_profile *p, const struct pk_selection *s, bool *threads,
		      bool *processes, const char **unmatched, struct pk_error *err)
{
	uint32_t i;

	memset(threads, true, p->thread.count);
	if (filter_threads(p, s->process, true, threads, unmatched, err) ||
	    filter_threads(p, s->thread, false, threads, unmatched, err) ||
	    filter_rank(p, s->rank, threads, unmatched, err))
		return -1;
	/* Counters belong to processes, and some of these have no thread. */
	memset(processes, !s->process && !s->thread && !s->rank, p->process.count);
	for (i = 0; i < p->thread.count; i++)
		processes[p->thread.process[i]] |= threads[i];
	return 0;
}

/* Finds the sets of labels that have the KEY of "KEY=RE" with a matching value. A label is judged
 * before the sets that contain it. */
static int match_label(const struct pk_profile *p, const char *label, const char *option, bool *has,
		       bool *found, struct pk_error *err)
{
	const struct pk_label_set_table *t = &p->label_set;
	const char *equals = strchr(label, '=');
	struct pk_regex *re = equals ? pk_regex_new(equals + 1, err) : NULL;

	if (!equals)
		return pk_fail(err, PK_EUSAGE, "--%s %s: it is KEY=RE", option, label);
	if (!re)
		return pk_fail_context(err, "--%s", option);
	for (uint32_t i = 1; i < t->count; i++) {
		const char *key = pk_text(p, t->key[i]);
		PK_BUF_AUTO value = PK_BUF_INIT;

		has[i] = has[t->rest[i]];
		if (strlen(key) == (size_t)(equals - label) &&
		    !memcmp(key, label, (size_t)(equals - label))) {
			pk_label_value(&value, p, i);
			has[i] |= pk_regex_search(re, value.data ? value.data : "", value.len);
		}
		*found |= has[i];
	}
	pk_regex_free(re);
	return 0;
}

/* Finds the sets that have all of the labels, or any of those to be left out. */
static int filter_labels(const struct selector *sel, const struct pk_opt_list *labels, bool without,
			 const char **unmatched, struct pk_error *err)
{
	const struct pk_profile *p = sel->copy.p;
	const char *option = without ? "ignore-label" : "label";
	PK_FREED bool *has = pk_calloc(p->label_set.count, sizeof(*has));

	for (size_t k = 0; k < labels->count; k++) {
		bool found = false;

		if (match_label(p, labels->item[k], option, has, &found, err))
			return -1;
		for (uint32_t i = 0; i < p->label_set.count; i++)
			sel->label_kept[i] &= has[i] != without;
		if (!found)
			*unmatched = option;
	}
	return 0;
}

/* Keeps the rows whose text in this column matches. */
static int match_texts(const struct selector *sel, const char *pattern, const char *option,
		       const uint32_t *column, uint32_t rows, bool *kept, bool *found,
		       struct pk_error *err)
{
	const struct pk_profile *p = sel->copy.p;
	struct pk_regex *re = pattern ? pk_regex_new(pattern, err) : NULL;
	uint8_t *verdict; /* 0 = not judged yet */
	uint32_t i;

	if (!pattern)
		return 0;
	if (!re)
		return pk_fail_context(err, "--%s", option);
	verdict = pk_calloc(p->string.count, 1);
	for (i = 1; i < rows; i++) {
		uint8_t *v = &verdict[column[i]];

		if (!*v)
			*v = text_matches(re, p, column[i]) ? 1 : 2;
		*found |= *v == 1;
		kept[i] &= *v == 1;
	}
	free(verdict);
	pk_regex_free(re);
	return 0;
}

/* The names of spans: those of the functions. The caller frees it. */
static uint32_t *span_names(const struct pk_profile *p)
{
	uint32_t *name = pk_malloc(pk_mul(p->span.count, sizeof(*name))), i;

	for (i = 0; i < p->span.count; i++)
		name[i] = pk_node_name(p, p->span.node[i]);
	return name;
}

static int match_events(struct selector *sel, const char **unmatched, struct pk_error *err)
{
	const struct pk_profile *p = sel->copy.p;
	bool category = !sel->s->category, event = !sel->s->event;
	PK_FREED uint32_t *name = span_names(p);
	int status;

	status = match_texts(sel, sel->s->category, "category", p->span.category, p->span.count,
			     sel->span_kept, &category, err) ||
		 match_texts(sel, sel->s->category, "category", p->instant.category,
			     p->instant.count, sel->instant_kept, &category, err) ||
		 match_texts(sel, sel->s->event, "event", name, p->span.count, sel->span_kept,
			     &event, err) ||
		 match_texts(sel, sel->s->event, "event", p->instant.name, p->instant.count,
			     sel->instant_kept, &event, err);
	if (!status && (!category || !event))
		*unmatched = category ? "event" : "category";
	return status ? -1 : 0;
}

/* Decides by threads and categories which spans and marks are kept. */
static int keep_events(struct selector *sel, const char **unmatched, struct pk_error *err)
{
	const struct pk_profile *p = sel->copy.p;
	uint32_t i;

	for (i = 1; i < p->span.count; i++)
		sel->span_kept[i] = sel->thread_kept[p->span.thread[i]] &&
				    p->span.duration[i] >= sel->s->longer_than;
	for (i = 1; i < p->instant.count; i++)
		sel->instant_kept[i] = sel->thread_kept[p->instant.thread[i]];
	return match_events(sel, unmatched, err);
}

static uint32_t text_of(struct pk_copy *copy, struct pk_buf *buf)
{
	return pk_build_string(copy->b, buf->data ? buf->data : "", buf->len);
}

/* Replaces functions by their files or modules. */
static void coarsen(struct selector *sel, uint32_t function, struct pk_function *f)
{
	uint32_t name = f->file;

	if (sel->s->granularity == PK_BY_MODULE) {
		size_t len;
		const char *module = pk_function_module(sel->copy.p, function, &len);

		name = pk_build_string(sel->copy.b, module, len);
	}
	if (*pk_text(pk_builder_profile(sel->copy.b), name)) {
		f->name = name;
		f->line = 0;
		if (sel->s->granularity == PK_BY_MODULE)
			f->file = 0;
	}
}

static void edit_function(struct pk_copy *copy, uint32_t function, struct pk_function *f)
{
	struct selector *sel = (struct selector *)copy;
	const char *trim = sel->s->trim_path, *file;

	if (trim && f->file) {
		file = pk_text(pk_builder_profile(copy->b), f->file);
		if (pk_starts_with(file, trim))
			f->file = pk_build_text(copy->b, file + strlen(trim));
	}
	if (sel->s->granularity == PK_BY_FILE || sel->s->granularity == PK_BY_MODULE)
		coarsen(sel, function, f);
}

/* A line or an instruction, "main 0x401136", as a function of its own. */
static uint32_t place_as_function(struct selector *sel, uint32_t function, uint32_t line,
				  uint64_t address)
{
	const struct pk_profile *made = pk_builder_profile(sel->copy.b);
	const struct pk_function_table *t = &made->function;
	struct pk_function f = {.name = t->name[function],
				.module = t->module[function],
				.file = t->file[function],
				.line = line,
				.kind = t->kind[function]};
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (address) {
		pk_buf_addf(&name, "%s 0x%" PRIx64, pk_text(made, f.name), address);
		f.name = text_of(&sel->copy, &name);
	}
	return pk_build_place(sel->copy.b, pk_build_function(sel->copy.b, &f), line);
}

/* The location that the end of a path gets: a function of its own for each line or address where
 * these are asked for. */
static uint32_t path_location(struct selector *sel, uint32_t node)
{
	const struct pk_profile *p = sel->copy.p;
	uint32_t function = pk_node_function(p, node), line = pk_node_line(p, node);
	enum pk_granularity by = sel->s->granularity;
	uint64_t address = 0;

	if (by == PK_AS_READ)
		return pk_copy_location(&sel->copy, p->node.location[node]);
	function = pk_copy_function(&sel->copy, function);
	if (by == PK_BY_ADDRESS && p->location.address)
		address = p->location.address[p->node.location[node]];
	if (address || (pk_is_by_place(by) && line))
		return place_as_function(sel, function, line, address);
	return pk_build_place(sel->copy.b, function, 0);
}

/* True if the function itself is not shown: its cost goes to what is above it. */
static bool is_hidden(struct selector *sel, uint32_t node, uint32_t above, uint32_t location)
{
	const struct pk_profile *p = sel->copy.p, *made = pk_builder_profile(sel->copy.b);
	uint8_t marks = sel->function_marks[pk_node_function(p, node)];
	uint32_t parent = p->node.parent[node];
	bool again = above && pk_node_function(made, above) == made->location.function[location];

	if ((marks & HIDE) || (sel->has_show && !(marks & SHOW)))
		return true;
	if (sel->s->no_inlines && pk_node_inlined(p, node))
		return true;
	if (again && (sel->s->collapse_recursion || sel->s->granularity >= PK_BY_FILE))
		return true;
	return (marks & LIBRARY) && parent &&
	       (sel->function_marks[pk_node_function(p, parent)] & LIBRARY);
}

static void mark_path(struct selector *sel, uint32_t node)
{
	const struct pk_profile *p = sel->copy.p;
	uint8_t marks = sel->function_marks[pk_node_function(p, node)];
	uint8_t path = sel->path_marks[p->node.parent[node]];

	path |= marks & FOCUS ? IN_FOCUS : 0;
	path |= marks & IGNORE ? IN_IGNORE : 0;
	path |= marks & SHOW_FROM ? SHOWN_FROM : 0;
	path |= marks & PRUNE_FROM ? PRUNED : 0;
	sel->path_marks[node] = path;
}

static bool keep_row(const struct pk_copy *copy, uint32_t thread, uint32_t node, uint32_t labels)
{
	const struct selector *sel = (const struct selector *)copy;
	uint8_t path = sel->path_marks[node];

	return sel->thread_kept[thread] && sel->label_kept[labels] && !(path & IN_IGNORE) &&
	       (!sel->has_focus || (path & IN_FOCUS));
}

static void mark_kept(struct selector *sel, uint32_t thread, uint32_t node, uint32_t labels,
		      bool costs)
{
	if (keep_row(&sel->copy, thread, node, labels))
		sel->path_marks[node] |= KEPT | OWN | (costs ? COSTS : 0);
}

/* With a range of time or categories, costs are made again from the events that are kept. */
static bool makes_costs(const struct selector *sel)
{
	return sel->s->time || sel->s->step || chooses_events(sel->s);
}

static void mark_spans(struct selector *sel)
{
	const struct pk_profile *p = sel->copy.p;
	int64_t time, duration;
	uint32_t i;

	for (i = 1; i < p->span.count; i++) {
		sel->span_gone[i] = !keep_row(&sel->copy, p->span.thread[i], p->span.node[i],
					      p->span.labels ? p->span.labels[i] : 0);
		if (!sel->span_kept[i])
			continue;
		sel->span_kept[i] =
			!sel->span_gone[i] && pk_copy_cut_span(&sel->copy, &time, &duration, i);
		if (sel->span_kept[i])
			sel->path_marks[p->span.node[i]] |=
				KEPT | OWN |
				(makes_costs(sel) && (duration || p->cost.calls) ? COSTS : 0);
	}
}

static void mark_paths(struct selector *sel)
{
	const struct pk_profile *p = sel->copy.p;
	uint32_t i;

	for (i = 1; i < p->node.count; i++)
		mark_path(sel, i);
	for (i = 1; !makes_costs(sel) && i < p->cost.count; i++)
		mark_kept(sel, pk_cost_thread(p, i), p->cost.node[i], pk_cost_labels(p, i),
			  p->cost.self[i] || pk_cost_calls(p, i) != PK_NULL);
	for (i = 1; !chooses_events(sel->s) && i < p->sample.count; i++)
		if (pk_copy_in_range(&sel->copy, p->sample.time[i]))
			mark_kept(sel, p->sample.thread[i], p->sample.node[i],
				  p->sample.labels ? p->sample.labels[i] : 0, p->sample.value[i]);
	mark_spans(sel);
	for (i = p->node.count - 1; i > 0; i--)
		sel->path_marks[p->node.parent[i]] |= sel->path_marks[i] & KEPT;
}

/* True if the node is a library, for which no new one is made. */
static bool is_left_out(struct selector *sel, uint32_t node, uint32_t above)
{
	uint8_t marks = sel->function_marks[pk_node_function(sel->copy.p, node)];

	if (!sel->s->only_my_code || !(marks & LIBRARY))
		return false;
	if (!above && !sel->outermost[node] && !(marks & HIDE) &&
	    !(sel->has_show && !(marks & SHOW)))
		sel->outermost[node] = node;
	return true;
}

static void place_node(struct selector *sel, uint32_t node)
{
	const struct pk_profile *p = sel->copy.p;
	uint32_t above = sel->copy.node[p->node.parent[node]], location;
	uint8_t path = sel->path_marks[node];

	if (sel->outermost && (sel->outermost[node] = sel->outermost[p->node.parent[node]]))
		above = 0;
	sel->copy.node[node] = above;
	if ((sel->has_show_from && !(path & SHOWN_FROM)) || (path & PRUNED) || !(path & KEPT) ||
	    (chooses_events(sel->s) && !(path & OWN)))
		return;
	if (is_left_out(sel, node, above))
		return;
	location = path_location(sel, node);
	if (is_hidden(sel, node, above, location))
		return;
	pk_copy_node(&sel->copy, node, above, location);
	if (sel->outermost)
		sel->outermost[node] = 0;
}

/* The outermost library becomes a root if something outside of the program has a cost. */
static void place_outside(struct selector *sel, uint32_t node)
{
	uint32_t outermost = sel->outermost[node];

	if (!outermost || !(sel->path_marks[node] & COSTS))
		return;
	pk_copy_node(&sel->copy, outermost, 0, path_location(sel, outermost));
	sel->copy.node[node] = sel->copy.node[outermost];
}

static void place_nodes(struct selector *sel)
{
	for (uint32_t i = 1; i < sel->copy.p->node.count; i++) {
		place_node(sel, i);
		if (sel->outermost)
			place_outside(sel, i);
	}
}

/* Makes the costs from spans, and from samples of another kind than the spans of their thread. */
static void make_costs(struct selector *sel)
{
	const struct pk_copy *copy = &sel->copy;
	const struct pk_profile *p = copy->p;
	const struct pk_sample_table *t = &p->sample;
	PK_FREED uint8_t *samples = NULL;
	uint32_t i;

	if (chooses_events(sel->s)) {
		pk_copy_span_costs(&sel->copy, sel->span_kept, sel->span_gone, NULL);
		return;
	}
	samples = pk_span_samples(p);
	pk_copy_span_costs(&sel->copy, sel->span_kept, sel->span_gone, samples);
	for (i = 1; i < t->count; i++)
		if (!(samples[t->thread[i]] == PK_SPAN_SAMPLES_SAME &&
		      pk_sample_metric(t, i) == pk_span_metric(p, t->thread[i])) &&
		    copy->node[t->node[i]] && pk_copy_in_range(copy, t->time[i]) &&
		    keep_row(copy, t->thread[i], t->node[i], t->labels ? t->labels[i] : 0))
			pk_build_cost(copy->b, copy->thread[t->thread[i]], copy->node[t->node[i]],
				      copy->metric[pk_sample_metric(t, i)],
				      pk_copy_value(copy, pk_sample_metric(t, i), t->value[i]),
				      PK_NULL);
}

static void select_edges(struct selector *sel)
{
	bool grouped = sel->s->granularity == PK_BY_FILE || sel->s->granularity == PK_BY_MODULE;

	if (!wants_paths(sel->s) && sel->copy.p->edge.count > 1 && sel->thread_kept[0] &&
	    sel->label_kept[0])
		pk_edges_copy(&sel->copy, grouped ? pk_edges_add_grouped : pk_edges_add);
}

int pk_selection_range(struct pk_time_range *range, const struct pk_selection *s,
		       const struct pk_profile *p, struct pk_error *err)
{
	struct pk_time_range step;

	*range = (struct pk_time_range){INT64_MIN, INT64_MAX};
	if ((s->time || s->step) && !pk_has_times(p))
		return pk_fail(err, PK_EUSAGE,
			       "--%s: the profile does not say when its samples were taken",
			       s->time ? "time" : "step");
	if (s->time && pk_time_range_parse(range, s->time, p, err))
		return pk_fail_context(err, "--time");
	if (!s->step)
		return 0;
	if (pk_step_range_parse(&step, s->step, p, err))
		return pk_fail_context(err, "--step");
	range->from = step.from > range->from ? step.from : range->from;
	range->to = step.to < range->to ? step.to : range->to;
	if (range->to <= range->from)
		return pk_fail(err, PK_EUSAGE, "--time and --step have no time in common");
	return 0;
}

static int select_into(struct selector *sel, const char **unmatched, struct pk_error *err)
{
	const struct pk_profile *p = sel->copy.p;

	if (pk_selection_range(&sel->copy.range, sel->s, p, err))
		return -1;
	memset(sel->label_kept, true, p->label_set.count);
	sel->copy.whole = sel->s->whole;
	if (chooses_events(sel->s) && p->span.count == 1 && p->instant.count == 1)
		return pk_fail(err, PK_EUSAGE, "--%s: the profile has no events",
			       sel->s->category ? "category"
			       : sel->s->event  ? "event"
						: "longer-than");
	if (mark_all_functions(sel, unmatched, err) ||
	    pk_select_threads(p, sel->s, sel->thread_kept, sel->process_kept, unmatched, err) ||
	    filter_labels(sel, &sel->s->labels, false, unmatched, err) ||
	    filter_labels(sel, &sel->s->no_labels, true, unmatched, err) ||
	    keep_events(sel, unmatched, err))
		return -1;
	pk_copy_begin(&sel->copy);
	mark_paths(sel);
	place_nodes(sel);
	if (makes_costs(sel))
		make_costs(sel);
	else
		pk_copy_costs(&sel->copy, keep_row);
	sel->copy.span = sel->span_kept;
	sel->copy.instant = sel->instant_kept;
	sel->copy.counter_process = sel->process_kept;
	sel->copy.samples_gone = chooses_events(sel->s);
	pk_copy_events(&sel->copy, keep_row);
	select_edges(sel);
	return 0;
}

static int select_functions(const struct pk_profile *p, const struct pk_selection *s,
			    struct pk_profile **result, const char **unmatched,
			    struct pk_error *err)
{
	struct pk_profile *tree = NULL;
	struct selector sel = {.s = s};
	int status;

	if (wants_paths(s))
		p = pk_with_paths(p, &tree);
	pk_copy_init(&sel.copy, pk_builder_new(), p);
	sel.copy.edit_function = edit_function;
	sel.function_marks = pk_calloc(p->function.count, 1);
	sel.path_marks = pk_calloc(p->node.count, 1);
	if (s->only_my_code)
		sel.outermost = pk_calloc(p->node.count, sizeof(*sel.outermost));
	sel.thread_kept = pk_calloc(p->thread.count, sizeof(bool));
	sel.process_kept = pk_calloc(p->process.count, sizeof(bool));
	sel.label_kept = pk_calloc(p->label_set.count, sizeof(bool));
	sel.span_kept = pk_calloc(p->span.count, sizeof(bool));
	sel.span_gone = pk_calloc(p->span.count, sizeof(bool));
	sel.instant_kept = pk_calloc(p->instant.count, sizeof(bool));
	sel.has_focus = s->focus;
	sel.has_show = s->show;
	sel.has_show_from = s->show_from;
	status = select_into(&sel, unmatched, err);
	if (status)
		pk_builder_free(sel.copy.b);
	else
		*result = pk_builder_finish(sel.copy.b);
	pk_copy_release(&sel.copy);
	free(sel.function_marks);
	free(sel.path_marks);
	free(sel.outermost);
	free(sel.thread_kept);
	free(sel.process_kept);
	free(sel.label_kept);
	free(sel.span_kept);
	free(sel.span_gone);
	free(sel.instant_kept);
	pk_profile_free(tree);
	return status;
}

int pk_select(const struct pk_profile *p, const struct pk_selection *s, struct pk_profile **result,
	      const char **unmatched, struct pk_error *err)
{
	struct pk_selection rest = *s;
	struct pk_profile *readable = pk_demangle_profile(p, s->demangling);
	int status;

	*result = NULL;
	*unmatched = NULL;
	rest.demangling = PK_DEMANGLE_NO;
	rest.no_inlines &= p->location.inlined != NULL;
	if (pk_selection_is_empty(&rest)) {
		*result = readable;
		return 0;
	}
	status = select_functions(readable ? readable : p, &rest, result, unmatched, err);
	pk_profile_free(readable);
	return status;
}
