/* Writes lists for manual pages: columns of results, formats, tables and functions of SQL. */
#include "tools/help/manual.h"

#include <stdlib.h>
#include <string.h>

#include "tools/option.h"
#include "render/bench/grid.h"
#include "render/diff_grid.h"
#include "render/gpu/critical.h"
#include "render/gpu/rank_path.h"
#include "render/gpu/diff.h"
#include "render/gpu/grid.h"
#include "render/lines/grid.h"
#include "render/memory/grid.h"
#include "render/ops/grid.h"
#include "render/tables.h"
#include "render/workers/grid.h"
#include "store/functions.h"
#include "store/schema_sql.h"
#include "render/check/check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *name;
	const struct pk_grid_columns *columns;
} grids[] = {
	{"benchmarks", &pk_bench_columns},
	{"callers", &pk_callers_columns},
	{"callgraph", &pk_callgraph_columns},
	{"check", &pk_check_columns},
	{"diff", &pk_diff_columns},
	{"diff --view tree", &pk_diff_tree_columns},
	{"formats", &pk_formats_columns},
	{"formats FROM TO", &pk_formats_fate_columns},
	{"gpu", &pk_gpu_columns},
	{"gpu --critical-path", &pk_critical_columns},
	{"gpu --what-if", &pk_what_if_columns},
	{"gpu --view communication", &pk_gpu_communication_columns},
	{"gpu --view copies", &pk_gpu_copy_columns},
	{"gpu --view idle", &pk_gpu_idle_columns},
	{"gpu --view kernels", &pk_gpu_kernel_columns},
	{"gpu --view launches", &pk_gpu_launch_columns},
	{"gpu --view overlap", &pk_gpu_overlap_columns},
	{"gpu --view queue", &pk_gpu_queue_columns},
	{"gpu --view ranks", &pk_gpu_rank_columns},
	{"gpu --view sequences", &pk_gpu_sequence_columns},
	{"gpu --view flops", &pk_gpu_flop_columns},
	{"gpu --view distribution", &pk_gpu_distribution_columns},
	{"gpu --critical-path of ranks", &pk_ranks_columns},
	{"gpu --view memory", &pk_gpu_memory_columns},
	{"gpu --diff", &pk_gpu_diff_columns},
	{"history", &pk_history_columns},
	{"hotspots", &pk_hotspots_columns},
	{"hotspots --by-worker", &pk_hotspot_worker_columns},
	{"hotspots --stats", &pk_hotspot_stat_columns},
	{"hotspots of a part", &pk_hotspot_run_columns},
	{"lines", &pk_lines_columns},
	{"lines of two sides", &pk_lines_diff_columns},
	{"memory", &pk_memory_columns},
	{"ops", &pk_ops_columns},
	{"store list", &pk_store_columns},
	{"tree", &pk_call_tree_columns},
	{"workers", &pk_workers_columns},
	{"workers --by task", &pk_async_columns},
	{"workers --functions", &pk_worker_function_columns},
	{"workers --scaling", &pk_scaling_columns},
};

bool pk_manual_columns(struct pk_doc *d, const char *name)
{
	PK_BUF_AUTO term = PK_BUF_INIT, text = PK_BUF_INIT;
	size_t i = 0;

	while (i < COUNT(grids) && strcmp(grids[i].name, name) != 0)
		i++;
	for (int c = 0; i < COUNT(grids) && c < grids[i].columns->count; c++) {
		const struct pk_grid_column *column = &grids[i].columns->column[c];

		if (!column->key)
			continue;
		d->failed |= !column->help;
		term.len = text.len = 0;
		pk_buf_addf(&term, "`%s`", column->key);
		pk_buf_addf(&text, "%s.", column->help ? column->help : "");
		pk_doc_item(d, term.data, text.data);
	}
	return i < COUNT(grids);
}

static void write_direction(struct pk_doc *d, const char *verb, const char *const *suffixes,
			    unsigned parts)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, "%s: ", verb);
	pk_format_parts(&text, parts);
	if (!parts)
		pk_buf_adds(&text, "functions and their values");
	if (suffixes && suffixes[0]) {
		pk_buf_adds(&text, ". Suffixes: ");
		pk_format_suffixes(&text, suffixes);
	}
	pk_buf_addc(&text, '.');
	pk_doc_paragraph(d, text.data);
}

