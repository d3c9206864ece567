/*
 * The body of a callgrind file: names, cost lines, calls.
 *
 *	fl=(1) main.c
 *	fn=(1) main
 *	16 20			self cost of line 16
 *	fi=(3) list.h		what follows was inlined from this file
 *	7 12
 *	fe=(1)			back in the file of the function
 *	cfi=(2) parse.c
 *	cfn=(2) parse
 *	calls=3 50		three calls of parse, which begins in line 50 ...
 *	16 400			... from line 16, with all that they called
 *
 * - Names have numbers in three spaces: objects, files, functions.
 * - numbers.c reads places. Those of calls= and jump= are not the start of a relative place.
 * - cob= and cfi= hold for one call; without them, object and file are the current ones.
 */
#include "readers/callgrind/callgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"

static const struct {
	const char *key;
	enum callgrind_space space;
} keys[] = {
	{"fn=", CALLGRIND_FUNCTION}, {"fl=", CALLGRIND_FILE},      {"fi=", CALLGRIND_FILE},
	{"fe=", CALLGRIND_FILE},     {"ob=", CALLGRIND_OBJECT},    {"cfn=", CALLGRIND_FUNCTION},
	{"cfi=", CALLGRIND_FILE},    {"cfl=", CALLGRIND_FILE},     {"cfe=", CALLGRIND_FILE},
	{"cob=", CALLGRIND_OBJECT},  {"jfn=", CALLGRIND_FUNCTION}, {"jfi=", CALLGRIND_FILE},
	{"jfl=", CALLGRIND_FILE},    {"job=", CALLGRIND_OBJECT},
};
enum { FEW_NAMES = 1 << 20 };
enum { FN, FL, FI, FE, OB, CFN, CFI, CFL, CFE, COB, JFN };

/* A string; "???" stands for a file that is not known, "~" for that of a builtin of Python. */
static uint32_t add_name(struct callgrind *r, enum callgrind_space space, const char *name,
			 size_t len)
{
	if (!len || (space == CALLGRIND_FILE &&
		     (pk_text_is(name, len, "???") || pk_text_is(name, len, "~"))))
		return 0;
	return pk_build_string(r->b, name, len);
}

/* The string that a number stands for, + 1. Numbers are dense as a rule: small ones have a
 * table. */
static uint32_t find_number(struct callgrind *r, enum callgrind_space space, int64_t number)
{
	if (number >= FEW_NAMES)
		return pk_id_map_get(&r->name[space], number);
	PK_GROW_ZERO(r->few[space].string, (size_t)number + 1, r->few[space].alloc);
	return r->few[space].string[number];
}

/* "(12) name", "(12)" or "name". */
static int read_name(struct callgrind *r, enum callgrind_space space, const char *text, size_t len,
		     uint32_t *string)
{
	const char *end = text + len, *at = text + 1;
	int64_t number = 0;
	uint32_t known;

	if (len < 3 || *text != '(' || !pk_is_digit(*at)) {
		*string = add_name(r, space, text, len);
		return 0;
	}
	for (; at < end && pk_is_digit(*at); at++)
		number = number < INT64_MAX / 16 ? number * 10 + (*at - '0') : number;
	if (at == end || *at != ')') {
		*string = add_name(r, space, text, len);
		return 0;
	}
	for (at++; at < end && pk_is_blank(*at); at++)
		continue;
	known = find_number(r, space, number);
	if (at == end) {
		*string = known ? known - 1 : 0;
		return known ? 0
			     : callgrind_repair(r, "number of a name that was never given "
						   "taken as unknown");
	}
	*string = add_name(r, space, at, (size_t)(end - at));
	if (known == *string + 1)
		return 0;
	if (number < FEW_NAMES)
		r->few[space].string[number] = *string + 1;
	else
		pk_id_map_put(&r->name[space], number, *string + 1);
	return known && r->parts == 1
		       ? callgrind_repair(r, "number given to two names: the later one used")
		       : 0;
}

static uint32_t name_or_unknown(struct callgrind *r, uint32_t name)
{
	return name ? name : pk_build_text(r->b, "???");
}

/* yappi's names have the place in them: "Catalog.price /srv/shop.py:10". */
static void split_yappi(struct callgrind *r, struct pk_function *f)
{
	const char *name = pk_text(pk_builder_profile(r->b), f->name), *place, *line;
	size_t len = strlen(pk_text(pk_builder_profile(r->b), f->file));

	line = strrchr(name, ':');
	if (!line || (size_t)(line - name) < len + 2)
		return;
	place = line - len;
	if (place[-1] != ' ' || memcmp(place, pk_text(pk_builder_profile(r->b), f->file), len) != 0)
		return;
	f->line = (uint32_t)strtoul(line + 1, NULL, 10);
	f->name = pk_build_string(r->b, name, (size_t)(place - 1 - name));
}

