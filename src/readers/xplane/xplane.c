/*
 * Recordings of XLA's profiler: JAX, TensorFlow, on CPUs, GPUs and TPUs (HOST.xplane.pb). A message
 * of protocol buffers, XSpace (third_party/tsl/tsl/profiler/protobuf/xplane.proto in openxla/xla):
 *
 *	planes {
 *	  id: 7 name: "/device:GPU:7"
 *	  lines {
 *	    id: 1 name: "Stream #1(Kernel)" timestamp_ns: 1633193266
 *	    events { metadata_id: 3 offset_ps: 2666727000 duration_ps: 6890000
 *	             stats { metadata_id: 1 uint64_value: 171 } }
 *	  }
 *	  event_metadata { key: 3 value { id: 3 name: "loop_transpose_fusion" } }
 *	  stat_metadata { key: 1 value { id: 1 name: "correlation_id" } }
 *	}
 *	hostnames: "node-3"
 *
 * - A plane is a process: the host, or a device; its lines are threads (plane.c, line.c). Planes
 *   are read one after the other, each several times, since the names of its events come after
 *   them: from the file, or where that is not possible (message.c), from memory.
 * - Statistics are arguments (args.c). Those that link events become flows (finish.c).
 * - Some lines of devices sum up the time of others: these have no cost (names.c).
 * - Times are whole ps; here they are rounded to ns. They count from the begin of the recording,
 *   in old files from 1970.
 * - The same recording as JSON (trace.json.gz) has the same processes, threads, spans and times.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/reader.h"
#include "readers/xplane/internal.h"

enum { PLANES = 1, ERRORS, WARNINGS, HOSTNAMES, LONGEST_HEAD = 24 };

uint64_t xplane_place(const struct xplane *x, const uint8_t *at)
{
	size_t avail;

	return pk_input_offset(x->in) + (uint64_t)(at - pk_input_peek(x->in, 0, &avail));
}

int xplane_repair_at(struct xplane *x, uint64_t place, const char *what)
{
	return pk_build_repair(x->b, x->err, what, "byte %" PRIu64, place);
}

int xplane_repair(struct xplane *x, const uint8_t *at, const char *what)
{
	return xplane_repair_at(x, xplane_place(x, at), what);
}

bool xplane_afford(struct xplane *x, uint64_t len)
{
	enum { FREE = 64 << 20, RATIO = 16 };

	if (x->named_bytes + len > FREE + RATIO * x->plane_bytes)
		return false;
	x->named_bytes += len;
	return true;
}

/* Reads the facts about the whole recording. */
static void read_text(struct xplane *x, const struct pk_proto_field *f)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (f->wire != PK_PROTO_BYTES || !f->value)
		return;
	pk_buf_add(&text, f->bytes, f->value);
	if (f->number == HOSTNAMES)
		pk_build_run_text(x->b, PK_RUN_HOST, text.data);
	else if (f->number == ERRORS || f->number == WARNINGS)
		pk_build_meta(x->b, f->number == ERRORS ? "error" : "warning", text.data);
}

/* The length of a field of the recording; 0: it is no field, for the reason in *problem. */
static uint64_t measure(const uint8_t *at, size_t avail, struct pk_proto_field *f, size_t *head,
			const char **problem)
{
	struct pk_proto m = pk_proto(at, avail);
	const uint8_t *content = xplane_read_head(at, avail, f);

	*problem = NULL;
	if (content) {
		*head = (size_t)(content - at);
		return f->value > UINT64_MAX / 2 ? UINT64_MAX / 2 : *head + f->value;
	}
	*head = 0;
	if (pk_proto_next(&m, f) && f->number > HOSTNAMES)
		return (uint64_t)(m.at - at);
	*problem = m.problem ? m.problem : "field of another type";
	return 0;
}

static int fail_at(struct xplane *x, struct pk_input *in, const char *problem)
{
	return pk_fail(x->err, PK_EFORMAT, "byte %" PRIu64 ": %s", pk_input_offset(in), problem);
}