static void write_options(struct pk_doc *d, const char *when, const struct pk_opt *opts)
{
	PK_BUF_AUTO term = PK_BUF_INIT, text = PK_BUF_INIT;

	if (!opts || opts->type == PK_OPT_END)
		return;
	pk_buf_addf(&text, "Options (`-O`) when %s:", when);
	pk_doc_paragraph(d, text.data);
	for (const struct pk_opt *opt = opts; opt->type != PK_OPT_END; opt++) {
		if (opt->type == PK_OPT_GROUP)
			continue;
		term.len = text.len = 0;
		pk_buf_addf(&term, "`%s=`%s", opt->name,
			    opt->type == PK_OPT_FLAG ? "yes|no"
			    : opt->arg               ? opt->arg
						     : "TEXT");
		pk_option_help(&text, opt);
		pk_doc_end_sentence(&text);
		pk_doc_item(d, term.data, text.data);
	}
}

void pk_manual_format(struct pk_doc *d, const struct pk_format *f)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_doc_subsection(d, f->name);
	pk_buf_addf(&text, "%s.", f->title);
	if (!f->writer)
		pk_buf_adds(&text, " Only read.");
	if (!f->reader)
		pk_buf_adds(&text, " Only written.");
	pk_doc_paragraph(d, text.data);
	if (f->reader)
		write_direction(d, "Read", f->reader->suffixes, f->reader->keeps);
	if (f->writer)
		write_direction(d, "Written", f->writer->suffixes,
				f->writer->keeps | pk_writer_keeps_some(f->writer));
	if (f->reader)
		write_options(d, "reading", f->reader->opts);
	if (f->writer)
		write_options(d, "writing", f->writer->opts);
}

void pk_manual_formats(struct pk_doc *d)
{
	size_t count;
	struct pk_format *formats = pk_formats(&count);

	for (size_t i = 0; i < count; i++)
		pk_manual_format(d, &formats[i]);
	free(formats);
}

static const char *type_name(const struct pk_column *c)
{
	static const char *const names[] = {
		[PK_COL_TEXT] = "id of a string", [PK_COL_REF] = "id",
		[PK_COL_REAL] = "real",           [PK_COL_ENUM] = "text",
		[PK_COL_NUMBERS] = "text",        [PK_COL_BYTES] = "text",
		[PK_COL_U8] = "integer",          [PK_COL_U32] = "integer",
		[PK_COL_U64] = "integer",         [PK_COL_I64] = "integer",
	};

	return names[c->type];
}

static void write_column(struct pk_doc *d, const struct pk_column *c)
{
	PK_BUF_AUTO text = PK_BUF_INIT, term = PK_BUF_INIT;

	pk_buf_addf(&term, "`%s` (%s", c->name, type_name(c));
	if (c->type == PK_COL_REF)
		pk_buf_addf(&term, " of a %s", pk_tables[c->target].name);
	pk_buf_addc(&term, ')');
	pk_buf_adds(&text, c->help);
	for (int n = 0; c->type == PK_COL_ENUM && c->names[n]; n++)
		pk_buf_addf(&text, "%s%s", n ? ", " : ": ", c->names[n]);
	pk_doc_end_sentence(&text);
	pk_doc_item(d, term.data, text.data);
}

static void write_table(struct pk_doc *d, const struct pk_table *t)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_doc_subsection(d, t->name);
	pk_buf_adds(&text, t->help);
	pk_doc_end_sentence(&text);
	pk_doc_paragraph(d, text.data);
	pk_doc_item(d, "`run` (integer)", "Number of the run.");
	if (t->has_id)
		pk_doc_item(d, "`id` (integer)", "Number of the row, from 1 in every run.");
	for (int i = 0; i < t->column_count; i++)
		write_column(d, &t->columns[i]);
}

void pk_manual_tables(struct pk_doc *d)
{
	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++)
		write_table(d, pk_sql_table(i));
}

void pk_manual_views(struct pk_doc *d)
{
	PK_BUF_AUTO term = PK_BUF_INIT, text = PK_BUF_INIT;

	for (int i = 0; i < PK_SQL_VIEW_COUNT; i++) {
		term.len = text.len = 0;
		pk_buf_addf(&term, "`%s`(%s)", pk_sql_view_name(i), pk_sql_view_columns(i));
		pk_buf_adds(&text, pk_sql_view_help(i));
		pk_doc_end_sentence(&text);
		pk_doc_item(d, term.data, text.data);
	}
}

void pk_manual_functions(struct pk_doc *d)
{
	PK_BUF_AUTO term = PK_BUF_INIT;

	for (int i = 0; pk_sql_functions[i].call; i++) {
		term.len = 0;
		pk_buf_addf(&term, "`%s`", pk_sql_functions[i].call);
		pk_doc_item(d, term.data, pk_sql_functions[i].help);
	}
}
