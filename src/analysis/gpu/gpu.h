#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/collectives.h"
#include "analysis/gpu/by_name.h"
#include "analysis/gpu/names.h"
#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"

/* The activity of GPUs and the reasons why they were idle, for one trace, or for one trace of each
 * rank of a distributed program. Traces are added one after the other and may be freed then. All
 * times are in ns. */

/* The kinds of work. A set of bits says which ran at the same time. */
enum pk_gpu_kind { PK_GPU_COMPUTATION, PK_GPU_COMMUNICATION, PK_GPU_COPY, PK_GPU_KINDS };
extern const char *const pk_gpu_kinds[]; /* "computation", "communication", "copy", NULL */
enum { PK_GPU_STATES = 1 << PK_GPU_KINDS };

/* Why nothing ran. */
enum pk_gpu_idle {
	PK_GPU_LAUNCH,      /* the work that ended it was being launched */
	PK_GPU_DATA,        /* the host had not launched it, and loaded data */
	PK_GPU_HOST_WAIT,   /* the host had not launched it, or anything */
	PK_GPU_KERNEL_WAIT, /* it was launched before, and began within 30 us */
	PK_GPU_OTHER,       /* it was launched before and began later, or its launch is not known */
	PK_GPU_IDLES
};
extern const char *const pk_gpu_idles[]; /* "launch", "data_loading", ..., NULL */
enum { PK_GPU_SHORT_GAP = 30000 };

/* Time of a GPU: the parts of `ran` and `idle` add up to it exactly. */
struct pk_gpu_times {
	int64_t ran[PK_GPU_STATES]; /* in which just these kinds of work ran; [0] is not used */
	int64_t idle[PK_GPU_IDLES];
};

/* The parts of that time, each moment counted once: computation, then communication and copies that
 * no computation hides, then what is idle. */
int64_t pk_gpu_exposed(const struct pk_gpu_times *t, enum pk_gpu_kind kind);
/* The time in which work of the kind ran, alone or beside other work. */
int64_t pk_gpu_ran(const struct pk_gpu_times *t, enum pk_gpu_kind kind);
int64_t pk_gpu_busy(const struct pk_gpu_times *t);
int64_t pk_gpu_idle_time(const struct pk_gpu_times *t);
int64_t pk_gpu_whole(const struct pk_gpu_times *t);
/* Sets each part, in the order of pk_gpu_kinds and pk_gpu_idles. */
void pk_gpu_parts(int64_t part[PK_GPU_KINDS + PK_GPU_IDLES], const struct pk_gpu_times *t);
/* As a share of the whole; NaN if that is 0. */
double pk_gpu_share(int64_t time, const struct pk_gpu_times *t);
void pk_gpu_times_add(struct pk_gpu_times *sum, const struct pk_gpu_times *t);

struct pk_gpu_window { /* a step, as the host marked it */
	int64_t step;  /* its number; PK_NULL: there are none, from the first work to the last */
	int64_t from, to;
	uint32_t thread; /* that marked it: the first of its lanes */
	struct pk_gpu_times times;
	int64_t launches; /* calls that begin in it and launched work of the GPU */
};

enum { PK_GPU_HOSTS = 3 };
struct pk_gpu_host {   /* what the host was in while the GPU waited for it, the longest first */
	uint32_t name; /* 0 = nothing */
	int64_t time;
};

struct pk_gpu_device {
	uint32_t trace; /* index */
	uint32_t name;
	struct pk_gpu_window *window;
	uint32_t windows;
	struct pk_gpu_times times; /* of all windows */
	double flops; /* floating-point operations of work that begins in the windows, if counted */
	int64_t outside;    /* in which work ran outside of the windows */
	int64_t unlaunched; /* part of other_idle: the launch of the next work is not known */
	/* Calls in the windows that launched its work, how long they took in all, and how many took
	 * longer than this work. */
	int64_t launches, launching, short_works;
	/* The number of collectives that this GPU began last, and how long the first rank waited
	 * for it then. */
	int64_t last, kept_waiting;
	/* During host_wait and data_loading, of the GPU of the trace with most of it. */
	struct pk_gpu_host host[PK_GPU_IDLES][PK_GPU_HOSTS];
};

