#pragma once

#include "model/profile.h"

/*
 * Some tools write the place of a frame into its name: "parse (app/main.py:12)", where 12 is
 * the line being executed, so that a function has one name per line. Returns a copy of the
 * call paths and costs with function and file apart and a function's lines joined; NULL if no
 * name has that form. The caller frees it.
 */
struct pk_profile *pk_split_names(const struct pk_profile *p);
