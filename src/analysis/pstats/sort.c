/*
 * Sorting functions by the keys of Python's pstats, which all tables of functions take: what
 * "cumulative,name" means, and the order. A key that is a number is compared as 64 bits; the first
 * one is computed once for each row.
 */
#include "analysis/pstats/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/label.h"

#define MAX_SORT_KEYS ((int)(sizeof(((struct pk_sort *)0)->key) / sizeof(enum pk_sort_key)))

static const struct {
	const char *name;
	enum pk_sort_key key;
	bool prefixes; /* a name of pstats: its prefixes are names too */
} names[] = {
	{"self", PK_SORT_SELF, false},
	{"total", PK_SORT_TOTAL, false},
	{"calls", PK_SORT_CALLS, true},
	{"ncalls", PK_SORT_CALLS, true},
	{"primitive_calls", PK_SORT_PCALLS, false},
	{"pcalls", PK_SORT_PCALLS, true},
	{"tottime", PK_SORT_SELF, true},
	{"time", PK_SORT_SELF, true},
	{"cumtime", PK_SORT_TOTAL, true},
	{"cumulative", PK_SORT_TOTAL, true},
	{"filename", PK_SORT_FILE, true},
	{"module", PK_SORT_FILE, true},
	{"line", PK_SORT_LINE, true},
	{"name", PK_SORT_NAME, true},
	{"function", PK_SORT_NAME, false},
	{"nfl", PK_SORT_NFL, true},
	{"stdname", PK_SORT_STDNAME, true},
	{"-1", PK_SORT_STDNAME, false},
	{"0", PK_SORT_CALLS, false},
	{"1", PK_SORT_SELF, false},
	{"2", PK_SORT_TOTAL, false},
};

#define NAMES (sizeof(names) / sizeof(names[0]))

/* The prefixes that pstats finds ambiguous; "cu" is not one: it was taken first. */
static const char *const ambiguous[] = {"c", "cum", "n", "t", NULL};

static bool find_key(const char *word, size_t len, enum pk_sort_key *key)
{
	const char *const *bad;
	size_t i;

	for (i = 0; i < NAMES; i++) {
		if (strlen(names[i].name) == len && !memcmp(names[i].name, word, len)) {
			*key = names[i].key;
			return true;
		}
	}
	for (bad = ambiguous; *bad; bad++)
		if (strlen(*bad) == len && !memcmp(*bad, word, len))
			return false;
	for (i = 0; i < NAMES; i++) {
		if (names[i].prefixes && !strncmp(names[i].name, word, len)) {
			*key = names[i].key;
			return len > 0;
		}
	}
	return false;
}

