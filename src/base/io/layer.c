/*
 * Layers of an input: bytes of a file, unpacked by gzip, zstd or lz4 in one another, with limits
 * on how much they may unpack to.
 */
#include "base/io/layer.h"

#include <errno.h>
#include <lz4frame.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/io/input.h"
#include "base/text/str.h"

#define MOST_LEVELS 3
/* An empty member or frame counts as this many bytes, because beginning one takes time. */
#define MEMBER_BYTES 256

struct pk_layer {
	const struct type *type;
	struct pk_layer *below;
	uint64_t made;    /* bytes given to the layer above */
	uint64_t members; /* begun so far */

	/* Bytes read from below; [at, len) is not used yet. */
	uint8_t *in;
	size_t at, len;
	uint64_t offset; /* of in[0] in the bytes of below */
	bool in_ended;

	bool ended;
	bool between; /* at the begin of a member or frame */
	union {
		struct {
			int fd;
			bool owned;
			uint64_t at, end; /* end: of a part; 0: the file is read from its begin to
					   * its end */
			struct pk_sum_part sum;
		} file;
		struct {
			const uint8_t *at;
			size_t left;
		} memory;
		z_stream z;
		ZSTD_DStream *zstd;
		LZ4F_dctx *lz4;
		bool big_endian;
	};
};

struct type {
	const char *name; /* name of the compression; NULL at the bottom */
	size_t (*read)(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err);
	void (*close)(struct pk_layer *layer);
};

static uint64_t limit_bytes = (uint64_t)1 << 30, limit_ratio = 500;

void pk_input_set_ratio_limit(uint64_t bytes, uint64_t ratio)
{
	limit_bytes = bytes;
	limit_ratio = ratio;
}

static struct pk_layer *new_layer(const struct type *type)
{
	struct pk_layer *layer = pk_calloc(1, sizeof(*layer));

	layer->type = type;
	return layer;
}

/* Fails with the place in the bytes of the layer below. */
static int fail_at(const struct pk_layer *layer, struct pk_error *err, const char *what,
		   const char *detail)
{
	const struct pk_layer *below = layer->below;

	return pk_fail(err, PK_EFORMAT, "byte %llu%s%s%s: %s%s%s%s",
		       (unsigned long long)(layer->offset + layer->at),
		       below->type->name ? " of what " : "",
		       below->type->name ? below->type->name : "",
		       below->type->name ? " unpacked" : "", what, detail ? " (" : "",
		       detail ? detail : "", detail ? ")" : "");
}

static void fail_cut(const struct pk_layer *layer, struct pk_error *err, const char *packing)
{
	fail_at(layer, err, "the compressed data is cut off here", packing);
	err->code = PK_ECUT;
}

/* Makes `need` unused bytes available in layer->in, or as many as there are. */
static size_t need_input(struct pk_layer *layer, size_t need, struct pk_error *err)
{
	while (layer->len - layer->at < need && !layer->in_ended) {
		size_t got;

		memmove(layer->in, layer->in + layer->at, layer->len - layer->at);
		layer->offset += layer->at;
		layer->len -= layer->at;
		layer->at = 0;
		got = pk_layer_read(layer->below, layer->in + layer->len,
				    PK_LAYER_CHUNK + PK_LAYER_ROOM - layer->len, err);
		layer->len += got;
		layer->in_ended = !got || err->code;
	}
	return layer->len - layer->at;
}

static ssize_t read_some(const struct pk_layer *layer, uint8_t *buf, size_t room)
{
	uint64_t left = layer->file.end - layer->file.at;

	if (!layer->file.end)
		return read(layer->file.fd, buf, room);
	return pread(layer->file.fd, buf, left < room ? (size_t)left : room, (off_t)layer->file.at);
}

static size_t file_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	ssize_t got;

	while ((got = read_some(layer, buf, room)) < 0) {
		struct pollfd wait = {layer->file.fd, POLLIN, 0};

		if (errno == EAGAIN) {
			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			pk_fail(err, PK_EIO, "byte %llu: %s", (unsigned long long)layer->file.at,
				strerror(errno));
			return 0;
		}
	}
	layer->file.at += (uint64_t)got;
	pk_sum_add(&layer->file.sum, buf, (size_t)got);
	return (size_t)got;
}

