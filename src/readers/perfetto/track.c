/*
 * Descriptors of tracks, threads and processes. Those of one track add up; they may come after its
 * events.
 *
 *	track_descriptor { uuid: 10 process { pid: 7 process_name: "app" } }
 *	track_descriptor { uuid: 11 thread { pid: 7 tid: 8 thread_name: "worker" } }
 *	track_descriptor { uuid: 12 parent_uuid: 11 name: "cpu time" counter { unit: 1 } }
 *
 * If a pid or tid has a second track, the system used its number for another process or thread.
 */
#include <inttypes.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

enum { EXPLICIT = 1 }; /* order of processes, and of threads */

static struct pk_perfetto_bytes bytes_of(const struct pk_proto_field *f)
{
	return (struct pk_perfetto_bytes){f->bytes, f->value};
}

static bool has_text(const struct pk_proto_field *f)
{
	return f->wire == PK_PROTO_BYTES && f->value;
}

uint32_t pk_perfetto_new_track(struct pk_perfetto *p, uint64_t uuid)
{
	struct pk_chrome *c = &p->c;
	uint32_t row = c->thread_count++;

	PK_GROW(p->tracks, (size_t)row + 1, p->track_alloc);
	PK_GROW(c->threads, (size_t)row + 1, c->thread_alloc);
	p->tracks[row] = (struct pk_perfetto_track){
		.uuid = uuid, .tid = PK_NULL, .sort = PK_NULL, .rank = PK_NULL, .multiplier = 1};
	c->threads[row] = (struct pk_chrome_thread){.tid = {.number = PK_NULL}, .sort = PK_NULL};
	return row;
}

uint32_t pk_perfetto_track(struct pk_perfetto *p, uint64_t uuid)
{
	uint32_t row = pk_id_map_get(&p->track_ids, pk_id_map_key(uuid));

	if (row)
		return row;
	row = pk_perfetto_new_track(p, uuid);
	p->tracks[row].is_default = !uuid;
	pk_id_map_put(&p->track_ids, pk_id_map_key(uuid), row);
	return row;
}

static int64_t process_key(uint32_t machine, int64_t pid)
{
	/* a thread may be known without its process */
	return pk_id_map_key((uint64_t)machine << 32 |
			     (uint32_t)(pid == PK_NULL ? INT32_MIN : pid));
}

static uint32_t new_process(struct pk_perfetto *p, uint32_t machine, int64_t pid)
{
	struct pk_chrome *c = &p->c;
	uint32_t row = c->process_count++;
	int64_t key = process_key(machine, pid);
	uint32_t before = pk_id_map_get(&p->process_ids, key), uses;

	PK_GROW(c->processes, (size_t)row + 1, c->process_alloc);
	c->processes[row] = (struct pk_chrome_process){.pid = {.number = pid}, .sort = PK_NULL};
	uses = before ? pk_id_map_get(&p->process_uses, before) + 1 : 1;
	pk_id_map_put(&p->process_uses, row, uses);
	if (before || machine) { /* in a profile a number belongs to one process */
		p->text.len = 0;
		pk_buf_addf(&p->text, "pid %" PRId64, pid);
		if (machine)
			pk_buf_addf(&p->text, " of machine %" PRIu32, machine);
		if (before)
			pk_buf_addf(&p->text, ", use %" PRIu32, uses);
		c->processes[row].pid.number = PK_NULL;
		c->processes[row].pid.text = pk_build_string(c->b, p->text.data, p->text.len);
	}
	pk_id_map_put(&p->process_ids, key, row);
	return row;
}

uint32_t pk_perfetto_process(struct pk_perfetto *p, uint32_t machine, int64_t pid)
{
	uint32_t row = pk_id_map_get(&p->process_ids, process_key(machine, pid));

	return row ? row : new_process(p, machine, pid);
}

uint32_t pk_perfetto_process_track(struct pk_perfetto *p, uint32_t machine, int64_t pid)
{
	uint32_t process = pk_perfetto_process(p, machine, pid), row;

	row = pk_id_map_get(&p->described, process);
	if (!row) {
		row = pk_perfetto_new_track(p, 0);
		p->tracks[row].kind = PK_PERFETTO_PROCESS;
		p->tracks[row].process = p->c.threads[row].process = process;
		p->tracks[row].described = true;
		pk_id_map_put(&p->described, process, row);
	}
	return row;
}

static int64_t thread_key(uint32_t process, int64_t tid)
{
	return (int64_t)((uint64_t)process << 32 | (uint32_t)tid);
}

/* Two tracks are one thread. Of its begins and ends at one time the order in the file counts, which
 * ends that are matched by the track alone do not have. */
static void join_tracks(struct pk_perfetto *p, uint32_t before, uint32_t row)
{
	p->tracks[before].same_as = row;
	pk_nest_end_matching(&p->tracks[before].open, p->c.b);
	pk_nest_end_matching(&p->tracks[row].open, p->c.b);
}

