/*
 * Events of a callgrind file as metrics.
 *
 *	events: Ir Dr Dw
 *	event: CEst = Ir + 10 Dw : Cycle Estimation
 *	event: sysTime : sysTime (elapsed ms)
 *	events: Time_(10ns) Memory_(bytes)
 *
 * - A unit in brackets makes the numbers ns or bytes: as xdebug and pprof write it, or at the end
 *   of the long name, as profkit writes it ("event: time : time (ns)").
 * - A formula is a sum of events, each with a factor. Its metric is computed from the others, and
 *   marked as such.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/callgrind/callgrind.h"

static const struct unit {
	const char *name, *base;
	enum pk_metric_kind kind;
	int64_t factor;
} units[] = {
	{"ns", "ns", PK_METRIC_TIME, 1},           {"us", "ns", PK_METRIC_TIME, 1000},
	{"\xC2\xB5s", "ns", PK_METRIC_TIME, 1000}, {"ms", "ns", PK_METRIC_TIME, 1000000},
	{"s", "ns", PK_METRIC_TIME, 1000000000},   {"bytes", "bytes", PK_METRIC_BYTES, 1},
	{"B", "bytes", PK_METRIC_BYTES, 1},        {"kB", "bytes", PK_METRIC_BYTES, 1 << 10},
	{"MB", "bytes", PK_METRIC_BYTES, 1 << 20}, {"GB", "bytes", PK_METRIC_BYTES, 1 << 30},
};

static const struct unit *find_unit(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (pk_text_is(text, len, units[i].name))
			return &units[i];
	return NULL;
}

/* The unit in brackets at the end of the long name of an event: "time (ns)". */
static const struct unit *unit_in_long(const struct callgrind *r, const char *name, size_t len)
{
	PK_BUF_AUTO key = PK_BUF_INIT;
	const char *text, *open;

	pk_buf_adds(&key, "event ");
	pk_buf_add(&key, name, len);
	text = pk_meta_find(pk_builder_profile(r->b), key.data);
	open = text && *text == ':' && pk_ends_with(text, ")") ? strrchr(text, '(') : NULL;
	return open ? find_unit(open + 1, strlen(open) - 2) : NULL;
}

/* The unit in brackets at the end of the name, as in "Time_(10ns)"; *len becomes that of the name,
 * and *factor the values in one. NULL: it has none. */
static const struct unit *unit_of(const struct callgrind *r, const char *name, size_t *len,
				  int64_t *factor)
{
	const char *open = memchr(name, '(', *len), *at = open ? open + 1 : NULL;
	const char *end = name + *len - 1;
	const struct unit *unit;

	*factor = 1;
	if (pk_text_is(name, *len, "Nanoseconds") || pk_text_is(name, *len, "ns"))
		return &units[0];
	if (pk_text_is(name, *len, "Ticks") && r->is_yappi)
		unit = &units[1];
	else if (!open || open == name || *end != ')')
		unit = unit_in_long(r, name, *len);
	else {
		for (*factor = 0; at < end && pk_is_digit(*at) && *factor < 1000000; at++)
			*factor = *factor * 10 + (*at - '0');
		*factor += !*factor;
		unit = find_unit(at, (size_t)(end - at));
		if (!unit)
			return NULL;
		*len = (size_t)(open - name);
		*len -= *len > 1 && name[*len - 1] == '_';
	}
	*factor *= unit ? unit->factor : 1;
	return unit;
}

/* What the file calls the event, and how much one of its units is, for what prints the file's own
 * numbers: "unit of Time" is "Time_(10ns), 10 ns". */
static void keep_unit(struct callgrind *r, const char *name, size_t len, const char *recorded,
		      size_t recorded_len, int64_t factor, const char *unit)
{
	PK_BUF_AUTO key = PK_BUF_INIT, text = PK_BUF_INIT;

	if (r->parts > 1 || (factor == 1 && len == recorded_len))
		return;
	pk_buf_adds(&key, "unit of ");
	pk_buf_add(&key, name, len);
	pk_buf_add(&text, recorded, recorded_len);
	pk_buf_addf(&text, ", %" PRId64 " %s", factor, unit);
	if (!pk_meta_find(pk_builder_profile(r->b), key.data))
		pk_build_meta(r->b, key.data, text.data);
}

static uint32_t add_event(struct callgrind *r, const char *name, size_t len, int64_t *factor)
{
	size_t recorded = len;
	const struct unit *unit = unit_of(r, name, &len, factor);
	char *text = pk_strndup(name, len);
	uint32_t metric = pk_build_metric(r->b, text, unit ? unit->base : "count", 0,
					  unit ? unit->kind : PK_METRIC_COUNT, PK_EXACT);
	uint32_t e = 0;

	free(text);
	if (unit)
		keep_unit(r, name, len, name, recorded, *factor, unit->base);
	while (e < r->events && r->metric[e] != metric)
		e++;
	if (e == r->events) {
		PK_GROW(r->metric, (size_t)e + 1, r->metric_alloc);
		r->metric[r->events++] = metric;
	}
	return e;
}

const char *callgrind_word(const char **at, const char *end)
{
	const char *word;

	callgrind_skip_blanks(at, end);
	for (word = *at; *at < end && !pk_is_blank(**at);)
		++*at;
	return word;
}

