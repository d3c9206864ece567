/*
 * Folded stacks of two sides as texts with two counts, for "diff --format folded".
 *
 *	main;parse 12          of the first side
 *	main;parse 15          of the second
 *
 * becomes "main;parse 12 15".
 */
#include "readers/folded/sum.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/folded/folded.h"
#include "readers/lines.h"

#define MOST_DECIMALS 9

struct adding {
	struct pk_folded_sums *sums;
	int side;
	uint64_t line;
	struct pk_buf stripped;
};

/* The row of a text: found, or made. */
static struct pk_folded_sum *find_row(struct pk_folded_sums *s, const char *text, size_t len,
				      uint64_t hash)
{
	uint32_t *known = PK_INDEX_FIND(
		&s->index, hash, id, s->row[id].len == len && !memcmp(s->row[id].text, text, len));

	if (*known)
		return &s->row[*known];
	if (!s->count)
		s->count = 1;
	PK_GROW(s->row, s->count + 1, s->alloc);
	s->row[s->count] = (struct pk_folded_sum){
		.text = pk_arena_copy(&s->arena, text, len), .len = (uint32_t)len, .hash = hash};
	*known = s->count++;
	return &s->row[*known];
}

static void refine(struct pk_folded_sums *s, int exponent)
{
	for (; s->exponent < exponent; s->exponent++) {
		for (uint32_t i = 1; i < s->count; i++) {
			for (int side = 0; side < 2; side++) {
				int64_t *count = &s->row[i].count[side];

				if (__builtin_mul_overflow(*count, 10, count)) {
					*count = INT64_MAX;
					s->cut = true;
				}
			}
		}
	}
}

static int64_t parse_count(struct pk_folded_sums *s, const struct pk_folded_number *n)
{
	const char *point;
	bool exact, overflow;
	int64_t value = 0;
	int decimals;

	/* most are short and whole */
	for (size_t i = 0; n->len <= 18 && !s->exponent; i++) {
		if (i == n->len)
			return value;
		if (n->text[i] == '.')
			break;
		value = value * 10 + (n->text[i] - '0');
	}
	point = memchr(n->text, '.', n->len);
	decimals = point ? (int)(n->text + n->len - 1 - point) : 0;
	refine(s, decimals < MOST_DECIMALS ? decimals : MOST_DECIMALS);
	if (!pk_parse_decimal(n->text, n->len, s->exponent, &value, &exact, &overflow))
		value = INT64_MAX;
	s->cut |= overflow || !exact;
	return value;
}

static void strip_hex(struct pk_buf *buf, const char *text, size_t len)
{
	const char *end = text + len, *at;

	buf->len = 0;
	while ((at = memmem(text, (size_t)(end - text), "0x", 2))) {
		pk_buf_add(buf, text, (size_t)(at + 2 - text));
		text = at + 2;
		if (text < end && pk_hex_digit(*text) < 16)
			pk_buf_adds(buf, "...");
		while (text < end && pk_hex_digit(*text) < 16)
			text++;
	}
	pk_buf_add(buf, text, (size_t)(end - text));
}

static int add_line(void *data, const char *text, size_t len)
{
	struct adding *a = data;
	struct pk_folded_sums *s = a->sums;
	struct pk_folded_sum *row;
	struct pk_folded_line l;
	int64_t count;

	len = pk_text_trim(text, len);
	if (pk_folded_is_comment(text, len))
		return 0;
	pk_folded_split(text, len, 1, &l);
	if (!l.counts) {
		if (!s->skipped++)
			s->first = a->line;
		return 0;
	}
	count = parse_count(s, &l.count[0]);
	len = l.stack;
	if (s->strip_hex) {
		strip_hex(&a->stripped, text, len);
		text = a->stripped.data;
		len = a->stripped.len;
	}
	row = find_row(s, text, len, pk_hash_bytes(text, len));
	s->cut |= pk_add_saturated(&row->count[a->side], count);
	return 0;
}

static void leave_lines(void *data)
{
	(void)data; /* texts were copied */
}

int pk_folded_sums_read(struct pk_folded_sums *s, int side, struct pk_input *in,
			struct pk_error *err)
{
	static const struct pk_line_reader reader = {.line = add_line, .leave = leave_lines};
	struct adding a = {.sums = s, .side = side};
	int status = pk_read_lines(in, &reader, &a, &a.line, err);

	pk_buf_release(&a.stripped);
	return status;
}

void pk_folded_sums_add(struct pk_folded_sums *s, const struct pk_folded_sums *other)
{
	int64_t factor = 1;

	refine(s, other->exponent);
	for (int e = other->exponent; e < s->exponent; e++)
		factor *= 10;
	for (uint32_t i = 1; i < other->count; i++) {
		const struct pk_folded_sum *o = &other->row[i];
		struct pk_folded_sum *row = find_row(s, o->text, o->len, o->hash);

		for (int side = 0; side < 2; side++) {
			int64_t count;

			if (__builtin_mul_overflow(o->count[side], factor, &count)) {
				count = INT64_MAX;
				s->cut = true;
			}
			s->cut |= pk_add_saturated(&row->count[side], count);
		}
	}
	if (!s->skipped)
		s->first = other->first;
	s->skipped += other->skipped;
	s->cut |= other->cut;
}

void pk_folded_sums_normalize(struct pk_folded_sums *s)
{
	double total[2] = {0, 0}, whole = 1;

	for (uint32_t i = 1; i < s->count; i++) {
		total[0] += (double)s->row[i].count[0];
		total[1] += (double)s->row[i].count[1];
	}
	if (total[0] == total[1] || total[0] == 0)
		return;
	for (int e = 0; e < s->exponent; e++)
		whole *= 10;
	for (uint32_t i = 1; i < s->count; i++) {
		double count = (double)s->row[i].count[0] * total[1] / total[0] / whole;

		s->row[i].count[0] =
			count < 9e18 / whole ? (int64_t)count * (int64_t)whole : INT64_MAX;
	}
}

void pk_folded_sums_write(const struct pk_folded_sums *s, struct pk_output *out)
{
	PK_BUF_AUTO number = PK_BUF_INIT;

	for (uint32_t i = 1; i < s->count && !pk_output_failed(out); i++) {
		pk_output_write(out, s->row[i].text, s->row[i].len);
		number.len = 0;
		for (int side = 0; side < 2; side++) {
			pk_buf_addc(&number, ' ');
			pk_format_decimal(&number, s->row[i].count[side], s->exponent);
		}
		pk_buf_addc(&number, '\n');
		pk_output_write(out, number.data, number.len);
	}
}

void pk_folded_sums_release(struct pk_folded_sums *s)
{
	free(s->row);
	pk_index_release(&s->index);
	pk_arena_release(&s->arena);
	memset(s, 0, sizeof(*s));
}
