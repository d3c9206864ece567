/*
 * Where and as what a sample was taken: labels of it and of its cost.
 *
 *	stack_sample {
 *	  task_context { pid: 7 async_id: 3 }           # a track; async, async_kind, async_parent
 *	  execution_context { cpu: 2 mode: MODE_USER }  # cpu, mode
 *	  unwind_error: "no frame pointer"              # unwind_error
 *	}
 *	stack_sample_defaults { source: "python.wall" } # source
 *
 * Tasks and contexts may be interned. An async task without a descriptor is known by its number.
 */
#include "base/alloc.h"
#include "base/num/hash.h"
#include "readers/perfetto/internal.h"

void pk_perfetto_read_task(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data, struct pk_perfetto_context *c,
			   uint64_t *iid)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	int64_t pid = PK_NULL, tid = PK_NULL;
	struct pk_proto_field f;

	c->track = 0;
	c->async = 0;
	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			*iid = f.value;
		else if (f.number == 2)
			pid = (int32_t)f.value;
		else if (f.number == 3)
			tid = (int32_t)f.value;
		else if (f.number == 4)
			c->async = f.value;
	}
	if (tid != PK_NULL)
		c->track = pk_perfetto_thread_track(p, s->machine, pid, tid);
	else if (pid != PK_NULL)
		c->track = pk_perfetto_process_track(p, s->machine, pid);
}

/* Modes have other numbers than those of perf's samples. */
void pk_perfetto_read_execution(struct pk_perfetto_bytes data, struct pk_perfetto_context *c,
				uint64_t *iid)
{
	static const uint8_t modes[] = {PK_PERFETTO_NO_MODE,    PK_PERFETTO_USER,
					PK_PERFETTO_KERNEL,     PK_PERFETTO_HYPERVISOR,
					PK_PERFETTO_GUEST_USER, PK_PERFETTO_GUEST_KERNEL};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	c->cpu = PK_NULL;
	c->mode = PK_PERFETTO_NO_MODE;
	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			*iid = f.value;
		else if (f.number == 2)
			c->cpu = (uint32_t)f.value;
		else if (f.number == 3 && f.value < sizeof(modes))
			c->mode = modes[f.value];
	}
}

/* { iid: 7 name: "worker-1" kind: "fiber" parent_iid: 6 } */
static void read_async(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		       struct pk_perfetto_bytes data)
{
	struct pk_perfetto_async async = {0};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;
	uint64_t iid = 0;

	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_bytes text = {f.bytes, f.value};

		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			iid = f.value;
		else if (f.number == 2 && f.wire == PK_PROTO_BYTES && f.value)
			async.name = pk_perfetto_string(p, text);
		else if (f.number == 3 && f.wire == PK_PROTO_BYTES && f.value)
			async.kind = pk_perfetto_string(p, text);
		else if (f.number == 4 && f.wire == PK_PROTO_VARINT)
			async.parent = f.value;
	}
	PK_GROW(p->asyncs, (size_t)p->async_count + 1, p->async_alloc);
	p->asyncs[p->async_count] = async;
	pk_near_id_put(&s->ids[PK_PERFETTO_ASYNCS], iid, p->async_count++);
}

void pk_perfetto_read_context(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      enum pk_perfetto_kind kind, struct pk_perfetto_bytes data)
{
	struct pk_perfetto_context c = {.cpu = PK_NULL};
	uint64_t iid = 0;

	if (kind == PK_PERFETTO_ASYNCS) {
		read_async(p, s, data);
		return;
	}
	if (kind == PK_PERFETTO_TASKS)
		pk_perfetto_read_task(p, s, data, &c, &iid);
	else
		pk_perfetto_read_execution(data, &c, &iid);
	PK_GROW(p->contexts, (size_t)p->context_count + 1, p->context_alloc);
	p->contexts[p->context_count] = c;
	pk_near_id_put(&s->ids[kind], iid, p->context_count++);
}

struct labels {
	struct pk_builder *b;
	struct pk_label label[8];
	size_t count;
};

static void add_text(struct labels *l, const char *key, uint32_t text)
{
	if (text)
		l->label[l->count++] = (struct pk_label){
			.key = pk_build_text(l->b, key), .text = text, .number = PK_NULL};
}

static void add_number(struct labels *l, const char *key, int64_t number)
{
	l->label[l->count++] = (struct pk_label){.key = pk_build_text(l->b, key), .number = number};
}

static uint32_t make_labels(struct pk_perfetto *p, const struct pk_perfetto_context *c,
			    uint32_t async, uint32_t parent)
{
	static const char *const modes[] = {
		[PK_PERFETTO_KERNEL] = "kernel",
		[PK_PERFETTO_USER] = "user",
		[PK_PERFETTO_HYPERVISOR] = "hypervisor",
		[PK_PERFETTO_GUEST_KERNEL] = "guest_kernel",
		[PK_PERFETTO_GUEST_USER] = "guest_user",
	};
	struct labels l = {.b = p->c.b};

	if (c->cpu != PK_NULL)
		add_number(&l, "cpu", c->cpu);
	if (c->mode)
		add_text(&l, "mode", pk_build_text(l.b, modes[c->mode]));
	if (p->asyncs[async].name)
		add_text(&l, "async", p->asyncs[async].name);
	else if (c->async)
		add_number(&l, "async", (int64_t)(c->async & INT64_MAX));
	add_text(&l, "async_kind", p->asyncs[async].kind);
	add_text(&l, "async_parent", p->asyncs[parent].name);
	add_text(&l, "source", c->source);
	add_text(&l, "unwind_error", c->error);
	return l.count ? pk_build_label_set(l.b, l.label, l.count) : 0;
}

uint32_t pk_perfetto_labels(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			    const struct pk_perfetto_context *c)
{
	const struct pk_near_ids *asyncs = &s->ids[PK_PERFETTO_ASYNCS];
	uint32_t async = c->async ? pk_near_id(asyncs, c->async) : 0, parent;
	struct pk_perfetto_labelled *last;

	parent = async ? pk_near_id(asyncs, p->asyncs[async].parent) : 0;
	last = &p->labelled[pk_hash_pair((uint64_t)c->cpu << 8 | c->mode,
					 c->async ^ (uint64_t)c->source << 40 ^
						 (uint64_t)c->error << 20) %
			    PK_PERFETTO_RECENT];
	if (last->known && last->c.cpu == c->cpu && last->c.mode == c->mode &&
	    last->c.async == c->async && last->c.source == c->source && last->c.error == c->error &&
	    last->async == async && last->parent == parent)
		return last->labels;
	*last = (struct pk_perfetto_labelled){*c, async, parent, make_labels(p, c, async, parent),
					      true};
	return last->labels;
}
