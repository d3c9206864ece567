/* The table of operators of a torch trace, from spans made here. */
#include "analysis/ops/ops.h"

#include <string.h>

#include "analysis/gpu/waits.h"
#include "base/num/merge_sort.h"
#include "model/build/builder.h"
#include "model/events/time_range.h"
#include "render/ops/torch.h"

#include "tests/check_util.h"

enum { CPU = 1, AUTOGRAD, GPU };

struct trace {
	struct pk_builder *b;
	uint32_t thread[4];
};

static void open_trace(struct trace *t, uint32_t version)
{
	uint32_t process;

	t->b = pk_builder_new();
	pk_build_metric(t->b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	process = pk_build_process(t->b, 1, 0, PK_NULL);
	for (int i = CPU; i <= GPU; i++) {
		struct pk_thread thread = {.process = process,
					   .tid = i,
					   .sort = PK_NULL,
					   .role = i == GPU ? PK_ROLE_GPU : PK_ROLE_UNKNOWN};

		t->thread[i] = pk_build_thread(t->b, &thread);
	}
	pk_build_set(t->b, run, torch, 1, version);
	pk_build_set(t->b, run, with_flops, 1, true);
	pk_build_set(t->b, run, profile_memory, 1, true);
	pk_build_set(t->b, run, start, 1, 1790857026000000000);
}

static uint32_t arguments(struct trace *t, const char *args)
{
	return args ? pk_build_text(t->b, args) : 0;
}

/* from and to in ns. */
static void span(struct trace *t, int thread, const char *category, const char *name, int64_t from,
		 int64_t to, const char *args)
{
	struct pk_function f = {.name = pk_build_text(t->b, name),
				.kind = thread == GPU ? PK_KIND_GPU : PK_KIND_UNKNOWN};
	uint32_t node =
		pk_build_node(t->b, 0, pk_build_place(t->b, pk_build_function(t->b, &f), 0));
	uint32_t row = pk_build_span(t->b, from, to - from, t->thread[thread], node,
				     pk_build_text(t->b, category));

	if (args)
		pk_build_arg(t->b, PK_TABLE_SPAN, row, 0, arguments(t, args));
}

static void memory(struct trace *t, int64_t time, const char *args)
{
	pk_build_instant(t->b, time, t->thread[CPU], pk_build_text(t->b, "[memory]"), 0);
	pk_build_arg(t->b, PK_TABLE_INSTANT, pk_builder_profile(t->b)->instant.count - 1, 0,
		     arguments(t, args));
}

static const struct pk_op *find(const struct pk_ops *ops, const char *name)
{
	for (uint32_t i = 0; i < ops->count; i++)
		if (!strcmp(pk_ops_text(ops, ops->row[i].name), name))
			return &ops->row[i];
	return NULL;
}

static void analyse(struct pk_ops *ops, struct trace *t, const struct pk_ops_options *options)
{
	static const struct pk_ops_options none;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = pk_builder_finish(t->b);

	ck_assert_msg(!pk_profile_check(p, &err), "%s", err.text);
	ck_assert_msg(!pk_ops_init(ops, p, options ? options : &none, &err), "%s", err.text);
}

static void release(struct pk_ops *ops)
{
	struct pk_profile *p = (struct pk_profile *)ops->profile;

	pk_ops_release(ops);
	pk_profile_free(p);
}

/* An annotation that overlaps a Python function partly keeps the operators in it; a conv2d
 * dispatched again counts once; filtered names and the window itself are no rows. */
START_TEST(tree)
{
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 209);
	span(&t, CPU, "Trace", "PyTorch Profiler (0)", 0, 100000, NULL);
	span(&t, CPU, "user_annotation", "ProfilerStep#3", 1000, 50000, NULL);
	span(&t, CPU, "python_function", "enter", 500, 2000, NULL);
	span(&t, CPU, "cpu_op", "aten::conv2d", 3000, 23000, NULL);
	span(&t, CPU, "cpu_op", "aten::conv2d", 4000, 22000, NULL);
	span(&t, CPU, "cpu_op", "aten::mkldnn_convolution", 5000, 15000, NULL);
	span(&t, CPU, "cpu_op", "aten::is_leaf", 30000, 31000, NULL);
	span(&t, AUTOGRAD, "cpu_op", "aten::conv2d", 3000, 4000, NULL);
	analyse(&ops, &t, NULL);
	ck_assert_int_eq(ops.count, 3);
	ck_assert_int_eq(find(&ops, "ProfilerStep*")->cpu_total, 49000);
	ck_assert_int_eq(find(&ops, "ProfilerStep*")->cpu_self, 29000);
	ck_assert_int_eq(find(&ops, "aten::conv2d")->calls, 2);
	ck_assert_int_eq(find(&ops, "aten::conv2d")->cpu_total, 21000);
	ck_assert_int_eq(find(&ops, "aten::conv2d")->cpu_self, 11000);
	ck_assert_int_eq(find(&ops, "aten::conv2d")->device_self, PK_NULL);
	ck_assert_int_eq(ops.cpu_self, 50000);
	release(&ops);
}
END_TEST

