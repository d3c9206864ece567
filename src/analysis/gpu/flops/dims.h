#pragma once

#include "base/json/members.h"

/*
 * Lists of numbers in the arguments of torch's operators: "Input Dims" and "Concrete Inputs".
 *
 *	"Input Dims": [[8, 16], [16, 32], []], "Concrete Inputs": ["", "[1, 1]", "False", "2"]
 */
enum { PK_MAX_DIMS = 8 };

struct pk_dims {
	int64_t item[PK_MAX_DIMS];
	int count; /* -1: the list is missing, or no list of numbers */
};

/* Reads at most `most` lists; those that are missing have the count -1. A number is a list of one;
 * True is 1 and False 0. Old versions of torch wrote the value as a string. */
void pk_dims_read(struct pk_json_slice value, struct pk_dims *lists, int most);
/* The product of the sizes; 0 if it does not fit. */
int64_t pk_dims_product(const struct pk_dims *list);
