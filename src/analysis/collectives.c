/*
 * Joins the collectives of several traces. Those of a group are counted on each rank, and the n-th
 * is the same one on all of them, unless traces lack some, because they were sampled or recorded at
 * different times, or have nothing to do with each other. Signs of that: a rank ends a collective
 * before another begins it, its name differs, or ends are far apart on all clocks. Then collectives
 * are the same one if their ends are close on the clocks of the traces.
 */
#include "analysis/collectives.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/num/units.h"

/* ns that the ends of a collective are apart on GPUs of one clock (two GPUs under nsys: 26 us at
 * most); in a long one more, a tenth of its time is safe. */
enum { CLOSE = 30000, CLOSE_PART = 10 };
/* They are also closer than this part of the median distance of two ends of a rank: of ends that
 * have nothing to do with each other, fewer than a quarter then are close by chance. */
enum { DISTANCE_PART = 20 };
/* Places are wrong if more than one in so many sets cannot be. Drifting clocks make few sets look
 * wrong. */
enum { WRONG_PART = 10 };
/* And if ends are apart in more than one of FEW_PART sets, of more than FEW in half of them: few
 * collectives that have nothing to do with each other may all overlap by chance. */
enum { FEW = 20, FEW_PART = 5 };
/* So far ends may be apart then: parts of the time from the first end to the last, since clocks
 * drift, and of limits of a group. */
enum { DRIFT_PART = 20000, APART_TIMES = 7 };
/* Collectives that must agree with a clock that was made from one of them, besides that one. */
enum { CONFIRMING = 2 };

struct joining {
	struct pk_clocks *clocks;
	struct pk_collective *item;
	uint32_t count, devices;
	uint32_t shifted;  /* traces whose clock align() set */
	uint32_t ranks;    /* of the largest loose group */
	int64_t *last;     /* by device: when its last collective ended */
	int64_t *distance; /* of ends of a group; at last the ends of sets */
};

PK_COMPARE(by_place, struct pk_collective,
	   PK_ORDER(a->group, b->group) ?: PK_ORDER(a->place, b->place)
		   ?: PK_ORDER(a->trace, b->trace) ?: PK_ORDER(a->device, b->device))
PK_COMPARE(by_set, struct pk_collective,
	   PK_ORDER(a->set, b->set) ?: PK_ORDER(a->trace, b->trace)
		   ?: PK_ORDER(a->device, b->device) ?: PK_ORDER(a->place, b->place))

static uint32_t end_of_group(const struct joining *j, uint32_t first)
{
	uint32_t end = first;

	while (end < j->count && j->item[end].group == j->item[first].group)
		end++;
	return end;
}

static uint32_t end_of_set(const struct joining *j, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < j->count && j->item[first].set && j->item[end].set == j->item[first].set)
		end++;
	return end;
}

/* Makes a set of these rows if they are several. */
static void join(struct joining *j, uint32_t first, uint32_t end)
{
	uint32_t set = end - first > 1 ? ++j->clocks->sets : 0;

	for (uint32_t i = first; i < end; i++)
		j->item[i].set = set;
}

static uint32_t ranks_of_group(const struct joining *j, uint32_t first, uint32_t end)
{
	uint32_t ranks = 0;

	for (uint32_t i = first; i < end; i++)
		ranks += j->item[i].place == 0;
	return ranks;
}

/* Whether all ranks of a group have as many. */
static bool is_even(const struct joining *j, uint32_t first, uint32_t end)
{
	uint64_t places = (uint64_t)j->item[end - 1].place + 1;

	return end - first == ranks_of_group(j, first, end) * places;
}

static void join_by_place(struct joining *j)
{
	struct pk_collective *c = j->item;

	j->clocks->sets = 0;
	pk_sort(c, j->count, sizeof(*c), by_place);
	for (uint32_t i = 0, next, end = 0; i < j->count; i = next) {
		bool joined = true;

		if (i == end) {
			end = end_of_group(j, i);
			joined = !c[i].guessed || is_even(j, i, end);
		}
		for (next = i + 1; next < end && (!joined || c[next].place == c[i].place); next++)
			;
		if (joined)
			join(j, i, next);
	}
}

struct aligning {
	struct joining *j;
	struct pk_groups of; /* collectives by trace */
	uint32_t *known;     /* by set: the row of a trace whose clock is known, + 1 */
	int64_t *apart;
	uint32_t *found, count; /* traces in the order in which they are aligned */
	bool *is_found;         /* by trace */
};