/* From 2.14 on Python functions are in the tree, without rows. */
START_TEST(python_in_tree)
{
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 215);
	span(&t, CPU, "user_annotation", "block", 1000, 9000, NULL);
	span(&t, CPU, "python_function", "f", 2000, 8000, NULL);
	span(&t, CPU, "cpu_op", "aten::add", 3000, 4000, NULL);
	analyse(&ops, &t, NULL);
	ck_assert_int_eq(ops.count, 2);
	ck_assert_int_eq(find(&ops, "block")->cpu_self, 2000);
	ck_assert_int_eq(find(&ops, "aten::add")->cpu_self, 1000);
	release(&ops);
}
END_TEST

/* Calls that had not ended, and gloo's annotations, are outside of the tree. */
START_TEST(async)
{
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 215);
	span(&t, CPU, "user_annotation", "gloo:all_reduce", 1000, 9000, NULL);
	span(&t, CPU, "cpu_op", "aten::add", 2000, 3000, "{\"finished\": false}");
	span(&t, CPU, "cpu_op", "aten::mul", 2100, 2900, NULL);
	analyse(&ops, &t, NULL);
	ck_assert_int_eq(find(&ops, "gloo:all_reduce")->cpu_self, 0);
	ck_assert_int_eq(find(&ops, "gloo:all_reduce")->cpu_total, 8000);
	ck_assert(find(&ops, "aten::add")->is_async);
	ck_assert_int_eq(find(&ops, "aten::add")->cpu_self, 0);
	ck_assert_int_eq(find(&ops, "aten::mul")->cpu_self, 800);
	release(&ops);
}
END_TEST

static void gpu_trace(struct trace *t)
{
	open_trace(t, 209);
	span(t, CPU, "user_annotation", "ProfilerStep#1", 0, 100000, NULL);
	span(t, CPU, "user_annotation", "ProfilerStep#2", 100000, 200000, NULL);
	span(t, CPU, "cpu_op", "aten::linear", 1000, 20000, "{\"External id\": 7}");
	span(t, CPU, "cpu_op", "aten::addmm", 2000, 19000, "{\"External id\": 8}");
	/* an External id that is the correlation says nothing */
	span(t, CPU, "cuda_runtime", "cudaLaunchKernel", 3000, 5000,
	     "{\"cbid\": 1, \"correlation\": 9, \"External id\": 9}");
	span(t, GPU, "kernel", "gemm", 6000, 106000,
	     "{\"correlation\": \"9\", \"External id\": 9}");
	/* no call: the External id is all there is */
	span(t, GPU, "gpu_memset", "Memset (Device)", 106000, 107000,
	     "{\"correlation\": 11, \"External id\": 7}");
	span(t, GPU, "gpu_user_annotation", "ProfilerStep#1", 6000, 107000, NULL);
	span(t, CPU, "cuda_runtime", "cudaDeviceSynchronize", 100000, 110000,
	     "{\"correlation\": 12}");
}

START_TEST(kernels)
{
	struct trace t;
	struct pk_ops ops;

	gpu_trace(&t);
	analyse(&ops, &t, NULL);
	ck_assert_int_eq(find(&ops, "aten::addmm")->device_self, 100000);
	ck_assert_int_eq(find(&ops, "aten::linear")->device_self, 1000);
	ck_assert_int_eq(find(&ops, "aten::linear")->device_total, 101000);
	ck_assert_int_eq(find(&ops, "aten::linear")->cpu_self, 2000);
	ck_assert_int_eq(find(&ops, "cudaLaunchKernel")->device_total, 0);
	ck_assert_int_eq(find(&ops, "gemm")->device_self, 100000);
	ck_assert_int_eq(find(&ops, "gemm")->cpu_self, PK_NULL);
	ck_assert_int_eq(find(&ops, "gemm")->calls, 1);
	ck_assert_int_eq(ops.device_self, 101000); /* without the annotation */
	ck_assert_int_eq(ops.cpu_self, 200000);
	release(&ops);
}
END_TEST

