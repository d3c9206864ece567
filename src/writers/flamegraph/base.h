#ifndef PK_FLAME_BASE_H
#define PK_FLAME_BASE_H

#include "base/opt.h"
#include "model/profile.h"

/*
 * The stacks that have one of the functions in them, each from the deepest of
 * these on, as inferno's --base cuts them. The result is the caller's to free.
 */
struct pk_profile *pk_flame_cut(const struct pk_profile *p, const struct pk_opt_list *functions);

#endif
