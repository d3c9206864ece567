#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/sampling.h"
#include "analysis/workers/class.h"
#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * How evenly workers shared the work, and why some of them waited. The workers are the processes,
 * threads or GPU streams of one run, or several runs (ranks). All times are in ns; points in time
 * count from the start of the run, those of ranks from the start of the first (pk_workers.clock).
 */

/* Where the time of a worker goes. For each worker the five add up to the window exactly. */
enum pk_work {
	PK_WORK_USEFUL,
	PK_WORK_OVERHEAD, /* passing tasks, pickling, locks */
	PK_WORK_STARTUP,  /* starting up, and without work before its first useful moment */
	PK_WORK_TAIL,     /* shutting down, and without work after its last useful moment */
	PK_WORK_WAIT,     /* without work in between, or all the time */
	PK_WORK_COUNT
};
extern const char *const pk_work_names[]; /* "useful", ...; NULL-terminated */

enum pk_worker_role { PK_WORKER, PK_WORKER_MAIN, PK_WORKER_HELPER };
extern const char *const pk_worker_roles[]; /* "worker", "main", "helper", NULL */

struct pk_work_segment { /* half open; the segments of a worker cover the window */
	int64_t start, end;
	enum pk_work work;
};

struct pk_worker {
	uint32_t run;             /* index into the runs */
	uint32_t process, thread; /* of that run; thread 0: the whole process; both 0: the run */
	int64_t pid, tid;         /* their numbers; PK_NULL = all, or not known */
	uint32_t row;             /* of a part: its row in the table worker */
	char *name;               /* as shown: "ForkPoolWorker-1 (22555)" */
	enum pk_worker_role role;
	int64_t start, end;  /* of everything recorded; PK_NULL = not known */
	int64_t first, last; /* its first and last useful moment; PK_NULL = none, not known */
	int64_t work[PK_WORK_COUNT]; /* PK_NULL = not known (tail of a profile without times) */
	int64_t class_time[PK_CLASS_COUNT]; /* recorded time by class */
	int64_t samples;                    /* PK_NULL = measured, not sampled */
	int64_t tasks, task_time, chunks;   /* PK_NULL = not known */
	size_t segment, segments; /* its part of pk_workers.segment, in the order of time */
};

struct pk_work_step { /* from `time` on, `active` workers are useful */
	int64_t time;
	uint32_t active;
};

enum pk_window_source {
	PK_WINDOW_RUN,     /* from the first to the last event of the run, the parent's included */
	PK_WINDOW_WORKERS, /* of the workers */
	PK_WINDOW_SUMS,    /* no times: the largest total of a worker */
	PK_WINDOW_RUNS,    /* of a part: each worker has that of its run, this is the longest */
};
extern const char *const pk_window_sources[];

struct pk_work_metrics { /* NaN = not defined or not known; see profkit-workers(1) */
	double load_balance, communication_efficiency, parallel_efficiency;
	double imbalance_percent, imbalance_time, craypat_percent;
	double cov, gini;
	double tail_loss, startup_loss;
	double effective_workers, first_useful_share, straggler_ratio;
	double sampling_error; /* two standard errors of imbalance_percent; 0 = measured */
	bool significant;      /* the imbalance is larger than that error */
};

struct pk_task_stats {         /* of all workers */
	int64_t tasks, chunks; /* PK_NULL = not known */
	int64_t min, median, max, total;
	double mean, stddev;
	int64_t overhead;        /* ns of overhead for each task */
	uint32_t longest_worker; /* index */
	int64_t per_chunk;       /* tasks of the largest chunk */
	int64_t best_chunk;      /* by the cost model; 0 = not known */
	double gain;             /* share of the time that the best chunk size saves */
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
	uint32_t worker; /* index of the worker that it is about; UINT32_MAX = none in particular */
};

struct pk_workers_options {
	enum pk_workers_by by;
	const char *workers, *main;  /* expressions that names match; NULL */
	const char *const *classify; /* "RE=CLASS", the first that matches */
	size_t classify_count;
	int64_t processors; /* that workers could run on; 0 = as in the profile */
};

struct pk_workers {
	const struct pk_profiles *runs;
	enum pk_workers_by by;    /* never PK_BY_AUTO */
	struct pk_worker *worker; /* in the order of the file */
	uint32_t count;
	struct pk_worker
		*other; /* parents and helpers, in the same array; not in sums and shares */
	uint32_t others;
	bool timed;   /* the profile has times, not only sums */
	bool is_part; /* the run is a part: segments, steps, time_at and classes are not known */
	bool sampled; /* values are estimates */
	struct {
		int64_t start, end; /* without times: 0 and the largest total */
		enum pk_window_source source;
	} window;
	struct pk_work_segment *segment;
	size_t segments;
	struct pk_work_step
		*step; /* the first is at the start of the window, the last at its end */
	size_t steps;
	int64_t *time_at; /* for each k from 0 to count, how long exactly k workers were useful */
	int64_t sum[PK_WORK_COUNT];  /* over workers; PK_NULL = not known */
	double share[PK_WORK_COUNT]; /* of count * window, rounded to millionths that add up to 1;
				      * NaN = not known */
	uint32_t processors;         /* that workers could run on; 0 = not known */
	int64_t serial; /* useful time of parents while at most one worker is useful; PK_NULL = no
			   parent */
	struct pk_work_metrics metrics;
	struct pk_task_stats tasks;
	struct pk_diagnosis diagnosis[PK_DIAGNOSES];
	int diagnoses;
	uint32_t async_tasks;        /* of asyncio, which are no workers */
	uint32_t lone_collectives;   /* not found on other ranks, so transfer is not known */
	const char *clock;           /* how the clocks of ranks were aligned; NULL = one clock */
	char *unit;                  /* of times: "ns", or the unit of a profile without times */
	struct pk_buf summary;       /* the most important figures: lines */
	struct pk_buf notes;         /* unknown facts, and assumptions: lines */
	struct pk_classes *classes;  /* by run */
	struct pk_sampling sampling; /* of the first run and metric; no thread: not known */
};

/* The runs must live as long as the result. -1 for a bad expression or rule. A profile without
 * workers is no error: count is 0, and a diagnosis says so. */
int pk_workers_init(struct pk_workers *w, const struct pk_profiles *runs,
		    const struct pk_workers_options *options, struct pk_error *err);
/* The same without measures and diagnoses, and without tasks except their number. */
int pk_workers_init_times(struct pk_workers *w, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err);
/* Finds the workers only: fills worker, other and by, with names. */
int pk_workers_init_roles(struct pk_workers *w, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err);
void pk_workers_release(struct pk_workers *w);
/* Frees segments and steps, which pictures alone need. */
void pk_workers_forget_segments(struct pk_workers *w);
/* The worker with the most useful time; 0 if there are none. */
uint32_t pk_workers_busiest(const struct pk_workers *w);
/* For each thread of a run the index of its worker + 1, 0 = no worker; [0] is for what has no
 * thread. The caller frees it. */
uint32_t *pk_workers_of_threads(const struct pk_workers *w, uint32_t run);

/* The length of the window. */
static inline int64_t pk_workers_span(const struct pk_workers *w)
{
	return w->window.end - w->window.start;
}

/* Appends a time with its unit, for people. */
void pk_workers_add_time(struct pk_buf *buf, const struct pk_workers *w, int64_t value);
