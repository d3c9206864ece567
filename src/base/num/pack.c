/* Compresses what is written, by gzip or zstd, as the suffix of the file says. */
#include "base/num/pack.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text/str.h"

#define ROOM ((size_t)128 << 10)

struct pk_packer {
	void (*write)(void *to, const void *data, size_t len);
	void *to;
	ZSTD_CCtx *zstd; /* NULL: gzip */
	z_stream z;
	char packed[ROOM];
};

struct pk_packer *pk_packer_for_path(const char *path,
				     void (*write)(void *to, const void *data, size_t len),
				     void *to)
{
	bool gzip = pk_ends_with(path, ".gz"), zstd = pk_ends_with(path, ".zst");
	struct pk_packer *packer;

	if (!gzip && !zstd)
		return NULL;
	packer = pk_malloc(sizeof(*packer));
	packer->write = write;
	packer->to = to;
	packer->z = (z_stream){0};
	packer->zstd = zstd ? ZSTD_createCCtx() : NULL;
	/* zlib's header has neither name nor time, so equal input gives equal output */
	if (zstd ? !packer->zstd
		 : deflateInit2(&packer->z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		pk_die("out of memory (to compress '%s')", path);
	if (zstd)
		ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1);
	return packer;
}

static void run_gzip(struct pk_packer *packer, const void *data, size_t len, int flush)
{
	z_stream *z = &packer->z;

	z->next_in = (z_const Bytef *)data;
	do {
		uInt part = len > INT32_MAX ? INT32_MAX : (uInt)len;

		z->avail_in = part;
		len -= part;
		do {
			z->next_out = (Bytef *)packer->packed;
			z->avail_out = ROOM;
			deflate(z, flush);
			packer->write(packer->to, packer->packed, ROOM - z->avail_out);
		} while (!z->avail_out);
	} while (len);
}

static void run_zstd(struct pk_packer *packer, const void *data, size_t len, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = {data, len, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {packer->packed, ROOM, 0};

		left = ZSTD_compressStream2(packer->zstd, &out, &in, end);
		if (ZSTD_isError(left))
			pk_die("compressing with zstd: %s", ZSTD_getErrorName(left));
		packer->write(packer->to, packer->packed, out.pos);
	} while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
}

void pk_packer_add(struct pk_packer *packer, const void *data, size_t len)
{
	if (!len)
		return;
	if (packer->zstd)
		run_zstd(packer, data, len, ZSTD_e_continue);
	else
		run_gzip(packer, data, len, Z_NO_FLUSH);
}

void pk_packer_finish(struct pk_packer *packer)
{
	if (packer->zstd)
		run_zstd(packer, NULL, 0, ZSTD_e_end);
	else
		run_gzip(packer, "", 0, Z_FINISH);
}

void pk_packer_free(struct pk_packer *packer)
{
	if (!packer)
		return;
	if (packer->zstd)
		ZSTD_freeCCtx(packer->zstd);
	else
		deflateEnd(&packer->z);
	free(packer);
}
