/* A part: the sum of runs with a list of them, to which others can be added in any order. */
#include "model/part/part.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/internal.h"
#include "model/label.h"
#include "model/part/digest.h"
#include "model/part/sketch.h"
#include "model/totals.h"
#include "model/transform/transform.h"

struct pk_reduction *pk_part_new(struct pk_builder *b)
{
	struct pk_reduction *part = pk_calloc(1, sizeof(*part));

	part->b = b;
	part->members = part->collectives = 1;
	pk_spreads_init(&part->spreads);
	return part;
}

void pk_part_free(struct pk_reduction *part)
{
	if (!part)
		return;
	free(part->member);
	free(part->total);
	free(part->exponent);
	free(part->member_of);
	free(part->collective);
	pk_index_release(&part->by_collective);
	pk_index_release(&part->by_digest);
	pk_spreads_release(&part->spreads);
	pk_buf_release(&part->said);
	free(part);
}

/* The slot of the member with this digest; empty if there is none. */
static uint32_t find_slot(struct pk_reduction *part, uint32_t digest, uint32_t *tag)
{
	struct pk_index *x = &part->by_digest;
	uint32_t i, id;

	*tag = pk_index_tag(pk_hash_u64(digest));
	pk_index_reserve(x);
	for (i = *tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask)
		if (part->member[id].digest == digest)
			break;
	return i;
}

static uint32_t find_member(struct pk_reduction *part, uint32_t digest)
{
	uint32_t tag, i = find_slot(part, digest, &tag);

	return part->by_digest.slot[i].id;
}

static uint32_t add_member(struct pk_reduction *part, const struct pk_part_member *member)
{
	uint32_t tag, i = find_slot(part, member->digest, &tag);

	PK_GROW(part->member, (size_t)part->members + 1, part->member_alloc);
	part->member[part->members] = *member;
	pk_index_put(&part->by_digest, i, tag, part->members);
	return part->members++;
}

/* The run of a profile that is no part. */
static struct pk_part_member run_of(struct pk_copy *copy)
{
	const struct pk_run_table *run = &copy->p->run;
	char digest[PK_DIGEST_DIGITS + 1];

	pk_profile_digest(copy->p, digest);
	return (struct pk_part_member){
		.digest = pk_build_text(copy->b, digest),
		.name = pk_copy_string(copy, run->label[1] ? run->label[1] : run->source[1]),
		.format = pk_copy_string(copy, run->format[1]),
		.producer = pk_copy_string(copy, run->producer[1]),
		.command = pk_copy_string(copy, run->command[1]),
		.host = pk_copy_string(copy, run->host[1]),
		.start = run->start[1],
		.duration = run->duration[1],
		.rank = run->rank ? run->rank[1] : PK_NULL};
}

static struct pk_part_member member_of(struct pk_copy *copy, uint32_t row)
{
	const struct pk_member_table *t = &copy->p->member;

	return (struct pk_part_member){.digest = pk_copy_string(copy, t->digest[row]),
				       .name = pk_copy_string(copy, t->name[row]),
				       .format = pk_copy_string(copy, t->format[row]),
				       .producer = pk_copy_string(copy, t->producer[row]),
				       .command = pk_copy_string(copy, t->command[row]),
				       .host = pk_copy_string(copy, t->host[row]),
				       .start = t->start[row],
				       .duration = t->duration[row],
				       .rank = t->rank[row]};
}

/* Of several names of a run, the first in the order of their bytes is kept. */
static void keep_name(struct pk_reduction *part, uint32_t id, uint32_t name)
{
	const struct pk_profile *p = part->b->p;
	uint32_t *kept = &part->member[id].name;

	if (strcmp(pk_text(p, name), pk_text(p, *kept)) < 0)
		*kept = name;
}

/* Fails, since a run of this part is new and another is not. */
static int fail_shared(const struct pk_reduction *part, const char *file,
		       const struct pk_part_member *member, uint32_t first, struct pk_error *err)
{
	uint32_t i = 0;

	while (part->member_of[i + 1] >= first)
		i++;
	return pk_fail(
		err, PK_EUSAGE,
		"'%s' has run '%s', which was added before, and runs that were not: such parts "
		"cannot be added",
		file, pk_text(part->b->p, member[i].name));
}

