/* The critical path through ranks, and what changes would save. */
#include "analysis/gpu/ranks/ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/ranks/model.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"

/* Follows the replay back from its end. */
static void find_path(struct pk_ranks *r, const struct pk_ranks_model *m)
{
	uint32_t member = m->last[m->end];

	r->rank[m->end].time = m->tail[m->end] + (member ? 0 : m->begin[m->end]);
	while (member) {
		const struct pk_ranks_join *join = &m->join[m->join_of[member]];
		const struct pk_ranks_member *one = &m->member[join->last];
		double from;

		r->transfer += join->end - one->start;
		r->rank[one->trace].times++;
		/* goes back along the rank's own work until it waited for a collective; beside a
		 * collective, to where that began on this rank */
		for (;;) {
			const struct pk_ranks_member *before = &m->member[one->before];

			from = !one->before                  ? 0 /* when the first rank begins */
			       : one->beside || one->by_work ? before->start
							     : m->join[m->join_of[one->before]].end;
			r->rank[one->trace].time += one->start - from;
			member = one->before;
			if (!member || !(one->beside || one->by_work))
				break;
			one = before;
		}
	}
}

/* The value after '=', '/' or '*': a factor, or median. */
static bool parse_factor(struct pk_ranks_rule *rule, const char *text, bool may_be_median)
{
	double number;
	size_t len = strlen(text + 1);

	rule->median = may_be_median && !strcmp(text, "=median");
	if (rule->median)
		return true;
	if (!len || pk_parse_real(text + 1, len, &number) != len || !(number >= 0) ||
	    !isfinite(number))
		return false;
	rule->factor = *text == '/' ? 1 / number : number;
	return *text == '=' ? number == 0 : *text == '/' ? number > 0 : *text == '*';
}

static bool find_trace(const struct pk_gpu *g, int64_t number, int64_t *trace)
{
	for (uint32_t t = 0; t < g->traces; t++) {
		*trace = t;
		if ((g->trace[t].rank == PK_NULL ? (int64_t)t : g->trace[t].rank) == number)
			return true;
	}
	return false;
}

static int parse_rule(struct pk_ranks_rule *rule, const char *text, const struct pk_gpu *g,
		      struct pk_error *err)
{
	size_t name = strcspn(text, "=/*");
	char *end;
	int64_t number;

	*rule = (struct pk_ranks_rule){.trace = -1, .factor = 1};
	if (text[name] && pk_starts_with(text, "communication") &&
	    name == strlen("communication") && parse_factor(rule, text + name, false))
		return 0;
	if (text[name] && pk_starts_with(text, "rank:") && name > 5) {
		number = strtoll(text + 5, &end, 10);
		if (end == text + name && parse_factor(rule, text + name, true)) {
			if (find_trace(g, number, &rule->trace))
				return 0;
			return pk_fail(err, PK_EUSAGE,
				       "--what-if '%s': no trace is of rank %" PRId64, text,
				       number);
		}
	}
	return pk_fail(err, PK_EUSAGE,
		       "--what-if '%s': of several ranks it is rank:N=median, rank:N/2, rank:N=0, "
		       "communication=0, communication/2 or auto; give one trace for other rules",
		       text);
}

static void add_change(struct pk_ranks *r, struct pk_ranks_model *m, const char *text,
		       const struct pk_ranks_rule *rules, size_t count)
{
	double time = pk_ranks_replay(m, rules, count);

	PK_GROW(r->change, r->changes + 1, r->alloc);
	r->change[r->changes++] = (struct pk_ranks_change){.text = pk_strdup(text),
							   .time = r->measured + time - r->replay,
							   .saved = r->replay - time};
}

PK_COMPARE(by_saved, struct pk_ranks_change,
	   PK_ORDER(b->saved, a->saved) ?: strcmp(a->text, b->text))

/* Tries each rank at the median of the ranks, and no transfer; keeps the ten that save most. */
static void try_all(struct pk_ranks *r, struct pk_ranks_model *m)
{
	enum { MOST = 10 };
	const struct pk_ranks_rule transfer = {.trace = -1, .factor = 0};

	add_change(r, m, "communication=0", &transfer, 1);
	for (uint32_t t = 0; t < m->traces; t++) {
		const struct pk_ranks_rule rule = {.trace = t, .median = true};
		int64_t rank = r->gpu->trace[t].rank;
		PK_BUF_AUTO text = PK_BUF_INIT;

		pk_buf_addf(&text, "rank:%" PRId64 "=median", rank == PK_NULL ? (int64_t)t : rank);
		add_change(r, m, text.data, &rule, 1);
	}
	pk_sort(r->change, r->changes, sizeof(*r->change), by_saved);
	while (r->changes > MOST)
		free(r->change[--r->changes].text);
}

static int try_rules(struct pk_ranks *r, struct pk_ranks_model *m, const char *const *text,
		     size_t count, struct pk_error *err)
{
	PK_FREED struct pk_ranks_rule *rule = pk_malloc(pk_mul(count + 1, sizeof(*rule)));
	PK_BUF_AUTO all = PK_BUF_INIT;
	size_t rules = 0;

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(text[i], "auto")) {
			try_all(r, m);
			continue;
		}
		if (parse_rule(&rule[rules], text[i], r->gpu, err))
			return -1;
		add_change(r, m, text[i], &rule[rules], 1);
		pk_buf_addf(&all, "%s%s", rules ? ", " : "", text[i]);
		rules++;
	}
	if (rules > 1)
		add_change(r, m, all.data, rule, rules);
	pk_sort(r->change, r->changes, sizeof(*r->change), by_saved);
	return 0;
}

int pk_ranks_init(struct pk_ranks *r, const struct pk_gpu *gpu, const char *const *rules,
		  size_t count, struct pk_error *err)
{
	struct pk_ranks_model m;
	int status = 0;

	*r = (struct pk_ranks){.gpu = gpu};
	if (pk_ranks_model_init(&m, gpu)) {
		status = pk_fail(err, PK_EFORMAT,
				 "no collective joins these traces: a path through ranks follows "
				 "those that all have");
	} else {
		r->rank = pk_calloc((size_t)gpu->traces + 1, sizeof(*r->rank));
		r->joined = m.joins;
		r->measured = m.measured;
		r->replay = pk_ranks_replay(&m, NULL, 0);
		find_path(r, &m);
		status = try_rules(r, &m, rules, count, err);
	}
	pk_ranks_model_release(&m);
	if (status)
		pk_ranks_release(r);
	return status;
}

void pk_ranks_release(struct pk_ranks *r)
{
	for (size_t i = 0; i < r->changes; i++)
		free(r->change[i].text);
	free(r->change);
	free(r->rank);
	*r = (struct pk_ranks){.gpu = NULL};
}
