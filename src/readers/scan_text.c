#include "readers/scan_text.h"

#include "base/text/ascii.h"

bool pk_scan_number(struct pk_scan *t, uint64_t *value)
{
	unsigned base = pk_scan_word(t, "0x") ? 16 : 10;
	const char *first = t->at;
	uint64_t n = 0;

	for (; t->at < t->end && pk_hex_digit(*t->at) < base; t->at++)
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, pk_hex_digit(*t->at), &n))
			return false;
	*value = n;
	return t->at > first;
}