static void find_trace(struct aligning *a, uint32_t trace)
{
	if (!a->is_found[trace])
		a->found[a->count++] = trace;
	a->is_found[trace] = true;
}

/* Marks the collectives of a trace whose clock is known, and finds the other traces that take part
 * in them. */
static void tell_others(struct aligning *a, uint32_t trace)
{
	const struct pk_collective *c = a->j->item;

	for (uint32_t k = a->of.first[trace]; k < a->of.first[trace + 1]; k++) {
		uint32_t i = a->of.row[k], first = i;

		if (!c[i].set || a->known[c[i].set])
			continue;
		a->known[c[i].set] = i + 1;
		while (first && c[first - 1].set == c[i].set)
			first--;
		for (uint32_t end = end_of_set(a->j, first); first < end; first++)
			find_trace(a, c[first].trace);
	}
}

/* Shifts a trace so that its collectives end when those of known clocks do: by the median of the
 * differences. */
static void shift_trace(struct aligning *a, uint32_t trace)
{
	const struct pk_collective *c = a->j->item;
	int64_t *shift = a->j->clocks->shift;
	size_t count = 0;

	for (uint32_t k = a->of.first[trace]; k < a->of.first[trace + 1]; k++) {
		uint32_t i = a->of.row[k], known = a->known[c[i].set];
		int64_t end;

		if (!c[i].set || !known)
			continue;
		end = c[known - 1].end;
		pk_add_saturated(&end, shift[c[known - 1].trace]);
		a->apart[count++] = pk_apart(end, c[i].end);
	}
	qsort(a->apart, count, sizeof(*a->apart), pk_compare_ints);
	shift[trace] = a->apart[(count - 1) / 2];
	a->j->clocks->aligned = true;
	a->j->shifted++;
}

/* Aligns the traces that share collectives with the first trace, then those that share some with
 * traces already aligned. A trace that is not reached in this way begins a new set of traces, which
 * are aligned with it. */
static void align(struct joining *j)
{
	size_t traces = (size_t)j->clocks->traces + 1;
	PK_FREED int64_t *apart = pk_malloc(pk_mul((size_t)j->count + 1, sizeof(*apart)));
	PK_FREED uint32_t *known = pk_calloc((size_t)j->clocks->sets + 1, sizeof(*known));
	PK_FREED uint32_t *found = pk_calloc(traces, sizeof(*found));
	PK_FREED bool *is_found = pk_calloc(traces, sizeof(*is_found));
	struct aligning a = {
		.j = j, .known = known, .apart = apart, .found = found, .is_found = is_found};
	uint32_t told = 0;

	j->clocks->aligned = false;
	j->shifted = 0;
	pk_sort(j->item, j->count, sizeof(*j->item), by_set);
	pk_groups_init(&a.of, &j->item->trace, sizeof(*j->item), 0, j->count, j->clocks->traces);
	for (uint32_t first = 0; first < j->clocks->traces; first++) {
		find_trace(&a, first);
		while (told < a.count) {
			uint32_t last = a.count;

			for (; told < last; told++)
				tell_others(&a, a.found[told]);
			for (uint32_t k = last; k < a.count; k++)
				shift_trace(&a, a.found[k]);
		}
	}
	pk_groups_release(&a.of);
}

/* On the clock of the first trace. */
static int64_t begin_of(const struct joining *j, uint32_t i)
{
	int64_t time = j->item[i].start;

	pk_add_saturated(&time, j->clocks->shift[j->item[i].trace]);
	return time;
}

static int64_t end_of(const struct joining *j, uint32_t i)
{
	int64_t time = j->item[i].end;

	pk_add_saturated(&time, j->clocks->shift[j->item[i].trace]);
	return time;
}

/* From the first end of a set to the last. */
static int64_t spread(const struct joining *j, uint32_t first, uint32_t end)
{
	int64_t least = INT64_MAX, most = INT64_MIN;

	for (uint32_t i = first; i < end; i++) {
		least = end_of(j, i) < least ? end_of(j, i) : least;
		most = end_of(j, i) > most ? end_of(j, i) : most;
	}
	return pk_apart(most, least);
}

static bool differ(const struct pk_collective *a, const struct pk_collective *b)
{
	return a->kind && b->kind && a->kind != b->kind;
}

