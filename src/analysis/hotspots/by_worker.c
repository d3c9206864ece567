/* What each process or thread spent in each function, and how even that is. */
#include "analysis/hotspots/by_worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/totals.h"

/* Cost rows of the metric, by function. */
struct rows {
	const struct pk_profile *p;
	const uint32_t *worker_of; /* thread -> worker + 1, 0 = none */
	struct pk_groups by_function;
};

static uint32_t function_of(const struct pk_profile *p, uint32_t row)
{
	return pk_node_function(p, p->cost.node[row]);
}

static bool counts(const struct pk_profile *p, uint32_t row, uint32_t metric)
{
	return pk_cost_metric(p, row) == metric && p->cost.self[row] != PK_NULL;
}

/* Rows that do not count form a group behind those of the functions. */
static void sort_rows(struct rows *r, uint32_t metric)
{
	const struct pk_profile *p = r->p;
	uint32_t *key = pk_malloc(pk_mul(p->cost.count, sizeof(*key))), i;

	for (i = 1; i < p->cost.count; i++)
		key[i] = counts(p, i, metric) ? function_of(p, i) : p->function.count;
	pk_groups_init(&r->by_function, key, sizeof(*key), 1, p->cost.count, p->function.count + 1);
	free(key);
}

/* The values of one function by worker; `touched` lists the workers that have one, in any order. */
struct tally {
	enum pk_aggregate how;
	int64_t *value;
	bool *seen;
	uint32_t *touched, count;
};

static void add(struct tally *t, uint32_t worker, int64_t value)
{
	if (!t->seen[worker]) {
		t->seen[worker] = true;
		t->touched[t->count++] = worker;
	}
	pk_aggregate_add(t->how, &t->value[worker], value);
}

static void look_at(struct pk_worker_row *r, uint32_t worker, int64_t value)
{
	if (value < r->min || (value == r->min && worker < r->min_worker)) {
		r->min = value;
		r->min_worker = worker;
	}
	if (value > r->max || (value == r->max && worker < r->max_worker)) {
		r->max = value;
		r->max_worker = worker;
	}
}

/* Turns the tally into a row and empties it. */
static void sum_up(struct pk_by_worker *b, struct tally *t, uint32_t function)
{
	struct pk_worker_row *r = &b->of_function[function];
	uint32_t without = 0;

	*r = (struct pk_worker_row){.min = INT64_MAX, .max = INT64_MIN};
	while (without < b->count && t->seen[without])
		without++;
	if (without < b->count)
		look_at(r, without, 0);
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t worker = t->touched[i];

		pk_aggregate_add(t->how, &r->sum, t->value[worker]);
		look_at(r, worker, t->value[worker]);
		if (b->columns)
			b->value[(size_t)function * b->columns + worker] = t->value[worker];
		t->value[worker] = 0;
		t->seen[worker] = false;
	}
	t->count = 0;
}

static void fill(struct pk_by_worker *b, struct rows *r, uint32_t metric)
{
	const struct pk_profile *p = r->p;
	const struct pk_groups *g = &r->by_function;
	struct tally t = {.how = pk_metric_aggregate(p, metric)};
	uint32_t function, i;

	t.value = pk_calloc(b->count, sizeof(*t.value));
	t.seen = pk_calloc(b->count, sizeof(*t.seen));
	t.touched = pk_calloc(b->count, sizeof(*t.touched));
	sort_rows(r, metric);
	for (function = 0; function < p->function.count; function++) {
		for (i = g->first[function]; i < g->first[function + 1]; i++) {
			uint32_t worker = r->worker_of[pk_cost_thread(p, g->row[i])];

			if (worker)
				add(&t, worker - 1, p->cost.self[g->row[i]]);
		}
		sum_up(b, &t, function);
	}
	free(t.value);
	free(t.seen);
	free(t.touched);
	pk_groups_release(&r->by_function);
}

/* True if several processes have costs. */
static bool has_processes(const struct pk_profile *p, uint32_t metric)
{
	uint32_t first = 0, i;

	for (i = 1; i < p->cost.count; i++) {
		uint32_t process = p->thread.process[pk_cost_thread(p, i)];

		if (!counts(p, i, metric) || !process)
			continue;
		if (first && process != first)
			return true;
		first = process;
	}
	return false;
}

/* True if a thread of a worker has costs in the metric. */
static bool any_costs(const struct pk_profile *p, uint32_t metric, const uint32_t *worker_of)
{
	for (uint32_t i = 1; i < p->cost.count; i++)
		if (counts(p, i, metric) && worker_of[pk_cost_thread(p, i)])
			return true;
	return false;
}

static void add_name(struct pk_by_worker *b, const char *name)
{
	size_t n = b->count++;

	if ((n & (n - 1)) == 0) /* doubles at powers of two */
		b->name = pk_realloc(b->name, pk_mul(n ? n * 2 : 1, sizeof(*b->name)));
	b->name[n] = pk_strdup(name);
}