/* The kernels that a step launched belong to it, whenever they run. */
START_TEST(steps)
{
	struct pk_ops_options options = {.step = "1..1"};
	struct pk_error err = PK_ERROR_INIT;
	struct trace t;
	struct pk_ops ops, other;

	gpu_trace(&t);
	analyse(&ops, &t, &options);
	ck_assert_int_eq(find(&ops, "ProfilerStep*")->calls, 1);
	ck_assert_int_eq(find(&ops, "gemm")->calls, 1);
	ck_assert_ptr_null(find(&ops, "cudaDeviceSynchronize"));
	options.step = "4";
	ck_assert_int_eq(pk_ops_init(&other, ops.profile, &options, &err), -1);
	ck_assert_str_eq(err.text, "--step: '4': the profile has the steps 1..2");
	release(&ops);
}
END_TEST

START_TEST(step_ranges)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_time_range range;
	struct trace t;
	struct pk_profile *p;

	gpu_trace(&t);
	p = pk_builder_finish(t.b);
	ck_assert(!pk_step_range_parse(&range, "2", p, &err));
	ck_assert_int_eq(range.from, 100000);
	ck_assert_int_eq(range.to, 200000);
	ck_assert(!pk_step_range_parse(&range, "..1", p, &err));
	ck_assert_int_eq(range.to, 100000);
	ck_assert(!pk_step_range_parse(&range, "..", p, &err));
	ck_assert_int_eq(range.from, 0);
	ck_assert_int_eq(pk_step_range_parse(&range, "2..1", p, &err), -1);
	ck_assert_str_eq(err.text, "'2..1' ends before it begins");
	ck_assert_int_eq(pk_step_range_parse(&range, "x", p, &err), -1);
	ck_assert_str_eq(err.text, "'x' is not the number of a step");
	pk_profile_free(p);
}
END_TEST

START_TEST(waits)
{
	struct pk_launches launches;
	struct pk_gpu_waits w;
	struct pk_buf line = PK_BUF_INIT;
	struct pk_profile *p;
	struct trace t;

	gpu_trace(&t);
	p = pk_builder_finish(t.b);
	pk_launches_init(&launches, p);
	pk_gpu_waits_init(&w, &launches, NULL);
	ck_assert_int_eq(w.calls, 1);
	ck_assert_int_eq(w.time, 10000);
	ck_assert_int_eq(w.idle, 3000);
	ck_assert_int_eq(w.meanwhile.count, 2);
	ck_assert_int_eq(w.meanwhile.item[0].time, 6000);
	pk_gpu_waits_line(&line, &w);
	ck_assert_str_eq(line.data,
			 "waiting for the GPU: 10.00 us in 1 call (cudaDeviceSynchronize "
			 "10.00 us); meanwhile ran gemm 6.000 us, Memset (Device) "
			 "1.000 us; nothing ran there for 3.000 us\n");
	pk_buf_release(&line);
	pk_gpu_waits_release(&w);
	pk_launches_release(&launches);
	pk_profile_free(p);
}
END_TEST

static const char cpu_bytes[] = "{\"Bytes\": 100, \"Device Type\": 0, \"finished\": false}";

/* Every event around an allocation gets it; allocations outside of all events have a row. */
START_TEST(memories)
{
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 215);
	span(&t, CPU, "cpu_op", "aten::zeros", 1000, 9000, NULL);
	span(&t, CPU, "cpu_op", "aten::empty", 2000, 3000, NULL);
	span(&t, AUTOGRAD, "cpu_op", "aten::mul", 2500, 2600, NULL);
	memory(&t, 2000, cpu_bytes);
	memory(&t, 2500, "{\"Bytes\": -30, \"Device Type\": 0}");
	memory(&t, 8000, "{\"Bytes\": 5, \"Device Type\": \"1\"}");
	memory(&t, 9001, cpu_bytes);
	analyse(&ops, &t, NULL);
	ck_assert_int_eq(find(&ops, "aten::zeros")->memory_total[PK_OPS_CPU], 70);
	ck_assert_int_eq(find(&ops, "aten::zeros")->memory_self[PK_OPS_CPU], 0);
	ck_assert_int_eq(find(&ops, "aten::zeros")->memory_self[PK_OPS_DEVICE], 5);
	ck_assert_int_eq(find(&ops, "aten::empty")->memory_self[PK_OPS_CPU], 70);
	ck_assert_int_eq(find(&ops, "aten::mul")->memory_self[PK_OPS_CPU], -30);
	ck_assert_int_eq(find(&ops, "[memory]")->memory_self[PK_OPS_CPU], 100);
	ck_assert_int_eq(find(&ops, "[memory]")->calls, 1);
	release(&ops);
}
END_TEST

