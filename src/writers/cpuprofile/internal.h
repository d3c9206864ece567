#pragma once

#include "base/json/write.h"
#include "model/profile.h"
#include "writers/writer.h"

/* Shared by the files of this writer. */
enum { CPU_ROOT = 1 };

struct cpu_sample {
	uint32_t id;
	int64_t value;
};

struct cpu_out {
	const struct pk_profile *p;
	struct pk_json_writer json;
	uint32_t metric;
	bool timed; /* samples have their times */
	bool cut;

	/* Nodes of the file, by id; those of the profile that differ by line alone are one. */
	uint32_t *id;                    /* by node of the profile */
	uint32_t *child, *next, *parent; /* ids; child: the first */
	uint32_t *node;                  /* of the profile: one of those that it stands for */
	uint32_t *labels; /* set of them all + 1; 0 = no cost, UINT32_MAX = several */
	int64_t *hits;
	uint32_t nodes;

	struct cpu_sample *sample;
	size_t samples, sample_alloc;
	int64_t first, end; /* units of the metric since startTime */
};

/* nodes.c */
void cpu_make_nodes(struct cpu_out *w);
void cpu_put_nodes(struct cpu_out *w);
void cpu_release_nodes(struct cpu_out *w);
unsigned cpu_keeps_labels(const struct pk_profile *p);
