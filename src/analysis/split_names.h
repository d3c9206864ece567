#ifndef PK_SPLIT_NAMES_H
#define PK_SPLIT_NAMES_H

#include "model/profile.h"

/*
 * Some tools write the place of a frame into its name: "parse (app/main.py:12)", where the
 * line is the one being executed, so that a function has as many names as lines. Gives the call
 * paths and costs of such a profile with function and file apart, and the lines of a function
 * as one; NULL if no name is like that. The result is the caller's.
 */
struct pk_profile *pk_split_names(const struct pk_profile *p);

#endif
