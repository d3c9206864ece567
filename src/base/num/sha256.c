/* SHA-256 and base64, by which a page of HTML names the scripts that it may run. */
#include "base/num/sha256.h"

#include <string.h>

static const uint32_t round_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static uint32_t turn(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* Instead of moving the words in each round, the next one is given them in another order. */
static inline void do_round(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
			    uint32_t g, uint32_t *h, uint32_t added)
{
	*h += (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + added;
	*d += *h;
	*h += (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5],
		 g = state[6], h = state[7], w[64];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t x = w[i - 15], y = w[i - 2];

		w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + w[i - 7] +
		       (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
	}
	for (int i = 0; i < 64; i++)
		w[i] += round_constants[i];
	for (int i = 0; i < 64; i += 8) {
		do_round(a, b, c, &d, e, f, g, &h, w[i]);
		do_round(h, a, b, &c, d, e, f, &g, w[i + 1]);
		do_round(g, h, a, &b, c, d, e, &f, w[i + 2]);
		do_round(f, g, h, &a, b, c, d, &e, w[i + 3]);
		do_round(e, f, g, &h, a, b, c, &d, w[i + 4]);
		do_round(d, e, f, &g, h, a, b, &c, w[i + 5]);
		do_round(c, d, e, &f, g, h, a, &b, w[i + 6]);
		do_round(b, c, d, &e, f, g, h, &a, w[i + 7]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

void pk_sha256(const void *data, size_t len, uint8_t digest[PK_SHA256_SIZE])
{
	uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const uint8_t *at = data;
	uint8_t last[128] = {0};
	size_t left = len, end;

	for (; left >= 64; left -= 64, at += 64)
		add_block(state, at);
	if (left)
		memcpy(last, at, left);
	last[left] = 0x80;
	end = left < 56 ? 64 : 128;
	for (int i = 0; i < 8; i++)
		last[end - 1 - (size_t)i] = (uint8_t)((uint64_t)len * 8 >> 8 * i);
	for (size_t i = 0; i < end; i += 64)
		add_block(state, last + i);
	for (int i = 0; i < PK_SHA256_SIZE; i++)
		digest[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

void pk_buf_add_base64(struct pk_buf *buf, const void *data, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *at = data;
	char *to = pk_buf_room(buf, (len + 2) / 3 * 4);

	for (size_t i = 0; i < len; i += 3) {
		size_t there = len - i < 3 ? len - i : 3;
		uint32_t bits = (uint32_t)at[i] << 16;

		bits |= there > 1 ? (uint32_t)at[i + 1] << 8 : 0;
		bits |= there > 2 ? at[i + 2] : 0;
		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = there > 1 ? digits[bits >> 6 & 63] : '=';
		*to++ = there > 2 ? digits[bits & 63] : '=';
	}
	*to = '\0';
	buf->len = (size_t)(to - buf->data);
}