static void file_close(struct pk_layer *layer)
{
	pk_sum_move(&layer->file.sum, 0);
	if (layer->file.owned)
		close(layer->file.fd);
}

static const struct type file_type = {NULL, file_read, file_close};

struct pk_layer *pk_layer_file(int fd, bool owned, struct pk_sum_part sum)
{
	struct pk_layer *layer = new_layer(&file_type);

	layer->file.fd = fd;
	layer->file.owned = owned;
	layer->file.sum = sum;
	return layer;
}

struct pk_layer *pk_layer_part(const struct pk_layer *file, uint64_t at, uint64_t len, bool summed)
{
	struct pk_sum_part sum = {summed ? file->file.sum.sums : NULL, file->file.sum.file, 0, at,
				  0};
	struct pk_layer *layer = pk_layer_file(file->file.fd, false, sum);

	layer->file.at = at;
	layer->file.end = at + len;
	return layer;
}

void pk_layer_skip(struct pk_layer *file, uint64_t len)
{
	if (!file->file.end)
		lseek(file->file.fd, (off_t)len, SEEK_CUR);
	file->file.at += len;
	file->made += len;
	pk_sum_move(&file->file.sum, file->file.at);
}

static size_t memory_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	size_t len = layer->memory.left < room ? layer->memory.left : room;

	(void)err;
	if (!len)
		return 0;
	memcpy(buf, layer->memory.at, len);
	layer->memory.at += len;
	layer->memory.left -= len;
	return len;
}

struct pk_layer *pk_layer_memory(const void *data, size_t len)
{
	static const struct type type = {NULL, memory_read, NULL};
	struct pk_layer *layer = new_layer(&type);

	layer->memory.at = data;
	layer->memory.left = len;
	return layer;
}

/* Limits the number of members, since the limit of output does not bound empty ones. */
static int check_members(struct pk_layer *layer, struct pk_error *err)
{
	uint64_t work = ++layer->members * MEMBER_BYTES;

	if (!limit_ratio || work <= limit_bytes || work / limit_ratio <= pk_layer_consumed(layer))
		return 0;
	return pk_fail(err, PK_ELIMIT,
		       "the %s data is in more than %llu pieces, many for its size; with "
		       "--max-memory SIZE it is read all the same",
		       layer->type->name, (unsigned long long)layer->members);
}

/*
 * Called between two members. Returns false if none follows: at the end, after zero padding
 * (as tape archives and block devices have it), or with err set.
 */
static bool next_member(struct pk_layer *layer, bool (*begins)(const uint8_t *, size_t),
			struct pk_error *err)
{
	size_t len = need_input(layer, 4, err);

	if (!len || begins(layer->in + layer->at, len))
		return len > 0 && !check_members(layer, err);
	while (need_input(layer, 1, err)) {
		if (layer->in[layer->at]) {
			fail_at(layer, err, "something else follows the compressed data",
				layer->type->name);
			return false;
		}
		layer->at++;
	}
	return false;
}

static bool gzip_begins(const uint8_t *data, size_t len)
{
	return len >= 2 && data[0] == 0x1F && data[1] == 0x8B;
}

static size_t gzip_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	z_stream *z = &layer->z;

	z->next_out = buf;
	z->avail_out = (uInt)room;
	while (z->avail_out && !layer->ended && !err->code) {
		int result;

		if (layer->between && !next_member(layer, gzip_begins, err)) {
			layer->ended = true;
			break;
		}
		layer->between = false;
		if (!need_input(layer, 1, err)) {
			if (!err->code)
				fail_cut(layer, err, "gzip");
			break;
		}
		z->next_in = layer->in + layer->at;
		z->avail_in = (uInt)(layer->len - layer->at);
		result = inflate(z, Z_NO_FLUSH);
		layer->at = layer->len - z->avail_in;
		if (result == Z_STREAM_END) {
			layer->between = true;
			inflateReset(z);
		} else if (result == Z_MEM_ERROR) {
			pk_die("out of memory (to unpack gzip)");
		} else if (result != Z_OK) {
			fail_at(layer, err, "damaged gzip data", z->msg);
		}
	}
	return room - z->avail_out;
}

static void gzip_close(struct pk_layer *layer)
{
	inflateEnd(&layer->z);
}

static void gzip_open(struct pk_layer *layer)
{
	if (inflateInit2(&layer->z, 15 + 16) != Z_OK)
		pk_die("out of memory (to unpack gzip)");
}