/* Returns 1 if all were added before. */
static int add_members(struct pk_reduction *part, const char *file, struct pk_part_member *member,
		       uint32_t count, struct pk_error *err)
{
	const struct pk_profile *made = part->b->p;
	uint32_t old = 0, first = part->members, i, id;

	for (i = 0; i < count; i++) {
		id = find_member(part, member[i].digest);
		if (!id) {
			part->member_of[i + 1] = add_member(part, &member[i]);
			continue;
		}
		if (id >= first)
			return pk_fail(err, PK_EFORMAT, "broken part: it has run '%s' twice",
				       pk_text(made, member[i].name));
		if (count == 1)
			pk_say_twice(&part->said, pk_text(made, part->member[id].name),
				     pk_text(made, member[i].name));
		keep_name(part, id, member[i].name);
		part->member_of[i + 1] = id;
		old++;
	}
	if (old && old < count)
		return fail_shared(part, file, member, first, err);
	if (old > 1)
		pk_buf_addf(&part->said, "'%s': its %u runs were added before: left out%c", file,
			    old, '\0');
	return old > 0;
}

int pk_part_add_members(struct pk_reduction *part, struct pk_copy *copy, struct pk_error *err)
{
	uint32_t count = pk_is_part(copy->p) ? copy->p->member.count - 1 : 1, i;
	PK_FREED struct pk_part_member *member = pk_calloc(count, sizeof(*member));

	free(part->member_of);
	part->member_of = pk_calloc((size_t)count + 1, sizeof(*part->member_of));
	if (!pk_is_part(copy->p))
		member[0] = run_of(copy);
	for (i = 0; pk_is_part(copy->p) && i < count; i++)
		member[i] = member_of(copy, i + 1);
	return add_members(part, pk_file_name(copy->p), member, count, err);
}

void pk_part_prepare(struct pk_copy *copy)
{
	const struct pk_profile *p = copy->p;
	uint32_t *labels = pk_copy_map(copy, PK_TABLE_LABEL_SET), i;

	for (i = 1; i < p->label_set.count; i++)
		labels[i] = 0;
	for (i = 1; i < p->node.count; i++)
		copy->id[PK_TABLE_LOCATION][p->node.location[i]] =
			pk_build_place(copy->b, pk_copy_function(copy, pk_node_function(p, i)), 0);
}

static void most_of(uint8_t *kept, uint8_t value)
{
	*kept = value > *kept ? value : *kept;
}

/* A metric counts the same things if only some runs say so; of several, the first name is kept. */
static void keep_counts(struct pk_copy *copy, uint32_t metric)
{
	struct pk_profile *made = copy->b->p;
	const struct pk_metric_table *from = &copy->p->metric;
	uint32_t row = copy->metric[metric], counts, kept;

	if (!from->counts || !from->counts[metric])
		return;
	counts = copy->metric[from->counts[metric]];
	kept = made->metric.counts ? made->metric.counts[row] : 0;
	if (!kept || strcmp(pk_text(made, made->metric.name[counts]),
			    pk_text(made, made->metric.name[kept])) < 0)
		pk_build_set(copy->b, metric, counts, row, counts);
}

void pk_part_add_metrics(struct pk_reduction *part, struct pk_copy *copy)
{
	struct pk_metric_table *t = &part->b->p->metric;
	const struct pk_metric_table *from = &copy->p->metric;
	uint32_t i;

	PK_GROW(part->exponent, t->count, part->exponent_alloc);
	for (i = 1; i < part->exponents; i++)
		if (part->exponent[i] != t->exponent[i])
			pk_spreads_rescale(&part->spreads, i, t->exponent[i] - part->exponent[i]);
	for (i = 0; i < part->totals; i++) {
		struct pk_part_total *total = &part->total[i];

		for (int e = part->exponent[total->metric]; e < t->exponent[total->metric]; e++)
			total->total = pk_mul_saturated(total->total, 10);
	}
	for (i = 0; i < t->count; i++)
		part->exponent[i] = t->exponent[i];
	part->exponents = t->count;
	for (i = 1; i < from->count; i++) {
		most_of(&t->kind[copy->metric[i]], from->kind[i]);
		most_of(&t->exactness[copy->metric[i]], from->exactness[i]);
		keep_counts(copy, i);
	}
}

static int decades_of(const struct pk_copy *copy, uint32_t metric)
{
	return copy->b->p->metric.exponent[copy->metric[metric]] - copy->p->metric.exponent[metric];
}

/* Square and bucket are computed from the value before it is cut, as if it came in a part. Returns
 * what has to be added to the buckets. */
