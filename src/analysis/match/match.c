/*
 * Matches functions in three steps: the functions of a side (one program, in any number of
 * runs) by name, file and line; files of one side with files of the other (files.c); then
 * functions of both sides by name and file, several of one name by their lines (items.c).
 */
#include "analysis/match/match.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/match/internal.h"
#include "analysis/split_names.h"
#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"

struct pk_matcher {
	struct pk_match *m;
	struct pk_names names;
	struct pk_match_items items[PK_SIDES];
};

/* Ids of the names of one profile, looked up when first needed. */
struct known_names {
	const struct pk_profile *p;
	struct pk_names *names;
	bool mapped;
	uint32_t *id[PK_NAME_KINDS]; /* per string: 1 + id; 0 = not yet */
	uint32_t *tail;              /* of functions, the same */
};

static uint32_t known_id(struct known_names *known, enum pk_name_kind kind, uint32_t string)
{
	const struct pk_profile *p = known->p;
	uint32_t *id = &known->id[kind][string];

	if (!*id)
		*id = 1 + pk_names_id(known->names, kind, pk_text(p, string), p->string.len[string],
				      known->mapped);
	return *id - 1;
}

/* The part after the last point of "Job.run" or "orders.<locals>.<listcomp>". */
static uint32_t known_tail(struct known_names *known, uint32_t string)
{
	uint32_t name = known_id(known, PK_NAME_FUNCTION, string), *tail = &known->tail[string];

	if (!*tail) {
		const char *text = known->names->text[name];
		const char *point = memrchr(text, '.', known->names->len[name]);
		size_t len = point ? strlen(point + 1) : 0;

		*tail = 1 +
			(len ? pk_names_id(known->names, PK_NAME_FUNCTION, point + 1, len, false)
			     : name);
	}
	return *tail - 1;
}

/* For every function whose line is not known, the first line that was seen running. */
static uint32_t *first_lines(const struct pk_profile *p)
{
	uint32_t *line = pk_calloc(p->function.count, sizeof(*line));

	for (uint32_t l = 1; l < p->location.count; l++) {
		uint32_t *first = &line[p->location.function[l]], at = pk_location_line(p, l);

		if (at && (!*first || at < *first))
			*first = at;
	}
	return line;
}

static uint32_t find_item(struct pk_match_items *items, const struct pk_match_item *wanted)
{
	uint64_t hash = pk_hash_pair((uint64_t)wanted->name << 32 | wanted->file, wanted->line);
	uint32_t *known = PK_INDEX_FIND(&items->index, hash, id,
					items->row[id].name == wanted->name &&
						items->row[id].file == wanted->file &&
						items->row[id].line == wanted->line);

	if (*known)
		return *known;
	PK_GROW(items->row, (size_t)items->count + 1, items->alloc);
	items->row[items->count] = *wanted;
	return *known = items->count++;
}

/* Finds the items of a run's functions. Returns true if several functions are one item. */
static bool collect_functions(struct pk_matcher *mt, enum pk_side s, uint32_t run)
{
	struct pk_match_side *side = &mt->m->side[s];
	const struct pk_profile *p = side->profile[run];
	struct known_names known = {p, &mt->names, s == PK_BEFORE, {NULL}, NULL};
	uint32_t *near = first_lines(p);
	bool several = false;

	side->of_function[run] = pk_calloc(p->function.count, sizeof(**side->of_function));
	for (int kind = 0; kind < PK_NAME_KINDS; kind++)
		known.id[kind] = pk_calloc(p->string.count, sizeof(*known.id[kind]));
	known.tail = pk_calloc(p->string.count, sizeof(*known.tail));
	for (uint32_t f = 1; f < p->function.count; f++) {
		bool has_file = p->function.file[f] != 0;
		struct pk_match_item wanted = {
			.name = known_id(&known, PK_NAME_FUNCTION, p->function.name[f]),
			.file = has_file ? known_id(&known, PK_NAME_FILE, p->function.file[f])
					 : known_id(&known, PK_NAME_MODULE, p->function.module[f]),
			.tail = known_tail(&known, p->function.name[f]),
			.line = p->function.line[f],
			.near = near[f],
			.has_file = has_file,
			.builtin = p->function.kind[f] == PK_KIND_BUILTIN,
			.run = run,
			.id = f,
			.how = PK_MATCH_ONE_SIDE,
		};
		uint32_t id = find_item(&mt->items[s], &wanted);
		struct pk_match_item *item = &mt->items[s].row[id];

		if (near[f] && (!item->near || near[f] < item->near))
			item->near = near[f];
		several |= item->last == run + 1;
		item->last = run + 1;
		side->of_function[run][f] = id;
	}
	for (int kind = 0; kind < PK_NAME_KINDS; kind++)
		free(known.id[kind]);
	free(known.tail);
	free(near);
	return several;
}

