#include "readers/scan_text.h"

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

bool pk_scan_number(struct pk_scan *t, uint64_t *value)
{
	unsigned base = pk_scan_word(t, "0x") ? 16 : 10;
	const char *first = t->at;
	uint64_t n = 0;

	for (; t->at < t->end && digit_of(*t->at) < base; t->at++)
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit_of(*t->at), &n))
			return false;
	*value = n;
	return t->at > first;
}
