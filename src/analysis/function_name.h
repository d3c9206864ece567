#ifndef PK_FUNCTION_NAME_H
#define PK_FUNCTION_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"

/* How a function is called in graphs, appended to buf: "module:line:function" where its
 * file is known ("~:0:function" for what is built in, "module:function" where the line is not
 * known), else the function alone. module is the file's base name without suffix. */
void pk_graph_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t frame);

/*
 * A pattern for functions: a glob as in the shell, or a regular expression
 * (searched anywhere) between slashes: "/^json/". It is compared with the function
 * alone, with its name in graphs, and with "file:line(function)".
 */
struct pk_pattern;
/* NULL with err if the expression is none. */
struct pk_pattern *pk_pattern_new(const char *text, struct pk_error *err);
bool pk_pattern_matches(struct pk_pattern *pattern, const struct pk_profile *p, uint32_t frame);
void pk_pattern_free(struct pk_pattern *pattern);

#endif
