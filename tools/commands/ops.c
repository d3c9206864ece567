/* profkit ops: operators of a trace of torch.profiler or JAX. */
#include <stddef.h>
#include <string.h>

#include "analysis/gpu/waits.h"
#include "analysis/ops/ops.h"
#include "base/num/units.h"
#include "tools/command.h"
#include "render/ops/grid.h"
#include "render/tables.h"
#include "render/ops/torch.h"

enum { LIKE_PROFKIT, LIKE_TORCH };
static const char *const likes[] = {"profkit", "torch", NULL};

struct ops_params {
	struct pk_common common;
	bool by_shape, by_overload;
	int64_t by_stack, name_width;
	const char *category, *step;
	int like;
};

struct shown {
	const struct pk_profiles *runs;
	const struct pk_ops *ops;
	const struct pk_gpu_waits *waits;
	const struct ops_params *params;
};

/* Calls put for each column that the trace has no data for. */
static void each_missing(const struct shown *s, void (*put)(void *data, const char *what),
			 void *data)
{
	const struct pk_ops *ops = s->ops;

	if (!ops->rules.version) {
		put(data, "memory, shapes and FLOPs (no trace of torch)");
		return;
	}
	if (!ops->has_device)
		put(data, "device times (nothing ran on a device)");
	if (!ops->has_memory[PK_OPS_CPU] && !ops->has_memory[PK_OPS_DEVICE])
		put(data, "memory (needs profile_memory=True)");
	if (!ops->has_flops)
		put(data, "FLOPs (needs with_flops=True)");
	if (s->params->by_shape && !ops->has_shapes)
		put(data, "input shapes (needs record_shapes=True)");
	if (s->params->by_stack && !ops->has_stacks)
		put(data, "stacks (need with_stack=True and the experimental verbose=True)");
	if (s->params->by_overload && !ops->has_overloads)
		put(data, "overload names (need the experimental capture_overload_names=True)");
	if (ops->rules.microseconds)
		put(data, "times below 1 us: CPU total may be up to 1 us per call too high, and "
			  "CPU self off by the time of a call");
	if (ops->unknown_names)
		put(data, "names with other characters than ASCII: they are exported as unknown");
}

static void add_missing(void *data, const char *what)
{
	struct pk_buf *buf = data;

	pk_buf_addf(buf, "%s%s", buf->len ? "; " : "", what);
}

static void write_missing(void *data, const char *what)
{
	pk_json_text(data, what);
}

static void write_version(struct pk_json_writer *w, const struct pk_torch_rules *rules)
{
	PK_BUF_AUTO version = PK_BUF_INIT;

	if (rules->version)
		pk_buf_addf(&version, "%d.%d", rules->version / 100, rules->version % 100);
	pk_json_put_text(w, "torch", version.data);
}

static void write_list(struct pk_json_writer *w, const char *key, const struct pk_gpu_waits *waits,
		       const struct pk_gpu_wait_list *list)
{
	pk_json_put_array(w, key);
	for (uint32_t i = 0; i < list->count; i++) {
		const struct pk_gpu_wait *item = &list->item[i];

		pk_json_put(w, "{name %s calls %jd time %jd}",
			    item->name ? pk_text(waits->profile, item->name) : NULL, item->calls,
			    item->time);
	}
	pk_json_end(w);
}

static void write_waits(struct pk_json_writer *w, const struct pk_gpu_waits *waits)
{
	pk_json_put_object(w, "waits");
	pk_json_put(w, "calls %jd time %jd idle %jd", waits->calls, waits->time, waits->idle);
	write_list(w, "by_call", waits, &waits->call);
	write_list(w, "by_operator", waits, &waits->op);
	write_list(w, "meanwhile", waits, &waits->meanwhile);
	pk_json_end(w);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct shown *s = data;

	pk_write_inputs(w, s->runs);
	write_version(w, &s->ops->rules);
	pk_json_put(w, "total %jd device_total %jd rows_total %u", s->ops->cpu_self,
		    s->ops->has_device ? s->ops->device_self : PK_NULL, s->ops->count);
	pk_json_put_array(w, "missing");
	each_missing(s, write_missing, w);
	pk_json_end(w);
	write_waits(w, s->waits);
}

