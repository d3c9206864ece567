/* What pyperf's compare_to prints (pyperf/_compare.py). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/bench/pyperf/compare.h"

/* The limit of |t| at 95 %, as pyperf's table has it. */
static double critical(uint32_t freedom)
{
	static const double table[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
				       2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
				       2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
				       2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
	static const struct {
		uint32_t freedom;
		double t;
	} steps[] = {{200, 1.960}, {100, 1.984}, {80, 1.990},
		     {60, 2.000},  {50, 2.009},  {40, 2.021}};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (freedom >= steps[i].freedom)
			return steps[i].t;
	return table[freedom < 30 ? freedom : 30];
}

static double squares(const struct pyperf_bench *b)
{
	long double sum = 0;

	for (uint32_t i = 0; i < b->values; i++) {
		double distance = b->value[i] - b->mean;

		sum += distance * distance;
	}
	return (double)sum;
}

/* pyperf cannot test if the sides have different numbers of values, or if all values are equal:
 * then it treats the difference as a change. */
static void judge(struct pyperf_result *r, double least)
{
	uint32_t n = r->ref->values, freedom = n + r->changed->values - 2;
	double speed = r->ratio < 1 ? 1 / r->ratio : r->ratio, pooled, error;

	r->significant = true;
	if (n > 1 && n == r->changed->values) {
		pooled = (squares(r->ref) + squares(r->changed)) / freedom;
		error = sqrt(pooled / n * 2);
		r->tested = error > 0;
		r->t = r->tested ? (r->ref->mean - r->changed->mean) / error : 0;
		r->significant = !r->tested || fabs(r->t) >= critical(freedom);
	}
	if ((speed - 1) * 100 < least)
		r->significant = false;
}

void pyperf_add_ratio(struct pk_buf *buf, double ratio)
{
	if (ratio == 1)
		pk_buf_adds(buf, "no change");
	else if (ratio < 1)
		pk_buf_addf(buf, "%.2fx faster", 1 / ratio);
	else
		pk_buf_addf(buf, "%.2fx slower", ratio);
}

/* "[a] 157 us +- 135 us -> [b] 2.51 ms +- 1.92 ms: 15.97x slower"; `names` puts the names in
 * brackets there. */
static void add_change(struct pk_buf *buf, const struct pyperf_result *r, bool names)
{
	if (names && (r->ref->values > 1 || r->changed->values > 1))
		pk_buf_adds(buf, "Mean +- std dev: ");
	if (names)
		pk_buf_addf(buf, "[%s] ", r->ref->suite->name.data);
	pyperf_add_result(buf, r->ref, false);
	pk_buf_adds(buf, " -> ");
	if (names)
		pk_buf_addf(buf, "[%s] ", r->changed->suite->name.data);
	pyperf_add_result(buf, r->changed, false);
	pk_buf_adds(buf, ": ");
	pyperf_add_ratio(buf, r->ratio);
}

/* The geometric mean of the ratios of a file. */
double pyperf_mean_ratio(const struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count,
			 uint32_t change)
{
	long double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += log(c->group[chosen[i]].result[change].ratio);
	return exp((double)sum / count);
}

bool pyperf_any_significant(const struct pyperf_comparing *c, const struct pyperf_group *g)
{
	for (uint32_t i = 0; i < c->changes; i++)
		if (g->result[i].significant)
			return true;
	return false;
}

static void title(struct pyperf_comparing *c, const char *text)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	pyperf_add_title(&line, text, '=');
	pk_buf_addf(&c->out, "%s\n", line.data);
}

void pyperf_hide(struct pyperf_hidden *h, const char *name)
{
	pk_buf_addf(&h->names, "%s%s", h->count++ ? ", " : "", name);
}

void pyperf_put_hidden(struct pyperf_comparing *c, struct pyperf_hidden *h, bool blank)
{
	if (h->count)
		pk_buf_addf(&c->out, "%sBenchmark hidden because not significant (%u): %s\n",
			    blank ? "\n" : "", h->count, h->names.data);
	pk_buf_release(&h->names);
}

/* The lines of a group; returns their number. */
static uint32_t add_group(const struct pyperf_comparing *c, struct pk_buf *buf,
			  const struct pyperf_group *g)
{
	uint32_t lines = 0;

	for (uint32_t i = 0; i < c->changes; i++) {
		const struct pyperf_result *r = &g->result[i];

		add_change(buf, r, true);
		pk_buf_addc(buf, '\n');
		lines++;
		if (!r->tested) {
			pk_buf_adds(buf, "ERROR when testing if values are significant\n");
			lines++;
		}
		if (r->significant && !c->params->verbose)
			continue;
		lines++;
		if (!r->significant)
			pk_buf_adds(buf, "Not significant!\n");
		else if (r->tested)
			pk_buf_addf(buf, "Significant (t=%.2f)\n", r->t);
		else
			pk_buf_adds(buf, "Significant\n");
	}
	return lines;
}

