/*
 * --like pprof: options of profkit as those of go tool pprof. Percentages are of the whole profile,
 * whatever is selected of it.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/value_type.h"
#include "tools/like/like.h"
#include "writers/writer.h"

static void add_filter(struct pk_buf *buf, const char *option, const char *value)
{
	const int longest = 80;
	size_t begin = buf->len + 3;

	if (!value)
		return;
	pk_buf_addf(buf, "   %s=%s", option, value);
	if (buf->len - begin > (size_t)longest) {
		buf->len = begin + (size_t)longest;
		pk_buf_adds(buf, "…");
	}
	pk_buf_addc(buf, '\n');
}

static void add_filters(struct pk_buf *buf, const struct pk_selection *s)
{
	add_filter(buf, "focus", s->focus);
	add_filter(buf, "ignore", s->ignore);
	add_filter(buf, "hide", s->hide);
	add_filter(buf, "show", s->show);
	add_filter(buf, "show_from", s->show_from);
	for (size_t i = 0; i < s->labels.count; i++)
		add_filter(buf, "tagfocus", s->labels.item[i]);
	for (size_t i = 0; i < s->no_labels.count; i++)
		add_filter(buf, "tagignore", s->no_labels.item[i]);
}

static int take_options(const struct pk_common *c, struct pk_pprof_params *params,
			struct pk_error *err)
{
	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like pprof prints text: it cannot be combined with --format %s",
			       pk_notations[c->format]);
	if (c->select.granularity == PK_BY_MODULE)
		return pk_fail(err, PK_EUSAGE,
			       "--like pprof cannot be combined with --granularity module");
	if (c->limit.share > 0)
		return pk_fail(err, PK_EUSAGE, "--like pprof: -n is a number of rows, not a share");
	params->cum = c->sort && (!strcmp(c->sort, "total") || !strcmp(c->sort, "cum"));
	if (c->sort && !params->cum && strcmp(c->sort, "self") && strcmp(c->sort, "flat"))
		return pk_fail(err, PK_EUSAGE, "--like pprof sorts by self or total");
	params->granularity = c->select.granularity;
	params->no_columns = c->select.no_inlines;
	params->unit = c->unit;
	if (params->view == PK_PPROF_PEEK)
		params->fraction = 0;
	else if (c->limit.given)
		params->nodes = c->limit.count;
	else if (params->view == PK_PPROF_TREE || params->view == PK_PPROF_DOT)
		params->nodes = 80;
	if (params->view != PK_PPROF_DOT)
		params->edge_fraction = 0.001; /* the default; only pictures have another */
	return 0;
}

static int print(const struct pk_common *c, const struct pk_profile *p,
		 struct pk_pprof_params *params, struct pk_error *err)
{
	const struct pk_selection *s = &c->select;
	struct pk_pprof_filters filters = {.focus = s->focus,
					   .ignore = s->ignore,
					   .show = s->show,
					   .hide = s->hide,
					   .show_from = s->show_from,
					   .prune_from = s->prune_from,
					   .labels = s->labels,
					   .no_labels = s->no_labels,
					   .no_inlines = s->no_inlines};
	PK_BUF_AUTO texts = PK_BUF_INIT;
	struct pk_profile *selected = NULL;
	const char *unmatched = NULL;
	struct pk_output *out;
	int status = -1;

	params->whole = p;
	add_filters(&texts, s);
	params->filters = texts.data;
	if (texts.len || s->prune_from || s->no_inlines)
		if (pk_pprof_filter(p, &filters, &selected, &unmatched, err))
			return -1;
	if (unmatched)
		pk_note(c, "--%s matches nothing", unmatched);
	out = pk_output_open(c->output, err);
	if (out && !pk_pprof_print(selected ? selected : p, params, out, err)) {
		if (*pk_output_notes(out))
			pk_note(c, "%s", pk_output_notes(out));
		status = pk_output_commit(out, err);
	} else if (out) {
		pk_output_discard(out);
	}
	pk_profile_free(selected);
	return status;
}

/* The common options that apply if the filters are applied later. */
static struct pk_common without_filters(const struct pk_common *c)
{
	struct pk_common whole = *c;
	struct pk_selection *s = &whole.select;