/* Until 2.10 the bounds went through doubles, which are 256 ns apart there: 1000 became 1024 and
 * 2000 became 2048. */
START_TEST(rounded_memories)
{
	static const uint32_t versions[] = {209, 215};
	static const int64_t inside[] = {7, 100}, outside[] = {100, 7};
	struct trace t;
	struct pk_ops ops;

	for (int i = 0; i < 2; i++) {
		open_trace(&t, versions[i]);
		span(&t, CPU, "cpu_op", "aten::empty", 1000, 2000, NULL);
		memory(&t, 1010, cpu_bytes);
		memory(&t, 2040, "{\"Bytes\": 7, \"Device Type\": 0}");
		analyse(&ops, &t, NULL);
		ck_assert_int_eq(find(&ops, "aten::empty")->memory_self[PK_OPS_CPU], inside[i]);
		ck_assert_int_eq(find(&ops, "[memory]")->memory_self[PK_OPS_CPU], outside[i]);
		release(&ops);
	}
}
END_TEST

START_TEST(shapes_and_flops)
{
	static const char conv[] =
		"{\"Input Dims\": [[2, 3, 8, 8],[4,3,3,3],[4],[],[],[],[]], \"Concrete Inputs\": "
		"[\"\", \"\", \"\", \"[1, 1]\", \"[0, 0]\", \"[1, 1]\", \"1\"]}";
	struct pk_ops_options options = {.by_shape = true};
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 215);
	span(&t, CPU, "cpu_op", "aten::mm", 1000, 2000, "{\"Input Dims\": [[2,3],[3,4]]}");
	span(&t, CPU, "cpu_op", "aten::mm", 3000, 4000, "{\"Input Dims\": [[2, 3], [3, 5]]}");
	span(&t, CPU, "cpu_op", "aten::conv2d", 5000, 6000, conv);
	span(&t, CPU, "cpu_op", "aten::cat", 7000, 8000, "{\"Input Dims\": [[[2,3],[4]], []]}");
	analyse(&ops, &t, &options);
	ck_assert_int_eq(ops.count, 4);
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[0].shapes), "[[2, 3], [3, 4]]");
	ck_assert_int_eq(ops.row[0].flops, 2 * 2 * 3 * 4);
	ck_assert_int_eq(ops.row[1].flops, 2 * 2 * 3 * 5);
	ck_assert_int_eq(ops.row[2].flops, 2 * 2 * 6 * 6 * 3 * 3 * 3 * 4);
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[3].shapes), "[[], []]");
	release(&ops);
}
END_TEST

/* Backward operators have the stack of their forward operator. */
START_TEST(stacks)
{
	struct pk_ops_options options = {.by_stack = 2};
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 215);
	span(&t, CPU, "cpu_op", "aten::mm", 1000, 2000,
	     "{\"Sequence number\": 5, \"Call stack\": \"a.py(1): f;a.py(2): g;a.py(3): h;\"}");
	span(&t, AUTOGRAD, "cpu_op", "autograd::engine::evaluate_function: MmBackward0", 3000, 9000,
	     "{\"Sequence number\": 5}");
	span(&t, AUTOGRAD, "cpu_op", "MmBackward0", 4000, 8000,
	     "{\"Sequence number\": 5, \"Call stack\": \"other;\"}");
	span(&t, AUTOGRAD, "cpu_op", "aten::t", 5000, 6000, NULL);
	analyse(&ops, &t, &options);
	ck_assert_str_eq(pk_ops_text(&ops, find(&ops, "aten::mm")->stack),
			 "a.py(1): f\na.py(2): g");
	ck_assert_int_eq(find(&ops, "MmBackward0")->stack, find(&ops, "aten::mm")->stack);
	ck_assert_int_eq(find(&ops, "aten::t")->stack, find(&ops, "aten::mm")->stack);
	release(&ops);
}
END_TEST

