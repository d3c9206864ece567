#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/num/hash.h"

/* Texts that are kept once: equal texts have equal numbers, from 1, and the same address. 0 is no
 * text, and its text "". Zero-initialise to begin. */
struct pk_texts {
	struct pk_arena text;
	struct pk_index index;
	struct pk_texts_item {
		const char *text;
		uint32_t len;
	} * item;
	uint32_t count, alloc;
};

uint32_t pk_texts_put(struct pk_texts *texts, const char *text, size_t len);
const char *pk_texts_get(const struct pk_texts *texts, uint32_t id);
void pk_texts_release(struct pk_texts *texts);