static uint32_t add_function(struct callgrind *r, uint32_t name, uint32_t module, uint32_t file)
{
	const char *path = pk_text(pk_builder_profile(r->b), file);
	struct pk_function f = {.name = name_or_unknown(r, name), .module = module, .file = file};

	f.kind = pk_text_ends(path, strlen(path), ".py") ? PK_KIND_PYTHON
		 : r->is_callgrind                       ? PK_KIND_NATIVE
							 : PK_KIND_UNKNOWN;
	if (r->is_yappi)
		split_yappi(r, &f);
	return pk_build_function(r->b, &f);
}

static struct callgrind_about *about_function(struct callgrind *r, uint32_t function)
{
	PK_GROW_ZERO(r->about, (size_t)function + 1, r->about_alloc);
	return &r->about[function];
}

/* The first line of a function is the lowest line that calls give for it. */
static void keep_line(struct callgrind *r, const struct callgrind_known *known)
{
	struct callgrind_about *about = about_function(r, known->function);

	if (known->line && (!about->line || known->line < about->line))
		about->line = known->line;
}

/* Most names belong to one function. The line that calls give is kept here, because looking at
 * r->about for each call would be another access to memory. */
static struct callgrind_known *find_function(struct callgrind *r, uint32_t name, uint32_t module,
					     uint32_t file)
{
	struct callgrind_known *known;

	PK_GROW_ZERO(r->known, (size_t)name + 1, r->known_alloc);
	known = &r->known[name];
	if (known->function && known->module == module && known->file == file &&
	    known->is_native == r->is_callgrind)
		return known;
	if (known->function)
		keep_line(r, known);
	*known = (struct callgrind_known){.module = module,
					  .file = file,
					  .function = add_function(r, name, module, file),
					  .is_native = r->is_callgrind};
	return known;
}

void callgrind_know(struct callgrind *r)
{
	for (size_t name = 0; name < r->known_alloc; name++)
		if (r->known[name].function)
			keep_line(r, &r->known[name]);
	for (uint32_t i = 0; i < r->arcs.count; i++)
		about_function(r, r->arcs.key[i].id[1])->is_called = true;
}

static void set_file(struct callgrind *r, uint32_t file)
{
	r->file = file;
	r->at = r->base;
	if (!r->base || file == r->function.file)
		return;
	r->at = add_function(r, r->function.name, r->function.module, file);
	about_function(r, r->at)->has_body = true;
}

static void begin_function(struct callgrind *r, uint32_t name)
{
	r->function.name = name;
	r->function.module = r->object;
	r->file = r->function.file;
	r->at = r->base = find_function(r, name, r->object, r->file)->function;
	about_function(r, r->base)->has_body = true;
}

static int use_name(struct callgrind *r, int key, uint32_t name)
{
	switch (key) {
	case FN:
		begin_function(r, name);
		return r->has_called_name ? callgrind_repair(r, "cfn without calls ignored") : 0;
	case FL:
		r->has_file = true;
		r->function.file = r->file = name;
		r->base = r->at = 0;
		return 0;
	case FI:
	case FE:
		if (!r->has_file) /* old programs write fi= where fl= belongs */
			r->function.file = name;
		set_file(r, name);
		return 0;
	case OB:
		r->object = name;
		return 0;
	case CFN:
		if (r->has_called_name && callgrind_repair(r, "cfn without calls ignored"))
			return -1;
		r->called_name = name;
		r->has_called_name = true;
		if (name < r->known_alloc)
			__builtin_prefetch(&r->known[name]);
		return 0;
	case COB:
		r->called_object = name;
		r->has_called_object = true;
		return 0;
	case CFI:
	case CFL:
	case CFE:
		r->called_file = name;
		r->has_called_file = true;
		return 0;
	default: /* of jumps */
		return 0;
	}
}

/* Adds a row of values to another. */
static void add_values(const struct callgrind *r, int64_t *sum, const int64_t *value)
{
	for (uint32_t e = 0; e < r->events; e++)
		pk_add_known(&sum[e], value[e]);
}

