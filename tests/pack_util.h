#pragma once

#include <check.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/text/str.h"

/* Append one gzip member, or one zstd or lz4 frame with a checksum. */

static inline void add_gzip(struct pk_buf *to, const void *data, size_t len)
{
	size_t room = compressBound(len) + 100;
	char *packed = pk_malloc(room);
	z_stream z = {0};

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (Bytef *)data;
	z.avail_in = (uInt)len;
	z.next_out = (Bytef *)packed;
	z.avail_out = (uInt)room;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	pk_buf_add(to, packed, z.total_out);
	deflateEnd(&z);
	free(packed);
}

static inline void add_zstd(struct pk_buf *to, const void *data, size_t len)
{
	size_t room = ZSTD_compressBound(len), n;
	char *packed = pk_malloc(room);
	ZSTD_CCtx *c = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(c, packed, room, data, len);
	ck_assert(!ZSTD_isError(n));
	pk_buf_add(to, packed, n);
	ZSTD_freeCCtx(c);
	free(packed);
}

static inline void add_lz4(struct pk_buf *to, const void *data, size_t len)
{
	LZ4F_preferences_t how = {.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled};
	size_t room = LZ4F_compressFrameBound(len, &how), n;
	char *packed = pk_malloc(room);

	n = LZ4F_compressFrame(packed, room, data, len, &how);
	ck_assert(!LZ4F_isError(n));
	pk_buf_add(to, packed, n);
	free(packed);
}
