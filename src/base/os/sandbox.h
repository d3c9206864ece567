#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * In the sandbox, the process can use memory, threads and the descriptors that it has. It can read
 * the named files and those that libraries need, and have those written that pk_target_name named.
 * Other system calls fail: seccomp has a list of allowed calls (EPERM; ENOSYS for calls newer than
 * profkit), Landlock a list of files (EACCES). For Linux on x86-64 and arm64. Without Landlock in
 * the kernel every file can be read.
 */
enum pk_sandbox_wish {
	PK_SANDBOX_AUTO, /* if the system has it, and the build and the process are ordinary */
	PK_SANDBOX_NO,
	PK_SANDBOX_YES, /* or an error */
};

/* Reads PROFKIT_SANDBOX: auto, no or yes; AUTO if it is not set, -1 for other values. */
int pk_sandbox_from_environment(enum pk_sandbox_wish *wish, struct pk_error *err);
/* Names a file that may be read, with SQLite's journals beside it; a folder is ignored. Call it
 * before pk_sandbox_enter. */
void pk_sandbox_read(const char *path, size_t len);
/* Names a folder, all files in which may be read. */
void pk_sandbox_read_folder(const char *path);
/* Puts the process into the sandbox. Call it before the first thread is started and before any
 * input is read. -1 with err if YES is not possible. */
int pk_sandbox_enter(enum pk_sandbox_wish wish, struct pk_error *err);
bool pk_sandbox_is_entered(void);
/* For --version: "by default", ... */
const char *pk_sandbox_of_build(void);
