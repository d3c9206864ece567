#ifndef PK_SANDBOX_H
#define PK_SANDBOX_H

#include "base/error.h"

/*
 * From here on the process may only read files, write to what it has open, use memory and threads,
 * and have the files written that pk_broker_allow named: everything else that it asks of the system
 * fails with EPERM (seccomp). Before the first thread, and before any input is read. -1 with the
 * reason where the system has no such thing, or profkit was built without libseccomp.
 */
int pk_sandbox_enter(struct pk_error *err);

#endif
