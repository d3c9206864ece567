#ifndef PK_CHROME_INTERNAL_H
#define PK_CHROME_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "model/profile.h"

/* What the files of the writer of trace events share. */
struct pk_chrome_out {
	const struct pk_profile *p;
	struct pk_output *out;
	struct pk_buf buf, args;
	int64_t offset;            /* ns added to times: what the file that was read began with */
	const char **quoted_frame; /* per frame, where names tell places */
	bool own;                  /* the profile was one of trace events */
	const char **quoted;       /* per string: as JSON; NULL = not made yet */
	const char **process, **thread; /* "pid":1 and "tid":2 with a comma between, per row */
	struct pk_arena arena;
	uint64_t events;
	const char *layout; /* how times were made, where the profile has none; NULL */
};

/* String id as a JSON text, with quotes; made once. */
const char *pk_chrome_quoted(struct pk_chrome_out *c, uint32_t string);
/* {"ph":"X","name":"..","cat":"..","pid":1,"tid":2,"ts":1.5 of an event that begins; name is JSON.
 * category 0 = none; time PK_NULL = none. The rest is the caller's, pk_chrome_end last. */
void pk_chrome_begin(struct pk_chrome_out *c, char phase, const char *name, uint32_t category,
		     const char *where, int64_t time);
void pk_chrome_end(struct pk_chrome_out *c);
/* ns as us, exactly. */
void pk_chrome_us(struct pk_chrome_out *c, int64_t ns);

/* Whether the thread is none, but holds asynchronous spans. */
bool pk_chrome_is_async(const struct pk_profile *p, uint32_t thread);
/* Spans with their arguments, flows, instants and counters. */
void pk_chrome_put_spans(struct pk_chrome_out *c);
void pk_chrome_put_marks(struct pk_chrome_out *c);
/* Members of the file for samples that no span stands for; nothing if there are none. True: some
 * cannot be written. */
void pk_chrome_put_beside(struct pk_chrome_out *c);
bool pk_chrome_loses_samples(const struct pk_profile *p);
/* Begins and ends of what samples have in common with the one before. */
void pk_chrome_put_samples(struct pk_chrome_out *c, uint32_t metric);
/* Call paths side by side, as wide as what they cost. */
void pk_chrome_put_tree(struct pk_chrome_out *c, uint32_t metric);

#endif