/* Rows of CPUs are in the order of their numbers, after all else. */
static int64_t place_of(const struct pk_thread_table *t, uint32_t thread)
{
	if (t->role[thread] != PK_ROLE_CPU)
		return INT64_MIN;
	return t->sort[thread] == PK_NULL ? INT64_MAX : t->sort[thread];
}

PK_COMPARE_ROWS(by_place, struct pk_thread_table,
		PK_ORDER(place_of(d, a), place_of(d, b)) ?: PK_ORDER(a, b))

/* Numbers all processes or threads that have costs, in their order. */
static void number_all(struct pk_by_worker *b, const struct pk_profile *p, uint32_t metric,
		       uint32_t *worker_of)
{
	bool processes = has_processes(p, metric);
	const struct pk_thread_table *t = &p->thread;
	uint32_t units = processes ? p->process.count : t->count, i;
	PK_FREED uint32_t *number = pk_calloc(units, sizeof(*number));
	PK_FREED uint32_t *order = pk_malloc(pk_mul(units, sizeof(*order)));

	for (i = 0; i < units; i++)
		order[i] = i;
	if (!processes)
		qsort_r(order + 1, units - 1, sizeof(*order), by_place, (void *)(uintptr_t)t);
	for (i = 1; i < p->cost.count; i++)
		if (counts(p, i, metric))
			number[processes ? t->process[pk_cost_thread(p, i)]
					 : pk_cost_thread(p, i)] = 1;
	for (i = 1; i < units; i++) {
		PK_BUF_AUTO name = PK_BUF_INIT;

		if (!number[order[i]])
			continue;
		(processes ? pk_process_label : pk_thread_label)(&name, p, order[i]);
		add_name(b, name.data);
		number[order[i]] = b->count;
	}
	for (i = 1; i < t->count; i++)
		worker_of[i] = number[processes ? t->process[i] : i];
}

static int find_workers(struct pk_by_worker *b, struct pk_profile *p, uint32_t metric,
			const struct pk_workers_options *options, uint32_t **worker_of,
			struct pk_error *err)
{
	const struct pk_profiles runs = {.item = &p, .count = 1};
	struct pk_workers w;

	if (options->by == PK_BY_RANK)
		return pk_fail(err, PK_EUSAGE, "ranks are files: profkit workers --functions");
	if (pk_workers_init_roles(&w, &runs, options, err))
		return -1;
	for (uint32_t i = 0; i < w.count; i++)
		add_name(b, w.worker[i].name);
	for (uint32_t i = 0; i < w.others; i++)
		*(w.other[i].role == PK_WORKER_MAIN ? &b->mains : &b->helpers) += 1;
	*worker_of = pk_workers_of_threads(&w, 0);
	pk_workers_release(&w);
	if (options->workers || any_costs(p, metric, *worker_of))
		return 0;
	pk_by_worker_release(b);
	memset(*worker_of, 0, p->thread.count * sizeof(**worker_of));
	number_all(b, p, metric, *worker_of);
	return 0;
}

int pk_by_worker_init(struct pk_by_worker *b, struct pk_profile *p, uint32_t metric,
		      const struct pk_workers_options *options, struct pk_error *err)
{
	struct rows rows = {.p = p};
	uint32_t *worker_of = NULL;
	int status = -1;

	memset(b, 0, sizeof(*b));
	if (find_workers(b, p, metric, options, &worker_of, err))
		goto out;
	if (!b->count) {
		pk_fail(err, PK_EFORMAT,
			options->workers ? "--workers matches no worker in '%s'"
					 : "'%s' does not say which thread or process cost what",
			pk_text(p, p->run.source[1]));
		goto out;
	}
	b->scale = pk_metric_scale(p, metric);
	b->columns = b->count <= PK_WORKER_COLUMNS ? b->count : 0;
	b->of_function = pk_calloc(p->function.count, sizeof(*b->of_function));
	if (b->columns)
		b->value = pk_calloc(pk_mul(p->function.count, b->columns), sizeof(*b->value));
	rows.worker_of = worker_of;
	fill(b, &rows, metric);
	status = 0;
out:
	free(worker_of);
	if (status)
		pk_by_worker_release(b);
	return status;
}

void pk_by_worker_release(struct pk_by_worker *b)
{
	for (uint32_t i = 0; i < b->count; i++)
		free(b->name[i]);
	free(b->name);
	free(b->of_function);
	free(b->value);
	memset(b, 0, sizeof(*b));
}

double pk_worker_imbalance(const struct pk_by_worker *b, uint32_t function)
{
	const struct pk_worker_row *r = &b->of_function[function];

	return r->sum > 0 && r->min >= 0 ? (double)r->max * b->count / (double)r->sum : NAN;
}
