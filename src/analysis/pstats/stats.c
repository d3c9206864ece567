/*
 * Profiles as Python's pstats.Stats holds them, for `--like pstats` and the writer of pstats. The
 * model adds files (pk_merge) and strips folders (pk_strip_dirs) in the same order and with the
 * same sums as Stats does. Before that, each profile is copied with the names and counts of Python:
 * a function is (file, line, name), with its module as the file if that is not known; a number of
 * calls that a pstats file does not know is -1; the two counts of yappi, which the reader
 * exchanges, are exchanged again.
 */
#include "analysis/pstats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/transform/copy.h"
#include "model/transform/edges.h"
#include "model/transform/transform.h"

static bool is_swapped(const struct pk_profile *p)
{
	return p->run.swapped && p->run.swapped[1];
}

static void edit_function(struct pk_copy *copy, uint32_t function, struct pk_function *f)
{
	const struct pk_stats_options *o = copy->data;

	(void)function;
	*f = (struct pk_function){
		.name = f->name, .file = f->file ? f->file : f->module, .line = f->line};
	if (o->edit)
		o->edit(o->data, copy->b, f);
}

/* Where calls are not known, primitive calls are not known either. */
static void set_counts(struct pk_edge_table *t, int64_t unknown, bool swapped)
{
	for (uint32_t i = 1; i < t->count; i++) {
		int64_t calls = t->calls[i] == PK_NULL ? unknown : t->calls[i];
		bool only_count =
			t->caller[i] && t->primitive_calls[i] == PK_NULL && t->self[i] == PK_NULL &&
			t->total[i] == PK_NULL &&
			(!t->self_raw || (isnan(t->self_raw[i]) && isnan(t->total_raw[i])));

		if (t->primitive_calls[i] == PK_NULL && !only_count)
			t->primitive_calls[i] = calls;
		t->calls[i] = calls;
		if (swapped && !t->caller[i]) {
			t->calls[i] = t->primitive_calls[i];
			t->primitive_calls[i] = calls;
		}
	}
}

/* Python adds functions of all but the first profile to 0: -0.0 becomes 0.0. */
static void add_to_zero(struct pk_edge_table *t)
{
	for (uint32_t i = 1; t->self_raw && i < t->count; i++) {
		if (t->caller[i])
			continue;
		t->self_raw[i] += 0.0;
		t->total_raw[i] += 0.0;
	}
}

static struct pk_profile *copy_for_python(const struct pk_profile *p,
					  const struct pk_stats_options *o)
{
	struct pk_profile *made;
	struct pk_copy copy;

	pk_copy_init(&copy, pk_builder_new(), p);
	copy.edit_function = edit_function;
	copy.data = (void *)(uintptr_t)o;
	pk_copy_paths(&copy);
	pk_edges_copy(&copy, pk_edges_add);
	pk_copy_release(&copy);
	made = pk_builder_finish(copy.b);
	set_counts(&made->edge, strcmp(pk_text(p, p->run.format[1]), "pstats") ? PK_NULL : -1,
		   is_swapped(p));
	return made;
}

/* True if copy_for_python would change nothing. */
static bool is_like_python(const struct pk_profile *p, const struct pk_stats_options *o)
{
	const struct pk_edge_table *t = &p->edge;

	if (o->edit || strcmp(pk_text(p, p->run.format[1]), "pstats") || is_swapped(p))
		return false;
	for (uint32_t i = 1; i < t->count; i++)
		if (t->calls[i] == PK_NULL || (t->primitive_calls[i] == PK_NULL && !t->caller[i]))
			return false;
	return true;
}

