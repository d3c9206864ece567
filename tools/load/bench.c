/* The table of benchmarks that hotspots and the summary show: see bench.h. */
#include "tools/load/bench.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/bench/bound.h"
#include "base/num/units.h"
#include "readers/bench.h"
#include "render/bench/grid.h"
#include "render/tables.h"
#include "tools/table.h"

struct members {
	const struct pk_loaded *loaded;
	const struct pk_bench_table *table;
	uint32_t metric;
};

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct members *m = data;

	pk_write_inputs(w, &m->loaded->runs);
	pk_write_metric(w, m->loaded->one, m->metric);
	pk_json_put_int(w, "rows_total", m->table->count);
}

/* "machine: AMD EPYC, 2 CPUs, 2445 MHz, Linux 6.1.0, CPython 3.11.7"; nothing if it is not
 * known. */
static void add_machine(struct pk_buf *title, const struct pk_profile *p)
{
	static const struct {
		enum pk_bench_machine what;
		const char *format;
	} parts[] = {{PK_BENCH_CPU, ", %s"},     {PK_BENCH_CPUS, ", %s CPUs"},
		     {PK_BENCH_MHZ, ", %s MHz"}, {PK_BENCH_SYSTEM, ", %s"},
		     {PK_BENCH_KERNEL, " %s"},   {PK_BENCH_RUNTIME, ", %s"},
		     {PK_BENCH_LIBRARY, ", %s"}};
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *value = pk_meta_find(p, pk_bench_machine_keys[parts[i].what]);
		PK_BUF_AUTO shown = PK_BUF_INIT;

		if (!value)
			continue;
		pk_buf_add_visible(&shown, value);
		pk_buf_addf(&text,
			    text.len || *parts[i].format == ' ' ? parts[i].format
								: parts[i].format + 2,
			    shown.data);
	}
	if (text.len)
		pk_buf_addf(title, "machine: %s\n", text.data);
}

/* Adds what bounds each program, if user and system time are known, and whether runs failed. */
static void add_bounds(struct pk_buf *title, const struct pk_bench_table *t)
{
	enum { MOST = 5 };
	struct pk_benchmarks list;
	struct pk_bound bound;
	uint32_t i;

	pk_benchmarks_init(&list, t->list.profile, 0);
	for (i = 0; i < t->count && i < MOST; i++) {
		uint32_t node = t->line[i].row->node;

		if (!pk_bench_bound(&list, node, &bound))
			continue;
		if (t->count > 1) {
			pk_buf_add_visible(
				title,
				pk_text(list.profile,
					list.profile->function
						.name[pk_node_function(list.profile, node)]));
			pk_buf_adds(title, ": ");
		}
		pk_bound_words(title, &bound);
	}
	pk_benchmarks_release(&list);
}

static void make_title(struct pk_buf *title, const struct members *m, bool summary)
{
	const struct pk_profile *p = m->loaded->one;
	const struct pk_bench_table *t = m->table;
	uint32_t more = p->metric.count - 2;

	pk_table_inputs(title, &m->loaded->runs);
	pk_buf_addf(title, ": %s of %s benchmark%s", pk_text(p, p->metric.name[m->metric]),
		    pk_in_count(t->count).text, t->count == 1 ? "" : "s");
	if (t->groups > 1)
		pk_buf_addf(title, " in %u groups", t->groups);
	if (more)
		pk_buf_addf(title, " (%u more metric%s: -m)", more, more == 1 ? "" : "s");
	if (summary && p->run.producer[1])
		pk_buf_addf(title, ", by %s", pk_text(p, p->run.producer[1]));
	pk_buf_addc(title, '\n');
	if (!summary)
		return;
	add_machine(title, p);
	add_bounds(title, t);
}

static void make_footer(struct pk_buf *footer, const struct pk_bench_table *t, uint32_t shown)
{
	const char *mean = pk_meta_find(t->list.profile, "mean");
	uint32_t without = t->list.summaries;

	if (shown < t->count)
		pk_buf_addf(footer, "… %s more benchmark%s; --limit 0 shows all\n",
			    pk_in_count(t->count - shown).text, t->count - shown == 1 ? "" : "s");
	if (without && without == t->list.count)
		pk_buf_adds(footer, "the file has no values, only statistics of them: differences "
				    "cannot be tested\n");
	else if (without)
		pk_buf_addf(footer,
			    "%u benchmark%s no values, only statistics: differences cannot be "
			    "tested\n",
			    without, without == 1 ? " has" : "s have");
	if (without && mean)
		pk_buf_addf(footer, "the mean is %s\n", mean);
}

/* For brief text: the number of means that say little, because the values vary. */
static void add_spread(struct pk_buf *footer, const struct pk_bench_table *t)
{
	const double much = 0.1;
	const struct pk_benchmark *worst = NULL;
	uint32_t count = 0;
	double most = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		struct pk_bench_stats stats;
		double spread;

		pk_bench_describe(&t->list, t->line[i].row, &stats);
		spread = stats.mean > 0 ? stats.stddev / stats.mean : 0;
		if (!(spread > much))
			continue;
		count++;
		if (spread > most) {
			most = spread;
			worst = t->line[i].row;
		}
	}
	if (!worst)
		return;
	pk_buf_addf(
		footer,
		"uncertain: the values of %u of %u benchmarks vary by more than 10%% of the mean "
		"(standard deviation), most those of ",
		count, t->count);
	pk_buf_add_visible(footer,
			   pk_text(t->list.profile, pk_node_name(t->list.profile, worst->node)));
	pk_buf_addf(footer, ", by %s\n", pk_in_percent(most).text);
}

