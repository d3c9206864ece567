#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/gpu/by_name.h"
#include "base/error.h"
#include "model/events/time_range.h"
#include "model/profile.h"

/*
 * The critical path of a part of a trace: from its end back to its begin, at each point to the
 * event that was waited for last. It covers the time without gap or overlap, so that its parts add
 * up to the time exactly. The time becomes shorter only if a part of the path does: work that is
 * not on it has time to spare.
 */
enum pk_critical_class {
	PK_CRITICAL_OPERATORS,     /* the host is in an operator */
	PK_CRITICAL_CALLS,         /* the host is in a call of the driver, and waits for nothing */
	PK_CRITICAL_HOST,          /* the host is in neither */
	PK_CRITICAL_DATA,          /* the host waits for a DataLoader */
	PK_CRITICAL_COMPUTATION,   /* as enum pk_gpu_kind: a kernel or copy runs */
	PK_CRITICAL_COMMUNICATION, /* ... */
	PK_CRITICAL_COPY,          /* ... */
	PK_CRITICAL_LAUNCH,        /* from the begin of a call to that of the work it launched */
	PK_CRITICAL_GAP,           /* from one work to the next on a stream, up to 30 us */
	PK_CRITICAL_SYNC, /* from the end of work to the end of the call that waits for it, or to
			     the begin of work of another stream that does, up to 30 us */
	/* work that begins later than that, or later than 100 us after its launch: the trace
	 * does not tell what it waits for */
	PK_CRITICAL_WAIT,
	PK_CRITICAL_CLASSES
};
extern const char *const pk_critical_classes[]; /* "host_operators", ..., NULL */

/* What is odd in a trace, counted. */
enum pk_critical_odd {
	PK_CRITICAL_TOO_EARLY,  /* work that begins before the call that launched it */
	PK_CRITICAL_UNLAUNCHED, /* work whose launch is not in the trace */
	PK_CRITICAL_REPEATED,   /* calls with the correlation id of another call */
	PK_CRITICAL_LATE,       /* works that end after what waited for them */
	/* waits whose stream the trace does not tell; that of the thread's last launch is used */
	PK_CRITICAL_GUESSED,
	PK_CRITICAL_LOCKS,     /* calls that are taken to wait for the driver's lock */
	PK_CRITICAL_CYCLES,    /* dependencies left out because they go round in a circle */
	PK_CRITICAL_OVERLAPS,  /* spans of the host that overlap very many of their thread */
	PK_CRITICAL_STREAMS,   /* works taken to wait for another stream */
	PK_CRITICAL_NO_EVENTS, /* calls of cudaStreamWaitEvent for an event that is not known */
	PK_CRITICAL_ODDS
};
extern const char *const pk_critical_odds[]; /* "work_before_launch", ..., NULL */

struct pk_critical_part { /* of the path */
	int64_t from, to;
	uint32_t span;    /* whose time it is; 0 = nothing was recorded */
	uint32_t op;      /* the operator that it belongs to; 0 = none */
	uint8_t class_of; /* enum pk_critical_class */
};

/* Names in the trace that contain that of a rule; count 0: a whole name, or a class. */
struct pk_critical_names {
	uint32_t count, first[3]; /* first: strings */
};

struct pk_critical_change {
	const char *text; /* "launch=0" */
	char *own;        /* the same if it was made here */
	int64_t time;     /* the measured time, less what the change saves */
	int64_t saved;    /* by how much the graph is faster with it */
	struct pk_critical_names names;
};

struct pk_critical {
	/* The part of the trace: steps "N..M"; or of the spans whose name contains a text the one
	 * of median length, or with "TEXT@N" number N of them from 0; or all of it. If none is
	 * given: the step of median length, or everything if there are no steps. */
	const char *step, *annotation;
	bool whole;
	/* The changes to simulate: "NAME=0", "NAME/2", "NAME*1.5", where the name is a class or
	 * part of the name of kernels, operators or annotations; "auto" tries the largest. */
	const char *const *what_if;
	size_t what_ifs;
	/* Results. */
	const struct pk_profile *profile;
	enum pk_program program;
	struct pk_time_range range; /* from the begin on the host to the last end */
	int64_t host_end;           /* where the host ended it */
	uint32_t span;              /* the step or annotation that was chosen; 0 = several, all */
	/* the number of spans to choose from; of three and more the first and the last do not
	 * count; 0 = the part was asked for */
	uint32_t choices;
	struct pk_critical_part *part;
	uint32_t parts, part_alloc;
	int64_t time[PK_CRITICAL_CLASSES], count[PK_CRITICAL_CLASSES];
	int64_t earlier; /* on the path: work that was launched before the begin */
	int64_t odd[PK_CRITICAL_ODDS];
	int64_t replay;                    /* the time that the graph gives without a change */
	struct pk_critical_change *change; /* those that save most first */
	uint32_t changes, change_alloc;
};

/* -1 with err for a trace without work on a GPU (PK_EFORMAT), or steps or annotations that are not
 * there (PK_EUSAGE). p must live as long as the result. */
int pk_critical_init(struct pk_critical *c, const struct pk_profile *p, struct pk_error *err);
void pk_critical_release(struct pk_critical *c);

/* The time that the path explains. */
static inline int64_t pk_critical_time(const struct pk_critical *c)
{
	return c->range.to - c->range.from;
}

/* "" for 0. */
static inline const char *pk_critical_name(const struct pk_critical *c, uint32_t span)
{
	return pk_text(c->profile, pk_node_name(c->profile, c->profile->span.node[span]));
}

/* A copy of the trace with the path: its parts are spans of a thread of the process "critical
 * path", and arrows lead from thread to thread where it does. */
struct pk_profile *pk_critical_marked(const struct pk_critical *c);

/* The path, summed up by activity. */
struct pk_critical_row {
	uint32_t name;                   /* string of the profile; 0 = nothing recorded */
	int64_t time, host, gpu, delays; /* time is the sum of the others */
	int64_t count;                   /* parts of the path */
};
enum pk_critical_by { PK_CRITICAL_BY_NAME, PK_CRITICAL_BY_OPERATOR };
/* Lists the rows, largest time first; class_of: only parts of it, -1 = all. The caller frees
 * them. */
struct pk_critical_row *pk_critical_rows(const struct pk_critical *c, enum pk_critical_by by,
					 int class_of, uint32_t *count);

static inline bool pk_critical_is_gpu(int class_of)
{
	return class_of >= PK_CRITICAL_COMPUTATION && class_of <= PK_CRITICAL_COPY;
}
