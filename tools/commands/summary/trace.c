/* What the summary says of a trace of torch.profiler: steps, GPUs, operators, waits. */
#include "tools/commands/summary/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/use.h"
#include "analysis/gpu/waits.h"
#include "analysis/ops/ops.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/events/time_range.h"

enum { SHOWN = 5 };

/* Steps with a span on the host. */
struct steps {
	int64_t first, last; /* numbers */
	int64_t *time;       /* durations, sorted */
	uint32_t count;
};

static void find_steps(struct steps *s, const struct pk_profile *p)
{
	uint32_t i;

	*s = (struct steps){.first = INT64_MAX, .last = -1};
	s->time = pk_malloc(pk_mul(p->span.count, sizeof(*s->time)));
	for (i = 1; i < p->span.count; i++) {
		uint32_t function = pk_node_function(p, p->span.node[i]);
		int64_t step = pk_step_number(pk_text(p, p->function.name[function]));

		if (step < 0 || p->function.kind[function] == PK_KIND_GPU)
			continue;
		s->first = step < s->first ? step : s->first;
		s->last = step > s->last ? step : s->last;
		s->time[s->count++] = p->span.duration[i];
	}
	if (s->count)
		qsort(s->time, s->count, sizeof(*s->time), pk_compare_ints);
}

static void say_steps(struct pk_buf *buf, const struct pk_profile *p)
{
	struct steps s;

	find_steps(&s, p);
	if (s.count) {
		pk_buf_addf(buf, "steps: %s (ProfilerStep#%lld", pk_in_count(s.count).text,
			    (long long)s.first);
		if (s.last != s.first)
			pk_buf_addf(buf, " to %lld", (long long)s.last);
		pk_buf_addf(buf, "), median %s, from %s to %s\n",
			    pk_in_ns(s.time[(s.count - 1) / 2]).text, pk_in_ns(s.time[0]).text,
			    pk_in_ns(s.time[s.count - 1]).text);
	}
	free(s.time);
}

static void say_gpu(struct pk_buf *buf, const struct pk_gpu_use *use)
{
	const struct pk_profile *p = use->profile;
	int64_t span = use->last - use->first;
	uint32_t name = p->process.name[use->process];

	pk_utf8_visible(buf, name ? pk_text(p, name) : "GPU", name ? p->string.len[name] : 3);
	pk_buf_addf(buf,
		    ": busy %s of the %s from its first work to its last (kernels %s, copies and "
		    "sets %s)",
		    pk_in_percent(span > 0 ? (double)use->busy / (double)span : 1).text,
		    pk_in_ns(span).text, pk_in_ns(use->kernels).text, pk_in_ns(use->copies).text);
	if (use->longest_gap)
		pk_buf_addf(buf, "; idle %s, at most %s at once", pk_in_ns(span - use->busy).text,
			    pk_in_ns(use->longest_gap).text);
	if (use->host.count) {
		pk_buf_adds(buf, ", while the host was in ");
		pk_gpu_wait_list_names(buf, p, &use->host);
	}
	pk_buf_addc(buf, '\n');
}

/* Appends the rows with the largest self of the CPU or of the device. */
static void say_top(struct pk_buf *buf, const struct pk_ops *ops, bool device, const char *what)
{
	uint32_t i, said = 0;

	for (i = 0; i < ops->count && said < SHOWN; i++) {
		const struct pk_op *op = &ops->row[i];
		int64_t value = device ? op->device_self : op->cpu_self;
		const char *name = pk_ops_text(ops, op->name);

		if (op->device != device || value <= 0 || (device && op->annotation))
			continue;
		pk_buf_adds(buf, said++ ? ", " : what);
		pk_gpu_add_name(buf, name, strlen(name), PK_GPU_NAME);
		pk_buf_addf(buf, " %s", pk_in_ns(value).text);
	}
	if (said)
		pk_buf_addc(buf, '\n');
}

/* Appends operators. Releases the launches. */
static void say_ops(struct pk_buf *buf, const struct pk_profile *p, struct pk_launches *launches)
{
	struct pk_ops_options options = {.sort = PK_OPS_CPU_SELF, .launches = launches};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_ops ops;

	if (pk_ops_init(&ops, p, &options, &err))
		return; /* cannot fail without a step and an expression */
	say_top(buf, &ops, false, "operators, CPU time of their own: ");
	options.sort = PK_OPS_DEVICE_SELF;
	pk_ops_sort(&ops, &options);
	say_top(buf, &ops, true, "on the GPU: ");
	pk_ops_release(&ops);
}

