#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "model/profile.h"

/* Texts that outlive the profile they come from; equal texts have equal numbers, from 1. 0 is none,
 * and its text "". Zero-initialise to begin. */
struct pk_gpu_names {
	struct pk_arena text;
	struct pk_index index;
	struct pk_gpu_name {
		const char *text;
		uint32_t len;
	} * item;
	uint32_t count, alloc;
};

uint32_t pk_gpu_name_of(struct pk_gpu_names *names, const char *text, size_t len);
/* The same for a text of a profile; 0 for none. */
uint32_t pk_gpu_name_text(struct pk_gpu_names *names, const struct pk_profile *p, uint32_t text);
const char *pk_gpu_name(const struct pk_gpu_names *names, uint32_t name);
void pk_gpu_names_release(struct pk_gpu_names *names);