static int show(const struct pk_common *c, struct members *m, const struct pk_bench_show *how,
		struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "benchmarks", .members = write_members, .data = m};
	bool people = pk_notation_is_for_people(pk_common_notation(c));
	uint32_t rows = (uint32_t)pk_common_rows(c, m->table->count);
	struct pk_common common = *c;
	struct pk_grid grid;

	if (pk_bench_grid(&grid, m->table, rows, people, c->unit, err)) {
		pk_grid_release(&grid);
		return -1;
	}
	common.unit = NULL; /* it was used */
	make_title(&frame.title, m, how->hints != NULL);
	make_footer(&frame.footer, m->table, rows);
	if (pk_common_notation(c) == PK_BRIEF)
		add_spread(&frame.footer, m->table);
	if (how->hints)
		how->hints(&frame.footer, how->files);
	return pk_show_grid(&common, &grid, &frame, err);
}

int pk_show_benchmarks(const struct pk_common *c, const struct pk_loaded *loaded,
		       const struct pk_bench_show *how, struct pk_error *err)
{
	struct pk_bench_options options = {
		.sort = c->sort, .reverse = c->reverse, .match = how->match};
	struct members members = {.loaded = loaded};
	struct pk_bench_table table;
	int status;

	if (pk_common_metric(c, loaded->one, &members.metric, err))
		return -1;
	if (c->min_share > 0)
		return pk_fail(err, PK_EUSAGE,
			       "--min-share: means of benchmarks do not add up to a whole");
	if (pk_bench_table_init(&table, loaded->one, members.metric, &options, err))
		return -1;
	if (!table.count && how->match)
		pk_note(c, "--match matches no benchmark");
	members.table = &table;
	status = show(c, &members, how, err);
	pk_bench_table_release(&table);
	return status;
}

int pk_show_like_pytest_benchmark(const struct pk_common *c,
				  struct pk_pytest_benchmark_params params, int argc, char **argv,
				  struct pk_error *err)
{
	enum pk_notation notation = pk_common_notation(c);
	struct pk_output *out;
	struct pk_profiles runs;
	int status = -1;

	if (notation > PK_CSV || c->reverse || c->limit.given || c->min_share > 0)
		return pk_fail(err, PK_EUSAGE,
			       "--like pytest-benchmark is text or csv of all benchmarks: without "
			       "--format "
			       "%s, --reverse, --limit and --min-share",
			       pk_notations[notation > PK_CSV ? notation : PK_JSON]);
	if (c->unit && strcmp(c->unit, "ns") != 0 && strcmp(c->unit, "us") != 0 &&
	    strcmp(c->unit, "ms") != 0 && strcmp(c->unit, "s") != 0)
		return pk_fail(err, PK_EUSAGE,
			       "--unit: '%s' is not a unit of time; use ns, us, ms or s", c->unit);
	params.sort = c->sort;
	params.unit = c->unit;
	params.csv = notation == PK_CSV;
	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	for (size_t i = 0; i < runs.count; i++) {
		const struct pk_profile *p = runs.item[i];

		if (pk_is_benchmark(p) && p->metric.kind[1] == PK_METRIC_TIME)
			continue;
		pk_fail(err, PK_EUSAGE, "'%s' has no times of benchmarks",
			pk_text(p, p->run.source[1]));
		pk_profiles_release(&runs);
		return -1;
	}
	out = pk_output_open(c->output, err);
	if (out && !pk_pytest_benchmark_print(&runs, &params, out, err))
		status = pk_output_commit(out, err);
	else if (out)
		pk_output_discard(out);
	pk_profiles_release(&runs);
	return status;
}

static void note_lone_metrics(const struct pk_common *c, const struct pk_profile *p,
			      const struct pk_profile *other)
{
	enum { MOST = 3 };
	PK_BUF_AUTO names = PK_BUF_INIT;
	uint32_t found = 0;

	for (uint32_t m = 1; m < p->metric.count; m++) {
		const char *name = pk_text(p, p->metric.name[m]);

		if (pk_metric_find(other, name) || found++ >= MOST)
			continue;
		pk_buf_addf(&names, "%s%s", names.len ? ", " : "", name);
	}
	if (found > MOST)
		pk_buf_addf(&names, " and %" PRIu32 " more", found - MOST);
	if (found)
		pk_note(c, "not compared: %s, which '%s' does not have", names.data,
			pk_text(other, other->run.source[1]));
}

void pk_note_lone_metrics(const struct pk_common *c, const struct pk_profile *before,
			  const struct pk_profile *after)
{
	if (!pk_is_benchmark(before) || !pk_is_benchmark(after) || c->metric)
		return;
	note_lone_metrics(c, before, after);
	note_lone_metrics(c, after, before);
}
