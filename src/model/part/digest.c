/* What a profile holds as 128 bits: two hashes of all columns of all tables. */
#include "model/part/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "model/args/text.h"
#include "model/label.h"
#include "model/schema.h"

struct digest {
	uint64_t half[2];
};

static const struct pk_hash_seed seeds[2] = {
	PK_HASH_FIXED, {0x9E3779B97F4A7C15U, 0xD6E8FEB86659FD93U, 0xE7037ED1A0B428DBU}};

static void add(struct digest *d, const void *data, size_t len)
{
	for (int i = 0; i < 2; i++)
		d->half[i] = pk_hash_mix(d->half[i] ^ seeds[i].b,
					 pk_hash_seeded(data, len, seeds[i]) ^ seeds[i].c) +
			     len;
}

static void add_strings(struct digest *d, const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->string.count; i++)
		if (i != p->run.source[1] && i != p->run.label[1])
			add(d, p->string.text[i], p->string.len[i]);
}

static void add_numbers(struct digest *d, const struct pk_arg_table *t)
{
	int64_t numbers[PK_MOST_NUMBERS];
	int count;

	for (uint32_t i = 1; t->numbers && i < t->count; i++) {
		count = t->numbers[i] ? pk_arg_unpack(t, t->numbers[i], numbers) : 0;
		add(d, numbers, (size_t)count * sizeof(*numbers));
	}
}

/* True if it says where the run was found. */
static bool is_name(const struct pk_table *t, const struct pk_column *c)
{
	return t == &pk_tables[PK_TABLE_RUN] &&
	       (c->offset == offsetof(struct pk_run_table, source) ||
		c->offset == offsetof(struct pk_run_table, label));
}

static void add_column(struct digest *d, const struct pk_profile *p, const struct pk_table *t,
		       const struct pk_column *c)
{
	const void *data = *pk_column_at(p, t, c);
	size_t size = pk_column_size(c->type);

	if (!data || c->type == PK_COL_BYTES || c->type == PK_COL_NUMBERS || is_name(t, c))
		return;
	add(d, c->name, strlen(c->name));
	add(d, (const char *)data + size, (pk_table_rows(p, t) - 1) * size);
}

void pk_profile_digest(const struct pk_profile *p, char digits[PK_DIGEST_DIGITS + 1])
{
	struct digest d = {{1, 1}};

	for (int i = 0; i < PK_TABLE_COUNT; i++) {
		const struct pk_table *t = &pk_tables[i];

		if (pk_table_rows(p, t) == 1)
			continue;
		add(&d, t->name, strlen(t->name));
		for (int k = 0; k < t->column_count; k++)
			add_column(&d, p, t, &t->columns[k]);
	}
	add_strings(&d, p);
	add_numbers(&d, &p->arg);
	snprintf(digits, PK_DIGEST_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, d.half[0], d.half[1]);
}

void pk_say_twice(struct pk_buf *said, const char *first, const char *name)
{
	if (strcmp(name, first) == 0)
		pk_buf_addf(said, "'%s' comes twice: added once%c", name, '\0');
	else
		pk_buf_addf(said, "'%s' and '%s' are the same run: added once%c", first, name,
			    '\0');
}

void pk_profiles_drop_twins(struct pk_profiles *runs, struct pk_buf *said)
{
	char(*digest)[PK_DIGEST_DIGITS + 1];
	struct pk_index seen = {.slot = NULL}; /* runs that are kept, from 1 */
	uint32_t kept = 0, *same;

	if (runs->count < 2)
		return;
	digest = pk_malloc(pk_mul(runs->count, sizeof(*digest)));
	for (size_t k = 0; k < runs->count; k++) {
		struct pk_profile *p = runs->item[k];

		/* Sums of different runs may be equal, times of their events are not. */
		if (!(pk_profile_parts(p) & (PK_PART_SPANS | PK_PART_ORDER))) {
			digest[kept][0] = '\0';
			runs->item[kept++] = p;
			continue;
		}
		pk_profile_digest(p, digest[kept]);
		same = PK_INDEX_FIND(&seen, pk_hash_bytes(digest[kept], PK_DIGEST_DIGITS), id,
				     !strcmp(digest[id - 1], digest[kept]));
		if (*same) {
			pk_say_twice(said, pk_run_name(runs->item[*same - 1]), pk_run_name(p));
			pk_profile_free(p);
			continue;
		}
		runs->item[kept++] = p;
		*same = kept;
	}
	runs->count = kept;
	free(digest);
	pk_index_release(&seen);
}
