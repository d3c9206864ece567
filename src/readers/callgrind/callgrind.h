#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/ascii.h"
#include "model/build/builder.h"
#include "model/build/id_map.h"

/* Values of events by three ids: of places (function, line, thread) or of calls (caller, callee,
 * line). The rows of a function are near each other in a file, so that each has a table of its
 * own. */
struct callgrind_sums {
	struct callgrind_table {
		uint32_t *slot; /* row + 1; 0 = empty */
		uint32_t mask, used;
	} * table; /* by the first id */
	struct callgrind_key {
		uint32_t id[3];
	} * key;
	int64_t *calls; /* PK_NULL = not known */
	int64_t *value; /* by row and event; PK_NULL: no line of the file has one */
	uint32_t count, events;
	size_t table_alloc, key_alloc, calls_alloc, value_alloc;
	uint32_t last; /* row that was found last */
};

/* The row of these ids, from 0. */
uint32_t callgrind_row(struct callgrind_sums *sums, uint32_t a, uint32_t b, uint32_t c);
static inline int64_t *callgrind_values(const struct callgrind_sums *sums, size_t row)
{
	return sums->value + row * sums->events;
}
/* Room for more events: the values of those that are there stay. */
void callgrind_widen(struct callgrind_sums *sums, uint32_t events);
void callgrind_sums_release(struct callgrind_sums *sums);

enum callgrind_space { CALLGRIND_OBJECT, CALLGRIND_FILE, CALLGRIND_FUNCTION, CALLGRIND_SPACES };

enum { CALLGRIND_POSITIONS = 3, CALLGRIND_MOST_EVENTS = 64 };

/* "event: CEst = Ir + 10 Bm : Cycle Estimation" */
struct callgrind_formula {
	uint32_t name, text; /* strings; text is what follows '=', up to the ':' */
	uint64_t line;
};

/* What is known about functions, by id. */
struct callgrind_about {
	uint32_t line; /* where it begins; 0 = not known */
	bool has_body, is_called;
};

struct callgrind {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t line; /* of the file */

	/* The part that is read. */
	struct {
		uint32_t *string; /* + 1 */
		size_t alloc;
	} few[CALLGRIND_SPACES];                 /* of small numbers */
	struct pk_id_map name[CALLGRIND_SPACES]; /* number in the file -> string + 1 */
	unsigned positions;
	int line_position;                      /* which of them is the line; -1: none */
	uint64_t position[CALLGRIND_POSITIONS]; /* of the last line with costs */
	uint32_t columns;
	uint32_t column[CALLGRIND_MOST_EVENTS]; /* of a line -> event */
	int64_t factor[CALLGRIND_MOST_EVENTS];  /* by column: values in one */
	uint32_t thread;
	bool in_body, has_totals;

	/* Events: values of a line, and of the part. */
	uint32_t events, *metric;
	size_t metric_alloc;
	int64_t cost[CALLGRIND_MOST_EVENTS], part_sum[CALLGRIND_MOST_EVENTS];

	/* Where costs go. */
	struct pk_function function; /* name, module, file of fn= */
	uint32_t base, at;           /* the function; the same in the file of fi= */
	uint32_t file;               /* of the next cost lines */
	bool has_file;               /* fl= is used */
	struct callgrind_about *about;
	size_t about_alloc;
	struct callgrind_known {
		uint32_t module, file, function;
		uint32_t line : 31; /* the lowest line that calls give, as in `about` */
		uint32_t is_native : 1;
	} * known; /* by name: the function that was found last */
	size_t known_alloc;

	/* The next call. */
	uint32_t object, called_object, called_file, called_name; /* strings */
	bool has_called_object, has_called_file, has_called_name;
	bool after_call; /* the next line with costs is that of a call */
	bool after_jump; /* the next line is the place of a jump */
	int64_t calls;
	uint32_t called_line;

	struct callgrind_sums places, arcs;
	struct callgrind_formula *formula;
	size_t formulas, formula_alloc;
	uint64_t parts;
	uint32_t event_lines;
	uint32_t summary; /* string: what "summary:" says */
	int64_t pid;
	bool is_callgrind, is_xdebug;
	bool is_yappi; /* names and units are as yappi writes them ... */
	bool of_yappi; /* ... and calls, also after a conversion */
};

static inline void callgrind_skip_blanks(const char **at, const char *end)
{
	while (*at < end && pk_is_blank(**at))
		++*at;
}
/* The next word; *at moves behind it. Returns *at if there is none. */
const char *callgrind_word(const char **at, const char *end);
int callgrind_repair(struct callgrind *r, const char *what);
/* A line that is no header. */
int callgrind_body_line(struct callgrind *r, const char *line, size_t len);
/* "12", "0x1f"; *cut is set if it does not fit. */
bool callgrind_number(const char **at, const char *end, uint64_t *number, bool *cut);
/* Reads the positions at the begin of a line, relative to r->position, and the line number in them;
 * 0 = none. */
bool callgrind_positions(struct callgrind *r, const char **at, const char *end,
			 uint64_t position[CALLGRIND_POSITIONS]);
uint32_t callgrind_line(const struct callgrind *r, const uint64_t position[CALLGRIND_POSITIONS]);
/* Adds the numbers of a line, by column, to values by event. */
int callgrind_costs(struct callgrind *r, const char *at, const char *end, int64_t *sum);
/* Read "events: Ir Dr" and "event: CEst = Ir + 10 Bm : Cycle Estimation"; the formulas are computed
 * at the end. */
int callgrind_events(struct callgrind *r, const char *text, size_t len);
int callgrind_event(struct callgrind *r, const char *text, size_t len);
int callgrind_derive(struct callgrind *r);
/* The rest of what is known of functions, at the end. */
void callgrind_know(struct callgrind *r);
/* Gives the builder all that was read. */
int callgrind_finish(struct callgrind *r);