int callgrind_events(struct callgrind *r, const char *text, size_t len)
{
	const char *at = text, *end = text + len, *word;
	uint32_t before = r->events;

	for (r->columns = 0;; r->columns++) {
		word = callgrind_word(&at, end);
		if (at == word)
			break;
		if (r->columns == CALLGRIND_MOST_EVENTS)
			return pk_fail(r->err, PK_ELIMIT, "line %" PRIu64 ": more than %d events",
				       r->line, CALLGRIND_MOST_EVENTS);
		r->column[r->columns] =
			add_event(r, word, (size_t)(at - word), &r->factor[r->columns]);
		if (r->events > CALLGRIND_MOST_EVENTS)
			return pk_fail(r->err, PK_ELIMIT, "line %" PRIu64 ": more than %d events",
				       r->line, CALLGRIND_MOST_EVENTS);
	}
	if (!r->columns)
		return pk_fail(r->err, PK_EFORMAT, "line %" PRIu64 ": no events", r->line);
	callgrind_widen(&r->places, r->events);
	callgrind_widen(&r->arcs, r->events);
	for (; before < r->events; before++)
		r->part_sum[before] = PK_NULL;
	return 0;
}

/* "NAME = FORMULA : LONG NAME"; the last two parts may be missing. */
int callgrind_event(struct callgrind *r, const char *text, size_t len)
{
	size_t name = 0, rest;
	const char *colon, *equals;
	PK_BUF_AUTO key = PK_BUF_INIT, value = PK_BUF_INIT;

	if (r->event_lines++ == 4 * CALLGRIND_MOST_EVENTS)
		return pk_fail(r->err, PK_ELIMIT, "line %" PRIu64 ": too many lines 'event:'",
			       r->line);
	while (name < len && !pk_is_blank(text[name]) && text[name] != '=' && text[name] != ':')
		name++;
	for (rest = name; rest < len && (pk_is_blank(text[rest])); rest++)
		continue;
	pk_buf_adds(&key, "event ");
	pk_buf_add(&key, text, name);
	pk_buf_add(&value, text + rest, len - rest);
	if (!name || !value.data || pk_meta_find(pk_builder_profile(r->b), key.data))
		return name ? 0 : callgrind_repair(r, "event without a name ignored");
	pk_build_meta(r->b, key.data, value.data);
	colon = memchr(text, ':', len);
	equals = memchr(text, '=', colon ? (size_t)(colon - text) : len);
	if (!equals)
		return 0;
	PK_GROW(r->formula, r->formulas + 1, r->formula_alloc);
	r->formula[r->formulas++] = (struct callgrind_formula){
		.name = pk_build_string(r->b, text, name),
		.text = pk_build_string(r->b, equals + 1,
					(size_t)((colon ? colon : text + len) - equals - 1)),
		.line = r->line,
	};
	return 0;
}

/* Adds the factors of "Ir + 10 Bm", by event. Returns false if it is no such sum, or an event is
 * unknown. */
static bool read_formula(const struct callgrind *r, const char *at, int64_t *factor)
{
	const struct pk_profile *p = pk_builder_profile(r->b);

	for (;;) {
		int64_t count = 1;
		bool exact, overflow;
		size_t len;
		uint32_t e = 0;

		at += strspn(at, " \t");
		len = pk_parse_decimal(at, strlen(at), 0, &count, &exact, &overflow);
		if (overflow || (len && !exact))
			return false;
		at += len;
		at += strspn(at, " \t*");
		len = strcspn(at, " \t+");
		while (e < r->events &&
		       !pk_text_is(at, len, pk_text(p, p->metric.name[r->metric[e]])))
			e++;
		if (!len || e == r->events)
			return false;
		pk_add_saturated(&factor[e], count);
		at += len;
		at += strspn(at, " \t");
		if (!*at)
			return true;
		if (*at++ != '+')
			return false;
	}
}

/* Adds the values of another event to all sums. */
static void add_column(struct callgrind_sums *sums, const int64_t *factor)
{
	uint32_t events = sums->events;

	callgrind_widen(sums, events + 1);
	for (size_t row = 0; row < sums->count; row++) {
		int64_t *value = callgrind_values(sums, row);

		for (uint32_t e = 0; e < events; e++)
			if (factor[e])
				pk_add_known(&value[events], pk_mul_saturated(value[e], factor[e]));
	}
}

int callgrind_derive(struct callgrind *r)
{
	for (size_t i = 0; i < r->formulas; i++) {
		int64_t factor[CALLGRIND_MOST_EVENTS] = {0};
		const struct pk_profile *p = pk_builder_profile(r->b);
		const char *name = pk_text(p, r->formula[i].name);

		if (r->events == CALLGRIND_MOST_EVENTS || pk_metric_find(p, name))
			continue;
		if (!read_formula(r, pk_text(p, r->formula[i].text), factor)) {
			if (pk_build_repair_line(r->b, r->err,
						 "formula of an event not understood: left out",
						 r->formula[i].line))
				return -1;
			continue;
		}
		PK_GROW(r->metric, (size_t)r->events + 1, r->metric_alloc);
		r->metric[r->events++] =
			pk_build_metric(r->b, name, "count", 0, PK_METRIC_COUNT, PK_ESTIMATED);
		add_column(&r->places, factor);
		add_column(&r->arcs, factor);
	}
	return 0;
}
