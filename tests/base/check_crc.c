#include <zlib.h>

#include "base/num/crc.h"
#include "tests/check_util.h"

enum { LONGEST = 9000, STEP = 61 };

/* Of any length and from any place, whichever instructions the processor has. */
START_TEST(is_that_of_zlib)
{
	uint8_t data[LONGEST + 64];
	uint32_t random = 1;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
	for (size_t len = 0; len <= LONGEST; len += len < 64 ? 1 : STEP) {
		const uint8_t *from = data + len % 64;

		ck_assert_uint_eq(pk_crc32(0, from, len), crc32(0, from, (uInt)len));
		ck_assert_uint_eq(pk_crc32(0x12345678, from, len),
				  crc32(0x12345678, from, (uInt)len));
	}
}
END_TEST

CHECK_MAIN("crc", is_that_of_zlib)