static void say_waits(struct pk_buf *buf, const struct pk_gpu_waits *waits)
{
	const struct pk_profile *p = waits->profile;
	size_t i;

	pk_gpu_waits_line(buf, waits);
	for (i = 0; i < sizeof(waits->longest) / sizeof(waits->longest[0]); i++) {
		uint32_t span = waits->longest[i];
		uint32_t name = pk_node_name(p, p->span.node[span]);

		if (!span)
			break;
		pk_buf_adds(buf, i ? ", " : "longest waits: ");
		pk_utf8_visible(buf, pk_text(p, name), p->string.len[name]);
		pk_buf_addf(buf, " %s at %s", pk_in_ns(p->span.duration[span]).text,
			    pk_in_ns(p->span.time[span]).text);
	}
	if (i)
		pk_buf_addc(buf, '\n');
}

/* Appends how busy the device was; lines about waits go to `late`. */
static void say_device(struct pk_buf *buf, struct pk_buf *late, const struct pk_launches *launches)
{
	PK_FREED uint32_t *works = pk_gpu_works(launches);
	struct pk_gpu_waits waits;
	uint32_t gpus = 0;

	for (uint32_t process = 1; process < launches->profile->process.count; process++) {
		struct pk_gpu_use use;

		if (!works[process] || gpus++ >= PK_GPU_DEVICES)
			continue;
		pk_gpu_use_init(&use, launches, process);
		say_gpu(buf, &use);
		pk_gpu_use_release(&use);
	}
	if (gpus > PK_GPU_DEVICES)
		pk_buf_addf(buf, "%s more %s not looked at\n",
			    pk_in_count(gpus - PK_GPU_DEVICES).text,
			    gpus - PK_GPU_DEVICES == 1 ? "GPU is" : "GPUs are");
	pk_gpu_waits_init(&waits, launches, NULL);
	say_waits(late, &waits);
	pk_gpu_waits_release(&waits);
}

void pk_trace_summary_text(struct pk_buf *buf, const struct pk_profile *p)
{
	PK_BUF_AUTO waits = PK_BUF_INIT;
	struct pk_launches launches;

	if (!p || !pk_torch_rules(p).version)
		return;
	pk_buf_addc(buf, '\n');
	say_steps(buf, p);
	pk_launches_init(&launches, p);
	say_device(buf, &waits, &launches);
	say_ops(buf, p, &launches);
	pk_buf_add(buf, waits.data, waits.len);
}

static void write_list(struct pk_json_writer *w, const char *key, const struct pk_profile *p,
		       const struct pk_gpu_wait_list *list)
{
	pk_json_put_array(w, key);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t name = list->item[i].name;

		pk_json_put(w, "{name %s time %jd}", name ? pk_text(p, name) : NULL,
			    list->item[i].time);
	}
	pk_json_end(w);
}

static void write_gpu(struct pk_json_writer *w, const struct pk_launches *launches,
		      uint32_t process)
{
	const struct pk_profile *p = launches->profile;
	struct pk_gpu_use use;

	pk_gpu_use_init(&use, launches, process);
	pk_json_object(w);
	pk_json_put(w, "name %s first %jd last %jd busy %jd longest_gap %jd kernels %jd copies %jd",
		    pk_text(p, p->process.name[process]), use.first, use.last, use.busy,
		    use.longest_gap, use.kernels, use.copies);
	write_list(w, "host_meanwhile", p, &use.host);
	pk_json_end(w);
	pk_gpu_use_release(&use);
}

static void write_steps(struct pk_json_writer *w, const struct pk_profile *p)
{
	struct steps s;

	find_steps(&s, p);
	if (s.count)
		pk_json_put(w, "steps {count %u first %jd last %jd min %jd median %jd max %jd}",
			    s.count, s.first, s.last, s.time[0], s.time[(s.count - 1) / 2],
			    s.time[s.count - 1]);
	else
		pk_json_put(w, "steps %g", NAN);
	free(s.time);
}

void pk_trace_summary_json(struct pk_json_writer *w, const struct pk_profile *p)
{
	struct pk_launches launches;
	struct pk_gpu_waits waits;
	PK_FREED uint32_t *works = NULL;
	uint32_t gpus = 0;

	pk_json_key(w, "trace");
	if (!p || !pk_torch_rules(p).version) {
		pk_json_null(w);
		return;
	}
	pk_launches_init(&launches, p);
	pk_gpu_waits_init(&waits, &launches, NULL);
	pk_json_object(w);
	write_steps(w, p);
	pk_json_put_array(w, "gpus");
	works = pk_gpu_works(&launches);
	for (uint32_t process = 1; process < p->process.count; process++)
		if (works[process] && gpus++ < PK_GPU_DEVICES)
			write_gpu(w, &launches, process);
	pk_json_end(w);
	if (gpus > PK_GPU_DEVICES)
		pk_json_put_int(w, "gpus_left_out", gpus - PK_GPU_DEVICES);
	pk_json_put(w, "waits %jd waits_idle %jd", waits.time, waits.idle);
	write_list(w, "waits_meanwhile", p, &waits.meanwhile);
	pk_json_end(w);
	pk_gpu_waits_release(&waits);
	pk_launches_release(&launches);
}
