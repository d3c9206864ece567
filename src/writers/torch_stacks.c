/*
 * Stacks as torch's export_stacks writes them: a line for every event with a stack (recorded
 * with the experimental verbose mode, or by torch 1.10 and earlier), in the order of time: the
 * frames, root first, with blanks and separators replaced, and the event's self in whole
 * microseconds.
 *
 *	train.py(10):_<module>;train.py(4):_step 120
 *
 * Equal stacks are not added up: flamegraph.pl and profkit's reader of folded stacks do that.
 */
#include <string.h>

#include "analysis/ops/ops.h"
#include "base/alloc.h"
#include "writers/folded/folded.h"
#include "writers/writer.h"

enum { CPU };
static const char *const metrics[] = {"self_cpu_time_total", "self_device_time_total",
				      "self_cuda_time_total", NULL};

struct params {
	int metric;
};

static const struct pk_opt options[] = {
	{PK_OPT_CHOICE, "metric", 0, offsetof(struct params, metric), "NAME", .choices = metrics,
	 .fallback = "self_cpu_time_total", .help = "time to write"},
	PK_OPT_LAST,
};

struct stack_writer {
	struct pk_output *out;
	bool device;
};

static void put_frame(struct pk_output *out, const char *frame, size_t len)
{
	for (size_t i = 0; i < len; i++)
		pk_output_putc(out, strchr(" ;\t\n", frame[i]) && frame[i] ? '_' : frame[i]);
}

static void put_stack(void *data, const char *stack, double cpu_us, int64_t device_ns)
{
	struct stack_writer *w = data;
	int64_t us = w->device ? device_ns / 1000 : (int64_t)cpu_us;
	size_t end = strlen(stack), from;

	if (us <= 0)
		return;
	for (;; end = from - 1) {
		for (from = end; from && stack[from - 1] != '\n'; from--)
			;
		put_frame(w->out, stack + from, end - from);
		if (!from)
			break;
		pk_output_putc(w->out, ';');
	}
	pk_output_printf(w->out, " %lld\n", (long long)us);
}

static int write_stacks(const struct pk_profiles *list, const void *params, struct pk_output *out,
			struct pk_error *err)
{
	const struct params *o = params;
	struct stack_writer w = {out, o->metric != CPU};

	if (!pk_torch_rules(list->item[0]).version)
		return pk_fail(err, PK_EUSAGE, "torch-stacks: no trace of torch.profiler");
	return pk_ops_each_stack(list->item[0], put_stack, &w, err);
}

static const char *const suffixes[] = {NULL};

const struct pk_writer pk_writer_torch_stacks = {
	.name = "torch-stacks",
	.read_as = PK_FOLDED_READ_AS,
	.title = "folded stacks, as torch.profiler's export_stacks writes them",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.needs = PK_PART_SPANS,
	.uses = PK_PART_ARGS | PK_PART_MARKS,
	.keeps = PK_PART_PATHS,
	.write = write_stacks,
};
