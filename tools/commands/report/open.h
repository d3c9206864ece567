#pragma once

#include <stdbool.h>

#include "base/error.h"

/* A process that waits to start a browser, because the sandbox allows no new one. */
struct pk_opener {
	int pid, fd;
};

/* Call it before the sandbox. path: the page. */
int pk_opener_start(struct pk_opener *o, const char *path, struct pk_error *err);
/* Starts the browser, once the page exists. Returns -1 if no browser could be started. */
int pk_opener_show(const struct pk_opener *o, struct pk_error *err);
