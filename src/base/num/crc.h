#pragma once

#include <stddef.h>
#include <stdint.h>

/* CRC-32 as zlib's crc32 adds it up: crc is that of the bytes before, 0 of none. */
uint32_t pk_crc32(uint32_t crc, const void *data, size_t len);