static void be_thread(struct pk_perfetto *p, uint32_t row, uint32_t process, int64_t tid)
{
	struct pk_perfetto_track *t = &p->tracks[row];
	uint32_t before = pk_id_map_get(&p->thread_ids, thread_key(process, tid));

	t->kind = PK_PERFETTO_THREAD;
	t->process = p->c.threads[row].process = process;
	t->tid = tid;
	t->described = true;
	if (before && before != row) {
		/* without a number it was met by its tid alone */
		if (!p->tracks[before].uuid)
			join_tracks(p, before, row);
		t->incarnation = p->tracks[before].incarnation + (p->tracks[before].uuid != 0);
	}
	pk_id_map_put(&p->thread_ids, thread_key(process, tid), row);
}

uint32_t pk_perfetto_thread_track(struct pk_perfetto *p, uint32_t machine, int64_t pid, int64_t tid)
{
	uint32_t process = pk_perfetto_process(p, machine, pid), row;

	row = pk_id_map_get(&p->thread_ids, thread_key(process, tid));
	if (!row) {
		row = pk_perfetto_new_track(p, 0);
		be_thread(p, row, process, tid);
	}
	return row;
}

/* Reads the description of a thread or process. */
struct task {
	int64_t pid, tid, sort;
	uint32_t name;
	int64_t time_us, thread_time_us, instructions;
};

static struct task read_thread_fields(struct pk_perfetto *p, struct pk_perfetto_bytes data)
{
	struct task t = {.pid = PK_NULL, .tid = PK_NULL, .sort = PK_NULL};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 5 && has_text(&f))
			t.name = pk_perfetto_string(p, bytes_of(&f));
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			t.pid = (int32_t)f.value;
		else if (f.number == 2)
			t.tid = (int32_t)f.value;
		else if (f.number == 3 && f.value)
			t.sort = (int32_t)f.value;
		else if (f.number == 6)
			t.time_us = (int64_t)f.value;
		else if (f.number == 7)
			t.thread_time_us = (int64_t)f.value;
		else if (f.number == 8)
			t.instructions = (int64_t)f.value;
	}
	return t;
}

static struct task read_process_fields(struct pk_perfetto *p, struct pk_perfetto_bytes data)
{
	struct task t = {.pid = PK_NULL, .tid = PK_NULL, .sort = PK_NULL};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;
	uint32_t command = 0;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 6 && has_text(&f))
			t.name = pk_perfetto_string(p, bytes_of(&f));
		else if (f.number == 2 && has_text(&f) && !command)
			command = pk_perfetto_string(p, bytes_of(&f));
		else if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			t.pid = (int32_t)f.value;
		else if (f.number == 3 && f.wire == PK_PROTO_VARINT && f.value)
			t.sort = (int32_t)f.value;
	}
	if (!t.name)
		t.name = command;
	return t;
}

static void describe_thread(struct pk_perfetto *p, uint32_t row, uint32_t machine,
			    const struct task *task)
{
	uint32_t process = pk_perfetto_process(p, machine, task->pid);
	struct pk_perfetto_track *t = &p->tracks[row];

	if (t->kind != PK_PERFETTO_THREAD || t->tid != task->tid ||
	    (t->process != process && p->c.processes[t->process].pid.number != task->pid))
		be_thread(p, row, process, task->tid);
	t = &p->tracks[row];
	if (task->name)
		t->name = task->name;
	if (task->sort != PK_NULL)
		t->sort = task->sort;
}

static void describe_process(struct pk_perfetto *p, uint32_t row, uint32_t machine,
			     const struct task *task)
{
	struct pk_perfetto_track *t = &p->tracks[row];
	struct pk_chrome_process *process;

	if (t->kind != PK_PERFETTO_PROCESS) {
		uint32_t entry = pk_perfetto_process(p, machine, task->pid);

		if (pk_id_map_get(&p->described, entry))
			entry = new_process(p, machine, task->pid);
		pk_id_map_put(&p->described, entry, row);
		t->kind = PK_PERFETTO_PROCESS;
		t->process = p->c.threads[row].process = entry;
		t->described = true;
	}
	process = &p->c.processes[t->process];
	if (task->name)
		process->name = task->name;
	if (task->sort != PK_NULL)
		process->sort = task->sort;
}

static const char *unit_name(uint64_t unit)
{
	static const char *const names[] = {"", "ns", "count", "bytes"};

	return unit < sizeof(names) / sizeof(*names) ? names[unit] : "";
}

