/*
 * Stages that ran on queues of a GPU, of Vulkan, OpenGL, OpenCL, CUDA or HIP:
 *
 *	interned_data { gpu_specifications { iid: 1 name: "vertex" }
 *			gpu_specifications { iid: 3 name: "binning" } }
 *	gpu_render_stage_event { duration: 10 hw_queue_iid: 1 stage_iid: 3 context: 42 }
 *
 * At first, names had no ids of their own: they count from 0.
 *
 *	gpu_render_stage_event { specifications { hw_queue { name: "vertex" } ... } }
 *	gpu_render_stage_event { event_id: 1 duration: 10 hw_queue_id: 0 stage_id: 0 }
 *
 * A queue becomes a stream of a GPU, which is a process.
 */
#include <inttypes.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

struct stage {
	uint64_t duration, context, submission, queue, stage, name_iid;
	uint32_t gpu;
	bool has_id, has_iids, has_stage_iid;
	struct pk_perfetto_bytes name, specifications;
};

static void parse_number(struct stage *e, const struct pk_proto_field *f)
{
	switch (f->number) {
	case 1:
		e->has_id = true;
		break;
	case 2:
		e->duration = f->value;
		break;
	case 3:
		e->queue = e->has_iids ? e->queue : (uint32_t)f->value;
		break;
	case 4:
		e->stage = e->has_stage_iid ? e->stage : f->value;
		break;
	case 5:
		e->context = f->value;
		break;
	case 10:
		e->submission = f->value;
		break;
	case 11:
		e->gpu = (uint32_t)f->value;
		break;
	case 13:
		e->has_iids = true;
		e->queue = f->value;
		break;
	case 14:
		e->has_stage_iid = true;
		e->stage = f->value;
		break;
	case 20:
		e->name_iid = f->value;
		break;
	}
}

static bool parse(struct stage *e, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	*e = (struct stage){.gpu = 0};
	while (pk_proto_next(&m, &f)) {
		if (f.wire == PK_PROTO_VARINT)
			parse_number(e, &f);
		else if (f.wire == PK_PROTO_BYTES && f.number == 7)
			e->specifications = (struct pk_perfetto_bytes){f.bytes, f.value};
		else if (f.wire == PK_PROTO_BYTES && f.number == 17)
			e->name = (struct pk_perfetto_bytes){f.bytes, f.value};
	}
	return !m.problem;
}

static uint32_t name_of_description(struct pk_perfetto *p, const struct pk_proto_field *f)
{
	struct pk_proto m = pk_proto(f->bytes, f->value);
	struct pk_proto_field name;

	while (pk_proto_next(&m, &name))
		if (name.number == 1 && name.wire == PK_PROTO_BYTES)
			return pk_build_string(p->c.b, (const char *)name.bytes,
					       (size_t)name.value);
	return 0;
}

static int64_t queue_key(uint32_t machine, uint32_t gpu, uint32_t number, bool named)
{
	uint64_t place = (uint64_t)machine << 32 | gpu;

	return pk_id_map_key(place * 0x9e3779b97f4a7c15 ^ (uint64_t)number << 1 ^ named);
}

/* Names of queues and stages by their place; a queue may have been used before. */
static void read_specifications(struct pk_perfetto *p, uint32_t machine, const struct stage *e)
{
	struct pk_proto m = pk_proto(e->specifications.data, e->specifications.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_names *names = f.number == 2   ? &p->queue_names
						  : f.number == 3 ? &p->stage_names
								  : NULL;
		uint32_t row;

		if (!names || f.wire != PK_PROTO_BYTES)
			continue;
		row = pk_id_map_get(&p->queues, queue_key(machine, e->gpu, names->count, false));
		PK_GROW(names->item, (size_t)names->count + 1, names->alloc);
		names->item[names->count++] = name_of_description(p, &f);
		if (f.number == 2 && row)
			p->tracks[row].name = names->item[names->count - 1];
	}
}

static uint32_t process_of_gpu(struct pk_perfetto *p, uint32_t machine, uint32_t gpu)
{
	struct pk_chrome *c = &p->c;
	int64_t key = pk_id_map_key((uint64_t)machine << 32 | gpu);
	uint32_t row = pk_id_map_get(&p->gpus, key);

	if (row)
		return row;
	row = c->process_count++;
	PK_GROW(c->processes, (size_t)row + 1, c->process_alloc);
	p->text.len = 0;
	pk_buf_addf(&p->text, "GPU %" PRIu32, gpu);
	if (machine)
		pk_buf_addf(&p->text, " of machine %" PRIu32, machine);
	c->processes[row] = (struct pk_chrome_process){
		.pid = {.number = PK_NULL,
			.text = pk_build_string(c->b, p->text.data, p->text.len)},
		.sort = PK_NULL};
	pk_id_map_put(&p->gpus, key, row);
	return row;
}

