/*
 * Names of processes and threads as the system knows them.
 *
 *	process_tree {
 *	  processes { pid: 7 ppid: 1 cmdline: "/bin/app" }
 *	  threads { tid: 8 tgid: 7 name: "worker" }
 *	}
 *
 * Descriptors have precedence.
 */
#include "readers/perfetto/internal.h"

struct task {
	int64_t first, second, third; /* numbers of fields 1 to 3 */
	uint32_t text;                /* the first text */
};

static struct task read_task(struct pk_perfetto *p, const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct task t = {.first = PK_NULL, .third = PK_NULL};
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.wire == PK_PROTO_BYTES && f.value && !t.text && f.number < 4)
			t.text =
				pk_perfetto_string(p, (struct pk_perfetto_bytes){f.bytes, f.value});
		else if (f.wire == PK_PROTO_VARINT && f.number == 1)
			t.first = (int32_t)f.value;
		else if (f.wire == PK_PROTO_VARINT && f.number == 3)
			t.third = (int32_t)f.value;
	}
	return t;
}

void pk_perfetto_read_process_tree(struct pk_perfetto *p, uint32_t machine,
				   struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		struct task t;
		uint32_t row;

		if (f.wire != PK_PROTO_BYTES || (f.number != 1 && f.number != 2))
			continue;
		t = read_task(p, &f);
		if (t.first == PK_NULL || !t.text)
			continue;
		if (f.number == 1) {
			row = pk_perfetto_process(p, machine, t.first);
			if (!p->c.processes[row].name)
				p->c.processes[row].name = t.text;
		} else if (t.third != PK_NULL) {
			row = pk_perfetto_thread_track(p, machine, t.third, t.first);
			if (!p->tracks[row].name)
				p->tracks[row].name = t.text;
		}
	}
}
