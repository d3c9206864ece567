#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A text to take apart from the front: taking something moves `at` behind it. */
struct pk_scan {
	const char *at, *end;
};

/* Takes word, or leaves `at` alone. */
static inline bool pk_scan_word(struct pk_scan *t, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len))
		return false;
	t->at += len;
	return true;
}

/* "12" or "0x7f", all 64 bits. Where it fails (no digits, too large) `at` may have moved. */
bool pk_scan_number(struct pk_scan *t, uint64_t *value);
