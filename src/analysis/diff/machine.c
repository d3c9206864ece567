/* True if results of benchmarks come from the same machine. */
#include <string.h>

#include "analysis/diff/diff.h"

/* Facts of a machine that affect times, as keys of meta (readers/bench.h). The current frequency is
 * not used, because it varies. */
static const struct {
	const char *key, *name;
} facts[] = {
	{"machine.cpu", "CPU"},           {"machine.cpus", "number of CPUs"},
	{"machine.governor", "governor"}, {"machine.power", "power"},
	{"machine.arch", "architecture"}, {"machine.system", "system"},
	{"machine.kernel", "kernel"},     {"machine.runtime", "runtime"},
	{"machine.compiler", "compiler"}, {"machine.library", "library"},
};

/* The first file, of either side, that contradicts the first file with the fact. */
static void add_fact(struct pk_buf *buf, const struct pk_diff *d, const char *key, const char *name)
{
	const char *first = NULL, *where = NULL;

	for (int s = 0; s < PK_SIDES; s++)
		for (uint32_t r = 0; r < d->side[s].runs; r++) {
			const char *value = pk_meta_find(d->match.side[s].given[r], key);

			if (!value)
				continue;
			if (first && strcmp(first, value)) {
				pk_buf_addf(buf, "%s%s ", buf->len ? "; " : "", name);
				pk_buf_add_visible(buf, first);
				pk_buf_addf(buf, " %s, ", where);
				pk_buf_add_visible(buf, value);
				pk_buf_addf(buf, " %s", s ? "after" : "before");
				return;
			}
			first = value;
			where = s ? "after" : "before";
		}
}

void pk_diff_machines(struct pk_buf *buf, const struct pk_diff *d)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		add_fact(buf, d, facts[i].key, facts[i].name);
}
