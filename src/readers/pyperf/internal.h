#pragma once

#include <stdint.h>

#include "base/json/json.h"
#include "readers/bench.h"

/* Shared by the files of this folder alone. */

struct fact {
	const char *key, *value; /* texts of the profile */
};

struct facts {
	struct fact *fact;
	size_t count, alloc;
};

struct number { /* a value or warm-up of the benchmark that is read */
	double value;
	int64_t loops; /* of a warm-up; 0: a value */
	uint32_t run;
};

struct pyperf {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_bench bench;
	bool raw_warmups;           /* before version 1.0 */
	struct facts file, of, run; /* of the benchmark and of its runs, one after the other */
	size_t *run_end;            /* by run of the benchmark: where its facts end */
	size_t runs, run_alloc;
	struct number *number;
	size_t numbers, number_alloc;
	uint32_t processes;
	int64_t start, duration; /* PK_NULL; ns */
	uint32_t benchmarks;
	struct pk_buf text;
};

/* Counts something left out or mended at this place. */
int pyperf_mend(struct pyperf *r, const char *what);
/* r->text in the profile, which stays where it is. */
const char *pyperf_keep(struct pyperf *r);
/* The next value, an object, added to the facts. */
int pyperf_read_facts(struct pyperf *r, struct facts *facts);
/* The last fact of this key in fact[from..to); NULL if there is none. */
const char *pyperf_find(const struct facts *facts, size_t from, size_t to, const char *key);
/* A fact of a run of the current benchmark, or of the benchmark or file around it; NULL if there is
 * none. PYPERF_NO_RUN: of no run. */
const char *pyperf_find_of(const struct pyperf *r, size_t run, const char *key);
#define PYPERF_NO_RUN SIZE_MAX
/* Adds the facts about the machine and the tool. */
void pyperf_add_machine(struct pyperf *r);