static void make_title(struct pk_buf *title, const struct shown *s)
{
	const struct pk_profile *p = s->ops->profile;

	pk_buf_add_visible(title, pk_text(p, p->run.source[1]));
	pk_buf_addf(title, " (%s", pk_text(p, p->run.format[1]));
	if (p->run.producer[1])
		pk_buf_addf(title, ", %s", pk_text(p, p->run.producer[1]));
	pk_buf_addf(title, "): CPU time %s", pk_in_ns(s->ops->cpu_self).text);
	if (s->ops->has_device)
		pk_buf_addf(title, ", device time %s", pk_in_ns(s->ops->device_self).text);
	pk_buf_addf(title, ", %s row%s\n", pk_in_count(s->ops->count).text,
		    s->ops->count == 1 ? "" : "s");
}

static void make_footer(struct pk_buf *footer, const struct shown *s, size_t rows)
{
	PK_BUF_AUTO missing = PK_BUF_INIT;

	if (rows < s->ops->count)
		pk_buf_addf(footer, "… %s more; --limit 0 shows all\n",
			    pk_in_count((int64_t)(s->ops->count - rows)).text);
	pk_gpu_waits_line(footer, s->waits);
	each_missing(s, add_missing, &missing);
	if (missing.len)
		pk_buf_addf(footer, "not in this trace: %s\n", missing.data);
}

static int show(struct shown *s, struct pk_error *err)
{
	const struct pk_common *c = &s->params->common;
	struct pk_grid_frame frame = {.schema = "ops", .members = write_members, .data = s};
	bool people = pk_notation_is_for_people(pk_common_notation(c));
	size_t rows = pk_common_rows(c, s->ops->count);
	struct pk_grid grid;

	make_title(&frame.title, s);
	make_footer(&frame.footer, s, rows);
	pk_ops_grid(&grid, s->ops, rows, people);
	for (int i = 0; c->sort && i < grid.column_count; i++)
		if (grid.columns[i].key && !strcmp(grid.columns[i].key, c->sort))
			grid.spare &= ~(UINT64_C(1) << i);
	return pk_show_grid(c, &grid, &frame, err);
}

/* torch's default is 100 rows; 0 means all rows here. */
static int show_like_torch(const struct ops_params *o, const struct pk_ops *ops,
			   struct pk_error *err)
{
	struct pk_torch_text_params params = {
		.rows = o->common.limit.given ? pk_common_rows(&o->common, ops->count) : 100,
		.name_width = (size_t)o->name_width,
		.overloads = o->by_overload,
	};
	struct pk_output *out = pk_output_open(o->common.output, err);

	if (!out)
		return -1;
	pk_torch_print(ops, &params, out);
	return pk_output_commit(out, err);
}

static int show_run(const struct ops_params *o, const struct pk_profiles *runs,
		    struct pk_error *err)
{
	struct pk_ops_options options = {
		.by_shape = o->by_shape,
		.by_overload = o->by_overload,
		.by_stack = o->by_stack,
		.category = o->category,
		.step = o->step,
		.sort = o->like == LIKE_TORCH ? PK_OPS_AS_FOUND : PK_OPS_CPU_SELF,
		.reverse = o->common.reverse,
		.doubles = o->like == LIKE_TORCH,
	};
	struct shown shown = {.runs = runs, .params = o};
	struct pk_time_range range;
	struct pk_launches launches;
	struct pk_gpu_waits waits;
	struct pk_ops ops;
	int status;