/* True if a plane that is not in memory as a whole can be read more than once. */
static bool is_in_file(const struct pk_input *in, uint64_t len)
{
	return pk_input_plain_path(in) && len <= pk_input_size(in) - pk_input_offset(in);
}

/* In a file that is cut off, all planes except the last are complete. */
static int read_fields(struct xplane *x, struct pk_input *in)
{
	uint64_t planes = 0;

	for (;;) {
		size_t avail, head;
		const uint8_t *at = pk_input_peek(in, LONGEST_HEAD, &avail);
		struct pk_proto_field f;
		const char *problem;
		uint64_t len;
		bool plane;

		if (!avail)
			return planes ? 0 : fail_at(x, in, "there is no plane");
		len = measure(at, avail < LONGEST_HEAD ? avail : LONGEST_HEAD, &f, &head, &problem);
		if (!len)
			return fail_at(x, in, problem);
		plane = head && f.number == PLANES;
		if (len > avail && !(plane && is_in_file(in, len))) {
			at = xplane_peek(in, len, &avail);
			if (len > avail)
				return planes ? xplane_repair(x, at,
							      "plane that the end of the file cuts "
							      "off left out")
					      : fail_at(x, in, "the plane is cut off");
		}
		x->place = pk_input_offset(in);
		if (plane) {
			planes++;
			pk_input_take(in, head);
			if (xplane_read_plane(x, f.value))
				return -1;
			continue;
		}
		f.bytes = at + head;
		if (head)
			read_text(x, &f);
		pk_input_take(in, (size_t)len);
	}
}

static void release(struct xplane *x)
{
	xplane_release_plane(x);
	pk_near_ids_release(&x->event_rows);
	pk_near_ids_release(&x->stat_rows);
	pk_id_map_release(&x->label_rows);
	pk_buf_release(&x->quoted);
	pk_buf_release(&x->text);
	xplane_clear_shapes(x);
	free(x->events);
	free(x->stats);
	free(x->args);
	free(x->labels);
	free(x->rules);
	free(x->producers.item);
	free(x->consumers.item);
	free(x->nest.place);
	free(x->nest.lane_of);
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct xplane x = {.b = b,
			   .err = err,
			   .in = in,
			   .wants_args = pk_builder_wants(b, PK_PART_ARGS),
			   .wants_flows = pk_builder_wants(b, PK_PART_MARKS),
			   .profile_start = PK_NULL};
	int status;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "XLA profiler");
	status = read_fields(&x, in);
	if (!status)
		status = pk_input_check(in, err);
	if (!status)
		status = xplane_finish(&x);
	release(&x);
	return status;
}

static bool is_plane_name(const uint8_t *name, uint64_t len)
{
	static const char *const begins[] = {"/host:",    "/device:", "Task Environment", "#Chip",
					     "Host CPUs", "Syscalls", "/profiler:"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (len >= strlen(begins[i]) && !memcmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* A plane begins with its id, which may be missing, and its name. */
static enum pk_score probe(const struct pk_probe *probe)
{
	struct pk_proto m = pk_proto(probe->data, probe->len);
	struct pk_proto_field f;
	uint64_t len;

	if (!probe->len || *m.at++ != (PLANES << 3 | PK_PROTO_BYTES) || !pk_proto_varint(&m, &len))
		return PK_NO;
	if (!pk_proto_next(&m, &f))
		return PK_NO;
	if (f.number == 1 && f.wire == PK_PROTO_VARINT && !pk_proto_next(&m, &f))
		return PK_NO;
	return f.number == 2 && f.wire == PK_PROTO_BYTES && is_plane_name(f.bytes, f.value)
		       ? PK_SURE
		       : PK_NO;
}

static const char *const suffixes[] = {".xplane.pb", NULL};

const struct pk_reader pk_reader_xplane = {
	.name = "xplane",
	.title = "XLA's profiler: recordings of JAX and TensorFlow in protocol buffers",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_CALLS | PK_PART_FILES | PK_PART_THREADS | PK_PART_METRICS |
		 PK_PART_SPANS | PK_PART_MARKS | PK_PART_ARGS | PK_PART_META,
	.probe = probe,
	.read = read,
};
