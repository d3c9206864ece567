#ifndef PK_SIMULATE_BENCH_H
#define PK_SIMULATE_BENCH_H

/*
 * Files of benchmarks, made up, through the default rules of `profkit check`. Values scatter by
 * about 3 % around their mean, as those of a quiet machine do, in the ways that are seen.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/check/gate.h"
#include "base/alloc.h"
#include "model/build/builder.h"
#include "readers/bench.h"
#include "simulate.h"

enum shape {
	NORMAL,
	SKEWED,     /* never faster than the best, with a tail */
	OUTLIERS,   /* 1 of 10 is up to several times as slow */
	BIMODAL,    /* 3 of 10 are 6 % slower */
	PHASES,     /* the same, which lasts for some values */
	CORRELATED, /* each value depends by half on the one before it */
	DRIFTING,   /* 3 % faster from the first to the last */
	SHAPES
};
static const char *const shape_names[] = {"normal", "skewed",     "outliers", "bimodal",
					  "phases", "correlated", "drifting"};

static void make_values(enum shape shape, double *value, int count)
{
	double memory = normal();
	bool slow = uniform() < 0.3;

	for (int i = 0; i < count; i++) {
		double noise = normal();

		if (shape != PHASES || uniform() < 0.5)
			slow = uniform() < 0.3;
		memory = 0.5 * memory + sqrt(0.75) * noise;
		value[i] = 1;
		if (shape == NORMAL)
			value[i] += 0.03 * noise;
		else if (shape == SKEWED)
			value[i] -= 0.03 * log(uniform());
		else if (shape == OUTLIERS)
			value[i] += 0.01 * noise - (uniform() < 0.1 ? log(uniform()) : 0);
		else if (shape == CORRELATED)
			value[i] += 0.03 * memory;
		else if (shape == DRIFTING)
			value[i] += 0.02 * noise - 0.03 * i / count;
		else
			value[i] += 0.01 * noise + (slow ? 0.06 : 0);
	}
}

/* A file of benchmarks with names "b0", "b1", ...; the first `slow` take 1 + change times as
 * long. */
static struct pk_profile *make_file(enum shape shape, int benchmarks, int values, int slow,
				    double change)
{
	struct pk_builder *b = pk_builder_new();
	PK_FREED double *value = pk_calloc((size_t)values, sizeof(*value));
	struct pk_bench bench;
	uint32_t time;

	pk_bench_begin(&bench, b);
	time = pk_bench_metric(&bench, "time", "ns", PK_METRIC_TIME);
	for (int i = 0; i < benchmarks; i++) {
		char name[16];
		uint32_t node;

		snprintf(name, sizeof(name), "b%d", i);
		node = pk_bench_row(&bench, name, NULL, NULL);
		make_values(shape, value, values);
		for (int k = 0; k < values; k++)
			pk_bench_value(&bench, node, time,
				       value[k] * 1e-3 * (i < slow ? 1 + change : 1));
	}
	pk_bench_end(&bench);
	return pk_builder_finish(b);
}

/* What the default rules say of two files: benchmarks that fail, of the slow ones and of others. */
struct checked {
	int found, wrong;
};

static struct checked check_files(enum shape shape, int benchmarks, int values, int slow,
				  double change)
{
	struct pk_profiles list[PK_SIDES] = {{0}, {0}};
	struct pk_diff_options options = {0};
	struct pk_gate_options gate_options = pk_gate_defaults;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_rules rules = {0};
	struct checked checked = {0, 0};
	const struct pk_diff *of_rule[1];
	struct pk_gate gate;
	struct pk_diff d;

	pk_profiles_add(&list[PK_BEFORE], make_file(shape, benchmarks, values, 0, 0));
	pk_profiles_add(&list[PK_AFTER], make_file(shape, benchmarks, values, slow, change));
	if (pk_diff_init(&d, &list[PK_BEFORE], &list[PK_AFTER], &options, &err))
		pk_die("%s", err.text);
	pk_gate_judge(&d, &gate_options);
	pk_gate_default_rules(&rules, &d, NULL, PK_SELF);
	of_rule[0] = &d;
	gate_options.of_rule = of_rule;
	if (rules.count != 1 || pk_gate_init(&gate, &rules, &d, NULL, &gate_options, &err))
		pk_die("%s", err.text);
	for (size_t i = 0; i < gate.count; i++) {
		const struct pk_gate_finding *f = &gate.finding[i];
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d.match, f->row, &id);

		if (f->verdict != PK_GATE_FAIL)
			continue;
		if (atoi(pk_text(p, p->function.name[id]) + 1) < slow)
			checked.found++;
		else
			checked.wrong++;
	}
	pk_gate_release(&gate);
	pk_rules_release(&rules);
	pk_diff_release(&d);
	pk_profiles_release(&list[PK_BEFORE]);
	pk_profiles_release(&list[PK_AFTER]);
	return checked;
}

#endif
