#ifndef PK_SANDBOX_H
#define PK_SANDBOX_H

#include <stdbool.h>

#include "base/error.h"

/*
 * In the sandbox the process may only read files, write to what it has open, use memory and
 * threads, and have the files written that pk_broker_allow named: what else it asks of the system
 * fails with EPERM (seccomp; ENOSYS what is newer than profkit). Linux on x86-64 and arm64.
 */
enum pk_sandbox_wish {
	PK_SANDBOX_AUTO, /* where it can be had, and the build is no odd one: see the source */
	PK_SANDBOX_NO,
	PK_SANDBOX_YES,
};

/* What PROFKIT_SANDBOX asks for (auto, no, yes), AUTO if it is not set; -1 if it is something else.
 */
int pk_sandbox_from_environment(enum pk_sandbox_wish *wish, struct pk_error *err);
/*
 * From here on the process is in the sandbox, if that is wished. Before the first thread, and
 * before any input is read. -1 with the reason where YES cannot be had.
 */
int pk_sandbox_enter(enum pk_sandbox_wish wish, struct pk_error *err);
bool pk_sandbox_is_entered(void);
/* For --version: "by default", ... */
const char *pk_sandbox_of_build(void);

#endif
