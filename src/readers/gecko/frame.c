/*
 * Functions, locations and call paths of Firefox's profiles.
 *
 * Processed files have a table of functions. In raw ones the location of a frame is a text:
 *
 *	alpha (http://localhost:8000/simple.js:1:14)     a function and where it begins
 *	require (resource://loader.js -> file:///a.js:427)
 *	main (in program)                                a function of a library
 *	0x7fff7d962da1                                   an address, of a library or of none
 *	Startup::XRE_Main                                a label
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/nameless.h"
#include "readers/gecko/internal.h"
#include "readers/scan_text.h"

enum { LIBRARY = 1 }; /* type of a resource */

/* The tables from which the rows of one thread are made. */
struct making {
	struct gecko *g;
	const struct gecko_scope *scope;
	const struct gecko_tables *strings;
	struct gecko_tables *t; /* of frames, functions, stacks */
	const struct gecko_tables *libs, *sources;
	struct pk_function *read; /* by string: the function of that location; name 0 = not yet */
};

static uint32_t positive(double value)
{
	return value >= 1 && value < INT32_MAX ? (uint32_t)value : 0;
}

/* The number of an unsymbolicated name, "0x1234". */
static bool is_address(const struct making *m, uint32_t text, uint64_t *address)
{
	enum { LONGEST_NUMBER = 32 }; /* digits */
	const struct pk_profile *p = pk_builder_profile(m->g->b);
	struct pk_scan scan = {pk_text(p, text), pk_text(p, text) + p->string.len[text]};

	return p->string.len[text] <= LONGEST_NUMBER && pk_starts_with(scan.at, "0x") &&
	       pk_scan_number(&scan, address) && scan.at == scan.end;
}

PK_COMPARE(by_start, struct gecko_lib, PK_ORDER(a->start, b->start))

static const struct gecko_lib *find_lib(const struct gecko_tables *t, double address)
{
	size_t low = PK_BISECT(i, 0, t->libs, t->lib[i].start <= address);

	return low && address < t->lib[low - 1].end ? &t->lib[low - 1] : NULL;
}

static uint32_t file_of(const struct making *m, uint32_t mapping)
{
	return pk_builder_profile(m->g->b)->mapping.file[mapping];
}

static enum pk_function_kind kind_of(const struct making *m, uint32_t category)
{
	const char *name = gecko_chars(m->g, category);

	for (int kind = PK_KIND_UNKNOWN + 1; kind <= PK_KIND_IDLE; kind++)
		if (!strcasecmp(name, pk_function_kinds[kind]))
			return (enum pk_function_kind)kind;
	return PK_KIND_UNKNOWN;
}

/* Corrects what Python's sampler writes: files that it does not know are resources; "Native" is all
 * code that is not the user's; the line of a function is the first one that was seen. */
static void mend_tachyon(const struct making *m, struct pk_function *f)
{
	const struct pk_profile *p = pk_builder_profile(m->g->b);

	f->file = f->file ? f->file : f->module;
	f->module = f->line = 0;
	f->kind = PK_KIND_PYTHON;
	if (strcmp(pk_text(p, f->file), "~") != 0)
		return;
	f->file = 0;
	f->kind = strcmp(pk_text(p, f->name), "<native>") ? PK_KIND_RUNTIME : PK_KIND_NATIVE;
}

static size_t resource_of(const struct making *m, size_t func)
{
	return gecko_index(m->t, GECKO_FUNC_RESOURCE, func, gecko_rows(m->t, GECKO_RESOURCE_NAME));
}

static size_t lib_of(const struct making *m, size_t func)
{
	return gecko_index(m->t, GECKO_RESOURCE_LIB, resource_of(m, func), m->libs->libs);
}

/* A function of the table of functions. */
static void take_function(const struct making *m, size_t func, struct pk_function *f)
{
	size_t lib = lib_of(m, func);

	f->name = gecko_text(m->strings, m->t, GECKO_FUNC_NAME, func);
	f->line = positive(gecko_cell(m->t, GECKO_FUNC_LINE, func));
	f->file = gecko_text(m->strings, m->t, GECKO_FUNC_FILE, func);
	if (!f->file)
		f->file = gecko_text(m->strings, m->sources, GECKO_SOURCE_FILE,
				     gecko_index(m->t, GECKO_FUNC_SOURCE, func, GECKO_NONE - 1));
	if (lib != GECKO_NONE)
		f->module = file_of(m, m->libs->lib[lib].mapping);
	else if (gecko_cell(m->t, GECKO_RESOURCE_TYPE, resource_of(m, func)) == LIBRARY)
		f->module = gecko_text(m->strings, m->t, GECKO_RESOURCE_NAME, resource_of(m, func));
}

