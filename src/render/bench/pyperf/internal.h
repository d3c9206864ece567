#pragma once

#include "analysis/bench/bench.h"
#include "base/text/str.h"
#include "render/bench/pyperf/pyperf.h"

/* Shared by the files of this folder alone. */

enum pyperf_unit { PYPERF_SECOND, PYPERF_BYTE, PYPERF_INTEGER };

struct pyperf_run {               /* a process of a benchmark */
	uint32_t from, to;        /* of pyperf_bench.row */
	uint32_t values, process; /* number of values without warm-ups; 0: no process */
};

struct pyperf_bench {
	struct pyperf_suite *suite;
	const char *name;
	uint32_t node, metric;
	enum pyperf_unit unit;
	uint32_t *row; /* of the table of values, in the order of the file */
	struct pyperf_run *run;
	uint32_t rows, runs;
	double *value; /* without warm-ups; sorted */
	double *sorted;
	uint32_t values;
	double mean, stdev, median, mad; /* if there are values */
};

enum { PYPERF_OF_NODE, PYPERF_OF_PROCESS, PYPERF_OWNERS };

struct pyperf_suite { /* a file */
	const struct pk_profile *p;
	struct pk_buf name; /* as it is shown */
	struct pyperf_bench *bench;
	uint32_t count;
	uint32_t *fact[PYPERF_OWNERS]; /* the last argument of each */
	uint32_t *after;               /* by argument the one before it of the same row */
	struct pk_index names;         /* of benchmarks */
};

struct pyperf_suites {
	struct pyperf_suite *suite;
	uint32_t count, benchmarks;
};

int pyperf_suites_init(struct pyperf_suites *s, const struct pk_profiles *list, uint32_t metric,
		       struct pk_error *err);
void pyperf_suites_release(struct pyperf_suites *s);
/* NULL if there is none of this name. */
struct pyperf_bench *pyperf_suite_find(const struct pyperf_suite *suite, const char *name);

/* A fact of the run (NULL: of the benchmark), or of the benchmark or file around it; NULL if there
 * is none. */
const char *pyperf_fact(const struct pyperf_bench *bench, const struct pyperf_run *run,
			const char *key);
/* The same of the run alone. */
const char *pyperf_run_fact(const struct pyperf_bench *bench, const struct pyperf_run *run,
			    const char *key);
/* The fact as a whole number from 1 on; 1 if there is none. */
int64_t pyperf_loops(const struct pyperf_bench *bench, const struct pyperf_run *run,
		     const char *key);
/* loops * inner_loops of the values of a run. */
int64_t pyperf_total_loops(const struct pyperf_bench *bench, const struct pyperf_run *run);
/* The number that a run without values calibrates; if it has several, the one that counts. */
enum pyperf_calibration {
	PYPERF_WARMUPS,
	PYPERF_WARMUPS_AGAIN,
	PYPERF_LOOPS_AGAIN,
	PYPERF_LOOPS /* also of a run without such facts */
};
extern const char *const pyperf_calibrations[]; /* keys of the numbers that were found */
enum pyperf_calibration pyperf_calibration_of(const struct pyperf_bench *bench,
					      const struct pyperf_run *run);
/* The duration in seconds; from the values if the run has no such fact. */
double pyperf_run_duration(const struct pyperf_bench *bench, const struct pyperf_run *run);

static inline bool pyperf_is_warmup(const struct pyperf_bench *bench, uint32_t i)
{
	const struct pk_value_table *t = &bench->suite->p->value;

	return t->warmup && t->warmup[bench->row[i]];
}
static inline double pyperf_value(const struct pyperf_bench *bench, uint32_t i)
{
	return bench->suite->p->value.value[bench->row[i]];
}
/* How often the value or warm-up was executed. */
int64_t pyperf_iterations(const struct pyperf_bench *bench, uint32_t i);

/* Texts of pyperf; of two values, the unit of times is that of the first. */
void pyperf_add_values(struct pk_buf *buf, enum pyperf_unit unit, const char *between,
		       const double *value, int count);
void pyperf_add_value(struct pk_buf *buf, const struct pyperf_bench *bench, double value);
void pyperf_add_seconds(struct pk_buf *buf, double seconds); /* "8.1 sec", "1 min 2.0 sec" */
void pyperf_add_size(struct pk_buf *buf, double bytes);
/* "2^14", "10^6", "3", and with a unit "3 loops" */
void pyperf_add_number(struct pk_buf *buf, int64_t number, const char *unit);
void pyperf_add_real(struct pk_buf *buf, double value); /* as Python prints it */
void pyperf_add_title(struct pk_buf *buf, const char *title, char line);
/* "1.61 us +- 0.74 us"; what was calibrated, if the benchmark has no values. */
void pyperf_add_result(struct pk_buf *buf, const struct pyperf_bench *bench, bool sentence);

/* Appends a blank line if there is text before. */
static inline void pyperf_blank(struct pk_buf *buf)
{
	if (buf->len)
		pk_buf_addc(buf, '\n');
}

void pyperf_add_checks(struct pk_buf *buf, const struct pyperf_bench *bench, bool too_many);
void pyperf_add_stats(struct pk_buf *buf, const struct pyperf_bench *bench);
void pyperf_add_suite_stats(struct pk_buf *buf, const struct pyperf_suite *suite);
void pyperf_add_dump(struct pk_buf *buf, const struct pyperf_bench *bench, bool quiet);
void pyperf_print_hist(struct pk_buf *buf, const struct pyperf_suites *s, bool checks);

struct pyperf_metadata; /* of each benchmark, sorted by key */
struct pyperf_metadata *pyperf_metadata_new(const struct pyperf_suites *s, struct pk_buf *common);
void pyperf_add_metadata(struct pk_buf *buf, const struct pyperf_metadata *m, uint32_t bench);
void pyperf_metadata_free(struct pyperf_metadata *m, const struct pyperf_suites *s);