/* Joins functions of one item, so that recursion through them counts once. */
static void join_function(struct pk_copy *copy, uint32_t function, struct pk_function *edited)
{
	const uint32_t *first = copy->data;
	const struct pk_function_table *t = &copy->p->function;
	uint32_t f = first[function];

	*edited = (struct pk_function){
		.name = pk_copy_string(copy, t->name[f]),
		.module = pk_copy_string(copy, t->module[f]),
		.file = pk_copy_string(copy, t->file[f]),
		.line = t->line[f],
		.kind = t->kind[f],
	};
}

/* Replaces *item, the item of every function, by that of the functions of the new profile. */
static struct pk_profile *join_functions(const struct pk_profile *p, uint32_t **item,
					 uint32_t item_count)
{
	uint32_t *first_of = pk_calloc(item_count, sizeof(*first_of));
	uint32_t *first = pk_calloc(p->function.count, sizeof(*first));
	uint32_t *joined = pk_calloc(p->function.count, sizeof(*joined));
	struct pk_copy copy;

	for (uint32_t f = 1; f < p->function.count; f++) {
		if (!first_of[(*item)[f]])
			first_of[(*item)[f]] = f;
		first[f] = first_of[(*item)[f]];
	}
	pk_copy_init(&copy, pk_builder_new(), p);
	copy.edit_function = join_function;
	copy.data = first;
	pk_copy_paths(&copy);
	pk_copy_edges(&copy);
	pk_copy_statistics(&copy);
	/* Functions that no call path uses are kept too: their items refer to them. */
	for (uint32_t f = 1; f < p->function.count; f++)
		joined[pk_copy_function(&copy, f)] = (*item)[f];
	pk_copy_release(&copy);
	free(first);
	free(first_of);
	free(*item);
	*item = joined;
	return pk_builder_finish(copy.b);
}

static void use_made(struct pk_match_side *side, uint32_t run, struct pk_profile *made)
{
	if (!made)
		return;
	pk_profile_free(side->made[run]);
	side->made[run] = made;
	side->profile[run] = made;
}

static void collect_run(struct pk_matcher *mt, enum pk_side s, uint32_t run)
{
	struct pk_match_side *side = &mt->m->side[s];
	struct pk_match_items *items = &mt->items[s];

	if (!pk_is_benchmark(side->profile[run]))
		use_made(side, run, pk_split_names(side->profile[run]));
	if (!collect_functions(mt, s, run) || pk_is_benchmark(side->profile[run]))
		return;
	use_made(side, run,
		 join_functions(side->profile[run], &side->of_function[run], items->count));
	for (uint32_t f = 1; f < side->profile[run]->function.count; f++) {
		struct pk_match_item *item = &items->row[side->of_function[run][f]];

		if (item->run == run)
			item->id = f;
	}
}

bool pk_match_add(struct pk_matcher *mt, enum pk_side s, const struct pk_profile *p)
{
	struct pk_match_side *side = &mt->m->side[s];
	uint32_t run = side->runs++, before = mt->items[s].count;

	if (run == side->alloc) {
		side->alloc = (uint32_t)pk_grow_size(side->alloc, side->runs);
		side->profile = pk_realloc(side->profile, pk_mul(side->alloc, sizeof(void *)));
		side->made = pk_realloc(side->made, pk_mul(side->alloc, sizeof(void *)));
		side->of_function =
			pk_realloc(side->of_function, pk_mul(side->alloc, sizeof(void *)));
	}
	side->profile[run] = p;
	side->made[run] = NULL;
	side->of_function[run] = NULL;
	collect_run(mt, s, run);
	return mt->items[s].count > before;
}

void pk_match_forget(struct pk_match *m, enum pk_side s)
{
	struct pk_match_side *side = &m->side[s];
	uint32_t run = side->runs - 1;

	free(side->of_function[run]);
	pk_profile_free(side->made[run]);
	side->of_function[run] = NULL;
	side->made[run] = NULL;
	side->profile[run] = NULL;
}

static void put_side(struct pk_match_function *f, enum pk_side s, const struct pk_match_item *item)
{
	f->run[s] = item->run;
	f->id[s] = item->id;
	f->how = item->how;
}

/* Numbers the functions: those after as they come, then those that are before only. */
static void number_functions(struct pk_matcher *mt, uint32_t *of_before)
{
	const struct pk_match_items *before = &mt->items[PK_BEFORE], *after = &mt->items[PK_AFTER];
	struct pk_match *m = mt->m;

	m->function = pk_calloc((size_t)before->count + after->count, sizeof(*m->function));
	m->count = after->count;
	for (uint32_t i = 1; i < after->count; i++) {
		put_side(&m->function[i], PK_AFTER, &after->row[i]);
		if (after->row[i].other) {
			put_side(&m->function[i], PK_BEFORE, &before->row[after->row[i].other]);
			of_before[after->row[i].other] = i;
			m->both++;
		}
	}
	for (uint32_t i = 1; i < before->count; i++) {
		if (!of_before[i]) {
			of_before[i] = m->count;
			put_side(&m->function[m->count++], PK_BEFORE, &before->row[i]);
		}
	}
}

