#ifndef PK_WORKERS_H
#define PK_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/workers/class.h"
#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * Who did the work, who waited, and why. Of one run its processes or threads, of several runs
 * these (ranks). All times are ns; those on the clock are from the start of the run, of ranks from
 * that of the first, the others being shifted (pk_workers.clock).
 */

/* Where the time of a worker goes; the five add up to the window, exactly, for each worker. */
enum pk_work {
	PK_WORK_USEFUL,
	PK_WORK_OVERHEAD, /* passing tasks, pickling, locks */
	PK_WORK_STARTUP,  /* without work before its first useful moment, and starting up */
	PK_WORK_TAIL,     /* without work after its last useful moment, and shutting down */
	PK_WORK_WAIT,     /* without work in between, or all the time */
	PK_WORK_COUNT
};
extern const char *const pk_work_names[]; /* "useful", ...; NULL-terminated */

enum pk_workers_by { PK_BY_AUTO, PK_BY_PROCESS, PK_BY_THREAD, PK_BY_RANK, PK_BY_STREAM };
extern const char *const pk_workers_bys[]; /* "auto", "process", ..., NULL */

enum pk_worker_role { PK_WORKER, PK_WORKER_MAIN, PK_WORKER_HELPER };
extern const char *const pk_worker_roles[]; /* "worker", "main", "helper", NULL */

struct pk_work_segment { /* half open; those of a worker are all of the window */
	int64_t start, end;
	enum pk_work work;
};

struct pk_worker {
	uint32_t run;             /* index into the runs */
	uint32_t process, thread; /* of that run; thread 0: all of the process; both 0: the run */
	char *name;               /* as shown: "ForkPoolWorker-1 (22555)" */
	enum pk_worker_role role;
	int64_t start, end;  /* of all that is recorded of it; PK_NULL = not known */
	int64_t first, last; /* its first and last useful moment; PK_NULL = none, not known */
	int64_t work[PK_WORK_COUNT]; /* PK_NULL = not known (tail of a profile without times) */
	int64_t class_time[PK_CLASS_COUNT]; /* what was recorded, by class */
	int64_t samples;                    /* PK_NULL = measured, not sampled */
	int64_t tasks, task_time, chunks;   /* PK_NULL = not known */
	size_t segment, segments; /* its part of pk_workers.segment, in the order of time */
};

struct pk_work_step { /* so many workers are useful from `time` on */
	int64_t time;
	uint32_t active;
};

enum pk_window_source {
	PK_WINDOW_RUN,     /* from the first to the last event of the run, the parent's included */
	PK_WINDOW_WORKERS, /* of the workers */
	PK_WINDOW_SUMS,    /* no times: at least the largest total of a worker */
};
extern const char *const pk_window_sources[];

struct pk_work_metrics { /* NaN = not defined or not known; see profkit-workers(1) */
	double load_balance, communication_efficiency, parallel_efficiency;
	double imbalance_percent, imbalance_time, craypat_percent;
	double cov, gini;
	double tail_loss, startup_loss;
	double effective_workers, first_useful_share, straggler_ratio;
	double sampling_error; /* two standard errors of imbalance_percent; 0 = measured */
	bool significant;      /* the imbalance is more than that */
};

struct pk_task_stats {         /* of all workers */
	int64_t tasks, chunks; /* PK_NULL = the profile does not have them */
	int64_t min, median, max, total;
	double mean, stddev;
	int64_t overhead;        /* per task: what workers did around them, in ns */
	uint32_t longest_worker; /* index */
	int64_t per_chunk;       /* tasks of the largest chunk */
	int64_t best_chunk;      /* by the cost model; 0 = none can be given */
	double gain;             /* of the best chunk size, as a share of the window */
};

struct pk_figure {
	const char *name;
	double value; /* NaN = not known */
	bool time;    /* ns, or samples */
};

enum { PK_DIAGNOSES = 3, PK_EVIDENCE = 16 };

struct pk_diagnosis {
	const char *code;     /* "tail_long_task", for scripts */
	const char *headline; /* a few words */
	const char *severity; /* "good", "note", "warning", "critical" */
	char *text, *advice;  /* sentences; advice may be NULL */
	struct pk_figure evidence[PK_EVIDENCE];
	int evidence_count;
	uint32_t worker; /* which one it is about, index; UINT32_MAX = none in particular */
};

struct pk_workers_options {
	enum pk_workers_by by;
	const char *workers, *main;  /* RE of names; NULL */
	const char *const *classify; /* "RE=CLASS", the first that matches */
	size_t classify_count;
	int64_t processors; /* that workers could run on; 0 = as the profile says */
};

struct pk_workers {
	const struct pk_profiles *runs;
	enum pk_workers_by by;    /* never PK_BY_AUTO */
	struct pk_worker *worker; /* the workers, in the order of the file */
	uint32_t count;
	struct pk_worker *other; /* main and helpers, in the same array: segments, no shares */
	uint32_t others;
	bool timed;   /* the profile says when; else there are sums only */
	bool sampled; /* values are estimates */
	struct {
		int64_t start, end; /* of sums: 0 and the largest total */
		enum pk_window_source source;
	} window;
	struct pk_work_segment *segment;
	size_t segments;
	struct pk_work_step *step; /* from the window's start; the last one is at its end */
	size_t steps;
	int64_t *time_at;            /* how long exactly k workers were useful, k from 0 to count */
	int64_t sum[PK_WORK_COUNT];  /* over workers; PK_NULL = not known */
	double share[PK_WORK_COUNT]; /* of count times the window, in millionths that add to 1; NaN
				      * = not known */
	uint32_t processors;         /* that workers could run on; 0 = not known */
	int64_t serial; /* the parent's own work while at most one worker is useful; PK_NULL */
	struct pk_work_metrics metrics;
	struct pk_task_stats tasks;
	struct pk_diagnosis diagnosis[PK_DIAGNOSES];
	int diagnoses;
	bool uneven; /* ranks do not have as many collectives: what is transfer is not known */
	const char *clock; /* how the clocks of ranks were aligned; NULL = need not be */
	char *unit;        /* of times: "ns", or "samples" where the profile has no unit of time */
	struct pk_buf summary;      /* the most important figures: lines */
	struct pk_buf notes;        /* what the format cannot know, and assumptions: lines */
	struct pk_classes *classes; /* by run */
};

/* The runs must live as long as the result. -1 for a bad RE or rule. A profile without workers
 * is no error: count is 0 and the diagnosis says so. */
int pk_workers_init(struct pk_workers *w, const struct pk_profiles *runs,
		    const struct pk_workers_options *options, struct pk_error *err);
/* Of the same only who is a worker, and who is not: worker, other and by, with their names. */
int pk_workers_init_roles(struct pk_workers *w, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err);
void pk_workers_release(struct pk_workers *w);
/* The worker with the most useful time; 0 if there are none. */
uint32_t pk_workers_busiest(const struct pk_workers *w);
/* For each thread of a run its worker + 1; 0 = not of a worker. [0]: what has no thread. The caller
 * frees it. */
uint32_t *pk_workers_of_threads(const struct pk_workers *w, uint32_t run);

/* The window's length. */
static inline int64_t pk_workers_span(const struct pk_workers *w)
{
	return w->window.end - w->window.start;
}

/* Appends a time for people, with its unit. */
void pk_workers_add_time(struct pk_buf *buf, const struct pk_workers *w, int64_t value);

#endif
