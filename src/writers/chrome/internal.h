#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "model/profile.h"

/* State that the files of this writer share. */
struct pk_chrome_out {
	const struct pk_profile *p;
	struct pk_output *out;
	struct pk_buf buf, args;
	int64_t offset; /* ns added to times: the first time in the file that was read */
	const char **quoted_function;   /* per function, for files whose names contain places */
	bool own;                       /* the profile was read from trace events */
	const char **quoted;            /* per string: as JSON; NULL = not made yet */
	const char **process, **thread; /* "pid":1 and "tid":2 with a comma between, per row */
	struct pk_arena arena;
	uint64_t events;
	int64_t covered;    /* ns in which a thread has samples */
	const char *layout; /* how its times were made; NULL: the profile has times */
};

/* The string as JSON with quotes; made once. */
const char *pk_chrome_quoted(struct pk_chrome_out *c, uint32_t string);
/* Begins an event: {"ph":"X","name":"..","cat":"..","pid":1,"tid":2,"ts":1.5. name is JSON;
 * category 0 = none; time PK_NULL = none. The caller adds the rest and calls pk_chrome_end. */
void pk_chrome_begin(struct pk_chrome_out *c, char phase, const char *name, uint32_t category,
		     const char *where, int64_t time);
void pk_chrome_end(struct pk_chrome_out *c);
/* Writes ns as us, exactly. */
void pk_chrome_us(struct pk_chrome_out *c, int64_t ns);

/* True for a row that holds asynchronous spans and is no real thread. */
/* Appends the name of a function with its place, as the profiler of the file writes it; false if
 * it writes none. */
bool pk_chrome_placed_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function);
bool pk_chrome_is_async(const struct pk_profile *p, uint32_t thread);
/* Writes spans with their arguments, flows, instants and counters. */
void pk_chrome_put_spans(struct pk_chrome_out *c);
void pk_chrome_put_marks(struct pk_chrome_out *c);
/* Writes the members for samples that spans do not repeat; nothing if there are none. Returns true
 * if some samples cannot be written. */
void pk_chrome_put_beside(struct pk_chrome_out *c);
bool pk_chrome_loses_samples(const struct pk_profile *p);
/* Writes samples in their order as begins and ends of functions. */
void pk_chrome_put_samples(struct pk_chrome_out *c, uint32_t metric);
/* Writes call paths side by side, with widths in proportion to their costs. */
void pk_chrome_put_tree(struct pk_chrome_out *c, uint32_t metric);
