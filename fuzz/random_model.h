#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

/* A profile that keeps every rule, of what the bytes say: rows of all tables, odd names and
 * numbers. The same bytes give the same profile; the caller frees it. */
struct pk_profile *pk_random_model(const uint8_t *data, size_t size);
