/*
 * Which profiler wrote a file of pstats, for pstats.c: told by the marker of a sampled profile, by
 * counts (yappi writes the two the wrong way round, pyinstrument none) and by how functions without
 * source are named:
 *
 *	('~', 0, '<built-in method builtins.len>')	cProfile
 *	('profile', 0, 'profiler')			profile
 *	('builtins', 0, 'len')				yappi
 */
#include "readers/pstats/producer.h"

#include <string.h>

#include "base/text/str.h"

bool pstats_is_module(const char *file)
{
	enum { LONGEST = 256 }; /* of a module's name: many functions may share a long file */

	if (!*file || !strcmp(file, "<built-in>"))
		return true;
	return strnlen(file, LONGEST) < LONGEST && !strpbrk(file, "/\\<>~ ") &&
	       !pk_ends_with(file, ".py") && !pk_ends_with(file, "profile");
}

/* Facts about the writer of the file that follow from calls and primitive calls. */
struct counts {
	bool known, less_primitive, more_primitive;
};

static struct counts look_at_counts(const struct pk_edge_table *t)
{
	struct counts c = {false, false, false};

	for (uint32_t i = 1; i < t->count; i++) {
		if (t->caller[i])
			continue;
		c.known |= t->calls[i] != PK_NULL || t->primitive_calls[i] != PK_NULL;
		if (t->calls[i] == PK_NULL || t->primitive_calls[i] == PK_NULL)
			continue;
		c.less_primitive |= t->primitive_calls[i] < t->calls[i];
		c.more_primitive |= t->primitive_calls[i] > t->calls[i];
	}
	return c;
}

static void swap_counts(const struct pk_edge_table *t)
{
	for (uint32_t i = 1; i < t->count; i++) {
		int64_t calls = t->calls[i];

		if (t->caller[i] || calls == PK_NULL || t->primitive_calls[i] <= calls)
			continue;
		t->calls[i] = t->primitive_calls[i];
		t->primitive_calls[i] = calls;
	}
}

static const char *producer(const struct pk_profile *p, const struct counts *c, bool sampled)
{
	const char *name = NULL;

	if (sampled)
		return "profiling.sampling";
	if (c->more_primitive && !c->less_primitive)
		return "yappi";
	if (!c->known)
		return "pyinstrument";
	for (uint32_t i = 1; i < p->function.count; i++) {
		const char *file = pk_text(p, p->function.file[i]);
		const char *function = pk_text(p, p->function.name[i]);

		if (!p->function.file[i] && pk_starts_with(function, "<built-in function "))
			return "PyPy cProfile";
		if (p->function.line[i])
			continue;
		if (!strcmp(file, "profile") && !strcmp(function, "profiler"))
			return "profile";
		if (!p->function.file[i])
			name = "cProfile";
		else if (!name && *file && *file != '<' && pstats_is_module(file))
			name = "yappi";
	}
	return name;
}

/* Samples of profiling.sampling: self = samples at the top * period. */
static void set_sampled(struct pk_builder *b)
{
	const struct pk_edge_table *t = &pk_builder_profile(b)->edge;

	pk_build_meta(b, "sampled", "yes");
	for (uint32_t i = 1; i < t->count; i++) {
		if (t->caller[i] || t->primitive_calls[i] <= 0 || t->self[i] <= 0)
			continue;
		pk_build_period(b, t->self[i] / t->primitive_calls[i]);
		return;
	}
}

int pstats_finish(struct pk_builder *b, uint32_t metric, bool sampled, bool python2,
		  struct pk_error *err)
{
	const struct pk_profile *p = pk_builder_profile(b);
	struct counts c = look_at_counts(&p->edge);
	const char *who = producer(p, &c, sampled);

	if (c.more_primitive && c.less_primitive &&
	    pk_build_repair_file(b, err, "primitive calls and calls swapped", 1))
		return -1;
	if (c.more_primitive && !c.less_primitive) {
		pk_build_meta(b, "pstats.counts", "swapped");
		pk_build_set(b, run, swapped, 1, true);
	}
	if (c.more_primitive)
		swap_counts(&p->edge);
	if (sampled)
		set_sampled(b);
	if (sampled || (who && !strcmp(who, "pyinstrument")))
		pk_build_set(b, metric, exactness, metric, PK_SAMPLED);
	if (python2)
		pk_build_meta(b, "python", "2");
	if (who)
		pk_build_run_text(b, PK_RUN_PRODUCER, who);
	return 0;
}