static void describe_counter(struct pk_perfetto *p, uint32_t row,
			     const struct pk_perfetto_sequence *s, struct pk_perfetto_bytes data)
{
	struct pk_perfetto_track *t = &p->tracks[row];
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	t->kind = PK_PERFETTO_COUNTER;
	t->described = true;
	if (t->sequence != p->last_sequence || t->generation != s->generation)
		t->value = 0;
	t->sequence = p->last_sequence;
	t->generation = s->generation;
	while (pk_proto_next(&m, &f)) {
		if (f.number == 6 && has_text(&f))
			t->unit = pk_perfetto_string(p, bytes_of(&f));
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1 && (f.value == 1 || f.value == 2) && !t->name) {
			t->name = pk_build_text(p->c.b, f.value == 1 ? "thread_time"
								     : "thread_instruction_count");
			t->unit = pk_build_text(p->c.b, f.value == 1 ? "ns" : "count");
		} else if (f.number == 3 && *unit_name(f.value)) {
			t->unit = pk_build_text(p->c.b, unit_name(f.value));
		} else if (f.number == 4 && f.value) {
			t->multiplier = (int64_t)f.value;
		} else if (f.number == 5) {
			t->incremental = f.value != 0;
		}
	}
}

/* Reads the fields of a track descriptor that are no other descriptors. */
static void read_track_field(struct pk_perfetto *p, struct pk_perfetto_track *t,
			     const struct pk_proto_field *f)
{
	if (f->wire == PK_PROTO_BYTES) {
		if ((f->number == 2 || f->number == 10 || f->number == 13) && f->value)
			t->name = pk_perfetto_string(p, bytes_of(f));
		else if (f->number == 14 && f->value)
			t->description = pk_perfetto_string(p, bytes_of(f));
		else if (f->number == 18)
			t->kind = PK_PERFETTO_STATE;
	} else if (f->wire == PK_PROTO_VARINT) {
		if (f->number == 5)
			t->parent = f->value;
		else if (f->number == 9)
			t->apart = f->value != 0;
		else if (f->number == 11)
			t->child_ordering = f->value <= UINT8_MAX ? (uint8_t)f->value : 0;
		else if (f->number == 12)
			t->rank = (int32_t)f->value;
		else if (f->number == 19)
			p->ranked_processes |= f->value == EXPLICIT;
		else if (f->number == 20)
			p->ranked_threads |= f->value == EXPLICIT;
	}
	t->described = true;
}

/* Events of the sequence that have no track are those of this thread. */
static void be_thread_of(struct pk_perfetto_sequence *s, const struct task *task, uint32_t track)
{
	s->has_thread = true;
	s->thread = track;
	s->pid = task->pid;
	s->tid = task->tid;
	s->time_us = task->time_us;
	s->thread_time_us = task->thread_time_us;
	s->instructions = task->instructions;
}

int pk_perfetto_read_track(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;
	uint64_t uuid = 0;
	bool has_uuid = false;
	uint32_t row;

	while (pk_proto_next(&m, &f))
		if (f.number == 1 && f.wire == PK_PROTO_VARINT) {
			uuid = f.value;
			has_uuid = true;
		}
	if (m.problem || !has_uuid)
		return pk_perfetto_repair(p, "descriptor of a track without a number left out");
	row = pk_perfetto_track(p, uuid);
	for (m = pk_proto(data.data, data.len); pk_proto_next(&m, &f);)
		read_track_field(p, &p->tracks[row], &f);
	for (m = pk_proto(data.data, data.len); pk_proto_next(&m, &f);) {
		struct task task;

		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == 3) {
			task = read_process_fields(p, bytes_of(&f));
			if (task.pid != PK_NULL)
				describe_process(p, row, s->machine, &task);
		} else if (f.number == 4) {
			task = read_thread_fields(p, bytes_of(&f));
			if (task.tid == PK_NULL)
				continue;
			describe_thread(p, row, s->machine, &task);
			be_thread_of(s, &task, row);
		} else if (f.number == 8) {
			describe_counter(p, row, s, bytes_of(&f));
		}
	}
	return 0;
}

void pk_perfetto_read_thread(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			     struct pk_perfetto_bytes data)
{
	struct task task = read_thread_fields(p, data);

	if (task.tid == PK_NULL) {
		s->time_us = task.time_us;
		return;
	}
	be_thread_of(s, &task, pk_perfetto_thread_track(p, s->machine, task.pid, task.tid));
	if (task.name)
		p->tracks[s->thread].name = task.name;
	if (task.sort != PK_NULL)
		p->tracks[s->thread].sort = task.sort;
}

void pk_perfetto_read_process(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      struct pk_perfetto_bytes data)
{
	struct task task = read_process_fields(p, data);
	struct pk_chrome_process *process;
	uint32_t row;

	if (task.pid == PK_NULL)
		return;
	row = pk_perfetto_process(p, s->machine, task.pid); /* this may move the processes */
	process = &p->c.processes[row];
	if (task.name)
		process->name = task.name;
	if (task.sort != PK_NULL)
		process->sort = task.sort;
}