/* Takes ":12" from the end. */
static uint32_t take_number(struct pk_scan *t)
{
	const char *colon = t->end;
	uint64_t number;

	while (colon > t->at && colon[-1] >= '0' && colon[-1] <= '9')
		colon--;
	if (colon == t->end || colon == t->at || colon[-1] != ':')
		return 0;
	if (!pk_scan_number(&(struct pk_scan){colon, t->end}, &number) || number >= INT32_MAX)
		return 0;
	t->end = colon - 1;
	return (uint32_t)number;
}

/* "NAME (FILE:LINE:COLUMN)", perhaps with the number of a source in brackets behind it. */
static void take_text(const struct making *m, uint32_t text, struct pk_function *f)
{
	const char *name = gecko_chars(m->g, text), *arrow;
	const char *open = strstr(name, " ("), *close = strrchr(name, ')');
	const char *in = strstr(name, " (in ");
	struct pk_scan file;
	uint32_t last, before;

	f->name = text;
	if (!open || open == name || !close || close < open)
		return;
	file = (struct pk_scan){open + 2, close};
	last = take_number(&file);
	before = take_number(&file);
	if (!last && in) {
		f->name = pk_build_string(m->g->b, name, (size_t)(in - name));
		f->module = pk_build_string(m->g->b, in + 5, strcspn(in + 5, ")"));
	}
	if (!last)
		return;
	f->line = before ? before : last;
	for (arrow = file.at; (arrow = strstr(arrow, " -> ")) && arrow < file.end;)
		file.at = arrow += 4;
	f->name = pk_build_string(m->g->b, name, (size_t)(open - name));
	f->file = pk_build_string(m->g->b, file.at, (size_t)(file.end - file.at));
}

static uint32_t *new_ids(size_t count)
{
	return pk_calloc(count + 1, sizeof(uint32_t));
}

/* Code without a symbol is named after its library, as in recordings of perf. Functions that
 * profkit wrote have the names that they had. */
static void name_address(const struct making *m, const struct gecko_lib *lib, uint64_t address,
			 struct pk_function *f, struct pk_location *l)
{
	f->module = lib ? file_of(m, lib->mapping) : f->module;
	f->name = pk_build_nameless(m->g->b, f->module);
	f->kind = PK_KIND_NATIVE;
	l->address = address;
	l->mapping = lib ? lib->mapping : 0;
}

static void take_raw(const struct making *m, size_t frame, struct pk_function *f,
		     struct pk_location *l)
{
	size_t string = gecko_index(m->t, GECKO_FRAME_LOCATION, frame, m->strings->strings);
	uint32_t text = string == GECKO_NONE ? 0 : m->strings->string[string];
	uint64_t address;

	if (!text)
		return;
	if (is_address(m, text, &address)) {
		name_address(m, find_lib(m->libs, (double)address), address, f, l);
		return;
	}
	if (!m->read[string].name)
		take_text(m, text, &m->read[string]);
	*f = m->read[string];
}

static void take_processed(const struct making *m, size_t frame, struct pk_function *f,
			   struct pk_location *l)
{
	const struct gecko_tables *t = m->t;
	size_t func = gecko_index(t, GECKO_FRAME_FUNC, frame, gecko_rows(t, GECKO_FUNC_NAME));
	size_t symbol = gecko_index(t, GECKO_FRAME_SYMBOL, frame, gecko_rows(t, GECKO_SYMBOL_LIB));
	size_t lib = gecko_index(t, GECKO_FRAME_LIB, frame, m->libs->libs);
	double address = gecko_cell(t, GECKO_FRAME_ADDRESS, frame);
	uint64_t number;

	take_function(m, func, f);
	if (lib == GECKO_NONE)
		lib = gecko_index(t, GECKO_SYMBOL_LIB, symbol, m->libs->libs);
	if (lib == GECKO_NONE)
		lib = lib_of(m, func);
	if (lib != GECKO_NONE)
		l->mapping = m->libs->lib[lib].mapping;
	if (address >= 0 && address < 1e19)
		l->address = (uint64_t)address;
	if (!m->g->is_ours && is_address(m, f->name, &number))
		name_address(m, lib == GECKO_NONE ? NULL : &m->libs->lib[lib], number, f, l);
	l->inlined = gecko_cell(t, GECKO_FRAME_INLINED, frame) > 0;
}

