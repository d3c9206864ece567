#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Starts a browser later: a process that waits, since the sandbox allows no new one. */
struct pk_opener {
	int pid, fd;
};

/* Before the sandbox. path: the page. */
int pk_opener_start(struct pk_opener *o, const char *path, struct pk_error *err);
/* The page is there. -1 if no browser could be started. */
int pk_opener_show(const struct pk_opener *o, struct pk_error *err);
