#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/transform/copy.h"
#include "model/profile.h"

/* Per node: its depth, 1 for roots, 0 for node 0. The caller frees it. */
uint32_t *pk_node_depths(const struct pk_profile *p);
/* The metric of a thread's spans: that of its role (pk_role_metrics) if there is such a metric,
 * otherwise the first time metric; 0 = none. */
uint32_t pk_span_metric(const struct pk_profile *p, uint32_t thread);
/* True if a reader of traces gives this name to a metric of spans: "time", or that of a role. */
bool pk_is_span_metric(const struct pk_profile *p, uint32_t metric);
/* True if the function of some span has a source file. */
bool pk_spans_have_files(const struct pk_profile *p);

/* How the samples of a thread relate to its spans, in the metric of the spans. */
enum pk_span_samples {
	PK_SPAN_SAMPLES_NONE,
	PK_SPAN_SAMPLES_SAME,  /* what the spans say: calls that were read as both */
	PK_SPAN_SAMPLES_OTHER, /* of a sampler: the spans are markers beside them */
};
/* By thread with spans that have a duration: enum pk_span_samples. The caller frees it. */
uint8_t *pk_span_samples(const struct pk_profile *p);

/* ns in the unit of the metric. */
int64_t pk_span_value(const struct pk_profile *p, uint32_t metric, int64_t ns);

/*
 * Finds which span runs when: at every moment it is the span of a thread that began last, so that
 * the times of a thread add up to the time in which any of its spans is open. Spans of threads with
 * samples of another origin (pk_span_samples) cost nothing; samples may be NULL.
 */
struct pk_span_walk {
	const struct pk_profile *p;
	const uint8_t *samples;
	/* The part of the span's time that counts; false: none of it. */
	bool (*cut)(void *data, uint32_t span, int64_t *time, int64_t *duration);
	/* metric: that of the spans of the thread. */
	void (*runs)(void *data, uint32_t span, uint32_t metric, int64_t from, int64_t to);
	void (*begins)(void *data, uint32_t span, uint32_t metric); /* not without a metric */
	void *data;
};
void pk_span_walk(const struct pk_span_walk *walk);

/* Adds the costs of kept spans within the range. The time of other spans is added to the kept one
 * around them; that of spans that are gone is lost. */
void pk_copy_span_costs(struct pk_copy *copy, const bool *kept, const bool *gone,
			const uint8_t *samples);
