/*
 * Packets within a packet, compressed: by zlib in field 50, by zstd in field 133.
 *
 *	compressed_packets: 78 9C ...     # packets, as in a file
 */
#include <zlib.h>

#include "readers/perfetto/internal.h"

enum { MOST_UNPACKED = 1 << 28 };

/* Reads the packets inside a packet. */
static int read_inner(struct pk_perfetto *p, const uint8_t *data, size_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;
	int ret = 0;

	p->inner = true;
	while (!ret && pk_proto_next(&m, &f))
		if (f.number == 1 && f.wire == PK_PROTO_BYTES)
			ret = pk_perfetto_read_packet(p, f.bytes, f.value);
	p->inner = false;
	if (!ret && m.problem)
		ret = pk_perfetto_repair(p, "end of compressed packets is damaged");
	return ret;
}

/* Many small packets unpack to as much as a large one, so the limit holds for their sum. */
static int check_size(struct pk_perfetto *p, const char *packing, uint64_t packed,
		      uint64_t unpacked)
{
	p->packed += packed;
	p->unpacked += unpacked;
	return pk_input_check_ratio(packing, p->packed, p->unpacked, p->c.err);
}

static bool inflate_all(struct pk_buf *out, struct pk_perfetto_bytes data)
{
	enum { PIECE = 1 << 16 };
	z_stream z = {.next_in = (Bytef *)(uintptr_t)data.data, .avail_in = (uInt)data.len};
	int ret = data.len <= UINT32_MAX ? inflateInit(&z) : Z_DATA_ERROR;

	if (ret != Z_OK)
		return false;
	while (ret == Z_OK && out->len < MOST_UNPACKED) {
		z.next_out = (Bytef *)pk_buf_room(out, PIECE);
		z.avail_out = PIECE;
		ret = inflate(&z, Z_NO_FLUSH);
		out->len += PIECE - z.avail_out;
	}
	inflateEnd(&z);
	return ret == Z_STREAM_END;
}

int pk_perfetto_unpack(struct pk_perfetto *p, const struct pk_perfetto_packet *k)
{
	PK_BUF_AUTO out = PK_BUF_INIT;
	const uint8_t *data = NULL;
	struct pk_input *in;
	size_t len = 0;
	int ret;

	if (p->inner)
		return pk_perfetto_repair(p, "compressed packets within such left out");
	if (k->has & 1U << PK_PERFETTO_ZLIB) {
		bool good = inflate_all(&out, k->data[PK_PERFETTO_ZLIB]);

		if (check_size(p, "zlib", k->data[PK_PERFETTO_ZLIB].len, out.len))
			return -1;
		if (!good && pk_perfetto_repair(p, "compressed packets are damaged"))
			return -1;
		return read_inner(p, (const uint8_t *)out.data, out.len);
	}
	in = pk_input_from_memory(k->data[PK_PERFETTO_ZSTD].data, k->data[PK_PERFETTO_ZSTD].len,
				  "compressed packets");
	data = pk_input_all(in, &len);
	ret = pk_input_check(in, p->c.err) ? pk_perfetto_repair(p, "compressed packets are damaged")
					   : 0;
	if (!ret)
		ret = check_size(p, "zstd", k->data[PK_PERFETTO_ZSTD].len, len);
	if (!ret)
		ret = read_inner(p, data, len);
	pk_input_close(in);
	return ret;
}