/* Whether a rank ends it before another begins it, or it is not of one kind. */
static bool is_wrong(const struct joining *j, uint32_t first, uint32_t end)
{
	int64_t least = INT64_MAX, begin = INT64_MIN;
	bool mixed = false;

	for (uint32_t i = first; i < end; i++) {
		least = end_of(j, i) < least ? end_of(j, i) : least;
		begin = begin_of(j, i) > begin ? begin_of(j, i) : begin;
		mixed |= differ(&j->item[i], &j->item[first]);
	}
	return mixed || pk_apart(begin, least) > CLOSE;
}

/* How far ends may be apart of a collective that is so long on the rank that waits least. */
static int64_t closeness(int64_t shortest)
{
	return CLOSE + shortest / CLOSE_PART;
}

static int64_t length_of(const struct joining *j, uint32_t i)
{
	return pk_apart(j->item[i].end, j->item[i].start);
}

/* Whether ends of a set are farther apart than those of the same collective: than the limit of the
 * group, and APART_TIMES this or what its length allows. */
static bool is_apart(const struct joining *j, uint32_t first, uint32_t end, int64_t limit,
		     int64_t drift)
{
	int64_t shortest = INT64_MAX, most = limit * APART_TIMES, close;

	for (uint32_t i = first; i < end; i++)
		shortest = length_of(j, i) < shortest ? length_of(j, i) : shortest;
	close = closeness(shortest);
	close = close < most ? close : most;
	return spread(j, first, end) - drift > (close > limit ? close : limit);
}

static bool has_several(const struct joining *j, uint32_t first, uint32_t end)
{
	uint32_t i = first;

	while (i < end && j->item[i].device == j->item[first].device)
		i++;
	return i < end;
}

/* How far ends of the same collective of a group may be apart: a part of the median distance of two
 * ends of a rank. */
static int64_t limit_of_group(struct joining *j, uint32_t first, uint32_t end)
{
	uint32_t count = 0;

	for (uint32_t i = first; i < end; i++) {
		const struct pk_collective *c = &j->item[i];
		int64_t *last = &j->last[c->device];

		if (c->place)
			j->distance[count++] =
				c->end > *last ? pk_apart(c->end, *last) : pk_apart(*last, c->end);
		*last = c->end;
	}
	pk_sort_ints(j->distance, count);
	return count ? j->distance[(count - 1) / 2] / DISTANCE_PART : INT64_MAX / APART_TIMES;
}

/* Whether the sets of a group, which places gave, are those of the same collectives. */
static bool places_hold(const struct joining *j, uint32_t first, uint32_t end, int64_t limit)
{
	uint32_t sets = 0, wrong = 0, apart = 0;
	int64_t least = INT64_MAX, most = INT64_MIN, drift;

	for (uint32_t i = first; i < end; i++) {
		least = end_of(j, i) < least ? end_of(j, i) : least;
		most = end_of(j, i) > most ? end_of(j, i) : most;
	}
	drift = pk_apart(most, least) / DRIFT_PART;
	for (uint32_t i = first, next; i < end; i = next) {
		next = end_of_set(j, i);
		sets += j->item[i].set > 0;
		wrong += is_wrong(j, i, next);
		apart += is_apart(j, i, next, limit, drift);
	}
	return sets && wrong <= sets / WRONG_PART && apart <= sets / (sets > FEW ? 2 : FEW_PART);
}

/* With how many others, in parts of EVIDENCE, a collective of a group of so many ranks must be
 * joined on average. On clocks that have nothing to do with each other it is joined by chance with
 * one for about 40 other ranks; a collective of every rank with all others. In short lists chance
 * does more: one more pair is needed there. */
enum { EVIDENCE = 20 };
static uint64_t evidence(uint32_t ranks)
{
	return ranks > 2 ? ranks + 8 : 5;
}

/* Finds the groups in which places do not say which collectives are the same, on clocks aligned by
 * them. Returns the evidence that their rows need. */
static uint64_t find_loose(struct joining *j)
{
	struct pk_collective *c = j->item;
	uint64_t needed = 0;

	pk_sort(c, j->count, sizeof(*c), by_place);
	for (uint32_t i = 0, end; i < j->count; i = end) {
		uint32_t ranks;
		int64_t limit;

		end = end_of_group(j, i);
		if (!has_several(j, i, end))
			continue;
		limit = limit_of_group(j, i, end);
		if (places_hold(j, i, end, limit))
			continue;
		ranks = ranks_of_group(j, i, end);
		j->ranks = ranks > j->ranks ? ranks : j->ranks;
		needed += (end - i) * evidence(ranks) + EVIDENCE;
		for (uint32_t k = i; k < end; k++) {
			c[k].loose = true;
			c[k].limit = limit;
		}
	}
	return needed;
}