START_TEST(orders)
{
	struct pk_ops_options options = {.sort = PK_OPS_NAME};
	struct pk_error err = PK_ERROR_INIT;
	const struct pk_profile *p;
	enum pk_op_sort sort;
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 215);
	span(&t, CPU, "cpu_op", "b", 1000, 2000, NULL);
	span(&t, CPU, "cpu_op", "a", 3000, 4000, NULL);
	span(&t, CPU, "cpu_op", "c", 5000, 7000, NULL);
	ck_assert(!pk_op_sort_parse(&sort, "self_cpu_time_total", &err));
	ck_assert_int_eq(sort, PK_OPS_CPU_SELF);
	ck_assert_int_eq(pk_op_sort_parse(&sort, "speed", &err), -1);
	ck_assert(strstr(err.text, "there is no column 'speed'; there are: name calls "));
	analyse(&ops, &t, &options);
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[0].name), "a");
	p = ops.profile;
	pk_ops_release(&ops);
	options.sort = PK_OPS_CPU_SELF;
	ck_assert(!pk_ops_init(&ops, p, &options, &err));
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[0].name), "c");
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[1].name), "b");
	pk_ops_release(&ops);
	options.reverse = true; /* equal ones stay as they are */
	ck_assert(!pk_ops_init(&ops, p, &options, &err));
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[0].name), "b");
	ck_assert_str_eq(pk_ops_text(&ops, ops.row[2].name), "c");
	release(&ops);
}
END_TEST

/* As torch prints it: widths, units, cut names, a bare 0 for what is outside of the tree. */
START_TEST(torch_table)
{
	static const char want[] = "------------  ------------  ------------  ------------  "
				   "------------  ------------  "
				   "------------  ------------  ------------  \n"
				   "        Name    Self CPU %      Self CPU   CPU total %     CPU "
				   "total  CPU time avg  "
				   "     CPU Mem  Self CPU Mem    # of Calls  \n"
				   "------------  ------------  ------------  ------------  "
				   "------------  ------------  "
				   "------------  ------------  ------------  \n"
				   "aten::zer...       100.00%       2.000ms       100.00%       "
				   "2.000ms       1.000ms  "
				   "     1.00 Kb       1.00 Kb             2  \n"
				   "      gloo:x         0.00%       0.000us             0       "
				   "1.000us       1.000us  "
				   "         0 b           0 b             1  \n"
				   "------------  ------------  ------------  ------------  "
				   "------------  ------------  "
				   "------------  ------------  ------------  \n"
				   "Self CPU time total: 2.000ms\n";
	struct pk_ops_options options = {.doubles = true};
	struct pk_torch_text_params params = {.rows = 10, .name_width = 12};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 204);
	span(&t, CPU, "cpu_op", "aten::zeros_like", 0, 1500000, NULL);
	span(&t, CPU, "cpu_op", "aten::zeros_like", 2000000, 2500000, NULL);
	span(&t, CPU, "user_annotation", "gloo:x", 3000000, 3001000, NULL);
	memory(&t, 1000, "{\"Bytes\": 1024, \"Device Type\": 0}");
	analyse(&ops, &t, &options);
	pk_torch_print(&ops, &params, out);
	ck_assert(!pk_output_commit(out, &err));
	ck_assert_str_eq(text.data, want);
	pk_buf_release(&text);
	release(&ops);
}
END_TEST

/* torch's times are doubles of microseconds since the window began, a span or the instant that the
 * reader makes of it. 11234.503 - 10000.003 is 1234.5, which "%.3f" of ms prints as 1.234;
 * 4234.502 - 3000.002 is 1234.5000000000005, printed as 1.235. (Computed with Python.) */
START_TEST(origin)
{
	enum { NOT_KNOWN, SPAN, INSTANT };
	const struct pk_ops_options options = {.doubles = true};
	const struct pk_torch_text_params params = {.rows = 10, .name_width = 12};

	for (int how = NOT_KNOWN; how <= INSTANT; how++) {
		struct pk_error err = PK_ERROR_INIT;
		struct pk_buf text = PK_BUF_INIT;
		struct pk_output *out = pk_output_to_buf(&text);
		struct trace t;
		struct pk_ops ops;

		open_trace(&t, 209);
		if (how == SPAN)
			span(&t, CPU, "Trace", "PyTorch Profiler (0)", 7000001, 20000000, NULL);
		if (how == INSTANT)
			pk_build_instant(t.b, 7000001, t.thread[CPU],
					 pk_build_text(t.b, "PyTorch Profiler (0)"),
					 pk_build_text(t.b, "Trace"));
		span(&t, CPU, "cpu_op", "aten::add", 10000003, 11234503, NULL);
		analyse(&ops, &t, &options);
		pk_torch_print(&ops, &params, out);
		ck_assert(!pk_output_commit(out, &err));
		ck_assert_ptr_nonnull(strstr(text.data, how == NOT_KNOWN
								? "Self CPU time total: 1.234ms"
								: "Self CPU time total: 1.235ms"));
		pk_buf_release(&text);
		release(&ops);
	}
}
END_TEST

