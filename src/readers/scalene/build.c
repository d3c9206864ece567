/*
 * Makes call paths with costs of the lines and stacks of scalene.
 *
 * A line's time is divided among the stacks that end in it, in the proportion of their weights; so
 * is what it allocated, among the memory stacks. Sums are conserved: a line has what its row says.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "readers/scalene/internal.h"

__extension__ typedef __int128 int128;

/* A call path that ends in a line, and its part of what the line costs. */
struct share {
	uint32_t file, line, node;
	int64_t weight;
};

struct shares {
	struct share *item;
	size_t count;
};

/* Time is the sum of the first three values; the peak is that of the whole program, while each line
 * has its own at another time. */
enum { TIME = SCALENE_VALUES, PEAK, METRICS };

static const struct {
	const char *name, *unit;
	uint8_t exponent, kind, aggregate;
	int8_t stacks; /* kind of stacks that divide it, -1 = none */
} metrics[METRICS] = {
	[TIME] = {"time", "ns", 0, PK_METRIC_TIME, PK_AGGREGATE_SUM, SCALENE_CPU},
	[SCALENE_PYTHON] = {"python", "ns", 0, PK_METRIC_TIME, PK_AGGREGATE_SUM, SCALENE_CPU},
	[SCALENE_NATIVE] = {"native", "ns", 0, PK_METRIC_TIME, PK_AGGREGATE_SUM, SCALENE_CPU},
	[SCALENE_SYSTEM] = {"system", "ns", 0, PK_METRIC_TIME, PK_AGGREGATE_SUM, SCALENE_CPU},
	[PEAK] = {"peak", "bytes", 0, PK_METRIC_BYTES, PK_AGGREGATE_LAST, -1},
	[SCALENE_AWAIT] = {"await", "%", 3, PK_METRIC_COUNT, PK_AGGREGATE_SUM, -1},
	[SCALENE_PEAK] = {"line_peak", "bytes", 0, PK_METRIC_BYTES, PK_AGGREGATE_MAX, -1},
	[SCALENE_MALLOC] = {"allocated", "bytes", 0, PK_METRIC_BYTES, PK_AGGREGATE_SUM,
			    SCALENE_MEMORY},
	[SCALENE_MALLOCS] = {"allocations", "count", 0, PK_METRIC_COUNT, PK_AGGREGATE_SUM,
			     SCALENE_MEMORY},
	[SCALENE_PYTHON_SHARE] = {"allocated_python", "bytes", 0, PK_METRIC_BYTES, PK_AGGREGATE_SUM,
				  SCALENE_MEMORY},
	[SCALENE_COPY] = {"copied", "bytes", 0, PK_METRIC_BYTES, PK_AGGREGATE_SUM, -1},
	[SCALENE_GPU] = {"gpu", "%", 3, PK_METRIC_COUNT, PK_AGGREGATE_MAX, -1},
	[SCALENE_GPU_PEAK] = {"gpu_peak", "bytes", 0, PK_METRIC_BYTES, PK_AGGREGATE_MAX, -1},
};

/* The order of metrics; the first that has values is shown unless another is chosen. */
static const uint8_t order[METRICS] = {
	TIME,           SCALENE_PYTHON,       SCALENE_NATIVE,  SCALENE_SYSTEM,
	SCALENE_MALLOC, SCALENE_PYTHON_SHARE, SCALENE_MALLOCS, SCALENE_PEAK,
	PEAK,           SCALENE_COPY,         SCALENE_GPU,     SCALENE_GPU_PEAK,
	SCALENE_AWAIT};

PK_COMPARE(by_place, struct share,
	   PK_ORDER(a->file, b->file) ?: PK_ORDER(a->line, b->line) ?: PK_ORDER(a->node, b->node))
PK_COMPARE(by_line, struct scalene_function,
	   PK_ORDER(a->file, b->file) ?: PK_ORDER(a->line, b->line))
PK_COMPARE(by_number, struct scalene_line, PK_ORDER(a->number, b->number))

