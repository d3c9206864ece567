/*
 * How often `profkit check` fails without a change, and how often it finds a change: simulated
 * runs, through matching, tests and the default rules.
 *
 *	sim_check [--parts] [REPETITIONS [SEED]]
 *
 * With --parts the runs of each side are reduced to a part, and parts are compared; then each
 * hundredth run takes three times as long in some cases (stragglers).
 *
 * A program of 300 functions, of sizes log-normal around 1 ms. A run has a machine, whose
 * speed is log-normal (sd 10 %) and the same for all functions, and noise for each function
 * (sd log-uniform from 1 to 10 %, drawn once for the function). After the change three functions,
 * drawn anew each time, are slower. The three are never among the smallest: those that the rules
 * do not look at cannot be found.
 *
 * Printed for each number of runs a side and each change: power, the share of the three that
 * fail the check; false, the share of checks that blame any other function; alarm, the share that
 * fail where nothing changed (any rule, the total included).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/gate.h"
#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/transform/transform.h"
#include "simulate.h"

enum { FUNCTIONS = 300, SLOW = 3 };

static bool parts;
static double stragglers; /* share of runs */

struct program {
	double size[FUNCTIONS], noise[FUNCTIONS];
	int slow[SLOW];
};

static void make_program(struct program *p)
{
	for (int f = 0; f < FUNCTIONS; f++) {
		p->size[f] = 1e6 * exp(normal());
		p->noise[f] = 0.01 * pow(10, uniform());
	}
	for (int i = 0; i < SLOW; i++) {
		bool taken;

		do {
			p->slow[i] = (int)(uniform() * FUNCTIONS);
			taken = p->size[p->slow[i]] < 0.4e6;
			for (int k = 0; k < i; k++)
				taken |= p->slow[k] == p->slow[i];
		} while (taken);
	}
}

static bool is_slow(const struct program *p, int function)
{
	return function == p->slow[0] || function == p->slow[1] || function == p->slow[2];
}

static struct pk_profile *make_run(const struct program *p, double change)
{
	struct pk_builder *b = pk_builder_new();
	double machine = exp(0.1 * normal()) * (uniform() < stragglers ? 3 : 1);

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	for (int f = 0; f < FUNCTIONS; f++) {
		double time = p->size[f] * machine * exp(p->noise[f] * normal());
		struct pk_function function = {0};
		char name[16];

		snprintf(name, sizeof(name), "f%d", f);
		function.name = pk_build_text(b, name);
		time *= is_slow(p, f) ? 1 + change : 1;
		pk_build_cost(
			b, 0,
			pk_build_node(b, 0, pk_build_place(b, pk_build_function(b, &function), 0)),
			1, (int64_t)time, PK_NULL);
	}
	return pk_builder_finish(b);
}

struct outcome {
	int found;
	bool false_alarm, failed;
};

static void look(const struct program *p, const struct pk_gate *gate, struct outcome *o)
{
	*o = (struct outcome){.failed = gate->verdict == PK_GATE_FAIL};
	for (size_t i = 0; i < gate->count; i++) {
		const struct pk_gate_finding *f = &gate->finding[i];
		const struct pk_profile *profile;
		uint32_t frame;
		int function;

		if (f->verdict != PK_GATE_FAIL || !f->row)
			continue;
		profile = pk_match_profile(&f->diff->match, f->row, &frame);
		function = atoi(pk_text(profile, profile->function.name[frame]) + 1);
		if (is_slow(p, function))
			o->found++;
		else
			o->false_alarm = true;
	}
}

static void reduce(struct pk_profiles *list)
{
	struct pk_merging *merging = pk_merge_begin_part();
	struct pk_error err = PK_ERROR_INIT;

	if (pk_merge_add_all(merging, list, &err))
		pk_die("%s", err.text);
	pk_profiles_release(list);
	pk_profiles_add(list, pk_merge_end(merging));
}

static void check_once(const struct program *p, int runs, double change, struct outcome *o)
{
	struct pk_diff_options diff_options = {0};
	struct pk_gate_options options = pk_gate_defaults;
	struct pk_profiles list[PK_SIDES] = {{0}, {0}};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_rules rules = {0};
	struct pk_gate gate;
	struct pk_diff d;

	options.least = 0.0001; /* of 300 functions each is a small part */
	for (int s = 0; s < PK_SIDES; s++) {
		for (int r = 0; r < runs; r++)
			pk_profiles_add(&list[s], make_run(p, s == PK_AFTER ? change : 0));
		if (parts)
			reduce(&list[s]);
	}
	if (pk_diff_init(&d, &list[PK_BEFORE], &list[PK_AFTER], &diff_options, &err))
		pk_die("%s", err.text);
	pk_gate_judge(&d, &options);
	pk_gate_default_rules(&rules, &d, NULL, PK_SELF);
	if (pk_gate_init(&gate, &rules, &d, NULL, &options, &err))
		pk_die("%s", err.text);
	look(p, &gate, o);
	pk_gate_release(&gate);
	pk_rules_release(&rules);
	pk_diff_release(&d);
	pk_profiles_release(&list[PK_BEFORE]);
	pk_profiles_release(&list[PK_AFTER]);
}

static void simulate(int runs, double change, int repetitions)
{
	int found = 0, wrong = 0, alarms = 0;
	struct program p;
	struct outcome o;

	for (int i = 0; i < repetitions; i++) {
		make_program(&p);
		check_once(&p, runs, change, &o);
		found += o.found;
		wrong += o.false_alarm;
		check_once(&p, runs, 0, &o);
		alarms += o.failed;
	}
	printf("%2d+%-2d  %+4.0f %%  power %.3f  false %.3f  alarm %.3f\n", runs, runs,
	       change * 100, (double)found / (SLOW * repetitions), (double)wrong / repetitions,
	       (double)alarms / repetitions);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int repetitions;

	parts = argc > 1 && !strcmp(argv[1], "--parts");
	argc -= parts;
	argv += parts;
	repetitions = argc > 1 ? atoi(argv[1]) : 200;
	chance = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261;
	if (repetitions < 1 || !chance) {
		fputs("usage: sim_check [--parts] [REPETITIONS [SEED]]\n", stderr);
		return 2;
	}
	simulate(5, 0.2, repetitions);
	simulate(5, 0.5, repetitions);
	simulate(10, 0.2, repetitions);
	simulate(10, 0.1, repetitions);
	if (!parts)
		return 0;
	simulate(20, 0.2, repetitions);
	simulate(20, 0.1, repetitions);
	simulate(100, 0.1, repetitions);
	stragglers = 0.01;
	puts("each hundredth run takes three times as long:");
	simulate(20, 0.2, repetitions);
	simulate(100, 0.1, repetitions);
	return 0;
}