static bool zstd_begins(const uint8_t *data, size_t len)
{
	return len >= 4 && (memcmp(data, "\x28\xB5\x2F\xFD", 4) == 0 ||
			    ((data[0] & 0xF0) == 0x50 && memcmp(data + 1, "\x2A\x4D\x18", 3) == 0));
}

static void zstd_fail(struct pk_layer *layer, struct pk_error *err, size_t result)
{
	if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
		pk_die("out of memory (to unpack zstd)");
	if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
		fail_at(layer, err, "the data was compressed with a window of more than 128 MB",
			"unpack it with 'zstd -d --long=31'");
	else if (ZSTD_getErrorCode(result) == ZSTD_error_dictionary_wrong)
		fail_at(layer, err, "the data was compressed with a dictionary",
			"unpack it with 'zstd -d -D DICTIONARY'");
	else
		fail_at(layer, err, "damaged zstd data", ZSTD_getErrorName(result));
}

static size_t zstd_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	ZSTD_outBuffer out = {buf, room, 0};

	while (out.pos < room && !layer->ended && !err->code) {
		size_t had, before = out.pos, result;
		ZSTD_inBuffer in;

		if (layer->between && !next_member(layer, zstd_begins, err)) {
			layer->ended = true;
			break;
		}
		had = need_input(layer, 1, err);
		in = (ZSTD_inBuffer){layer->in, layer->len, layer->at};
		result = ZSTD_decompressStream(layer->zstd, &out, &in);
		layer->at = in.pos;
		layer->between = result == 0;
		/* output may be left although there is no input */
		if (ZSTD_isError(result))
			zstd_fail(layer, err, result);
		else if (result && !had && out.pos == before && !err->code)
			fail_cut(layer, err, "zstd");
	}
	return out.pos;
}

static void zstd_close(struct pk_layer *layer)
{
	ZSTD_freeDStream(layer->zstd);
}

static void zstd_open(struct pk_layer *layer)
{
	layer->zstd = ZSTD_createDStream();
	if (!layer->zstd)
		pk_die("out of memory (to unpack zstd)");
}

/* The magic number of a frame, or of one that is to be skipped. The old format of "lz4 -l" is not
 * read. */
static bool lz4_begins(const uint8_t *data, size_t len)
{
	return len >= 4 && (memcmp(data, "\x04\x22\x4D\x18", 4) == 0 ||
			    ((data[0] & 0xF0) == 0x50 && memcmp(data + 1, "\x2A\x4D\x18", 3) == 0));
}

static size_t lz4_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	size_t made = 0;

	while (made < room && !layer->ended && !err->code) {
		size_t had, used, got = room - made, result;

		if (layer->between && !next_member(layer, lz4_begins, err)) {
			layer->ended = true;
			break;
		}
		had = used = need_input(layer, 1, err);
		result = LZ4F_decompress(layer->lz4, buf + made, &got, layer->in + layer->at, &used,
					 NULL);
		if (LZ4F_isError(result)) {
			fail_at(layer, err, "damaged lz4 data", LZ4F_getErrorName(result));
			break;
		}
		layer->at += used;
		made += got;
		layer->between = result == 0;
		if (result && !had && !got && !err->code)
			fail_cut(layer, err, "lz4");
	}
	return made;
}

static void lz4_close(struct pk_layer *layer)
{
	LZ4F_freeDecompressionContext(layer->lz4);
}

static void lz4_open(struct pk_layer *layer)
{
	if (LZ4F_isError(LZ4F_createDecompressionContext(&layer->lz4, LZ4F_VERSION)))
		pk_die("out of memory (to unpack lz4)");
}

static struct pk_layer *put_above(struct pk_layer *below, const struct type *type,
				  const uint8_t *data, size_t len)
{
	struct pk_layer *layer = new_layer(type);

	layer->below = below;
	layer->in = pk_malloc(PK_LAYER_CHUNK + PK_LAYER_ROOM);
	layer->len = len;
	memcpy(layer->in, data, len);
	layer->between = true;
	return layer;
}

