/*
 * Adds up costs by line. A place is a line of a group: of a function, or of a file, so that a
 * lambda and the line around it are one line of the file, and lines of two functions. One walk
 * through the call paths gives self and total of all places, groups and files.
 */
#include "analysis/lines/lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/hotspots/hotspots.h"
#include "analysis/function_name.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "model/transform/transform.h"

bool pk_has_lines(const struct pk_profile *p)
{
	for (uint32_t i = 1; p->location.line && i < p->location.count; i++)
		if (p->location.line[i])
			return true;
	return false;
}

bool pk_lines_include_calls(const struct pk_profile *p)
{
	const char *times = pk_meta_find(p, "times");

	return times && pk_starts_with(times, "of lines include ");
}

bool pk_is_file_named(const char *file, const char *name)
{
	return pk_ends_in_part(file, name, "/\\");
}

/* A sum over call paths, some of which may be below others of the same thing. */
struct sum {
	int64_t self, total;
	uint32_t open; /* how often it is on the current path */
};

struct walk {
	struct pk_lines *l;
	const struct pk_tree *tree;
	const struct pk_tree *hits; /* NULL: they are not a metric */
	enum pk_aggregate how;
	uint32_t *place;            /* location -> row */
	uint32_t *group;            /* location -> group */
	uint32_t *open;             /* per row */
	struct sum *groups, *files; /* files: by string */
};

/* The group of a location: a function, or the file of one. */
static uint32_t key_of(const struct pk_lines *l, uint32_t location)
{
	const struct pk_profile *p = l->profile;
	uint32_t function = p->location.function[location];

	return l->by_file ? p->function.file[function] : function;
}

PK_COMPARE_ROWS(by_place, struct pk_lines,
		PK_ORDER(key_of(d, a), key_of(d, b))
			?: PK_ORDER(pk_location_line(d->profile, a),
				    pk_location_line(d->profile, b))
				   ?: PK_ORDER(a, b))

/* Makes a row for each place and a group for each function or file, without values. */
static void make_places(struct walk *w)
{
	struct pk_lines *l = w->l;
	const struct pk_profile *p = l->profile;
	uint32_t count = p->location.count, last = 0;
	PK_FREED uint32_t *order = pk_malloc(pk_mul(count, sizeof(*order)));

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order + 1, count - 1, sizeof(*order), by_place, l);
	l->row = pk_calloc(count, sizeof(*l->row));
	l->group = pk_calloc(count, sizeof(*l->group));
	for (uint32_t i = 1; i < count; last = order[i++]) {
		uint32_t at = order[i], function = p->location.function[at];
		bool begins = i == 1 || key_of(l, at) != key_of(l, last);

		if (begins)
			l->group[l->group_count++] =
				(struct pk_line_group){.function = function,
						       .file = p->function.file[function],
						       .first = l->row_count};
		if (begins || pk_location_line(p, at) != pk_location_line(p, last)) {
			l->row[l->row_count++] = (struct pk_line){.line = pk_location_line(p, at),
								  .function = function,
								  .hits = PK_NULL};
			l->group[l->group_count - 1].count++;
		}
		w->place[at] = l->row_count - 1;
		w->group[at] = l->group_count - 1;
	}
}

static void enter(void *data, uint32_t node)
{
	struct walk *w = data;
	const struct pk_profile *p = w->l->profile;
	uint32_t location = p->node.location[node], place = w->place[location];
	struct sum *group = &w->groups[w->group[location]];
	struct sum *file = &w->files[p->function.file[p->location.function[location]]];
	struct pk_line *row = &w->l->row[place];
	int64_t self = w->tree->self[node], total = w->tree->total[node];

	pk_aggregate_add(w->how, &row->self, self);
	pk_aggregate_add(w->how, &group->self, self);
	if (w->hits)
		pk_add_known(&row->hits, w->hits->self[node]);
	if (!w->open[place]++)
		pk_aggregate_add(w->how, &row->total, total);
	if (!group->open++)
		pk_aggregate_add(w->how, &group->total, total);
	if (!file->open++)
		pk_aggregate_add(w->how, &file->total, total);
}

static void leave(void *data, uint32_t node)
{
	struct walk *w = data;
	const struct pk_profile *p = w->l->profile;
	uint32_t location = p->node.location[node];

	w->open[w->place[location]]--;
	w->groups[w->group[location]].open--;
	w->files[p->function.file[p->location.function[location]]].open--;
}

/* Moves rows with values to the front of their group, and notes what is known of groups and
 * files. */
