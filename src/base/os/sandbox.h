#ifndef PK_SANDBOX_H
#define PK_SANDBOX_H

#include <stdbool.h>

#include "base/error.h"

/*
 * In the sandbox the process may only use memory, threads and what it has open, read the files that
 * were named and those that libraries need, and have the files written that pk_target_name named.
 * Everything else that it asks of the system fails: seccomp allows a list of calls (EPERM for
 * others, ENOSYS for what is newer than profkit), Landlock a list of files (EACCES). Linux on
 * x86-64 and arm64; where the kernel has no Landlock, every file can be read.
 */
enum pk_sandbox_wish {
	PK_SANDBOX_AUTO, /* where it can be had, and the build is no odd one: see the source */
	PK_SANDBOX_NO,
	PK_SANDBOX_YES,
};

/* What PROFKIT_SANDBOX asks for (auto, no, yes), AUTO if it is not set; -1 if it is something else.
 */
int pk_sandbox_from_environment(enum pk_sandbox_wish *wish, struct pk_error *err);
/* Names a file that may be read, with the journals of a store beside it. Before pk_sandbox_enter.
 */
void pk_sandbox_read(const char *path);
/*
 * From here on the process is in the sandbox, if that is wished. Before the first thread, and
 * before any input is read. -1 with the reason where YES cannot be had.
 */
int pk_sandbox_enter(enum pk_sandbox_wish wish, struct pk_error *err);
bool pk_sandbox_is_entered(void);
/* For --version: "by default", ... */
const char *pk_sandbox_of_build(void);

#endif