static int by_end(const void *va, const void *vb, void *data)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct joining *j = data;

	return PK_ORDER(j->item[a].group, j->item[b].group) ?: PK_ORDER(end_of(j, a), end_of(j, b))
		       ?: PK_ORDER(a, b);
}

/* Whether the i-th collective may be the one that began the set and ended first. */
static bool is_close(const struct joining *j, uint32_t first, uint32_t i)
{
	int64_t one = length_of(j, first), other = length_of(j, i);
	int64_t late = pk_apart(end_of(j, i), end_of(j, first));

	return j->item[i].group == j->item[first].group && !differ(&j->item[i], &j->item[first]) &&
	       late <= j->item[first].limit && late <= closeness(one < other ? one : other);
}

/* Joins the loose ones whose ends are close. Returns with how many others each is joined, added up:
 * a set of all ranks says more than several of few ranks, which are close by chance. */
static uint64_t join_by_time(struct joining *j)
{
	struct pk_collective *c = j->item;
	PK_FREED uint32_t *order = pk_malloc(pk_mul((size_t)j->count + 1, sizeof(*order)));
	PK_FREED uint32_t *taken = pk_calloc((size_t)j->devices + 1, sizeof(*taken));
	uint64_t joined = 0;
	uint32_t rows = 0;

	for (uint32_t i = 0; i < j->count; i++)
		if (c[i].loose)
			order[rows++] = i;
	if (rows)
		qsort_r(order, rows, sizeof(*order), by_end, j);
	for (uint32_t i = 0, next; i < rows; i = next) {
		for (next = i; next < rows && taken[c[order[next]].device] != i + 1 &&
			       is_close(j, order[i], order[next]);
		     next++)
			taken[c[order[next]].device] = i + 1;
		joined += (uint64_t)(next - i) * (next - i - 1);
		j->clocks->sets += next - i > 1;
		for (uint32_t k = i; k < next; k++)
			c[order[k]].set = next - i > 1 ? j->clocks->sets : 0;
	}
	return joined;
}

/* How much of what is joined on the clocks that places give is evidence: the clock of each trace
 * was made from one pair, which is joined whether it is the same collective or not. N - 1 such
 * pairs make a set of N ranks at most, each joined with N - 1 others: N for each clock. */
static uint64_t confirming(const struct joining *j, uint64_t joined)
{
	uint64_t made_from = (uint64_t)j->shifted * j->ranks;

	return joined >= made_from + CONFIRMING * 2 ? joined - made_from : 0;
}

/* Joins the loose ones on the clocks that join most: those that places give, those of the files, or
 * those of steps; if that is less than the evidence that they need, none. */
static void join_loose(struct joining *j, const int64_t *dated, uint64_t needed)
{
	size_t size = pk_mul(j->clocks->traces, sizeof(*dated));
	PK_FREED int64_t *placed = pk_malloc(size);
	const int64_t *clocks[] = {placed, dated, j->clocks->steps}, *best = placed;
	uint64_t most = 0;

	memcpy(placed, j->clocks->shift, size);
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks) && clocks[i]; i++) {
		uint64_t joined;

		memcpy(j->clocks->shift, clocks[i], size);
		joined = join_by_time(j);
		if (clocks[i] == placed)
			joined = confirming(j, joined);
		if (joined > most || (joined == most && clocks[i] == dated)) {
			most = joined;
			best = clocks[i];
		}
	}
	if (most < needed / EVIDENCE)
		best = dated;
	memcpy(j->clocks->shift, best, size);
	join_by_time(j);
	for (uint32_t i = 0; i < j->count; i++)
		if (j->item[i].loose && most < needed / EVIDENCE)
			j->item[i].set = 0;
	align(j);
}

/* Whether each clock that collectives gave is at most so far from the date of its trace; 0 is no
 * date. */
static bool dates_agree(const struct pk_clocks *k, const int64_t *dated, int64_t distance)
{
	for (uint32_t i = 0; i < k->traces; i++) {
		int64_t apart = pk_apart(k->shift[i], dated[i]);

		if (apart && (!dated[i] || apart > distance || apart < -distance))
			return false;
	}
	return true;
}

/* Few collectives, or some at regular distances, may agree on wrong clocks, too, unless dates say
 * nearly the same. end: of each set; overwritten */