static struct pk_bucket_count add_value(struct pk_reduction *part, struct pk_copy *copy,
					uint32_t metric, struct pk_spread of, int64_t value,
					int64_t total)
{
	int decades = decades_of(copy, metric);

	of.runs = 1;
	of.sum = of.least = of.most = pk_copy_value(copy, metric, value);
	of.squares = pk_squares_scale(pk_square(value), decades);
	of.products = pk_products_scale(pk_product(value, total), decades);
	return (struct pk_bucket_count){.spread = pk_spreads_add(&part->spreads, &of),
					.bucket = pk_bucket_shift(pk_bucket(value), decades),
					.runs = 1};
}

/* Adds the values of the functions of one run. */
static void add_run(struct pk_reduction *part, struct pk_copy *copy, uint32_t metric)
{
	struct pk_spread of = {.metric = copy->metric[metric], .most_in = part->member_of[1]};
	PK_FREED struct pk_bucket_count *bucket = NULL;
	struct pk_functions f;
	int64_t calls = PK_NULL;
	size_t buckets = 0;

	of.digest = pk_text(part->b->p, part->member[of.most_in].digest);
	pk_functions_init(&f, copy->p, metric);
	bucket = pk_malloc(pk_mul(f.count, 2 * sizeof(*bucket)) + 1);
	for (uint32_t i = 0; i < f.count; i++) {
		of.function = pk_copy_function(copy, f.row[i].function);
		of.of = PK_SPREAD_SELF;
		of.calls_least = of.calls_most = f.row[i].calls;
		pk_add_known(&calls, f.row[i].calls);
		bucket[buckets++] = add_value(part, copy, metric, of, f.row[i].self, f.total);
		of.of = PK_SPREAD_TOTAL;
		of.calls_least = of.calls_most = PK_NULL;
		bucket[buckets++] = add_value(part, copy, metric, of, f.row[i].total, f.total);
	}
	pk_spreads_add_buckets(&part->spreads, bucket, buckets);
	PK_GROW(part->total, part->totals + 1, part->total_alloc);
	part->total[part->totals++] =
		(struct pk_part_total){.member = part->member_of[1],
				       .metric = copy->metric[metric],
				       .place = metric,
				       .total = pk_copy_value(copy, metric, f.total),
				       .calls = calls};
	pk_functions_release(&f);
}

static void add_totals(struct pk_reduction *part, struct pk_copy *copy)
{
	const struct pk_member_total_table *t = &copy->p->member_total;

	for (uint32_t i = 1; i < t->count; i++) {
		PK_GROW(part->total, part->totals + 1, part->total_alloc);
		part->total[part->totals++] = (struct pk_part_total){
			.member = part->member_of[t->member[i]],
			.metric = copy->metric[t->metric[i]],
			.place = t->place[i],
			.total = pk_copy_value(copy, t->metric[i], t->total[i]),
			.calls = t->calls[i]};
	}
}

static struct pk_spread spread_of(struct pk_reduction *part, struct pk_copy *copy, uint32_t row)
{
	const struct pk_spread_table *t = &copy->p->spread;
	uint32_t metric = t->metric[row], member = part->member_of[t->most_in[row]];

	return (struct pk_spread){
		.function = pk_copy_function(copy, t->function[row]),
		.metric = copy->metric[metric],
		.of = (enum pk_spread_value)t->of[row],
		.most_in = member,
		.digest = member ? pk_text(part->b->p, part->member[member].digest) : "",
		.runs = t->runs[row],
		.sum = pk_copy_value(copy, metric, t->sum[row]),
		.least = pk_copy_value(copy, metric, t->least[row]),
		.most = pk_copy_value(copy, metric, t->most[row]),
		.squares = pk_squares_scale(pk_spread_squares(t, row), decades_of(copy, metric)),
		.products = pk_products_scale(pk_spread_products(t, row), decades_of(copy, metric)),
		.calls_least = t->calls_least[row],
		.calls_most = t->calls_most[row]};
}

static void add_spreads(struct pk_reduction *part, struct pk_copy *copy)
{
	const struct pk_spread_table *t = &copy->p->spread;
	const struct pk_bucket_table *buckets = &copy->p->bucket;
	PK_FREED uint32_t *id = pk_calloc(t->count, sizeof(*id));
	PK_FREED struct pk_bucket_count *list = pk_malloc(pk_mul(buckets->count, sizeof(*list)));
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		struct pk_spread spread = spread_of(part, copy, i);

		id[i] = pk_spreads_add(&part->spreads, &spread);
	}
	for (i = 1; i < buckets->count; i++) {
		uint32_t spread = buckets->spread[i];
		int decades = decades_of(copy, t->metric[spread]);

		list[i - 1] = (struct pk_bucket_count){
			.spread = id[spread],
			.bucket = pk_bucket_shift(buckets->bucket[i], decades),
			.runs = buckets->runs[i]};
	}
	pk_spreads_add_buckets(&part->spreads, list, buckets->count - 1);
}