	if (c->demangle == PK_DEMANGLE_AUTO)
		whole.demangle = PK_DEMANGLE_AS_READ;
	s->focus = s->ignore = s->show = s->hide = s->show_from = s->prune_from = NULL;
	s->labels.count = s->no_labels.count = 0;
	s->no_inlines = false;
	s->granularity = PK_AS_READ;
	return whole;
}

int pk_show_like_pprof(const struct pk_common *c, struct pk_pprof_params *params, int argc,
		       char **argv, struct pk_error *err)
{
	struct pk_common whole = without_filters(c);
	struct pk_profile *tree = NULL;
	struct pk_loaded loaded;
	int status = -1;

	if (take_options(c, params, err))
		return -1;
	whole.read.wanted |= PK_PART_SPANS | PK_PART_THREADS;
	if (pk_load_merged(&whole, argc, argv, &loaded, err))
		return -1;
	/* pprof shows its default type of values even if they are all 0, and adds values up */
	params->metric = !c->metric && loaded.one->metric.count > 1;
	if ((params->metric || !pk_common_metric(c, loaded.one, &params->metric, err)) &&
	    !pk_check_sum(loaded.one, params->metric, "output of pprof", err))
		status = print(c, pk_with_paths(loaded.one, &tree), params, err);
	pk_profile_free(tree);
	pk_loaded_release(&loaded);
	return status;
}

/* Keeps only the metric, whose values are added up as pprof does. */
static int one_side(const struct pk_common *c, const struct pk_profile *p, struct pk_profile **side,
		    struct pk_error *err)
{
	uint32_t metric;

	if (pk_common_metric(c, p, &metric, err))
		return -1;
	*side = pk_keep_metric(p, metric);
	if ((*side)->metric.aggregate)
		(*side)->metric.aggregate[1] = PK_AGGREGATE_SUM;
	/* which threads there were is in the labels */
	for (uint32_t i = 1; (*side)->cost.thread && i < (*side)->cost.count; i++)
		(*side)->cost.thread[i] = 0;
	return 0;
}

/* The type of values that the file marks as its default, else that of the base, else its own last
 * one. */
static const char *metric_of(const struct pk_profile *base, const struct pk_profile *after)
{
	const char *name = pk_meta_find(after, "default sample type");

	if (!name)
		name = pk_meta_find(base, "default sample type");
	if (name && pk_metric_find(after, name) && pk_metric_find(base, name))
		return name;
	return after->metric.count > 1 ? pk_text(after, after->metric.name[1]) : NULL;
}

/* Makes one profile with call paths: NULL with err; the result is in made[...] or runs. */
static const struct pk_profile *join(const struct pk_profiles *runs, struct pk_profile *made[2],
				     struct pk_error *err)
{
	if (runs->count > 1 && pk_merge(runs, &made[0], err))
		return NULL;
	return pk_with_paths(made[0] ? made[0] : runs->item[0], &made[1]);
}

static int take_sides(const struct pk_common *c, const struct pk_profiles *sides,
		      struct pk_profile **base, struct pk_profile **after, struct pk_error *err)
{
	struct pk_profile *made[4] = {NULL};
	const struct pk_profile *left = join(&sides[0], made, err);
	const struct pk_profile *right = left ? join(&sides[1], made + 2, err) : NULL;
	struct pk_common one = *c;
	int status = -1;

	if (right) {
		one.metric = c->metric ? c->metric : metric_of(left, right);
		status = one_side(&one, left, base, err) || one_side(&one, right, after, err) ? -1
											      : 0;
	}
	for (size_t i = 0; i < 4; i++)
		pk_profile_free(made[i]);
	return status;
}

/* Scales the values, so that their sum is that of the base, and rounds them in the unit of the
 * file, as pprof does. */
static void scale_to(struct pk_profile *p, const struct pk_profile *base)
{
	int64_t sum = 0, wanted = 0, factor;
	double ratio;

	pk_own_unit(p, 1, &factor);
	for (uint32_t i = 1; i < p->cost.count; i++)
		pk_add_saturated(&sum, p->cost.self[i]);
	for (uint32_t i = 1; i < base->cost.count; i++)
		pk_add_saturated(&wanted, base->cost.self[i]);
	ratio = sum ? (double)wanted / (double)sum : 0;
	for (uint32_t i = 1; i < p->cost.count; i++)
		p->cost.self[i] =
			pk_mul_saturated(pk_scaled(p->cost.self[i] / factor, ratio), factor);
}