static enum pk_clocks_guess find_guess(const struct pk_clocks *k, const int64_t *dated,
				       int64_t *end)
{
	enum { FEW_SETS = 3, REGULAR_PART = 5, TAIL = 10 };
	uint32_t gaps = k->sets ? k->sets - 1 : 0;
	int64_t median;

	if (!gaps)
		return PK_CLOCKS_SURE;
	pk_sort_ints(end, k->sets);
	for (uint32_t i = 0; i < gaps; i++)
		end[i] = pk_apart(end[i + 1], end[i]);
	pk_sort_ints(end, gaps);
	median = end[(gaps - 1) / 2];
	if (dates_agree(k, dated, median / 2))
		return PK_CLOCKS_SURE;
	if (k->sets <= FEW_SETS)
		return PK_CLOCKS_FEW;
	return end[gaps - 1 - gaps / TAIL] - end[gaps / TAIL] <= median / REGULAR_PART
		       ? PK_CLOCKS_REGULAR
		       : PK_CLOCKS_SURE;
}

/* How far ends are apart, how many collectives are alone, and whether clocks are a guess. */
static void measure(struct joining *j, const int64_t *dated)
{
	struct pk_clocks *k = j->clocks;
	PK_FREED int64_t *apart = pk_malloc(pk_mul((size_t)j->count + 1, sizeof(*apart)));
	uint64_t pairs = 0;

	pk_sort(j->item, j->count, sizeof(*j->item), by_place);
	for (uint32_t i = 0, end; i < j->count; i = end) {
		end = end_of_group(j, i);
		if (!has_several(j, i, end))
			continue;
		for (uint32_t m = i; m < end; m++)
			k->alone += !j->item[m].set;
	}
	pk_sort(j->item, j->count, sizeof(*j->item), by_set);
	k->sets = 0;
	for (uint32_t i = 0, end; i < j->count; i = end) {
		end = end_of_set(j, i);
		if (!j->item[i].set)
			continue;
		j->distance[k->sets] = end_of(j, i);
		apart[k->sets++] = spread(j, i, end);
		for (uint32_t m = i + 1; m < end; m++)
			pairs += j->item[m].trace != j->item[m - 1].trace;
	}
	k->confirmed = pairs > j->shifted;
	k->guess = k->confirmed ? find_guess(k, dated, j->distance) : PK_CLOCKS_SURE;
	pk_sort_ints(apart, k->sets);
	k->apart = k->sets ? apart[(k->sets - 1) / 2] : 0;
	k->most = k->sets ? apart[k->sets - 1] : 0;
}

void pk_join_collectives(struct pk_clocks *clocks, struct pk_collective *c, uint32_t count)
{
	struct joining j = {.clocks = clocks, .item = c, .count = count};
	size_t size = pk_mul(clocks->traces, sizeof(*clocks->shift));
	PK_FREED int64_t *dated = pk_malloc(size + 1), *last = NULL, *distance = NULL;
	uint64_t needed;

	if (!count)
		return;
	memcpy(dated, clocks->shift, size);
	for (uint32_t i = 0; i < count; i++)
		j.devices = c[i].device >= j.devices ? c[i].device + 1 : j.devices;
	j.last = last = pk_malloc(pk_mul(j.devices, sizeof(*last)));
	j.distance = distance = pk_malloc(pk_mul(count, sizeof(*distance)));
	join_by_place(&j);
	align(&j);
	needed = find_loose(&j);
	if (needed)
		join_loose(&j, dated, needed);
	measure(&j, dated);
}

void pk_add_collective(struct pk_collectives *k, uint32_t rank, int64_t start, int64_t end)
{
	PK_GROW(k->item, k->count + 1, k->alloc);
	k->item[k->count] = (struct pk_collective){.trace = rank,
						   .device = rank,
						   .group = 1,
						   .guessed = true,
						   .start = start,
						   .end = end,
						   .row = (uint32_t)k->count};
	k->count++;
}

PK_COMPARE(by_own_end, struct pk_collective,
	   PK_ORDER(a->end, b->end) ?: PK_ORDER(a->start, b->start) ?: PK_ORDER(a->row, b->row))

void pk_place_collectives(struct pk_collectives *k, size_t first)
{
	if (k->count == first)
		return;
	pk_sort(k->item + first, k->count - first, sizeof(*k->item), by_own_end);
	for (size_t i = first; i < k->count; i++)
		k->item[i].place = (int64_t)(i - first);
}