/* value * factor / divisor, to the nearest; at most 2^63 - 1. */
static int64_t scale(int128 value, int64_t factor, int128 divisor)
{
	int128 product;

	if (__builtin_mul_overflow(value, (int128)factor, &product) ||
	    __builtin_add_overflow(product, divisor / 2, &product) || product / divisor > INT64_MAX)
		return INT64_MAX;
	return (int64_t)(product / divisor);
}

static int64_t bytes(int64_t megabytes)
{
	return scale(megabytes, 1 << 20, pk_power_of_ten(SCALENE_DECIMALS));
}

/* The values of a line, by metric. */
static void convert(const struct scalene *r, const int64_t *from, int64_t to[METRICS])
{
	int128 whole = (int128)100 * pk_power_of_ten(SCALENE_FINE);

	to[TIME] = to[PEAK] = 0;
	for (int i = SCALENE_PYTHON; i <= SCALENE_SYSTEM; i++) {
		to[i] = scale(from[i], r->elapsed, whole);
		pk_add_saturated(&to[TIME], to[i]);
	}
	to[SCALENE_MALLOC] = bytes(from[SCALENE_MALLOC]);
	to[SCALENE_MALLOCS] = from[SCALENE_MALLOCS];
	to[SCALENE_PYTHON_SHARE] = scale(to[SCALENE_MALLOC], from[SCALENE_PYTHON_SHARE],
					 pk_power_of_ten(SCALENE_FINE));
	to[SCALENE_PEAK] = bytes(from[SCALENE_PEAK]);
	to[SCALENE_COPY] = scale((int128)from[SCALENE_COPY] << 20, r->elapsed,
				 (int128)pk_power_of_ten(SCALENE_DECIMALS) *
					 pk_power_of_ten(SCALENE_DECIMALS));
	to[SCALENE_GPU_PEAK] = bytes(from[SCALENE_GPU_PEAK]);
	to[SCALENE_GPU] = scale(from[SCALENE_GPU], 1, pk_power_of_ten(SCALENE_FINE - 3));
	to[SCALENE_AWAIT] = scale(from[SCALENE_AWAIT], 1, pk_power_of_ten(SCALENE_FINE - 3));
}

/* The function by its "def"; scalene's own name if it lists the function. */
static uint32_t make_function(struct scalene *r, uint32_t scope)
{
	struct scalene_scope *s = &r->scope[scope];
	struct scalene_function key = {.file = s->file, .line = s->line}, *listed = NULL;
	struct pk_function f = {.file = s->file, .line = s->line, .kind = PK_KIND_PYTHON};

	if (!s->function) {
		if (r->functions)
			listed = bsearch(&key, r->function, r->functions, sizeof(key), by_line);
		f.name = listed ? listed->name : s->name;
		s->function = pk_build_function(r->b, &f);
	}
	return s->function;
}

/* The function in which a line of a file is, 0 if the file is not listed. */
static uint32_t function_at(struct scalene *r, uint32_t file, uint32_t line)
{
	struct scalene_line key = {.number = line}, *found;
	const struct scalene_file *f;

	if (file >= r->file_of_alloc || !r->file_of[file])
		return 0;
	f = &r->file[r->file_of[file] - 1];
	if (f->first == f->end)
		return 0;
	found = bsearch(&key, r->line + f->first, f->end - f->first, sizeof(key), by_number);
	return found ? make_function(r, found->scope) : 0;
}

static uint32_t make_location(struct scalene *r, const struct scalene_frame *frame)
{
	const struct pk_profile *p = pk_builder_profile(r->b);
	struct pk_function f = {.name = frame->name};
	uint32_t function;

	if (frame->native) {
		f.module = frame->file;
		f.kind = PK_KIND_NATIVE;
		return pk_build_place(r->b, pk_build_function(r->b, &f), 0);
	}
	function = function_at(r, frame->file, frame->line);
	if (!function ||
	    !pk_ends_in_part(pk_text(p, p->function.name[function]), pk_text(p, f.name), ".")) {
		f.file = frame->file;
		f.kind = pk_starts_with(pk_text(p, f.name), "[await]") ? PK_KIND_IDLE
								       : PK_KIND_PYTHON;
		function = pk_build_function(r->b, &f);
	}
	return pk_build_place(r->b, function, frame->line);
}

