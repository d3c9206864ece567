/* The trace with its critical path: a thread of its own, and arrows where the path leaves a thread.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"

/* Beyond the process ids of Linux. */
enum { PROCESS = 1 << 23 };

static uint32_t make_thread(struct pk_builder *b)
{
	struct pk_thread thread = {.tid = 1, .sort = PK_NULL};

	thread.process = pk_build_process(b, PROCESS, pk_build_text(b, "critical path"), -1);
	thread.name = pk_build_text(b, "critical path");
	return pk_build_thread(b, &thread);
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
	thread = make_thread(copy.b);
	for (uint32_t i = 0; i < c->parts; i++) {
		add_part(copy.b, c, &c->part[i], thread);
		add_arrow(&copy, c, last, c->part[i].span);
		last = c->part[i].span;
	}
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
