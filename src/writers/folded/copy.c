/* Copies call paths with functions replaced by the names that are written; see folded.c. */
#include "writers/folded/folded.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "model/build/builder.h"

struct copy {
	const struct pk_profile *p;
	const struct pk_folded_name *name;
	enum pk_folded_root root;
	struct pk_builder *b;
	uint32_t *to, *made_for; /* per node: its copy, and 1 + the thread for which it was made */
	uint32_t *way;
	size_t way_alloc;
};

static uint32_t add_label(struct copy *c, uint32_t parent, struct pk_buf *text)
{
	uint32_t node;
	int places = c->root == PK_FOLDED_PY_SPY_ROOT ? PK_FOLDED_ANYTHING : 0;

	pk_folded_clean(text, places | (parent ? 0 : PK_FOLDED_FIRST));
	node = pk_build_node(c->b, parent, pk_build_label(c->b, text->data, text->len));
	pk_buf_release(text);
	return node;
}

static uint32_t add_root(struct copy *c, uint32_t parent, uint32_t name, const char *what,
			 int64_t id)
{
	const struct pk_profile *p = c->p;
	struct pk_buf buf = PK_BUF_INIT;

	if (name)
		pk_buf_add(&buf, pk_text(p, name), p->string.len[name]);
	else if (id != PK_NULL)
		pk_buf_addf(&buf, "%s %lld", what, (long long)id);
	else
		pk_buf_adds(&buf, what);
	return add_label(c, parent, &buf);
}

static void add_id(struct pk_buf *buf, char before, int64_t id)
{
	pk_buf_addc(buf, before);
	if (id == PK_NULL)
		pk_buf_addc(buf, '?');
	else
		pk_buf_addf(buf, "%lld", (long long)id);
}

/* The name of the root as stackcollapse-perf.pl writes it with --pid or --tid. */
static uint32_t add_comm(struct copy *c, uint32_t thread)
{
	const struct pk_profile *p = c->p;
	uint32_t name = p->thread.name[thread], process = p->thread.process[thread];
	struct pk_buf buf = PK_BUF_INIT;
	size_t i;

	if (!name)
		return 0;
	pk_buf_add(&buf, pk_text(p, name), p->string.len[name]);
	pk_folded_clean(&buf, 0);
	for (i = 0; i < buf.len; i++)
		if (buf.data[i] == ' ')
			buf.data[i] = '_';
	if (c->root != PK_FOLDED_COMM)
		add_id(&buf, '-', process ? p->process.pid[process] : PK_NULL);
	if (c->root == PK_FOLDED_COMM_TID)
		add_id(&buf, '/', p->thread.tid[thread]);
	return add_label(c, 0, &buf);
}

static uint32_t add_py_spy_process(struct copy *c, uint32_t process)
{
	const struct pk_profile *p = c->p;
	struct pk_buf buf = PK_BUF_INIT;

	if (!process || p->process.pid[process] == PK_NULL)
		return 0;
	pk_buf_addf(&buf, "process %lld:\"%s\"", (long long)p->process.pid[process],
		    pk_text(p, p->process.name[process]));
	return add_label(c, 0, &buf);
}

static uint32_t add_py_spy_thread(struct copy *c, uint32_t parent, uint32_t thread)
{
	const struct pk_profile *p = c->p;
	const char *name = pk_text(p, p->thread.name[thread]);
	struct pk_buf buf = PK_BUF_INIT;

	if (p->thread.tid[thread] == PK_NULL)
		return parent;
	/* ids of the system are small, those of pthreads are addresses */
	if (p->thread.tid[thread] >> 32)
		pk_buf_addf(&buf, "thread (0x%llX)", (unsigned long long)p->thread.tid[thread]);
	else
		pk_buf_addf(&buf, "thread (%lld)", (long long)p->thread.tid[thread]);
	if (*name)
		pk_buf_addf(&buf, ": %s", name);
	return add_label(c, parent, &buf);
}

static uint32_t thread_root(struct copy *c, uint32_t thread)
{
	const struct pk_profile *p = c->p;
	uint32_t process = p->thread.process[thread], node = 0;

	if (!thread || c->root == PK_FOLDED_NO_ROOT)
		return 0;
	if (c->root == PK_FOLDED_PY_SPY_ROOT)
		return add_py_spy_thread(c, add_py_spy_process(c, process), thread);
	if (c->root != PK_FOLDED_THREAD)
		return add_comm(c, thread);
	if (process)
		node = add_root(c, 0, p->process.name[process], "process", p->process.pid[process]);
	return add_root(c, node, p->thread.name[thread], "thread", p->thread.tid[thread]);
}

static uint32_t copy_node(struct copy *c, uint32_t thread, uint32_t node)
{
	const struct pk_profile *p = c->p;
	size_t depth = 0;
	uint32_t to;

	for (; node && c->made_for[node] != thread + 1; node = p->node.parent[node]) {
		PK_GROW(c->way, depth + 1, c->way_alloc);
		c->way[depth++] = node;
	}
	to = node ? c->to[node] : thread_root(c, thread);
	while (depth) {
		const struct pk_folded_name *name = &c->name[pk_node_function(p, c->way[--depth])];

		node = c->way[depth];
		if (name->len || !to)
			to = pk_build_node(c->b, to, pk_build_label(c->b, name->text, name->len));
		c->to[node] = to;
		c->made_for[node] = thread + 1;
	}
	return to;
}

struct pk_profile *pk_folded_copy(const struct pk_profile *p, const struct pk_folded_name *names,
				  enum pk_folded_root root, const uint32_t *metric, int metrics)
{
	struct copy c = {.p = p, .name = names, .root = root, .b = pk_builder_new()};
	uint32_t i;
	int m;

	c.to = pk_calloc(p->node.count, sizeof(*c.to));
	c.made_for = pk_calloc(p->node.count, sizeof(*c.made_for));
	for (m = 0; m < metrics; m++)
		pk_build_metric(c.b, m ? "after" : "before", "", p->metric.exponent[metric[m]],
				PK_METRIC_COUNT, PK_EXACT);
	for (i = 1; i < p->cost.count; i++) {
		uint32_t thread = root == PK_FOLDED_NO_ROOT ? 0 : pk_cost_thread(p, i);

		for (m = 0; m < metrics; m++)
			if (pk_cost_metric(p, i) == metric[m])
				pk_build_cost(c.b, 0, copy_node(&c, thread, p->cost.node[i]),
					      (uint32_t)m + 1, p->cost.self[i], PK_NULL);
	}
	free(c.to);
	free(c.made_for);
	free(c.way);
	return pk_builder_finish(c.b);
}