/* Merges times as pprof does: the earlier start, 0 if a side has none, and the sum of durations. */
static void join_times(struct pk_run_table *run, const struct pk_run_table *base)
{
	int64_t start = run->start[1] == PK_NULL ? 0 : run->start[1];
	int64_t before = base->start[1] == PK_NULL ? 0 : base->start[1];

	run->start[1] = !start || before < start ? before : start;
	if (run->duration[1] == PK_NULL)
		run->duration[1] = 0;
	pk_add_known(&run->duration[1], base->duration[1]);
}

/* The mapping of `after` that is the same one at another address; 0 = none. */
static uint32_t same_mapping(const struct pk_profile *base, uint32_t mapping,
			     const struct pk_profile *after)
{
	const struct pk_mapping_table *a = &after->mapping, *b = &base->mapping;
	const uint64_t page = 4096;
	const char *id = pk_text(base, b->build_id[mapping]);
	const char *file = pk_text(base, b->file[mapping]);

	for (uint32_t i = 1; i < a->count; i++) {
		const char *other = pk_text(after, a->build_id[i]);
		uint64_t here = b->limit[mapping] - b->start[mapping] + page - 1;
		uint64_t there = a->limit[i] - a->start[i] + page - 1;

		if (here / page == there / page && a->offset[i] == b->offset[mapping] &&
		    !strcmp(*other ? other : pk_text(after, a->file[i]), *id ? id : file))
			return i;
	}
	return 0;
}

/* Libraries are at other addresses in each run: those of the base become those of the other. */
static void move_addresses(struct pk_profile *base, const struct pk_profile *after)
{
	struct pk_mapping_table *m = &base->mapping;
	struct pk_location_table *t = &base->location;
	PK_FREED uint64_t *shift = pk_calloc(m->count, sizeof(*shift));

	for (uint32_t i = 1; i < m->count; i++) {
		uint32_t same = same_mapping(base, i, after);

		if (!same)
			continue;
		shift[i] = after->mapping.start[same] - m->start[i];
		m->start[i] = after->mapping.start[same];
		m->limit[i] = after->mapping.limit[same];
	}
	for (uint32_t i = 1; t->address && t->mapping && i < t->count; i++)
		if (t->address[i])
			t->address[i] += shift[t->mapping[i]];
}

static int print_difference(const struct pk_common *c, struct pk_profile *base,
			    struct pk_profile *after, const struct pk_profile *program,
			    bool of_base, struct pk_error *err)
{
	struct pk_pprof_params params = {
		.view = PK_PPROF_TOP, .metric = 1, .fraction = 0.005, .program = program};
	struct pk_profile *sides[] = {after, base}, *difference;
	struct pk_profiles list = {sides, 2, 2};
	int64_t duration = after->run.duration[1], start = after->run.start[1];
	int status;

	if (take_options(c, &params, err))
		return -1;
	move_addresses(base, after);
	if (of_base)
		params.total = pk_pprof_total(base, 1);
	for (uint32_t i = 1; i < base->cost.count; i++)
		base->cost.self[i] = -base->cost.self[i];
	if (pk_merge(&list, &difference, err))
		return -1;
	difference->run.duration[1] = duration;
	difference->run.start[1] = start;
	join_times(&difference->run, &base->run);
	status = print(c, difference, &params, err);
	pk_profile_free(difference);
	return status;
}

int pk_show_diff_like_pprof(const struct pk_common *c, bool of_base, bool normalize, int argc,
			    char **argv, struct pk_error *err)
{
	struct pk_common whole = without_filters(c);
	struct pk_profile *base = NULL, *after = NULL;
	struct pk_profiles sides[2];
	int status = -1;

	if (pk_load_sides(&whole, argc, argv, sides, err))
		return -1;
	if (!take_sides(c, sides, &base, &after, err)) {
		if (normalize)
			scale_to(after, base);
		status = print_difference(c, base, after, sides[1].item[0], of_base, err);
	}
	pk_profile_free(base);
	pk_profile_free(after);
	pk_profiles_release(&sides[0]);
	pk_profiles_release(&sides[1]);
	return status;
}