/* A line with costs: of the function itself, or of a call. */
static int read_costs(struct callgrind *r, const char *line, const char *end)
{
	const char *at = line;
	uint32_t row;
	struct callgrind_known *callee;
	struct callgrind_sums *sums = r->after_call ? &r->arcs : &r->places;
	int64_t *value = r->cost;

	if (!r->columns)
		return pk_fail(r->err, PK_EFORMAT, "line %" PRIu64 ": costs before 'events:'",
			       r->line);
	if (!callgrind_positions(r, &at, end, r->position))
		return pk_fail(r->err, PK_EFORMAT,
			       "line %" PRIu64 ": expected a position and costs, found '%.*s'",
			       r->line, end - line < 40 ? (int)(end - line) : 40, line);
	if (r->after_jump) {
		r->after_jump = false;
		return 0;
	}
	if (!r->base) {
		if (callgrind_repair(r, "costs without a function (fn) put under an unknown one"))
			return -1;
		begin_function(r, 0);
	}
	for (uint32_t e = 0; e < r->events; e++)
		value[e] = PK_NULL;
	if (callgrind_costs(r, at, end, value))
		return -1;
	if (r->after_call) {
		callee = find_function(r, r->called_name,
				       r->has_called_object ? r->called_object : r->object,
				       r->has_called_file ? r->called_file : r->file);
		if (r->called_line <= INT32_MAX &&
		    (!callee->line || (r->called_line && r->called_line < callee->line)))
			callee->line = r->called_line & INT32_MAX;
		row = callgrind_row(sums, r->at, callee->function, callgrind_line(r, r->position));
		if (r->calls) /* pprof writes 0 for unknown values */
			pk_add_known(&sums->calls[row], r->calls);
		r->after_call = r->has_called_name = false;
		r->has_called_object = r->has_called_file = false;
	} else {
		row = callgrind_row(sums, r->at, callgrind_line(r, r->position), r->thread);
		add_values(r, r->part_sum, value);
	}
	add_values(r, callgrind_values(sums, row), value);
	if (r->at != r->base) {
		row = callgrind_row(&r->arcs, r->base, r->at, 0);
		add_values(r, callgrind_values(&r->arcs, row), value);
	}
	return 0;
}

/* "calls=COUNT POSITION": the line after it has the costs. */
static int read_calls(struct callgrind *r, const char *at, const char *end)
{
	uint64_t calls, target[CALLGRIND_POSITIONS];
	bool cut = false;

	callgrind_skip_blanks(&at, end);
	if (!callgrind_number(&at, end, &calls, &cut))
		return pk_fail(r->err, PK_EFORMAT, "line %" PRIu64 ": expected the number of calls",
			       r->line);
	if (!r->has_called_name) {
		if (callgrind_repair(r, "calls without a function (cfn) put under an unknown one"))
			return -1;
		r->called_name = 0;
		r->has_called_name = true;
	}
	if (r->after_call && callgrind_repair(r, "calls without costs ignored"))
		return -1;
	r->calls = cut || calls > INT64_MAX ? INT64_MAX : (int64_t)calls;
	r->after_call = true;
	callgrind_skip_blanks(&at, end);
	r->called_line = 0;
	if (at == end)
		return 0;
	if (!callgrind_positions(r, &at, end, target))
		return callgrind_repair(r, "place of a called function ignored");
	r->called_line = callgrind_line(r, target);
	return 0;
}

static int find_key(const char *line, size_t len)
{
	int k = 0, count = (int)(sizeof(keys) / sizeof(*keys));

	while (k < count && (*line != *keys[k].key || len < 3 || line[1] != keys[k].key[1] ||
			     !pk_text_begins(line, len, keys[k].key)))
		k++;
	return k;
}

int callgrind_body_line(struct callgrind *r, const char *line, size_t len)
{
	const char *end = line + len;
	uint32_t name;
	int key;

	if (*line <= '9' && (pk_is_digit(*line) || *line == '+' || *line == '-' || *line == '*'))
		return read_costs(r, line, end);
	if (pk_text_begins(line, len, "calls="))
		return read_calls(r, line + 6, end);
	if (pk_text_begins(line, len, "jump=") || pk_text_begins(line, len, "jcnd=")) {
		r->after_jump = true;
		return 0;
	}
	key = find_key(line, len);
	if (key < (int)(sizeof(keys) / sizeof(*keys))) {
		size_t skip = strlen(keys[key].key);

		for (; skip < len && pk_is_blank(line[skip]); skip++)
			continue;
		if (read_name(r, keys[key].space, line + skip, len - skip, &name))
			return -1;
		/* yappi lists all names before the functions, below the last file */
		if (r->is_yappi && key == FN && line[len - 1] != ')')
			return 0;
		return use_name(r, key, name);
	}
	return callgrind_repair(r, "line of an unknown kind ignored");
}
