#pragma once

#include "base/json/json.h"
#include "readers/rocpd/internal.h"

/* The reader of rocprofv3's JSON: see json.c. */

struct rocpd_operations { /* of a kind: rows of n.texts, from `first` in a list of all */
	uint32_t kind, first, count;
};

struct rocpd_json {
	struct rocpd *r;
	struct pk_json j;
	struct pk_buf text;
	int64_t global;            /* the process */
	struct pk_id_map messages; /* strings */
	bool failed;               /* at a number, with --strict */
	struct rocpd_operations *kind;
	uint32_t *operation;
	uint32_t kind_count, kind_alloc, operation_count, operation_alloc;
};

/* A whole number of 64 bits, or 2^64 less if it is above 2^63, as ids may be; PK_NULL: the value is
 * not a number. A longer one is counted and PK_NULL. */
int64_t rocpd_json_int(struct rocpd_json *x);

/* record.c: the lists of records */
int rocpd_read_records(struct rocpd_json *x);
