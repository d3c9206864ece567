#pragma once

#include "model/part/part.h"

/* The facts that parts keep about a run beside the values of its functions: pk_part_describe. */
void pk_describe_run(struct pk_reduction *part, const struct pk_profile *p, uint32_t member);
