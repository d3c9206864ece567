#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"

/* Appends the name of a function in graphs: "module:line:function" if the file is known
 * ("module:function" if the line is not known), otherwise the function alone, and CPython's
 * "<method 'append' of 'list' objects>" as "list.append". module is the file's base name without
 * suffix. */
void pk_graph_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function);

/* The function that a handle stands for: "f12" is number 12 of the profile's table of functions, as
 * a store and SQL number them. 0 for other texts, and if there is no such number. */
uint32_t pk_function_of_handle(const struct pk_profile *p, const char *text);
/* True if some function has a name that is also a handle: commands look for names first. */
bool pk_handles_are_names(const struct pk_profile *p);

/*
 * A pattern for functions: a shell glob, or a regular expression between slashes, searched
 * anywhere: "/^json/". It is compared with the function's name, its name in graphs, and
 * "file:line(function)".
 */
struct pk_pattern;
/* Returns NULL with err for a bad regular expression. */
struct pk_pattern *pk_pattern_new(const char *text, struct pk_error *err);
bool pk_pattern_matches(struct pk_pattern *pattern, const struct pk_profile *p, uint32_t function);
void pk_pattern_free(struct pk_pattern *pattern);