/* The work of a stream, the gaps in it, and its queue. */
struct pk_gpu_stream {
	uint32_t device; /* index */
	int64_t number;
	int64_t works, busy;
	struct pk_gpu_gaps { /* between works, by reason: host_wait, kernel_wait, other_idle */
		int64_t count, time, longest;
	} gap[PK_GPU_IDLES];
	/* The length of the queue, of work launched and not begun, after each change. */
	int64_t changes, longest, full; /* full: ns with PK_GPU_QUEUE or more in it */
	double mean, squares;
};
enum { PK_GPU_QUEUE = 1024 };

struct pk_gpu_call { /* calls of a name that launched work, and that work */
	uint32_t name;
	int64_t calls, host, device; /* their durations, and those of the work */
	int64_t delay,
		longest_delay; /* from the end of a call to the begin of its work, at least 0 */
	int64_t short_works;   /* work shorter than the call that launched it */
	int64_t slow_calls, late_works; /* calls of more than 50 us; delays of more than 100 us */
};
enum { PK_GPU_SLOW_CALL = 50000, PK_GPU_LATE_WORK = 100000 };

struct pk_gpu_copies { /* copies or sets of a kind: "Memcpy HtoD" */
	uint32_t name;
	int64_t count, bytes, time; /* bytes: PK_NULL = not known */
	double slowest, fastest;    /* bytes each ns; NaN = not known */
};

struct pk_gpu_collective { /* on one GPU */
	uint32_t trace, device;
	uint32_t name, type, group; /* "allreduce", "Float", which ranks; 0 = not known */
	bool guessed;               /* the trace does not say the group: it is the name */
	int64_t place;              /* its number among those of its group, from 0 */
	uint32_t set; /* once all are there: those of a set are the same one; 0 = of one rank */
	int64_t ranks, elements_in, elements_out; /* PK_NULL = not known */
	int64_t start, end; /* on the clock of the first trace, once all are there */
	int64_t exposed;    /* in which nothing computed */
};

struct pk_gpu_collectives { /* of one name, type, size and number of ranks */
	uint32_t name, type;
	int64_t ranks, bytes;       /* bytes of the message; PK_NULL = not known */
	int64_t count;              /* collectives, however many ranks are there */
	int64_t time, exposed;      /* on all ranks */
	int64_t transfer;           /* sum over collectives of the shortest time on a rank */
	int64_t compared;           /* collectives that several ranks have */
	int64_t wait, longest_wait; /* from the first begin to the last: sum over these, longest */
	uint32_t last;              /* the GPU that came last most often, + 1; 0 = not known */
	int64_t last_times;
};

struct pk_gpu_kernel { /* all work of a name, or as pk_gpu_by says, on a GPU */
	uint32_t name;
	uint8_t kind; /* enum pk_gpu_kind */
	int64_t calls, total, shortest, longest;
	double mean, squares; /* of the durations; sum of squared distances from the mean */
	double occupancy;     /* sum of occupancy * duration, where it is known: */
	int64_t occupancy_time;
	uint32_t sizes; /* different launch sizes; 0 = none is known */
	uint32_t size;  /* index of the one that most calls have */
};

struct pk_gpu_size {               /* with which kernels of a name are launched */
	uint32_t kernel;           /* name */
	uint32_t grid, block;      /* names: "4x106x1" */
	int64_t registers, shared; /* of a thread; bytes of a block. PK_NULL = not known */
	int64_t calls;
};