static void match_sides(struct pk_matcher *mt)
{
	struct pk_match_side *side = &mt->m->side[PK_BEFORE];
	uint32_t *of_before = pk_calloc(mt->items[PK_BEFORE].count, sizeof(*of_before));
	PK_FREED uint32_t *to = pk_calloc(mt->names.count, sizeof(*to));

	pk_match_files(&mt->names, &mt->items[PK_BEFORE], &mt->items[PK_AFTER], to);
	pk_match_items(&mt->names, &mt->items[PK_BEFORE], &mt->items[PK_AFTER], to);
	number_functions(mt, of_before);
	for (uint32_t run = 0; run < side->runs; run++)
		for (uint32_t f = 1; side->profile[run] && f < side->profile[run]->function.count;
		     f++)
			side->of_function[run][f] = of_before[side->of_function[run][f]];
	side->of_item = of_before;
}

struct pk_matcher *pk_match_begin(struct pk_match *m, const struct pk_match_options *options,
				  struct pk_error *err)
{
	struct pk_matcher *mt = pk_calloc(1, sizeof(*mt));

	memset(m, 0, sizeof(*m));
	mt->m = m;
	if (pk_names_init(&mt->names, options->map, err)) {
		free(mt);
		return NULL;
	}
	for (int s = 0; s < PK_SIDES; s++) {
		struct pk_match_items *items = &mt->items[s];

		PK_GROW(items->row, 1, items->alloc);
		items->count = 1;
		memset(items->row, 0, sizeof(*items->row));
	}
	return mt;
}

void pk_match_end(struct pk_matcher *mt)
{
	match_sides(mt);
	for (int s = 0; s < PK_SIDES; s++) {
		free(mt->items[s].row);
		pk_index_release(&mt->items[s].index);
	}
	pk_names_release(&mt->names);
	free(mt);
}

int pk_match_init(struct pk_match *m, const struct pk_profiles *before,
		  const struct pk_profiles *after, const struct pk_match_options *options,
		  struct pk_error *err)
{
	const struct pk_profiles *list[PK_SIDES] = {before, after};
	struct pk_matcher *mt = pk_match_begin(m, options, err);

	if (!mt)
		return -1;
	for (int s = 0; s < PK_SIDES; s++) {
		m->side[s].given = list[s]->item;
		for (size_t i = 0; i < list[s]->count; i++)
			pk_match_add(mt, (enum pk_side)s, list[s]->item[i]);
	}
	pk_match_end(mt);
	return 0;
}

void pk_match_release(struct pk_match *m)
{
	for (int s = 0; s < PK_SIDES; s++) {
		struct pk_match_side *side = &m->side[s];

		for (uint32_t run = 0; run < side->runs; run++) {
			free(side->of_function[run]);
			pk_profile_free(side->made[run]);
		}
		free(side->of_function);
		free(side->of_item);
		free(side->made);
		free(side->profile);
	}
	free(m->function);
	memset(m, 0, sizeof(*m));
}

int pk_match_two(struct pk_match *m, struct pk_profile *const side[PK_SIDES],
		 const struct pk_match_options *options, struct pk_error *err)
{
	const struct pk_profiles before = {.item = (struct pk_profile **)&side[PK_BEFORE],
					   .count = 1};
	const struct pk_profiles after = {.item = (struct pk_profile **)&side[PK_AFTER],
					  .count = 1};

	return pk_match_init(m, &before, &after, options, err);
}

int pk_match_units(const struct pk_profile *before, uint32_t metric_before,
		   const struct pk_profile *after, uint32_t metric_after, struct pk_error *err)
{
	const char *was = pk_metric_unit(before, metric_before);
	const char *is = pk_metric_unit(after, metric_after);

	if (strcmp(was, is) == 0)
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "cannot compare '%s' of '%s' with '%s' of '%s': different units", was,
		       pk_text(before, before->run.source[1]), is,
		       pk_text(after, after->run.source[1]));
}

/* A single function may call no other. */
static bool is_flat(const struct pk_profile *p)
{
	return p->edge.count > 2 && !pk_has_paths(p) && !pk_has_callers(p);
}

int pk_match_paths(const struct pk_profile *before, const struct pk_profile *after,
		   struct pk_error *err)
{
	const struct pk_profile *flat = is_flat(before) ? before : after;
	const struct pk_profile *other = flat == before ? after : before;

	if (is_flat(before) == is_flat(after))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'%s' has functions without callers: its call paths cannot be compared with "
		       "those of '%s'; profkit diff compares the functions",
		       pk_text(flat, flat->run.source[1]), pk_text(other, other->run.source[1]));
}

uint32_t *pk_match_functions_after(const struct pk_match *m)
{
	const struct pk_match_side *before = &m->side[PK_BEFORE];
	uint32_t count = before->profile[0]->function.count;
	uint32_t *as_after = pk_calloc(count, sizeof(*as_after));

	for (uint32_t f = 1; f < count; f++) {
		const struct pk_match_function *function = &m->function[before->of_function[0][f]];

		if (function->id[PK_AFTER] && function->run[PK_AFTER] == 0)
			as_after[f] = function->id[PK_AFTER];
	}
	return as_after;
}