static void settle_group(struct walk *w, struct pk_line_group *g, const struct sum *sum)
{
	struct pk_lines *l = w->l;
	uint32_t kept = g->first, end = g->first + g->count;

	g->self = sum->self;
	g->total = sum->total;
	for (uint32_t i = g->first; i < end; i++) {
		struct pk_line *row = &l->row[i];
		int64_t *more = l->more ? &l->more[(size_t)i * l->more_count] : NULL;
		bool any = row->self || row->total || row->hits != PK_NULL;

		if (!row->line)
			pk_add_saturated(&l->unplaced, row->self);
		for (uint32_t k = 0; k < l->more_count && !any; k++)
			any = more[k] != 0;
		if (!row->line || !any)
			continue;
		if (more)
			memmove(&l->more[(size_t)kept * l->more_count], more,
				l->more_count * sizeof(*more));
		row->file_total = w->files[g->file].total;
		l->counted |= row->hits != PK_NULL;
		l->nested |= row->total != row->self;
		l->row[kept++] = *row;
	}
	g->count = kept - g->first;
}

static bool is_hits(const struct pk_profile *p, uint32_t metric)
{
	return !strcmp(pk_text(p, p->metric.name[metric]), "hits");
}

/* The metric that says how often lines were executed; 0 = not known. */
static uint32_t hits_of(const struct pk_profile *p, const struct pk_lines_options *o,
			uint32_t metric)
{
	uint32_t hits = p->metric.counts ? p->metric.counts[metric] : 0;

	for (uint32_t i = 0; i < o->more_count; i++)
		if (is_hits(p, o->more[i]))
			return o->more[i];
	return is_hits(p, hits) ? hits : 0;
}

/* Adds up the further metrics that were asked for. */
static void add_more(struct pk_lines *l, const struct pk_lines_options *o, const uint32_t *place)
{
	const struct pk_profile *p = l->profile;
	PK_FREED uint32_t *number = pk_calloc(p->metric.count, sizeof(*number)); /* + 1 */

	for (uint32_t i = 0; i < o->more_count; i++) {
		if (is_hits(p, o->more[i]) || o->more[i] == l->metric || number[o->more[i]])
			continue;
		l->more_metric[l->more_count++] = o->more[i];
		number[o->more[i]] = l->more_count;
	}
	if (!l->more_count)
		return;
	l->more = pk_calloc((size_t)l->row_count * l->more_count, sizeof(*l->more));
	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i), k = number[metric];
		uint32_t row = place[p->node.location[p->cost.node[i]]];

		if (k && p->cost.node[i])
			pk_aggregate_add(pk_metric_aggregate(p, metric),
					 &l->more[(size_t)row * l->more_count + k - 1],
					 p->cost.self[i]);
	}
}

static void add_up(struct pk_lines *l, const struct pk_lines_options *o)
{
	const struct pk_profile *p = l->profile;
	struct pk_tree tree, counted = {0};
	struct walk w = {.l = l, .tree = &tree, .how = pk_metric_aggregate(p, l->metric)};
	uint32_t hits = hits_of(p, o, l->metric);

	w.place = pk_calloc(p->location.count, sizeof(*w.place));
	w.group = pk_calloc(p->location.count, sizeof(*w.group));
	w.files = pk_calloc(p->string.count, sizeof(*w.files));
	make_places(&w);
	w.open = pk_calloc(l->row_count + 1, sizeof(*w.open));
	w.groups = pk_calloc(l->group_count + 1, sizeof(*w.groups));
	pk_tree_init(&tree, p, l->metric);
	if (hits) {
		pk_tree_init(&counted, p, hits);
		w.hits = &counted;
	}
	pk_tree_visit(&tree, p, enter, leave, &w);
	l->total = tree.total[0];
	add_more(l, o, w.place);
	for (uint32_t i = 0; i < l->group_count; i++)
		settle_group(&w, &l->group[i], &w.groups[i]);
	pk_tree_release(&tree);
	pk_tree_release(&counted);
	free(w.place);
	free(w.group);
	free(w.files);
	free(w.open);
	free(w.groups);
}

/* Finds what is asked for, among the three kinds that `target` may name. */
struct target {
	const char *text;
	struct pk_buf file; /* of FILE:LINE, without the line */
	bool is_file, has_name;
	uint32_t function; /* the one with this handle */
	struct pk_regex *re;
};

static bool ends_in_name(const char *function, const char *name)
{
	return pk_ends_in_part(function, name, ".:");
}

/* The number behind the last ':', as FILE:LINE has it; 0 if there is none. */
static uint32_t line_behind(const char *text, size_t *len)
{
	const char *colon = strrchr(text, ':');
	uint64_t line = 0;

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return 0;
	for (const char *c = colon + 1; *c && line < UINT32_MAX; c++)
		line = line * 10 + (uint64_t)(*c - '0');
	*len = (size_t)(colon - text);
	return line < UINT32_MAX ? (uint32_t)line : 0;
}

