/* Metadata, as pyperf prints them (pyperf/_metadata.py). */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/bench/pyperf/internal.h"

struct fact {
	const char *key, *value;
	size_t rank;
};

struct pyperf_metadata {
	struct list {
		struct fact *fact;
		size_t count, alloc;
	} * list; /* by benchmark of all suites */
};

PK_COMPARE(compare_facts, struct fact, strcmp(a->key, b->key) ?: PK_ORDER(a->rank, b->rank))

static void add(struct list *list, const char *key, const char *value)
{
	PK_GROW(list->fact, list->count + 1, list->alloc);
	list->fact[list->count] = (struct fact){key, value, list->count};
	list->count++;
}

/* Of several facts with one key the first counts: those of the benchmark come before those of the
 * file. */
static void sort(struct list *list)
{
	size_t kept = 0;

	pk_sort(list->fact, list->count, sizeof(*list->fact), compare_facts);
	for (size_t i = 0; i < list->count; i++)
		if (!i || strcmp(list->fact[i].key, list->fact[kept - 1].key) != 0)
			list->fact[kept++] = list->fact[i];
	list->count = kept;
}

static void add_args(struct list *list, const struct pyperf_suite *suite, uint32_t arg)
{
	const struct pk_profile *p = suite->p;

	for (; arg; arg = suite->after[arg])
		add(list, pk_text(p, pk_arg_key(&p->arg, arg)), pk_text(p, p->arg.value[arg]));
}

/* Collects the facts of a run, or those of the benchmark or file around it. */
static void gather_run(struct list *list, const struct pyperf_bench *b,
		       const struct pyperf_run *run)
{
	const struct pk_profile *p = b->suite->p;

	list->count = 0;
	add_args(list, b->suite, b->suite->fact[PYPERF_OF_PROCESS][run->process]);
	add_args(list, b->suite, b->suite->fact[PYPERF_OF_NODE][b->node]);
	for (uint32_t i = 1; i < p->meta.count; i++)
		if (strncmp(pk_text(p, p->meta.key[i]), "machine.", 8) != 0) /* the reader's own */
			add(list, pk_text(p, p->meta.key[i]), pk_text(p, p->meta.value[i]));
	add(list, "name", b->name);
	sort(list);
}

/* Keeps the facts that both have. */
static void intersect(struct list *list, const struct list *other)
{
	size_t kept = 0;

	for (size_t i = 0, k = 0; i < list->count; i++) {
		const struct fact *f = &list->fact[i];

		while (k < other->count && strcmp(other->fact[k].key, f->key) < 0)
			k++;
		if (k < other->count && !strcmp(other->fact[k].key, f->key) &&
		    !strcmp(other->fact[k].value, f->value))
			list->fact[kept++] = *f;
	}
	list->count = kept;
}

/* The facts that all runs share. */
static void gather(struct list *list, const struct pyperf_bench *b)
{
	struct list other = {0};

	gather_run(list, b, &b->run[0]);
	for (uint32_t i = 1; i < b->runs; i++) {
		gather_run(&other, b, &b->run[i]);
		intersect(list, &other);
	}
	free(other.fact);
}

enum kind { NUMBER, SECONDS, LOAD, BYTES, TEXT };

static enum kind kind_of(const char *key)
{
	static const struct {
		const char *key;
		enum kind kind;
	} kinds[] = {{"loops", NUMBER},
		     {"inner_loops", NUMBER},
		     {"duration", SECONDS},
		     {"uptime", SECONDS},
		     {"load_avg_1min", LOAD},
		     {"mem_max_rss", BYTES},
		     {"mem_peak_pagefile_usage", BYTES},
		     {"command_max_rss", BYTES},
		     {"calibrate_loops", NUMBER},
		     {"recalibrate_loops", NUMBER},
		     {"calibrate_warmups", NUMBER},
		     {"recalibrate_warmups", NUMBER}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(key, kinds[i].key))
			return kinds[i].kind;
	return TEXT;
}

static void put_fact(struct pk_buf *buf, const struct fact *f)
{
	enum kind kind = kind_of(f->key);
	double value;

	pk_buf_addf(buf, "- %s: ", f->key);
	if (kind == TEXT || !pk_parse_real(f->value, strlen(f->value), &value))
		pk_buf_adds(buf, f->value);
	else if (kind == NUMBER)
		pyperf_add_number(buf, strtoll(f->value, NULL, 10), NULL);
	else if (kind == SECONDS)
		pyperf_add_seconds(buf, value);
	else if (kind == BYTES)
		pyperf_add_size(buf, value);
	else
		pk_buf_addf(buf, "%.2f", value);
	pk_buf_addc(buf, '\n');
}

/* Drops the name, which is the title, and facts that all benchmarks share; both are sorted. */
static void drop(struct list *list, const struct list *shared)
{
	size_t kept = 0;

	for (size_t i = 0, k = 0; i < list->count; i++) {
		const char *key = list->fact[i].key;

		while (k < shared->count && strcmp(shared->fact[k].key, key) < 0)
			k++;
		if (strcmp(key, "name") != 0 &&
		    (k == shared->count || strcmp(shared->fact[k].key, key) != 0))
			list->fact[kept++] = list->fact[i];
	}
	list->count = kept;
}

struct pyperf_metadata *pyperf_metadata_new(const struct pyperf_suites *s, struct pk_buf *common)
{
	struct pyperf_metadata *m = pk_calloc(1, sizeof(*m));
	struct list shared = {0};
	uint32_t k = 0;

	m->list = pk_calloc(s->benchmarks, sizeof(*m->list));
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t j = 0; j < s->suite[i].count; j++)
			gather(&m->list[k++], &s->suite[i].bench[j]);
	if (k < 2)
		return m;
	for (size_t i = 0; i < m->list[0].count; i++)
		if (strcmp(m->list[0].fact[i].key, "name") != 0)
			add(&shared, m->list[0].fact[i].key, m->list[0].fact[i].value);
	for (uint32_t i = 1; i < k; i++)
		intersect(&shared, &m->list[i]);
	if (shared.count) {
		pyperf_add_title(common, "Common metadata", '=');
		pk_buf_addc(common, '\n');
	}
	for (size_t i = 0; i < shared.count; i++)
		put_fact(common, &shared.fact[i]);
	for (uint32_t i = 0; i < k; i++)
		drop(&m->list[i], &shared);
	free(shared.fact);
	return m;
}

void pyperf_add_metadata(struct pk_buf *buf, const struct pyperf_metadata *m, uint32_t bench)
{
	const struct list *list = &m->list[bench];

	if (!list->count)
		return;
	pyperf_blank(buf);
	pk_buf_adds(buf, "Metadata:\n");
	for (size_t i = 0; i < list->count; i++)
		put_fact(buf, &list->fact[i]);
}

void pyperf_metadata_free(struct pyperf_metadata *m, const struct pyperf_suites *s)
{
	for (uint32_t i = 0; m && i < s->benchmarks; i++)
		free(m->list[i].fact);
	free(m ? m->list : NULL);
	free(m);
}