static int merge(struct pk_stats *s, const struct pk_profiles *list,
		 const struct pk_stats_options *o, struct pk_error *err)
{
	struct pk_merging *m = pk_merge_begin();
	int status = 0;

	for (size_t i = 0; !status && i < list->count; i++) {
		size_t k = i && pk_merge_backwards(list->item[0]) ? list->count - i : i;
		struct pk_profile *made = copy_for_python(list->item[k], o);

		if (i)
			add_to_zero(&made->edge);
		status = pk_merge_add(m, made, k, err);
		pk_profile_free(made);
	}
	if (status)
		pk_merge_abandon(m);
	else
		s->p = s->made = pk_merge_end(m);
	return status;
}

int pk_stats_init(struct pk_stats *s, const struct pk_profiles *list,
		  const struct pk_stats_options *options, struct pk_error *err)
{
	uint32_t metric;

	memset(s, 0, sizeof(*s));
	s->p = list->item[0];
	if (list->count > 1 && merge(s, list, options, err))
		return -1;
	if (list->count == 1 && !is_like_python(s->p, options))
		s->p = s->made = copy_for_python(s->p, options);
	if (options->strip_dirs) {
		struct pk_profile *stripped = pk_strip_dirs(s->p);

		pk_profile_free(s->made);
		s->p = s->made = stripped;
	}
	metric = pk_metric_find(s->p, options->metric);
	s->scale = pk_metric_scale(s->p, metric);
	if (!strcmp(pk_metric_unit(s->p, metric), "ns"))
		s->scale *= 1e9;
	s->raw = s->p->edge.self_raw && !strcmp(pk_text(s->p, s->p->run.format[1]), "pstats");
	pk_functions_init(&s->functions, s->p, metric);
	if (options->callers)
		pk_arcs_init(&s->arcs, s->p, metric);
	return 0;
}

void pk_stats_group(struct pk_stats *s, bool by_caller)
{
	uint32_t functions = s->p->function.count, i;

	s->first = pk_calloc((size_t)functions + 2, sizeof(*s->first));
	s->arc = pk_malloc(pk_mul(s->arcs.count, sizeof(*s->arc)));
	for (i = 0; i < s->arcs.count; i++)
		s->first[2 + (by_caller ? s->arcs.row[i].caller : s->arcs.row[i].callee)]++;
	for (i = 2; i < functions + 2; i++)
		s->first[i] += s->first[i - 1];
	for (i = 0; i < s->arcs.count; i++)
		s->arc[s->first[1 +
				(by_caller ? s->arcs.row[i].caller : s->arcs.row[i].callee)]++] = i;
}

void pk_stats_release(struct pk_stats *s)
{
	pk_functions_release(&s->functions);
	pk_arcs_release(&s->arcs);
	pk_profile_free(s->made);
	free(s->first);
	free(s->arc);
	memset(s, 0, sizeof(*s));
}

static double seconds(const struct pk_stats *s, double raw, int64_t value)
{
	if (!isnan(raw) || s->raw)
		return raw;
	return value == PK_NULL ? NAN : (double)value / s->scale;
}

static struct pk_stats_numbers numbers(int64_t calls, int64_t primitive, double self, double total)
{
	int64_t nc = calls == PK_NULL ? 0 : calls;

	return (struct pk_stats_numbers){.nc = nc,
					 .cc = primitive == PK_NULL ? nc : primitive,
					 .tt = self,
					 .ct = total,
					 .unknown = calls == PK_NULL};
}

struct pk_stats_numbers pk_stats_of_function(const struct pk_stats *s, size_t row)
{
	const struct pk_function_total *f = &s->functions.row[row];

	return numbers(f->calls, f->primitive_calls, seconds(s, f->self_raw, f->self),
		       seconds(s, f->total_raw, f->total));
}

struct pk_stats_numbers pk_stats_of_caller(const struct pk_stats *s, size_t arc)
{
	const struct pk_arc *a = &s->arcs.row[arc];
	struct pk_stats_numbers n =
		numbers(a->calls, a->primitive_calls, seconds(s, a->self_raw, a->self),
			seconds(s, a->total_raw, a->total));

	n.only_count = a->primitive_calls == PK_NULL && !n.unknown && isnan(n.tt) && isnan(n.ct);
	return n;
}
