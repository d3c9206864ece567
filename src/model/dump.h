#pragma once

#include "base/io/output.h"
#include "model/profile.h"

/* All tables as text, one row a line, column by column from the descriptors: the
 * golden form of a profile in tests. Texts are quoted, references shown as #id, what
 * is not known as "-". Strings stand where they are used, so they have no table. */
void pk_profile_dump(const struct pk_profile *p, struct pk_output *out);