static void make_stacks(struct scalene *r, enum scalene_stacks kind)
{
	for (size_t i = 0; i < r->stacks[kind].count; i++) {
		struct scalene_stack *s = &r->stacks[kind].item[i];

		for (size_t f = s->begin; f < s->end; f++)
			s->node = pk_build_node(r->b, s->node, make_location(r, &r->frame[f]));
	}
}

static struct shares make_shares(const struct scalene *r, enum scalene_stacks kind)
{
	struct shares shares = {NULL, 0};
	size_t alloc = 0;

	for (size_t i = 0; i < r->stacks[kind].count; i++) {
		const struct scalene_stack *s = &r->stacks[kind].item[i];
		const struct scalene_frame *leaf = &r->frame[s->end - (s->end > s->begin)];

		if (!s->node || !s->weight)
			continue;
		PK_GROW(shares.item, shares.count + 1, alloc);
		shares.item[shares.count++] =
			(struct share){leaf->file, leaf->line, s->node, s->weight};
	}
	pk_sort(shares.item, shares.count, sizeof(*shares.item), by_place);
	return shares;
}

/* The paths that end in this line. */
static struct shares find_shares(const struct shares *all, uint32_t file, uint32_t line)
{
	struct share key = {.file = file, .line = line};
	size_t low = PK_BISECT(i, 0, all->count, by_place(&all->item[i], &key) < 0), end;

	for (end = low;
	     end < all->count && all->item[end].file == file && all->item[end].line == line;)
		end++;
	return (struct shares){all->item ? all->item + low : NULL, end - low};
}

/* Divides a value: each part is the difference of two rounded sums, so that they add up to it. */
static void spread(struct scalene *r, const struct shares *s, uint32_t root, uint32_t metric,
		   int64_t value)
{
	int128 whole = 0, sum = 0;
	int64_t done = 0, upto;

	for (size_t i = 0; i < s->count; i++)
		whole += s->item[i].weight;
	if (!s->count)
		pk_build_cost(r->b, 0, root, metric, value, PK_NULL);
	for (size_t i = 0; i < s->count; i++, done = upto) {
		sum += s->item[i].weight;
		upto = sum == whole ? value : scale(sum, value, whole);
		upto = upto < value ? upto : value;
		if (upto != done)
			pk_build_cost(r->b, 0, s->item[i].node, metric, upto - done, PK_NULL);
	}
}

static void make_metrics(struct scalene *r, uint32_t metric[METRICS])
{
	bool seen[METRICS] = {
		[TIME] = true, [SCALENE_MALLOC] = r->native > 0, [PEAK] = r->peak > 0};
	int64_t value[METRICS];

	for (size_t i = 0; i < r->costs; i++) {
		convert(r, r->cost[i].value, value);
		for (int m = 0; m < METRICS; m++)
			seen[m] |= value[m] != 0;
	}
	for (int i = 0; i < METRICS; i++) {
		int m = order[i];

		metric[m] = 0;
		if (!seen[m])
			continue;
		metric[m] =
			pk_build_metric(r->b, metrics[m].name, metrics[m].unit, metrics[m].exponent,
					(enum pk_metric_kind)metrics[m].kind, PK_SAMPLED);
		if (metrics[m].aggregate != PK_AGGREGATE_SUM)
			pk_build_set(r->b, metric, aggregate, metric[m], metrics[m].aggregate);
	}
	if (metric[SCALENE_MALLOC] && metric[SCALENE_MALLOCS])
		pk_build_set(r->b, metric, counts, metric[SCALENE_MALLOC], metric[SCALENE_MALLOCS]);
}

/* Adds the values that belong to no line. */
static void add_whole(struct scalene *r, const char *name, uint32_t metric, int64_t megabytes)
{
	if (megabytes > 0)
		pk_build_cost(r->b, 0,
			      pk_build_node(r->b, 0, pk_build_label(r->b, name, strlen(name))),
			      metric, bytes(megabytes), PK_NULL);
}