void pk_part_add_values(struct pk_reduction *part, struct pk_copy *copy)
{
	if (pk_is_part(copy->p)) {
		add_totals(part, copy);
		add_spreads(part, copy);
		pk_part_add_descriptions(part, copy);
		return;
	}
	for (uint32_t m = 1; m < copy->p->metric.count; m++)
		add_run(part, copy, m);
	if (part->describe)
		part->describe(part, copy->p, part->member_of[1]);
}

/* Of several first places of a repair, the first in the order of bytes is kept. */
void pk_part_add_repairs(struct pk_copy *copy)
{
	const struct pk_repair_table *t = &copy->p->repair;
	struct pk_repair_table *made = &copy->b->p->repair;

	for (uint32_t i = 1; i < t->count; i++) {
		const char *what = pk_text(copy->p, t->what[i]);
		const char *first = pk_text(copy->p, t->first[i]);
		uint32_t row = 1;

		pk_build_repairs(copy->b, what, t->times[i], first);
		while (row + 1 < made->count && strcmp(pk_text(copy->b->p, made->what[row]), what))
			row++;
		if (strcmp(first, pk_text(copy->b->p, made->first[row])) < 0)
			made->first[row] = pk_build_text(copy->b, first);
	}
}

static void put_members(struct pk_reduction *part)
{
	for (uint32_t i = 1; i < part->members; i++) {
		const struct pk_part_member *m = &part->member[i];
		const uint64_t value[] = {
			m->digest,        m->name, m->format,          m->producer,
			m->command,       m->host, (uint64_t)m->start, (uint64_t)m->duration,
			(uint64_t)m->rank};

		pk_builder_put(part->b, PK_TABLE_MEMBER, value, 9);
	}
	for (size_t i = 0; i < part->totals; i++) {
		const struct pk_part_total *t = &part->total[i];
		const uint64_t value[] = {t->member, t->metric, (uint64_t)t->total, t->place,
					  (uint64_t)t->calls};

		pk_builder_put(part->b, PK_TABLE_MEMBER_TOTAL, value, 5);
	}
}

static void put_spreads(struct pk_reduction *part)
{
	const struct pk_spreads *s = &part->spreads;
	uint32_t i;

	for (i = 1; i < s->count; i++) {
		const struct pk_spread *of = &s->item[i];
		const uint64_t value[] = {of->function,
					  of->metric,
					  of->of,
					  (uint64_t)of->runs,
					  (uint64_t)of->sum,
					  (uint64_t)of->least,
					  (uint64_t)of->most,
					  of->most_in,
					  (uint64_t)(of->squares >> 64),
					  (uint32_t)(of->squares >> 32),
					  (uint32_t)of->squares,
					  (uint64_t)(of->products >> 64),
					  (uint32_t)(of->products >> 32),
					  (uint32_t)of->products,
					  (uint64_t)of->calls_least,
					  (uint64_t)of->calls_most};

		pk_builder_put(part->b, PK_TABLE_SPREAD, value, 16);
	}
	for (i = 1; i < s->buckets; i++) {
		const struct pk_bucket_count *c = &s->bucket[i];
		const uint64_t value[] = {c->spread, (uint64_t)c->bucket, (uint64_t)c->runs};

		pk_builder_put(part->b, PK_TABLE_BUCKET, value, 3);
	}
}

/* The number of sums that were cut depends on the order of runs. That some were cut does not, if
 * values are positive; so only that is noted. */
static void note_cut(struct pk_reduction *part)
{
	struct pk_repair_table *t = &part->b->p->repair;

	if (part->b->cut + part->spreads.cut)
		pk_build_repairs(part->b, PK_SUMS_CUT, 1, "");
	for (uint32_t i = 1; i < t->count; i++)
		if (!strcmp(pk_text(part->b->p, t->what[i]), PK_SUMS_CUT))
			t->times[i] = 1;
}

struct pk_profile *pk_part_finish(struct pk_reduction *part)
{
	struct pk_profile *sum, *made;

	note_cut(part);
	put_members(part);
	put_spreads(part);
	pk_part_put_collectives(part);
	sum = pk_builder_finish(part->b);
	free(sum->edge.self_raw);
	free(sum->edge.total_raw);
	sum->edge.self_raw = sum->edge.total_raw = NULL;
	made = pk_part_canonical(sum);
	pk_profile_free(sum);
	return made;
}