	if (o->common.sort && pk_op_sort_parse(&options.sort, o->common.sort, err))
		return pk_fail_context(err, "--sort");
	if (o->step && pk_step_range_parse(&range, o->step, runs->item[0], err))
		return pk_fail_context(err, "--step");
	pk_launches_init(&launches, runs->item[0]);
	pk_gpu_waits_init(&waits, &launches, o->step ? &range : NULL);
	options.launches = &launches;
	status = pk_ops_init(&ops, runs->item[0], &options, err);
	if (!status) {
		shown.ops = &ops;
		shown.waits = &waits;
		status = o->like == LIKE_TORCH ? show_like_torch(o, &ops, err) : show(&shown, err);
		pk_ops_release(&ops);
	}
	pk_gpu_waits_release(&waits);
	return status;
}

/* Operators of several ranks are compared and not added, so only one process is allowed. */
static int check_runs(const struct ops_params *o, const struct pk_profiles *runs,
		      struct pk_error *err)
{
	const struct pk_profile *p;

	if (runs->count != 1)
		return pk_fail(err, PK_EUSAGE, "one run at a time (--run chooses among %zu)",
			       runs->count);
	p = runs->item[0];
	if (p->span.count == 1)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' has no spans: ops needs a trace, as torch.profiler and JAX "
			       "export it",
			       pk_text(p, p->run.source[1]));
	if (o->like == LIKE_TORCH && !pk_torch_rules(p).version)
		return pk_fail(err, PK_EUSAGE,
			       "--like torch: '%s' is not a trace of torch.profiler",
			       pk_text(p, p->run.source[1]));
	if (o->like == LIKE_TORCH && o->common.format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like torch prints text: it cannot be combined with --format %s",
			       pk_notations[o->common.format]);
	return 0;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct ops_params *o = params;
	struct pk_profiles runs;
	int status;

	if (pk_load_inputs(&o->common, argc, argv, &runs, err))
		return -1;
	status = check_runs(o, &runs, err);
	if (!status)
		status = show_run(o, &runs, err);
	pk_profiles_release(&runs);
	return status;
}

#define AT(member) offsetof(struct ops_params, member)

static const struct pk_opt opts[] = {
	{PK_OPT_FLAG, "by-shape", 0, AT(by_shape), .help = "a row for each shape of the inputs"},
	{PK_OPT_INT, "by-stack", 0, AT(by_stack), "N", .min = 0, .max = 1e6,
	 .help = "a row for each different stack, of its N innermost frames"},
	{PK_OPT_FLAG, "by-overload", 0, AT(by_overload), .help = "a row for each overload"},
	{PK_OPT_TEXT, "step", 0, AT(step), "N..M",
	 .help = "only what began, or was launched, in these steps (ProfilerStep#N)"},
	{PK_OPT_TEXT, "category", 0, AT(category), "RE",
	 .help = "only spans whose category matches: cpu_op, kernel, ..."},
	{PK_OPT_TEXT, "process", 0, AT(common.select.process), "RE",
	 .help = "only the process with this number, or processes whose name matches"},
	{PK_OPT_TEXT, "thread", 0, AT(common.select.thread), "RE",
	 .help = "only the thread with this number, or threads whose name matches"},
	{PK_OPT_TEXT, "time", 0, AT(common.select.time), "A..B",
	 .help = "only this part of the run: 1.5s..2s, 250ms.., 10%..20%; without a unit "
		 "it is seconds"},
	{PK_OPT_CHOICE, "like", 0, AT(like), "TOOL", .choices = likes, .fallback = "profkit",
	 .help = "print exactly what this tool prints (torch: the table of key_averages)"},
	{PK_OPT_INT, "name-width", 0, AT(name_width), "N", .min = 4, .max = 1e6, .fallback = "55",
	 .help = "with --like torch: maximum width of names"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_ops = {
	.name = "ops",
	.group = PK_GROUP_LOOK,
	.title = "list the operators of a torch or JAX trace",
	.operands = "FILE",
	.uses = PK_USE_READ | PK_USE_LIMIT | PK_USE_SORT | PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_ARGS,
	.opts = opts,
	.sorts = PK_OP_SORT_NAMES,
	.params_size = sizeof(struct ops_params),
	.run = run,
};