static void print_list(struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count)
{
	struct pyperf_hidden hidden = {PK_BUF_INIT, 0};
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		const struct pyperf_group *g = &c->group[chosen[i]];
		PK_BUF_AUTO lines = PK_BUF_INIT;

		if (!c->params->verbose && !pyperf_any_significant(c, g)) {
			pyperf_hide(&hidden, g->name);
			continue;
		}
		any = true;
		if (add_group(c, &lines, g) == 1) {
			if (c->count > 1)
				pk_buf_addf(&c->out, "%s: ", g->name);
			pk_buf_adds(&c->out, lines.data);
			continue;
		}
		if (c->count > 1)
			title(c, g->name);
		pk_buf_addf(&c->out, "%s%s", lines.data, i + 1 < c->count ? "\n" : "");
	}
	if (c->params->quiet)
		hidden.count = 0;
	pyperf_put_hidden(c, &hidden, any);
}

PK_COMPARE_ROWS(by_ratio, struct pyperf_comparing,
		PK_ORDER(d->group[a].result[0].ratio, d->group[b].result[0].ratio)
			?: PK_ORDER(a, b))
PK_COMPARE_ROWS(by_ratio_down, struct pyperf_comparing,
		PK_ORDER(d->group[b].result[0].ratio, d->group[a].result[0].ratio)
			?: PK_ORDER(a, b))

enum { SLOWER, FASTER, SAME };

static void print_by_speed(struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count)
{
	static const char *const titles[] = {"Slower", "Faster", "Same speed"};
	PK_FREED uint32_t *part = pk_malloc(((size_t)count + 1) * sizeof(*part));
	struct pyperf_hidden hidden = {PK_BUF_INIT, 0};
	bool any = false;

	for (int speed = SLOWER; speed <= SAME; speed++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < count; i++) {
			const struct pyperf_result *r = &c->group[chosen[i]].result[0];

			if (r->significant && speed == (r->ratio > 1   ? SLOWER
							: r->ratio < 1 ? FASTER
								       : SAME))
				part[n++] = chosen[i];
		}
		if (!n)
			continue;
		if (speed != SAME)
			qsort_r(part, n, sizeof(*part), speed == SLOWER ? by_ratio_down : by_ratio,
				c);
		pk_buf_addf(&c->out, "%s%s (%u):\n", any ? "\n" : "", titles[speed], n);
		any = true;
		for (uint32_t i = 0; i < n; i++) {
			pk_buf_addf(&c->out, "- %s: ", c->group[part[i]].name);
			add_change(&c->out, &c->group[part[i]].result[0], false);
			pk_buf_addc(&c->out, '\n');
		}
	}
	for (uint32_t i = 0; i < count && !c->params->quiet; i++)
		if (!c->group[chosen[i]].result[0].significant)
			pyperf_hide(&hidden, c->group[chosen[i]].name);
	pyperf_put_hidden(c, &hidden, any);
}

static void print_geometric_mean(struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count)
{
	if (count < 2)
		return;
	pk_buf_addc(&c->out, '\n');
	if (c->changes > 1)
		title(c, "Geometric mean");
	for (uint32_t i = 0; i < c->changes; i++) {
		pk_buf_addf(&c->out, "%s: ",
			    c->changes > 1 ? c->s->suite[i + 1].name.data : "Geometric mean");
		pyperf_add_ratio(&c->out, pyperf_mean_ratio(c, chosen, count, i));
		pk_buf_addc(&c->out, '\n');
	}
}

static void print(struct pyperf_comparing *c, uint32_t *chosen, uint32_t count)
{
	if (c->params->table) {
		if (c->params->by_speed)
			qsort_r(chosen, count, sizeof(*chosen), by_ratio, c);
		pyperf_print_table(c, chosen, count);
		return;
	}
	if (c->params->by_speed)
		print_by_speed(c, chosen, count);
	else
		print_list(c, chosen, count);
	print_geometric_mean(c, chosen, count);
}

/* Calls `take` for each tag of a benchmark: ['fast', 'numbers']. */
static void each_tag(const struct pyperf_bench *b, void (*take)(void *data, const char *tag),
		     void *data)
{
	const char *text = pyperf_fact(b, NULL, "tags");

	while (text && (text = strchr(text, '\''))) {
		const char *end = strchr(++text, '\'');
		PK_BUF_AUTO tag = PK_BUF_INIT;

		if (!end)
			return;
		pk_buf_add(&tag, text, (size_t)(end - text));
		if (tag.len)
			take(data, tag.data);
		text = end + 1;
	}
}

struct tags {
	char **tag;
	size_t count, alloc;
	const char *wanted; /* when a tag is looked for */
	bool found;
};

static void gather_tag(void *data, const char *tag)
{
	struct tags *t = data;

	PK_GROW(t->tag, t->count + 1, t->alloc);
	t->tag[t->count++] = pk_strdup(tag);
}

