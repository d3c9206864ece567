#pragma once

#include "base/text/str.h"
#include "readers/bench.h"
#include "readers/reader.h"
#include "readers/scan_text.h"

/* The facts of a run, by the names of the metrics in time.c. */
enum time_value {
	TIME_ELAPSED,
	TIME_USER,
	TIME_SYSTEM,
	TIME_CPU,
	TIME_MAXRSS,
	TIME_MAJOR,
	TIME_MINOR,
	TIME_VOLUNTARY,
	TIME_INVOLUNTARY,
	TIME_SWAPS,
	TIME_INPUTS,
	TIME_OUTPUTS,
	TIME_SENT,
	TIME_RECEIVED,
	TIME_SIGNALS,
	TIME_INSTRUCTIONS, /* of macOS, as the next two */
	TIME_CYCLES,
	TIME_FOOTPRINT,
	TIME_AVERAGE_TEXT, /* Linux never fills these in */
	TIME_AVERAGE_DATA,
	TIME_AVERAGE_STACK,
	TIME_AVERAGE_TOTAL,
	TIME_AVERAGE_RSS,
	TIME_VALUES
};

/* Seconds: ns beyond them have more than 64 bits. */
#define TIME_MOST 9e9

struct time_run {
	uint32_t command;          /* string; 0: the text does not say */
	uint32_t end;              /* string: "3", "signal 9"; 0: status 0, or not known */
	size_t next;               /* number of the next run of this command, from 1; 0 = none */
	double value[TIME_VALUES]; /* NaN: not known */
};

/* A file as it is read line by line. */
struct time_text {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t number; /* of the line */
	struct time_run *run;
	size_t runs, alloc;

	struct time_run next; /* the block that is read */
	int step;             /* enum in block.c */
	uint64_t first;       /* its line */
	struct pk_buf command;
};

void time_begin(struct time_text *t, struct pk_builder *b, struct pk_error *err);
int time_read_line(void *data, const char *line, size_t len);

/* bsd.c: the first line of time of a BSD, or a later one; false: it is no such line. */
bool time_bsd_times(struct pk_scan line, double *value);
bool time_bsd_count(struct pk_scan line, double *value);
/* Drops values without a unit; returns true if there were none. */
bool time_bsd_end(double *value);
/* Leaves out a block that has no end. */
int time_end_block(struct time_text *t);
