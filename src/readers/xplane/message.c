/*
 * Messages that need not fit into memory: planes and lines of any length are read field by field
 * from an input, whose window is small.
 */
#include "readers/xplane/internal.h"

enum { LONGEST_HEAD = 24 }; /* a field, but for the content of bytes */

const uint8_t *xplane_read_head(const uint8_t *at, size_t avail, struct pk_proto_field *f)
{
	struct pk_proto m = pk_proto(at, avail);
	uint64_t key;

	if (!pk_proto_varint(&m, &key) || (key & 7) != PK_PROTO_BYTES || key >> 3 == 0 ||
	    key > UINT32_MAX || !pk_proto_varint(&m, &f->value))
		return NULL;
	f->number = (uint32_t)(key >> 3);
	f->wire = PK_PROTO_BYTES;
	f->bytes = m.at;
	return m.at;
}

static bool fail(struct xplane_message *m, const uint8_t *at, const char *problem)
{
	m->piece = (struct pk_proto){at, at, problem};
	return false;
}

/* Finds the next field, whose bytes may be beyond the window. Returns false if there is none, or
 * with m->piece.problem set. */
static bool measure(struct xplane_message *m, struct pk_proto_field *f, uint64_t *len)
{
	size_t need = m->left < LONGEST_HEAD ? (size_t)m->left : LONGEST_HEAD, avail;
	const uint8_t *at = pk_input_peek(m->in, need, &avail), *content;
	struct pk_proto p = pk_proto(at, avail < m->left ? avail : m->left);

	if (avail < need)
		return fail(m, at, "the file has become shorter");
	if (pk_proto_next(&p, f)) {
		*len = (uint64_t)(p.at - at);
		return true;
	}
	content = p.problem ? xplane_read_head(at, need, f) : NULL;
	if (!content || f->value > m->left - (uint64_t)(content - at))
		return fail(m, p.at, p.problem);
	*len = (uint64_t)(content - at) + f->value;
	return true;
}

bool xplane_next_head(struct xplane_message *m, struct pk_proto_field *f)
{
	uint64_t len;

	if (!measure(m, f, &len))
		return false;
	m->left -= len;
	pk_input_take(m->in, (size_t)(f->wire == PK_PROTO_BYTES ? len - f->value : len));
	return true;
}

const uint8_t *xplane_peek(struct pk_input *in, uint64_t len, size_t *avail)
{
	return pk_input_peek(in, len > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)len, avail);
}

bool xplane_next_piece(struct xplane_message *m, const uint8_t *at)
{
	struct pk_proto_field f;
	size_t avail;
	uint64_t len;

	if (at) {
		const uint8_t *begin = pk_input_peek(m->in, 0, &avail);

		m->left -= (uint64_t)(at - begin);
		pk_input_take(m->in, (size_t)(at - begin));
	}
	if (!measure(m, &f, &len))
		return false;
	at = xplane_peek(m->in, len, &avail);
	if (avail < len)
		return fail(m, at, "the file has become shorter");
	m->piece = pk_proto(at, avail < m->left ? avail : m->left);
	return true;
}

struct xplane_bytes xplane_content(struct pk_input *in, uint64_t len)
{
	size_t avail;
	const uint8_t *at = xplane_peek(in, len, &avail);

	return (struct xplane_bytes){at, avail < len ? avail : len};
}

void xplane_pass(struct pk_input *in, uint64_t len)
{
	size_t avail = 1;

	for (; len && avail; len -= avail) {
		pk_input_peek(in, 1, &avail);
		if (avail > len)
			avail = (size_t)len;
		pk_input_take(in, avail);
	}
}