static void find_tag(void *data, const char *tag)
{
	struct tags *t = data;

	t->found |= strcmp(tag, t->wanted) == 0;
}

static void print_tags(struct pyperf_comparing *c, uint32_t *chosen)
{
	struct tags tags = {0};

	for (uint32_t i = 0; i < c->count; i++)
		each_tag(c->group[i].result[0].ref, gather_tag, &tags);
	pk_sort(tags.tag, tags.count, sizeof(*tags.tag), pk_compare_texts);
	for (size_t k = 0; k < tags.count; k++) {
		PK_BUF_AUTO heading = PK_BUF_INIT;
		uint32_t count = 0;

		if (k && !strcmp(tags.tag[k], tags.tag[k - 1]))
			continue;
		tags.wanted = tags.tag[k];
		for (uint32_t i = 0; i < c->count; i++) {
			tags.found = false;
			each_tag(c->group[i].result[0].ref, find_tag, &tags);
			if (tags.found)
				chosen[count++] = i;
		}
		pk_buf_addf(&heading, "Benchmarks with tag '%s':", tags.tag[k]);
		title(c, heading.data);
		print(c, chosen, count);
		pk_buf_addc(&c->out, '\n');
	}
	if (tags.count)
		title(c, "All benchmarks:");
	for (size_t k = 0; k < tags.count; k++)
		free(tags.tag[k]);
	free(tags.tag);
}

static bool in_all(const struct pyperf_suites *s, const char *name)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct pyperf_bench *b = pyperf_suite_find(&s->suite[i], name);

		if (!b || !b->values)
			return false;
	}
	return true;
}

static void make_groups(struct pyperf_comparing *c)
{
	const struct pyperf_suite *first = &c->s->suite[0];

	c->group = pk_calloc(first->count, sizeof(*c->group));
	for (uint32_t i = 0; i < first->count; i++) {
		const struct pyperf_bench *ref = &first->bench[i];
		struct pyperf_group *g = &c->group[c->count];

		if (!in_all(c->s, ref->name))
			continue;
		c->count++;
		g->name = ref->name;
		g->result = pk_calloc(c->changes, sizeof(*g->result));
		for (uint32_t k = 0; k < c->changes; k++) {
			struct pyperf_result *r = &g->result[k];

			r->ref = ref;
			r->changed = pyperf_suite_find(&c->s->suite[k + 1], ref->name);
			r->ratio = r->changed->mean / ref->mean;
			judge(r, c->params->min_speed);
		}
	}
}

static void print_ignored(struct pyperf_comparing *c)
{
	for (uint32_t i = 0; i < c->s->count; i++) {
		const struct pyperf_suite *suite = &c->s->suite[i];
		PK_FREED char **names = pk_calloc(suite->count, sizeof(char *));
		uint32_t count = 0;

		for (uint32_t k = 0; k < suite->count; k++)
			if (!in_all(c->s, suite->bench[k].name))
				names[count++] = (char *)suite->bench[k].name;
		if (!count)
			continue;
		pk_sort(names, count, sizeof(*names), pk_compare_texts);
		pk_buf_addf(&c->out, "Ignored benchmarks (%u) of %s: ", count,
			    pk_text(suite->p, suite->p->run.source[1]));
		for (uint32_t k = 0; k < count; k++)
			pk_buf_addf(&c->out, "%s%s", k ? ", " : "", names[k]);
		pk_buf_addc(&c->out, '\n');
	}
}

static int compare(struct pyperf_comparing *c, struct pk_error *err)
{
	PK_FREED uint32_t *chosen = NULL;

	make_groups(c);
	if (!c->count)
		return pk_fail(err, PK_EUSAGE, "the files have no benchmark in common");
	chosen = pk_malloc(c->count * sizeof(*chosen));
	print_tags(c, chosen);
	for (uint32_t i = 0; i < c->count; i++)
		chosen[i] = i;
	print(c, chosen, c->count);
	if (!c->params->quiet)
		print_ignored(c);
	return 0;
}

int pk_pyperf_compare(const struct pk_profiles *list, const struct pk_pyperf_compare_params *params,
		      struct pk_output *out, struct pk_error *err)
{
	struct pyperf_suites s;
	struct pyperf_comparing c = {.params = params, .s = &s};
	int status;

	if (list->count < 2)
		return pk_fail(err, PK_EUSAGE, "two files at least are compared");
	if (params->by_speed && list->count != 2)
		return pk_fail(err, PK_EUSAGE, "--group-by-speed: of two files");
	if (pyperf_suites_init(&s, list, params->metric, err))
		return -1;
	c.changes = s.count - 1;
	status = compare(&c, err);
	if (!status)
		pk_output_write(out, c.out.data, c.out.len);
	for (uint32_t i = 0; i < c.count; i++)
		free(c.group[i].result);
	free(c.group);
	pk_buf_release(&c.out);
	pyperf_suites_release(&s);
	return status;
}