static bool smaller_tens(const void *data, uint32_t a, uint32_t b)
{
	(void)data;
	return a / 10 < b / 10;
}

/* Any order; equal ones stay as they are. */
START_TEST(merge_sort)
{
	uint32_t item[200], count, i;

	for (count = 0; count < 200; count++) {
		for (i = 0; i < count; i++)
			item[i] = i * 37 % 97 + (i % 3) * 10;
		pk_merge_sort(item, count, smaller_tens, NULL);
		for (i = 1; i < count; i++)
			ck_assert(item[i - 1] / 10 <= item[i] / 10);
	}
	memcpy(item, (const uint32_t[]){25, 13, 21, 11, 29, 1}, 6 * sizeof(*item));
	pk_merge_sort(item, 6, smaller_tens, NULL);
	ck_assert_mem_eq(item, ((const uint32_t[]){1, 13, 11, 25, 21, 29}), 6 * sizeof(*item));
}
END_TEST

/* Other traces: spans by name, nothing removed. */
static struct pk_torch_rules rules_of(uint32_t version)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_torch_rules rules;
	struct pk_profile *p;

	pk_build_set(b, run, torch, 1, version);
	p = pk_builder_finish(b);
	rules = pk_torch_rules(p);
	pk_profile_free(p);
	return rules;
}

/* The last version with a rule, and the first with another. */
START_TEST(versions)
{
	ck_assert_int_eq(rules_of(204).version, 204);
	ck_assert(rules_of(202).microseconds && !rules_of(202).rounded_memory);
	ck_assert(!rules_of(203).microseconds && rules_of(203).rounded_memory);
	ck_assert(rules_of(204).short_units && !rules_of(204).annotation_key);
	ck_assert(!rules_of(205).short_units && rules_of(205).annotation_key);
	ck_assert(rules_of(210).rounded_memory && !rules_of(211).rounded_memory);
	ck_assert(!rules_of(211).python_in_tree && !rules_of(211).python_rows);
	ck_assert(rules_of(212).python_in_tree && rules_of(212).python_rows);
	ck_assert(rules_of(213).python_rows && !rules_of(214).python_rows);
	ck_assert(rules_of(214).python_in_tree);
	ck_assert_int_eq(rules_of(0).version, 0);
}
END_TEST

START_TEST(simple)
{
	struct trace t;
	struct pk_ops ops;

	open_trace(&t, 0);
	span(&t, CPU, "", "step", 1000, 9000, NULL);
	span(&t, CPU, "", "dot.4", 2000, 3000, "{\"hlo_op\": \"dot.4\"}");
	span(&t, GPU, "", "fusion", 2000, 3000, "{\"hlo_op\": \"fusion\"}");
	analyse(&ops, &t, NULL);
	ck_assert_int_eq(ops.count, 2);
	ck_assert_int_eq(find(&ops, "dot.4")->cpu_self, 1000);
	ck_assert_int_eq(find(&ops, "fusion")->cpu_self, PK_NULL);
	ck_assert_int_eq(find(&ops, "fusion")->device_self, 1000);
	ck_assert(!ops.rules.version);
	release(&ops);
}
END_TEST

/* A long name is cut between characters: of 6 letters of two bytes the first, and the last 2. */
START_TEST(cut_names)
{
	struct pk_buf buf = PK_BUF_INIT;
	const char *name = "\u00e4\u00e9\u00ee\u00f6\u00fc\u00e7";

	pk_gpu_add_name(&buf, name, strlen(name), 6);
	ck_assert_str_eq(buf.data, "\u00e4\u2026\u00fc\u00e7");
	pk_buf_release(&buf);
}
END_TEST

CHECK_MAIN("ops", cut_names, tree, python_in_tree, async, kernels, steps, step_ranges, waits,
	   memories, rounded_memories, shapes_and_flops, stacks, orders, torch_table, origin,
	   merge_sort, versions, simple)
