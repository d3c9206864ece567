#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A date as files write it: "2026-11-22 10:56:48.749362", with a T for the blank and a zone ("Z",
 * "+01:00", "-0500") if they have one: ns since 1970. Without a zone it counts as UTC. False if it
 * is no such date. */
bool pk_parse_date(const char *text, int64_t *ns);

/* The whole seconds as "2026-11-22 10:56:48", UTC. */
struct pk_date {
	char text[40];
};
struct pk_date pk_date_of(int64_t ns);

/* Seconds of a clock that is never set. */
double pk_clock(void);
