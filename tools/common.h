#pragma once

#include "tools/command.h"

/* The common options: one table per group, offsets within struct pk_common. */
struct pk_option_group {
	unsigned use; /* enum pk_use; 0 = every command has it */
	const char *title;
	const struct pk_opt *opts;
};
extern const struct pk_option_group pk_option_groups[]; /* ended by one without opts */