/* What is odd in a trace, counted. */
enum pk_gpu_odd {
	PK_GPU_UNLAUNCHED,    /* work whose launch is not in the trace */
	PK_GPU_WORKLESS,      /* launches of work that is not in the trace */
	PK_GPU_ID_REPEATED,   /* calls with the correlation id of another call */
	PK_GPU_TOO_EARLY,     /* work that began before the call that launched it */
	PK_GPU_GRAPHS,        /* launches of graphs, which are several works each */
	PK_GPU_SELF_OVERLAP,  /* work that begins before the work before it on its stream ends */
	PK_GPU_STEP_OVERLAP,  /* steps that begin before the step before them ends */
	PK_GPU_STEP_REPEATED, /* steps with the number of an earlier one of their thread */
	PK_GPU_LEFT_OUT, /* work on GPUs beyond the first 32 of a trace, which is not counted */
	PK_GPU_ODDS
};
extern const char *const pk_gpu_odds[]; /* "work_without_launch", ..., NULL */

struct pk_gpu_trace {
	uint32_t path, format, label, digest; /* digest: if each trace counts once */
	uint32_t name; /* once all are there: short, of the traces that have no rank; none twice */
	uint32_t not_read; /* tables of the file, with their numbers of rows; 0 = none */
	int64_t rank;      /* PK_NULL = not known */
	int64_t ranks;     /* of the program, as the trace says; 0 = not known */
	int64_t start;     /* when it began, ns since 1970; PK_NULL = not known */
	int64_t shift;     /* from its clock to that of the first, by collectives that both have */
	int64_t odd[PK_GPU_ODDS];
	enum pk_program program;
};

enum pk_gpu_by {
	PK_GPU_BY_NAME,
	PK_GPU_BY_KIND,
	PK_GPU_BY_OPERATOR,
	PK_GPU_BY_SHAPE,
	PK_GPU_BY_MODULE,
	PK_GPU_BY_STACK,
	PK_GPU_BY_ANNOTATION,
	PK_GPU_BYS
};

struct pk_gpu_memory {           /* the memory that an allocator reports, bytes */
	uint32_t trace, name;    /* "GPU 0 memory" */
	int64_t peak, peak_time; /* allocated, and when, ns from the start of the run */
	int64_t last;            /* allocated in the end */
	int64_t reserved;        /* the most that it had reserved; PK_NULL = not known */
	int64_t changes;
};

enum { PK_GPU_NAMED = 32 };
struct pk_gpu_sequence { /* kernels that an operator launches one after the other */
	uint32_t operator_name;
	uint32_t kernels; /* names of the first PK_GPU_NAMED, each ends with a NUL; of more, the
			     length */
	int64_t length, count;
	int64_t device, host; /* sum of the durations of the kernels, and of the operators */
};

struct pk_gpu_flops {  /* what operators of a name and shape compute, or a kernel of XLA */
	uint32_t name; /* "aten::mm [[8, 16], [16, 32]]" */
	int64_t calls; /* of the operator, or of the kernel */
	double flops;  /* 0 = not known */
	/* time in which their kernels and copies ran: parallel work within a call counts once */
	int64_t time;
};

/* Results that are not wanted, which saves time: bits of struct pk_gpu's `without`. */
enum { PK_GPU_STREAMS = 1, PK_GPU_CALLS = 2, PK_GPU_COPY_SUMS = 4, PK_GPU_SEQUENCE_SUMS = 8 };
enum { PK_GPU_DETAILS = 15 };