static int find_target(struct target *t, struct pk_lines *l, const char *text, struct pk_error *err)
{
	const struct pk_profile *p = l->profile;
	size_t len = strlen(text);

	*t = (struct target){.text = text};
	l->at = line_behind(text, &len);
	pk_buf_add(&t->file, text, len);
	for (uint32_t f = 1; f < p->function.count; f++) {
		t->is_file |= pk_is_file_named(pk_text(p, p->function.file[f]), t->file.data);
		t->has_name |= ends_in_name(pk_text(p, p->function.name[f]), text);
	}
	l->by_file |= t->is_file;
	if (!t->is_file)
		l->at = 0;
	t->function = pk_function_of_handle(p, text);
	if (!t->is_file && !t->has_name && !t->function)
		t->re = pk_regex_new(text, err);
	return t->is_file || t->has_name || t->function || t->re ? 0 : -1;
}

static bool is_target(const struct target *t, const struct pk_profile *p,
		      const struct pk_line_group *g, struct pk_buf *scratch)
{
	if (t->is_file)
		return pk_is_file_named(pk_text(p, g->file), t->file.data);
	if (t->has_name)
		return ends_in_name(pk_text(p, p->function.name[g->function]), t->text);
	if (t->function)
		return t->function == g->function;
	return pk_function_matches(t->re, p, g->function, scratch);
}

/* Keeps the groups that were asked for and have lines. */
static void choose(struct pk_lines *l, const struct pk_lines_options *o, const struct target *t)
{
	PK_BUF_AUTO scratch = PK_BUF_INIT;
	double least = o->min_share * (double)l->total;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->group_count; i++) {
		const struct pk_line_group *g = &l->group[i];

		if (g->count && !(o->min_share > 0 && (double)g->total < least) &&
		    (!o->target || is_target(t, l->profile, g, &scratch)))
			l->group[kept++] = *g;
	}
	l->group_count = kept;
}

static void sort_groups(struct pk_lines *l, const struct pk_sort *sort)
{
	uint32_t count = l->group_count;
	PK_FREED struct pk_function_total *rows = pk_calloc(count + 1, sizeof(*rows));
	PK_FREED uint32_t *order = pk_calloc(count + 1, sizeof(*order));
	struct pk_line_group *sorted = pk_calloc(count + 1, sizeof(*sorted));

	for (uint32_t i = 0; i < count; i++) {
		const struct pk_line_group *g = &l->group[i];

		order[i] = i;
		rows[i] = (struct pk_function_total){.function = g->function,
						     .calls = PK_NULL,
						     .primitive_calls = PK_NULL,
						     .self = g->self,
						     .total = g->total,
						     .self_raw = NAN,
						     .total_raw = NAN};
	}
	pk_sort_functions(sort, l->profile, rows, order, count);
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = l->group[order[i]];
	free(l->group);
	l->group = sorted;
}

/* FILE:LINE must be among the lines that have cost. */
static int check_line(const struct pk_lines *l, const char *target, struct pk_error *err)
{
	uint32_t first = UINT32_MAX, last = 0;

	for (uint32_t i = 0; i < l->group_count; i++) {
		const struct pk_line *row = &l->row[l->group[i].first];
		uint32_t end = row[l->group[i].count - 1].line;

		first = row->line < first ? row->line : first;
		last = end > last ? end : last;
	}
	if (!l->at || (l->at >= first && l->at <= last))
		return 0;
	return pk_fail(err, PK_EUSAGE, "'%s': lines with cost are %u to %u", target, first, last);
}

int pk_lines_init(struct pk_lines *l, const struct pk_profile *p, uint32_t metric,
		  const struct pk_lines_options *options, struct pk_error *err)
{
	struct target target = {0};
	int status = 0;

	*l = (struct pk_lines){.profile = p, .metric = metric, .by_file = options->by_file};
	if (!pk_has_lines(p))
		return pk_fail(err, PK_EFORMAT,
			       "'%s' (%s) does not say which lines were executed: no lines to show",
			       pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]));
	if (options->target)
		status = find_target(&target, l, options->target, err);
	if (!status) {
		add_up(l, options);
		choose(l, options, &target);
	}
	if (options->whole_file)
		l->at = 0;
	if (!status && options->target && (l->group_count || !options->may_be_absent))
		status = l->group_count ? check_line(l, options->target, err)
					: pk_fail(err, PK_EUSAGE,
						  "no function or source file with lines is called "
						  "'%s'",
						  options->target);
	pk_buf_release(&target.file);
	pk_regex_free(target.re);
	if (status)
		pk_lines_release(l);
	else
		sort_groups(l, &options->sort);
	return status;
}

void pk_lines_release(struct pk_lines *l)
{
	free(l->row);
	free(l->more);
	free(l->group);
	*l = (struct pk_lines){.profile = NULL};
}
