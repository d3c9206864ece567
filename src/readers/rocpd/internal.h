#pragma once

#include "model/build/near_ids.h"
#include "readers/nsys/internal.h"

/* The facts of an event that are not in its region, dispatch, copy or sample. */
struct rocpd_event {
	int64_t stack;     /* equal for a call and the work that it launched */
	uint32_t category; /* a text of n.texts */
	uint32_t message;  /* a string; 0 = none */
};

struct rocpd_symbol { /* strings */
	uint32_t name, system_name;
};

struct rocpd_track { /* of samples */
	int64_t global;
	uint32_t name; /* string */
};

struct rocpd_count { /* of a counter, at an event */
	uint64_t event;
	uint32_t name; /* string */
	double value;
};

/* Rows by their ids. They are ids of one recording: a file may hold several, in tables of their
 * own. Processes and threads are globalPid and globalTid of nsys. */
struct rocpd {
	struct nsys n;
	const char *suffix; /* of the names of its tables */
	struct pk_buf table;
	struct pk_near_ids node_rows, process_rows, thread_rows, agent_rows, symbol_rows;
	struct pk_near_ids event_rows, counter_rows, track_rows;
	int64_t *globals;             /* from 1: processes and threads */
	int64_t *agents;              /* from 1: devices; PK_NULL = a processor */
	uint32_t *counters;           /* from 1: strings */
	struct rocpd_track *tracks;   /* from 1 */
	struct rocpd_symbol *symbols; /* from 1 */
	struct rocpd_event *events;   /* from 1 */
	uint32_t global_count, global_alloc, agent_count, agent_alloc, counter_count, counter_alloc;
	uint32_t symbol_count, symbol_alloc, event_count, event_alloc, track_count, track_alloc;
	struct rocpd_count *counts;
	size_t count_count, count_alloc;
	struct pk_id_map hosts;          /* by machine: 1, 2, ... */
	struct pk_id_map devices;        /* by machine and index: 1 + number of the device */
	struct pk_id_map device_numbers; /* that a device has */
	int64_t last_device;
};

/* The rows of a table of this recording: see nsys_open. */
int rocpd_open(struct rocpd *r, struct nsys_rows *rows, const char *table,
	       const char *const *columns, size_t count);
/* A repair at the current row, at which the rows fail if that is an error (--strict). */
void rocpd_repair(struct nsys_rows *rows, const char *what);
/* The row of a column that has an id; 0 = none. An id that no row has is a repair, `missing`. */
uint32_t rocpd_ref(struct nsys_rows *rows, int column, const struct pk_near_ids *ids,
		   const char *missing);
/* The same for a text: its place in n.texts. */
uint32_t rocpd_text(struct nsys_rows *rows, int column);

/* A call, or what a program marked. */
struct rocpd_region {
	int64_t start, end, global, stack;
	uint32_t name, message; /* strings */
	uint32_t category;      /* a text of n.texts */
};

/* A kernel or a copy. */
struct rocpd_work {
	int64_t start, end, process, device, stream, queue, stack, event;
	int64_t bytes, shared, scratch, grid[3], group[3]; /* of a copy; of a kernel */
	uint32_t label;
	bool is_kernel;
};

/* What nsys packs into its ids: host << 48 | pid << 24 | tid; PK_NULL if one of them does not
 * fit. */
int64_t rocpd_global(uint32_t host, int64_t pid, int64_t tid);
/* Names a process by the program in its command, without its folder. */
void rocpd_name_process(struct rocpd *r, int64_t global, const char *command, size_t len);
void rocpd_add_agent(struct rocpd *r, int64_t id, bool gpu, int64_t index, uint32_t host,
		     const char *name);
/* Strings; name may be none, or empty. */
void rocpd_add_symbol(struct rocpd *r, int64_t id, uint32_t name, uint32_t system_name);
void rocpd_add_region(struct rocpd *r, const struct rocpd_region *region);
void rocpd_add_work(struct rocpd *r, const struct rocpd_work *work);
uint32_t rocpd_copy_label(struct rocpd *r, uint32_t name);
/* symbol: a row of r->symbols; 0 = none. */
uint32_t rocpd_kernel_label(struct rocpd *r, uint32_t symbol);

/* about.c: machines, processes, threads, devices, kernels */
int rocpd_read_about(struct rocpd *r);
/* event.c */
int rocpd_read_events(struct rocpd *r);
const struct rocpd_event *rocpd_event(const struct rocpd *r, struct nsys_rows *rows, int column);
/* region.c: calls, ranges and marks */
int rocpd_read_regions(struct rocpd *r);
/* work.c: what ran on devices */
int rocpd_read_work(struct rocpd *r);
/* counter.c: counts of kernels, before their dispatches are read; samples */
int rocpd_read_counts(struct rocpd *r);
int rocpd_read_samples(struct rocpd *r);
void rocpd_put_counts(struct rocpd *r, int64_t event);

/* json.c */
int rocpd_read_json(struct rocpd *r, struct pk_input *in);
/* Clears the ids: each recording has its own. */
void rocpd_forget(struct rocpd *r);
