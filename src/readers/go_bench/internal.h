#pragma once

#include "readers/bench.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

/* Shared by the files of the reader alone. */

/* Configurations are parts of names and arguments, so that there must be a limit. */
enum { GO_MOST_KEYS = 64, GO_MOST_CONFIG = 4096 };

struct go_setting { /* a line KEY: VALUE, both strings */
	uint32_t key, value;
};

struct go_unit { /* as the file writes it */
	uint32_t metric;
	double factor;
};

struct go_output {        /* of a package, in events */
	uint32_t package; /* string */
	struct pk_buf text;
};

struct go_bench {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_bench bench;
	uint64_t number;
	const char *package; /* whose output events are read; NULL = a text is read */
	struct go_setting setting[GO_MOST_KEYS];
	size_t settings, keys;      /* keys: of all settings so far */
	uint32_t key[GO_MOST_KEYS]; /* strings */
	uint32_t config;            /* string: all of them; 0 = they changed */
	uint32_t *first;            /* by function: its first configuration, a string */
	size_t first_alloc;
	struct go_unit *unit;
	size_t units, units_alloc;
	struct pk_id_map unit_of; /* by name: its place, from 1 */
	uint32_t name, node;      /* of the last result; 0 = the configuration changed */
	size_t results;
	struct go_output *output;
	size_t outputs, outputs_alloc;
	struct pk_id_map output_of; /* by package, a string: its place, from 1 */
};

struct go_field {
	const char *text;
	size_t len;
};

/* A line KEY: VALUE; an empty value ends the key. False: beyond the limits, and ignored. */
bool pk_go_bench_set(struct go_bench *g, struct go_field key, struct go_field value);
/* The benchmark of this name, a string, under the current configuration. */
uint32_t pk_go_bench_row(struct go_bench *g, uint32_t name);
