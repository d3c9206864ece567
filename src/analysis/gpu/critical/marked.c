/* The trace with its critical path: a thread of its own, and arrows where the path leaves a thread.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"

/* "ProfilerStep#3", what the path is of. */
static void add_what(struct pk_buf *name, const struct pk_critical *c)
{
	if (c->span)
		pk_buf_adds(name, pk_critical_name(c, c->span));
	else if (c->step)
		pk_buf_addf(name, "steps %s", c->step);
	else
		pk_buf_adds(name, "the whole trace");
}

/* The path has no numbers of a process and thread, which might be those of others. A path that the
 * trace has already is a thread of the same process. */
static uint32_t make_thread(struct pk_copy *copy, const struct pk_critical *c)
{
	const struct pk_thread_table *t = &pk_builder_profile(copy->b)->thread;
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};
	uint32_t others = 0;
	PK_BUF_AUTO name = PK_BUF_INIT;

	thread.process =
		pk_build_process(copy->b, PK_NULL, pk_build_text(copy->b, "critical path"), -1);
	for (uint32_t i = 1; i < t->count; i++)
		others += t->process[i] == thread.process;
	add_what(&name, c);
	if (others)
		pk_buf_addf(&name, " (%u)", others + 1);
	thread.name = pk_build_text(copy->b, name.data);
	return pk_build_thread(copy->b, &thread);
}

/* "computation: gemm<float>" */
static void add_part(struct pk_builder *b, const struct pk_critical *c,
		     const struct pk_critical_part *part, uint32_t thread)
{
	PK_BUF_AUTO name = PK_BUF_INIT;
	PK_BUF_AUTO args = PK_BUF_INIT;
	const char *class_of = pk_critical_classes[part->class_of],
		   *op = pk_critical_name(c, part->op);
	uint32_t span;

	pk_buf_adds(&name, class_of);
	if (part->span)
		pk_buf_addf(&name, ": %s", pk_critical_name(c, part->span));
	span = pk_build_span(b, part->from, part->to - part->from, thread,
			     pk_build_node(b, 0, pk_build_label(b, name.data, name.len)),
			     pk_build_text(b, "critical_path"));
	if (!part->op)
		return;
	pk_buf_adds(&args, "{\"operator\": ");
	pk_json_quote(&args, op, strlen(op));
	pk_buf_addc(&args, '}');
	pk_build_arg_object(b, PK_TABLE_SPAN, span, args.data, args.len);
}

/* Adds an arrow from a part of the path to the next one on another thread. */
static void add_arrow(struct pk_copy *copy, const struct pk_critical *c, uint32_t from, uint32_t to)
{
	const struct pk_span_table *t = &c->profile->span;

	if (!from || !to || t->thread[from] == t->thread[to])
		return;
	pk_build_flow(copy->b, pk_copy_id(copy, PK_TABLE_SPAN, from),
		      pk_copy_id(copy, PK_TABLE_SPAN, to), pk_build_text(copy->b, "critical_path"));
}

struct pk_profile *pk_critical_marked(const struct pk_critical *c)
{
	struct pk_copy copy;
	uint32_t thread, last = 0;

	pk_copy_init(&copy, pk_builder_new(), c->profile);
	pk_copy_begin(&copy);
	pk_copy_paths(&copy);
	pk_copy_edges(&copy);
	pk_copy_events(&copy, NULL);
	thread = make_thread(&copy, c);
	for (uint32_t i = 0; i < c->parts; i++) {
		add_part(copy.b, c, &c->part[i], thread);
		add_arrow(&copy, c, last, c->part[i].span);
		last = c->part[i].span;
	}
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