int pk_sort_parse(struct pk_sort *sort, const char *text, struct pk_error *err)
{
	sort->count = 0;
	for (;;) {
		size_t len = strcspn(text, ", ");

		if (sort->count == MAX_SORT_KEYS)
			return pk_fail(err, PK_EUSAGE, "more than %d columns to sort by",
				       MAX_SORT_KEYS);
		if (!find_key(text, len, &sort->key[sort->count]))
			return pk_fail(err, PK_EUSAGE,
				       "no column '%.*s' to sort by; there are: " PK_SORT_NAMES,
				       (int)len, text);
		sort->count++;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

const char *pk_sort_description(enum pk_sort_key key)
{
	static const char *const descriptions[PK_SORT_KEYS] = {
		[PK_SORT_SELF] = "internal time",    [PK_SORT_TOTAL] = "cumulative time",
		[PK_SORT_CALLS] = "call count",      [PK_SORT_PCALLS] = "primitive call count",
		[PK_SORT_FILE] = "file name",        [PK_SORT_LINE] = "line number",
		[PK_SORT_NAME] = "function name",    [PK_SORT_NFL] = "name/file/line",
		[PK_SORT_STDNAME] = "standard name",
	};

	return descriptions[key];
}

struct sorter {
	const struct pk_sort *sort;
	const struct pk_profile *p;
	const struct pk_function_total *rows;
	bool raw_self, raw_total; /* the file's own numbers are known of all rows */
	bool nan;                 /* some of them are no numbers: as Python sorts them */
};

struct item {
	uint64_t major;      /* number of the first key */
	char *stdname;       /* NULL unless it is sorted by */
	uint32_t row, place; /* place: where it was, for ties */
};

static int compare_texts(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	uint32_t len_a = p->string.len[a], len_b = p->string.len[b];
	int diff;

	if (a == b)
		return 0;
	diff = memcmp(pk_text(p, a), pk_text(p, b), len_a < len_b ? len_a : len_b);
	return diff ? diff : (len_a > len_b) - (len_a < len_b);
}

/* As pstats has it, without a file the file is "~". */
static int compare_files(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	uint32_t file_a = p->function.file[a], file_b = p->function.file[b];
	const char *text_a = file_a ? pk_text(p, file_a) : "~";
	const char *text_b = file_b ? pk_text(p, file_b) : "~";

	return file_a && file_b ? compare_texts(p, file_a, file_b) : strcmp(text_a, text_b);
}

static int compare_lines(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	return (p->function.line[a] > p->function.line[b]) -
	       (p->function.line[a] < p->function.line[b]);
}

static int compare_nfl(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	int diff = compare_texts(p, p->function.name[a], p->function.name[b]);

	if (!diff)
		diff = compare_files(p, a, b);
	return diff ? diff : compare_lines(p, a, b);
}

int pk_compare_functions(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	int diff = compare_files(p, a, b);

	if (!diff)
		diff = compare_lines(p, a, b);
	return diff ? diff : compare_texts(p, p->function.name[a], p->function.name[b]);
}

/* Numbers whose order as unsigned is the reverse of that of the values; PK_NULL comes last. */
static uint64_t descending_int(int64_t value)
{
	return ~((uint64_t)value ^ (uint64_t)1 << 63);
}

static uint64_t descending_real(double value)
{
	int64_t bits;

	if (isnan(value))
		return UINT64_MAX;
	value += 0; /* -0 is 0 */
	memcpy(&bits, &value, sizeof(bits));
	return descending_int(bits < 0 ? bits ^ INT64_MAX : bits);
}

/* The number by which a key is sorted, smallest first; 0 for texts. The file's own numbers tell
 * apart values that are equal in whole units. */
static uint64_t number(const struct sorter *s, enum pk_sort_key key,
		       const struct pk_function_total *f)
{
	switch (key) {
	case PK_SORT_SELF:
		return s->raw_self ? descending_real(f->self_raw) : descending_int(f->self);
	case PK_SORT_TOTAL:
		return s->raw_total ? descending_real(f->total_raw) : descending_int(f->total);
	case PK_SORT_CALLS:
		return descending_int(f->calls);
	case PK_SORT_PCALLS:
		return descending_int(f->primitive_calls);
	case PK_SORT_LINE:
		return s->p->function.line[f->function];
	default:
		return 0;
	}
}

/* As Python compares floats. */
static int compare_reals(double x, double y)
{
	return (x < y) - (x > y);
}

static int compare_by(const struct sorter *s, enum pk_sort_key key, const struct item *x,
		      const struct item *y)
{
	const struct pk_function_total *a = &s->rows[x->row], *b = &s->rows[y->row];
	uint64_t m = number(s, key, a), n = number(s, key, b);

	if (s->nan && key == PK_SORT_SELF)
		return compare_reals(a->self_raw, b->self_raw);
	if (s->nan && key == PK_SORT_TOTAL)
		return compare_reals(a->total_raw, b->total_raw);
	switch (key) {
	case PK_SORT_FILE:
		return compare_files(s->p, a->function, b->function);
	case PK_SORT_NAME:
		return compare_texts(s->p, s->p->function.name[a->function],
				     s->p->function.name[b->function]);
	case PK_SORT_NFL:
		return compare_nfl(s->p, a->function, b->function);
	case PK_SORT_STDNAME:
		return strcmp(x->stdname, y->stdname);
	default:
		return (m > n) - (m < n);
	}
}

static int compare_items(const void *x, const void *y, void *data)
{
	const struct item *a = x, *b = y;
	const struct sorter *s = data;
	int diff = (a->major > b->major) - (a->major < b->major);

	for (int i = a->major ? 1 : 0; !diff && i < s->sort->count; i++)
		diff = compare_by(s, s->sort->key[i], a, b);
	return diff ? diff : (a->place > b->place) - (a->place < b->place);
}

static bool comes_before(const struct sorter *s, const struct item *x, const struct item *y)
{
	int diff = 0;

	for (int i = 0; !diff && i < s->sort->count; i++)
		diff = compare_by(s, s->sort->key[i], x, y);
	return diff < 0;
}

/* list.sort of Python for up to 63 elements: an order that contradicts itself, as that of NaN,
 * depends on how it is made. */
static void sort_like_python(const struct sorter *s, struct item *items, uint32_t count)
{
	uint32_t run = 2, i;
	bool descending = count > 1 && comes_before(s, &items[1], &items[0]);

	while (run < count && comes_before(s, &items[run], &items[run - 1]) == descending)
		run++;
	for (i = 0; descending && i < run / 2; i++) {
		struct item other = items[i];

		items[i] = items[run - 1 - i];
		items[run - 1 - i] = other;
	}
	for (; run < count; run++) {
		struct item pivot = items[run];
		uint32_t low = PK_BISECT(k, 0, run, !comes_before(s, &pivot, &items[k]));

		memmove(&items[low + 1], &items[low], (run - low) * sizeof(*items));
		items[low] = pivot;
	}
}

static bool has_key(const struct pk_sort *sort, enum pk_sort_key key)
{
	int i = 0;

	while (i < sort->count && sort->key[i] != key)
		i++;
	return i < sort->count;
}

static char *stdname(const struct pk_profile *p, uint32_t function)
{
	struct pk_buf label = PK_BUF_INIT;

	pk_function_label(&label, p, function, PK_LABEL_PSTATS);
	return pk_buf_detach(&label);
}

void pk_sort_functions(const struct pk_sort *sort, const struct pk_profile *p,
		       const struct pk_function_total *rows, uint32_t *order, uint32_t count)
{
	PK_FREED struct item *items = pk_calloc(count, sizeof(*items));
	struct sorter sorter = {sort, p, rows, true, true, false};
	bool named = has_key(sort, PK_SORT_STDNAME), nan = false;
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct pk_function_total *f = &rows[order[i]];
		bool self_nan = isnan(f->self_raw), total_nan = isnan(f->total_raw);

		sorter.raw_self &= !self_nan || f->self_unknown;
		sorter.raw_total &= !total_nan || f->total_unknown;
		nan |= self_nan || total_nan;
	}
	sorter.nan = sort->like_python && nan && sorter.raw_self && sorter.raw_total && count < 64;
	for (i = 0; i < count; i++) {
		items[i].row = order[i];
		items[i].place = i;
		if (sort->count)
			items[i].major = number(&sorter, sort->key[0], &rows[order[i]]);
		if (named)
			items[i].stdname = stdname(p, rows[order[i]].function);
	}
	if (sorter.nan)
		sort_like_python(&sorter, items, count);
	else if (sort->count && count)
		qsort_r(items, count, sizeof(*items), compare_items, &sorter);
	for (i = 0; i < count; i++) {
		order[sort->reverse ? count - 1 - i : i] = items[i].row;
		free(items[i].stdname);
	}
}