static uint32_t new_queue(struct pk_perfetto *p, uint32_t machine, uint32_t gpu, uint32_t number,
			  uint32_t name)
{
	uint32_t process = process_of_gpu(p, machine, gpu);
	uint32_t row = pk_perfetto_new_track(p, 0);
	struct pk_perfetto_track *t = &p->tracks[row];

	t->kind = PK_PERFETTO_THREAD;
	t->process = p->c.threads[row].process = process;
	t->tid = number;
	t->name = name;
	t->described = t->used = true;
	p->c.threads[row].role = PK_ROLE_GPU;
	return row;
}

/* The track of the queue; 0 if its number was never defined. */
static uint32_t queue_of(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			 const struct stage *e)
{
	uint32_t number = (uint32_t)e->queue, name = 0, row;
	int64_t key;

	if (e->has_iids) {
		name = pk_perfetto_id(p, s, PK_PERFETTO_GPU_NAMES, e->queue);
		if (!name)
			return 0;
		number = name;
	} else if (number < p->queue_names.count) {
		name = p->queue_names.item[number];
	}
	key = queue_key(s->machine, e->gpu, number, e->has_iids);
	row = pk_id_map_get(&p->queues, key);
	if (row)
		return row;
	if (!name) {
		p->text.len = 0;
		pk_buf_addf(&p->text, "Unknown GPU Queue %" PRIu32, number);
		name = pk_build_string(p->c.b, p->text.data, p->text.len);
	}
	/* sequences may give several queues one number */
	row = new_queue(p, s->machine, e->gpu, e->has_iids ? p->queues.count : number, name);
	pk_id_map_put(&p->queues, key, row);
	return row;
}

/* As trace_processor names them. */
static uint32_t name_of(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			const struct stage *e)
{
	uint32_t name = e->name_iid ? pk_perfetto_id(p, s, PK_PERFETTO_NAMES, e->name_iid) : 0;

	if (!name && e->name.len)
		name = pk_perfetto_string(p, e->name);
	if (!name && e->has_stage_iid)
		return pk_perfetto_id(p, s, PK_PERFETTO_GPU_NAMES, e->stage);
	if (!name && e->stage < p->stage_names.count)
		name = p->stage_names.item[e->stage];
	if (name)
		return name;
	p->text.len = 0;
	pk_buf_addf(&p->text, "render stage(%" PRIu64 ")", e->stage);
	return pk_build_string(p->c.b, p->text.data, p->text.len);
}

static void put_args(struct pk_perfetto *p, const struct stage *e, uint32_t span)
{
	if (!p->wants_args) {
		pk_build_unread(p->c.b, PK_PART_ARGS);
		return;
	}
	p->text.len = 0;
	pk_buf_addf(&p->text, "{\"context_id\": %" PRIu64 ", \"submission_id\": %" PRIu64 "}",
		    e->context, e->submission);
	pk_build_arg_object(p->c.b, PK_TABLE_SPAN, span, p->text.data, p->text.len);
}

int pk_perfetto_read_render_stage(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
				  int64_t time, struct pk_perfetto_bytes data)
{
	uint32_t category, label, track;
	struct stage e;

	if (!parse(&e, data))
		return pk_perfetto_repair(p, "damaged render stage left out");
	if (e.specifications.data)
		read_specifications(p, s->machine, &e);
	if (!e.has_id)
		return 0;
	if (time == PK_NULL || e.duration > (uint64_t)PK_CHROME_MAX_TIME)
		return pk_perfetto_repair(p, time == PK_NULL
						     ? "render stage without a time left out"
						     : "render stage left out: its duration is "
						       "too large");
	track = queue_of(p, s, &e);
	if (!track)
		return pk_perfetto_repair(p, "render stage on an unknown queue left out");
	category = pk_build_text(p->c.b, "gpu_render_stage");
	label = pk_perfetto_label(p, name_of(p, s, &e), category);
	put_args(p, &e, pk_build_span(p->c.b, time, (int64_t)e.duration, track, label, category));
	return 0;
}