struct pk_gpu {
	unsigned without;  /* of PK_GPU_DETAILS */
	const char *step;  /* "N..M": only these; NULL = all */
	enum pk_gpu_by by; /* what rows of kernels are */
	/* if not NULL: gets the time of work by what is around its launch, as `by` says: module,
	 * stack or annotation */
	struct pk_builder *paths;
	bool asks_for_flows; /* see pk_gpu_add */
	bool details;        /* the occupancy and the launch sizes of kernels are wanted */
	const char
		*operator_filter; /* sequences of operators whose name contains it; NULL = of all */
	bool count_flops;
	double peak_flops; /* each second, of a GPU; 0 = not known */
	bool whole;        /* one window from the first work to the last, even if there are steps */
	bool once;         /* a trace that comes twice, also under another name, is added once */
	struct pk_texts names;
	struct pk_gpu_trace *trace;
	struct pk_gpu_device *device;           /* by trace */
	struct pk_gpu_kernel *kernel;           /* by GPU */
	struct pk_gpu_size *size;               /* by GPU */
	struct pk_gpu_stream *stream;           /* by device */
	struct pk_gpu_call *call;               /* by trace */
	struct pk_gpu_copies *copies;           /* by trace */
	struct pk_gpu_memory *memory;           /* by trace */
	struct pk_gpu_flops *flops;             /* by GPU */
	struct pk_gpu_sequence *sequence;       /* the most frequent first */
	struct pk_gpu_collective *collective;   /* by trace */
	struct pk_gpu_collectives *collectives; /* longest first */
	bool from_part;                         /* only steps and collectives are known */
	uint32_t by_order;       /* collectives of a part that are joined by their place alone */
	struct pk_buf said;      /* of traces that were not added: lines, each ends with a NUL */
	struct pk_clocks clocks; /* how the clocks of traces are aligned */
	uint32_t traces, devices, kernels, streams, calls, kinds_of_copies, collective_count,
		kinds_of_collectives, memories, sequences, flop_rows, sizes;
	size_t size_alloc, trace_alloc, device_alloc, kernel_alloc, stream_alloc, call_alloc,
		copies_alloc, collective_alloc, collectives_alloc, memory_alloc, sequence_alloc,
		flop_alloc;
	struct pk_gpu_times times; /* of all windows of all GPUs */
};

/* True if what was asked for depends on the operators that launched work, so that their arguments
 * are needed (PK_PART_HOST_ARGS). */
bool pk_gpu_needs_operators(const struct pk_gpu *g);
/* The arguments that are needed, as of pk_read_options.args. */
const char *const *pk_gpu_args(const struct pk_gpu *g);
/* Zero-initialise it, with the options, to begin. 1 (with asks_for_flows): nothing was added, as
 * most work has no launch by ids, and flows were not kept. -1 with err for a trace without work on
 * a GPU (PK_EFORMAT), steps that are not there or a trace beside a part (PK_EUSAGE). */
int pk_gpu_add(struct pk_gpu *g, const struct pk_profile *p, struct pk_error *err);
/* Call it after the last trace: puts the traces in the order of their ranks. */
void pk_gpu_finish(struct pk_gpu *g);
void pk_gpu_release(struct pk_gpu *g);

/* The size of the message of a collective; PK_NULL = not known. */
int64_t pk_gpu_message_bytes(const struct pk_gpu *g, const struct pk_gpu_collective *c);

/* The kernels of all traces, by name and kind, those that took longest first. The caller frees
 * them. */
struct pk_gpu_kernel *pk_gpu_merged_kernels(const struct pk_gpu *g, uint32_t *count);
/* Gives each of these kernels, which are rows by name, its launch sizes. */
void pk_gpu_find_sizes(const struct pk_gpu *g, struct pk_gpu_kernel *kernel, uint32_t count);
/* The same for operations, by name. */
struct pk_gpu_flops *pk_gpu_merged_flops(const struct pk_gpu *g, uint32_t *count);
/* The same for calls, those that took the host longest first, and for copies. */
struct pk_gpu_call *pk_gpu_merged_calls(const struct pk_gpu *g, uint32_t *count);
struct pk_gpu_copies *pk_gpu_merged_copies(const struct pk_gpu *g, uint32_t *count);
/* Sample standard deviation from a sum of squared distances; NaN for one value. */
double pk_gpu_stddev(double squares, int64_t count);

/* Appends lines about ranks that are missing or there twice. */
void pk_gpu_rank_notes(struct pk_buf *buf, const struct pk_gpu *g);