struct pk_layer *pk_layer_unpack(struct pk_layer *below, const uint8_t *data, size_t len,
				 int *level, struct pk_error *err)
{
	static const struct packing {
		struct type type;
		bool (*begins)(const uint8_t *data, size_t len);
		void (*open)(struct pk_layer *layer);
	} packings[] = {
		{{"gzip", gzip_read, gzip_close}, gzip_begins, gzip_open},
		{{"zstd", zstd_read, zstd_close}, zstd_begins, zstd_open},
		{{"lz4", lz4_read, lz4_close}, lz4_begins, lz4_open},
	};
	const struct packing *packing = packings;
	struct pk_layer *layer;

	while (!packing->begins(data, len)) {
		if (++packing == packings + sizeof(packings) / sizeof(*packings))
			return below;
	}
	if (++*level > MOST_LEVELS) {
		pk_fail(err, PK_ELIMIT, "compressed more than %d times over", MOST_LEVELS);
		return below;
	}
	layer = put_above(below, &packing->type, data, len);
	packing->open(layer);
	return layer;
}

static bool utf16_begins(const uint8_t *data, size_t len)
{
	return len >= 2 && (memcmp(data, "\xFF\xFE", 2) == 0 || memcmp(data, "\xFE\xFF", 2) == 0);
}

/* Takes one code point; U+FFFD for half a surrogate pair or half a unit. */
static uint32_t utf16_next(struct pk_layer *layer, size_t len)
{
	const uint8_t *p = layer->in + layer->at;
	int high = layer->big_endian ? 0 : 1;
	uint32_t unit, second;

	if (len < 2) {
		layer->at += len;
		return 0xFFFD;
	}
	unit = (uint32_t)p[high] << 8 | p[1 - high];
	layer->at += 2;
	if (unit < 0xD800 || unit > 0xDFFF)
		return unit;
	if (len < 4 || unit > 0xDBFF)
		return 0xFFFD;
	second = (uint32_t)p[2 + high] << 8 | p[3 - high];
	if (second < 0xDC00 || second > 0xDFFF)
		return 0xFFFD;
	layer->at += 2;
	return 0x10000 + ((unit & 0x3FF) << 10 | (second & 0x3FF));
}

static size_t utf16_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	size_t made = 0, len;

	while (room - made >= 4 && (len = need_input(layer, 4, err)) > 0) {
		uint32_t cp = utf16_next(layer, len);
		char text[4];
		size_t n = pk_utf8_encode(text, cp);

		memcpy(buf + made, text, n);
		made += n;
	}
	return made;
}

struct pk_layer *pk_layer_decode(struct pk_layer *below, const uint8_t *data, size_t len)
{
	static const struct type utf16 = {"UTF-16", utf16_read, NULL};
	struct pk_layer *layer;

	if (!utf16_begins(data, len))
		return below;
	layer = put_above(below, &utf16, data, len);
	layer->at = 2;
	layer->big_endian = data[0] == 0xFE;
	return layer;
}

bool pk_layer_undoes(const uint8_t *data, size_t len)
{
	return gzip_begins(data, len) || zstd_begins(data, len) || lz4_begins(data, len) ||
	       utf16_begins(data, len);
}

uint64_t pk_layer_consumed(const struct pk_layer *layer)
{
	while (layer->below)
		layer = layer->below;
	return layer->made;
}

int pk_input_check_ratio(const char *packing, uint64_t packed, uint64_t unpacked,
			 struct pk_error *err)
{
	if (!limit_ratio || unpacked <= limit_bytes || unpacked / limit_ratio <= packed)
		return 0;
	return pk_fail(err, PK_ELIMIT,
		       "the %s data unpacks to more than %llu times its size (%llu MB so far); "
		       "with --max-memory SIZE it is read all the same",
		       packing, (unsigned long long)limit_ratio,
		       (unsigned long long)(unpacked >> 20));
}

static void check_limit(const struct pk_layer *layer, struct pk_error *err)
{
	if (layer->below && !err->code)
		pk_input_check_ratio(layer->type->name, pk_layer_consumed(layer), layer->made, err);
}

size_t pk_layer_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err)
{
	size_t got = layer->type->read(layer, buf, room, err);

	layer->made += got;
	check_limit(layer, err);
	return got;
}

void pk_layer_close(struct pk_layer *layer)
{
	while (layer) {
		struct pk_layer *below = layer->below;

		if (layer->type->close)
			layer->type->close(layer);
		free(layer->in);
		free(layer);
		layer = below;
	}
}