static void make_frame(const struct making *m, size_t frame, uint32_t *category_of_frame)
{
	struct pk_location l = {.line = positive(gecko_cell(m->t, GECKO_FRAME_LINE, frame)),
				.column = positive(gecko_cell(m->t, GECKO_FRAME_COLUMN, frame))};
	struct pk_function f = {.name = 0};
	size_t category = gecko_index(m->t, GECKO_FRAME_CATEGORY, frame, m->scope->categories);
	uint32_t said = category == GECKO_NONE ? 0 : m->scope->category[category];

	if (gecko_rows(m->t, GECKO_FRAME_LOCATION))
		take_raw(m, frame, &f, &l);
	else
		take_processed(m, frame, &f, &l);
	if (!f.kind)
		f.kind = kind_of(m, said);
	if (m->g->is_tachyon)
		mend_tachyon(m, &f);
	category_of_frame[frame] = said;
	if (!m->g->is_ours && !strcmp(gecko_chars(m->g, f.name), "(root)"))
		return;
	if (!f.name)
		f.name = pk_build_text(m->g->b, "(unknown)");
	l.function = pk_build_function(m->g->b, &f);
	m->t->location[frame] = pk_build_location(m->g->b, &l);
}

/* The category that a caller passes on: not one that profkit wrote as the kind of that function. */
static uint32_t category_of_caller(const struct making *m, size_t stack)
{
	uint32_t category = m->t->category[stack];

	return m->g->is_ours && kind_of(m, category) ? 0 : category;
}

static int make_stacks(struct making *m)
{
	struct gecko_tables *t = m->t;
	size_t count = gecko_rows(t, GECKO_STACK_FRAME), frames = gecko_rows(t, GECKO_FRAME_FUNC);
	size_t raw = gecko_rows(t, GECKO_FRAME_LOCATION);
	PK_FREED uint32_t *category = NULL;
	PK_FREED struct pk_function *read = NULL;

	frames = raw ? raw : frames;
	if (raw)
		m->read = read = pk_calloc(m->strings->strings, sizeof(*read));
	category = new_ids(frames);
	t->location = new_ids(frames);
	t->category = new_ids(count);
	t->node = new_ids(count);
	t->built = true;
	for (size_t i = 0; i < frames; i++)
		make_frame(m, i, category);
	for (size_t i = 0; i < count; i++) {
		size_t frame = gecko_index(t, GECKO_STACK_FRAME, i, frames);
		double prefix = gecko_cell(t, GECKO_STACK_PREFIX, i);
		double offset = gecko_cell(t, GECKO_STACK_OFFSET, i);
		uint32_t parent;

		if (offset > 0)
			prefix = (double)i - offset;
		if (frame == GECKO_NONE ||
		    (!isnan(prefix) && !(prefix >= -1 && prefix < (double)i))) {
			if (gecko_repair(m->g, "stack that refers to no frame or a later stack "
					       "left out"))
				return -1;
			continue;
		}
		parent = prefix >= 0 ? t->node[(size_t)prefix] : 0;
		t->category[i] = category[frame];
		if (!category[frame] && prefix >= 0)
			t->category[i] = category_of_caller(m, (size_t)prefix);
		t->node[i] = t->location[frame] ? pk_build_node(m->g->b, parent, t->location[frame])
						: parent;
	}
	return 0;
}

const struct gecko_scope *gecko_categories(const struct gecko *g, const struct gecko_thread *thread)
{
	return &g->scope[g->scope[thread->scope].categories ? thread->scope : 0];
}

const struct gecko_tables *gecko_strings(struct gecko *g, const struct gecko_thread *thread)
{
	return thread->tables->strings ? thread->tables : gecko_tables(&g->scope[0].tables);
}

struct gecko_tables *gecko_stacks(struct gecko *g, struct gecko_thread *thread)
{
	struct gecko_tables *own = thread->tables, *shared = gecko_tables(&g->scope[0].tables);
	struct gecko_tables *t = gecko_rows(own, GECKO_STACK_FRAME) ? own : shared;
	struct making m = {.g = g, .t = t, .sources = shared};

	m.scope = gecko_categories(g, thread);
	m.strings = gecko_strings(g, thread);
	m.libs = own->libs ? own : gecko_tables(&g->scope[thread->scope].tables);
	return t->built || !make_stacks(&m) ? t : NULL;
}

void gecko_sort_libs(struct gecko_tables *t)
{
	pk_sort(t->lib, t->libs, sizeof(*t->lib), by_start);
}
