#pragma once

#include "base/json/members.h"

/*
 * Floating-point operations of a call of an operator, from the sizes of its inputs; a product and
 * its addition are two. Products of matrices, convolutions, attention, and their backward passes.
 * NaN for other operators, and where the arguments do not say the sizes.
 */
double pk_flops_of(const char *name, struct pk_json_slice dims, struct pk_json_slice inputs);
bool pk_flops_has_formula(const char *name);
