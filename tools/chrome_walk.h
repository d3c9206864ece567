#ifndef PK_CHROME_WALK_H
#define PK_CHROME_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json/members.h"

/* Walks over the text of a file of trace events. */
struct pk_trace_event {
	const char *text; /* from '{' to '}', as written */
	size_t len;
	char phase; /* 0 = none */
	/* Values as written, strings with their quotes; len 0 = not there. */
	struct pk_json_slice name, category, time, duration, pid, tid, id, scope, args;
};

struct pk_trace_visitor { /* all may be NULL */
	void *data;
	/* A document begins or ends: an object or a list of events. */
	void (*open)(void *data, bool list);
	void (*close)(void *data, bool list);
	/* A member of the object beside the events: its key, colon and value as written. */
	void (*member)(void *data, struct pk_json_slice member);
	/* The list of events of an object begins or ends. */
	void (*events_open)(void *data);
	void (*events_close)(void *data);
	void (*event)(void *data, const struct pk_trace_event *event);
};
int pk_trace_walk(const char *path, const struct pk_trace_visitor *visitor, struct pk_error *err);

/* Takes one event apart that is in memory; false: it is none. */
bool pk_trace_event(const char *text, size_t len, struct pk_trace_event *event);

/* A time in us, also in quotes, as ns; false for what is none. */
bool pk_trace_time(struct pk_json_slice value, int64_t *ns);

#endif
