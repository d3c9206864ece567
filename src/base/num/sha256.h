#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/str.h"

/* SHA-256 (FIPS 180-4) of bytes in memory. */
enum { PK_SHA256_SIZE = 32 };
void pk_sha256(const void *data, size_t len, uint8_t digest[PK_SHA256_SIZE]);

/* Appends bytes as base64 (RFC 4648), padded. */
void pk_buf_add_base64(struct pk_buf *buf, const void *data, size_t len);
