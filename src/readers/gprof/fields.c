/*
 * Numbers and names in the tables of gprof:
 *
 *	0.33    0.24     228/300         main (app.c:12 @ 4011a6) <cycle 3> [2]
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/gprof/internal.h"
#include "readers/lines.h"

void gprof_skip_blanks(struct gprof_text *t)
{
	while (t->at < t->end && pk_is_blank(*t->at))
		t->at++;
}

bool gprof_take_value(struct gprof_text *t, int64_t *value)
{
	struct gprof_text rest = *t;
	bool exact, overflow, point = false;
	size_t len;

	gprof_skip_blanks(&rest);
	len = pk_parse_decimal(rest.at, (size_t)(rest.end - rest.at), 9, value, &exact, &overflow);
	if (!len || (len < (size_t)(rest.end - rest.at) && !pk_is_blank(rest.at[len])))
		return false;
	for (size_t i = 0; i < len; i++)
		point |= rest.at[i] == '.';
	t->at = point ? rest.at + len : t->at;
	return point;
}

bool gprof_take_count(struct gprof_text *t, int64_t *count, char *sign, int64_t *second)
{
	struct gprof_text rest = *t;
	bool exact, overflow;
	size_t len;

	*sign = 0;
	*second = 0;
	gprof_skip_blanks(&rest);
	if (rest.at == rest.end || !pk_is_digit(*rest.at))
		return false;
	for (int i = 0; i < 2; i++) {
		const char *c = rest.at;

		while (c < rest.end && pk_is_digit(*c))
			c++;
		len = pk_parse_decimal(rest.at, (size_t)(c - rest.at), 0, i ? second : count,
				       &exact, &overflow);
		if (!len)
			return false;
		rest.at = c;
		if (i || rest.at == rest.end || (*rest.at != '/' && *rest.at != '+'))
			break;
		*sign = *rest.at++;
	}
	if (rest.at < rest.end && !pk_is_blank(*rest.at))
		return false;
	*t = rest;
	return true;
}

/* Takes " [12]" and " <cycle 3>" off the end. */
static void cut_marks(struct gprof_text *name, uint32_t *number)
{
	const char *open;
	int64_t n;
	bool exact, overflow;

	*number = 0;
	name->end = name->at + pk_text_trim(name->at, (size_t)(name->end - name->at));
	if (name->end > name->at && name->end[-1] == ']') {
		open = memrchr(name->at, '[', (size_t)(name->end - name->at));
		if (open &&
		    pk_parse_decimal(open + 1, (size_t)(name->end - open - 2), 0, &n, &exact,
				     &overflow) &&
		    n > 0 && n < UINT32_MAX) {
			*number = (uint32_t)n;
			name->end = name->at + pk_text_trim(name->at, (size_t)(open - name->at));
		}
	}
	open = memrchr(name->at, '<', (size_t)(name->end - name->at));
	if (open && pk_text_begins(open, (size_t)(name->end - open), "<cycle ") && open > name->at)
		name->end = name->at + pk_text_trim(name->at, (size_t)(open - name->at));
}

/* "main (app.c:12 @ 4011a6)": the file, and *line. */
static void cut_place(struct gprof *r, struct gprof_text *name, struct pk_function *f,
		      uint32_t *line)
{
	const char *open = memrchr(name->at, '(', (size_t)(name->end - name->at)), *at, *colon;
	int64_t n;
	bool exact, overflow;

	*line = 0;
	at = open ? memmem(open, (size_t)(name->end - open), " @ ", 3) : NULL;
	colon = at ? memrchr(open, ':', (size_t)(at - open)) : NULL;
	if (!colon || name->end[-1] != ')' || open == name->at)
		return;
	if (!pk_parse_decimal(colon + 1, (size_t)(at - colon - 1), 0, &n, &exact, &overflow) ||
	    n < 0 || n >= UINT32_MAX)
		return;
	*line = (uint32_t)n;
	f->file = pk_build_string(r->b, open + 1, (size_t)(colon - open - 1));
	name->end = name->at + pk_text_trim(name->at, (size_t)(open - name->at));
}

uint32_t gprof_take_function(struct gprof *r, struct gprof_text *t, uint32_t *number,
			     uint32_t *line)
{
	struct pk_function f = {.kind = PK_KIND_NATIVE};
	uint32_t id;

	gprof_skip_blanks(t);
	cut_marks(t, number);
	if (t->at == t->end)
		return 0;
	cut_place(r, t, &f, line);
	f.name = pk_build_string(r->b, t->at, (size_t)(t->end - t->at));
	id = pk_build_function(r->b, &f);
	while (r->sums_alloc <= id) {
		size_t old = r->sums_alloc;

		PK_GROW(r->sums, (size_t)id + 1, r->sums_alloc);
		for (size_t i = old; i < r->sums_alloc; i++)
			r->sums[i] = (struct gprof_sums){.calls = PK_NULL, .primitive = PK_NULL};
	}
	return id;
}