static void make_costs(struct scalene *r)
{
	static const struct shares none;
	struct shares shares[SCALENE_COMBINED] = {make_shares(r, SCALENE_CPU),
						  make_shares(r, SCALENE_MEMORY)};
	uint32_t metric[METRICS];

	make_metrics(r, metric);
	for (size_t i = 0; i < r->costs; i++) {
		const struct scalene_line *line = &r->line[r->cost[i].line];
		const struct scalene_scope *scope = &r->scope[line->scope];
		uint32_t root = 0, place;
		struct shares here[SCALENE_COMBINED];
		int64_t value[METRICS];

		for (int k = 0; k < SCALENE_COMBINED; k++)
			here[k] = find_shares(&shares[k], scope->file, line->number);
		convert(r, r->cost[i].value, value);
		for (int m = 0; m < METRICS; m++) {
			const struct shares *s =
				metrics[m].stacks < 0 ? &none : &here[metrics[m].stacks];

			if (!value[m])
				continue;
			if (!s->count && !root) {
				place = pk_build_place(r->b, make_function(r, line->scope),
						       line->number);
				root = pk_build_node(r->b, 0, place);
			}
			spread(r, s, root, metric[m], value[m]);
		}
	}
	add_whole(r, "[native threads]", metric[SCALENE_MALLOC], r->native);
	add_whole(r, "[all lines together]", metric[PEAK], r->peak);
	free(shares[SCALENE_CPU].item);
	free(shares[SCALENE_MEMORY].item);
}

static uint32_t make_thread(struct scalene *r, int64_t tid)
{
	struct pk_thread thread = {.tid = tid, .sort = PK_NULL};

	if (tid == PK_NULL)
		return 0;
	thread.role = tid == r->main_thread ? PK_ROLE_MAIN : PK_ROLE_UNKNOWN;
	return pk_build_thread(r->b, &thread);
}

/* True if the times account for all samples. */
static bool have_times(const struct scalene *r)
{
	size_t count = r->stacks[SCALENE_COMBINED].count;
	PK_FREED int64_t *rest = pk_malloc(pk_mul(count, sizeof(*rest)));
	bool good = true;

	for (size_t i = 0; i < count; i++)
		rest[i] = r->stacks[SCALENE_COMBINED].item[i].weight;
	for (size_t i = 0; i < r->moments; i++) {
		const struct scalene_moment *m = &r->moment[i];

		if (m->stack < count && rest[m->stack] >= m->count)
			rest[m->stack] -= m->count;
	}
	for (size_t i = 0; i < count; i++)
		good &= !rest[i];
	return good;
}

/* Samples of Python and native frames, at the times that the file says. */
static void make_samples(struct scalene *r)
{
	size_t count = r->stacks[SCALENE_COMBINED].count;
	struct scalene_stack *stack = r->stacks[SCALENE_COMBINED].item;
	bool timed = count && have_times(r), ordered = pk_builder_wants(r->b, PK_PART_ORDER);
	uint32_t metric;

	if (!count)
		return;
	metric = pk_build_metric(r->b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	for (size_t i = 0; timed && i < r->moments; i++) {
		const struct scalene_moment *m = &r->moment[i];
		uint32_t thread;

		if (m->stack >= count || !stack[m->stack].node || stack[m->stack].weight < m->count)
			continue;
		thread = make_thread(r, m->thread);
		stack[m->stack].weight -= m->count;
		pk_build_cost(r->b, thread, stack[m->stack].node, metric, m->count, PK_NULL);
		if (ordered)
			pk_build_sample(r->b, m->time, thread, stack[m->stack].node, metric,
					m->count);
	}
	for (size_t i = 0; !timed && i < count; i++)
		if (stack[i].node && stack[i].weight)
			pk_build_cost(r->b, 0, stack[i].node, metric, stack[i].weight, PK_NULL);
	if (timed && !ordered)
		pk_build_unread(r->b, PK_PART_ORDER);
}

void scalene_build(struct scalene *r)
{
	if (r->elapsed)
		pk_build_set(r->b, run, duration, 1, r->elapsed);
	pk_sort(r->function, r->functions, sizeof(*r->function), by_line);
	for (int k = 0; k < SCALENE_STACKS; k++)
		make_stacks(r, (enum scalene_stacks)k);
	make_costs(r);
	make_samples(r);
}
