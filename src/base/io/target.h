#pragma once

#include <stdbool.h>

/*
 * Files that are written. The folder is looked up once; after that the file is its descriptor and
 * the last component of the path. What is written goes to a temporary file beside it, which is
 * removed when the process exits or is ended by SIGINT, SIGTERM or SIGHUP. In the sandbox another
 * process does all this (broker.h), for files that were named before. For output.c, and for SQLite.
 */
struct pk_target;

/* Names a file that the sandbox will let be written, and read. Before pk_sandbox_enter. Also
 * removes what killed processes left beside it, and opens a device or a pipe. An error is reported
 * by pk_target_open. */
void pk_target_name(const char *path);
/* The same for a file that pk_target_unlink may remove. */
void pk_target_name_removable(const char *path);
int pk_target_unlink(const char *path); /* -1 and errno */
/* Makes a folder for files to be named. It is removed when the process exits or is ended, if it is
 * empty then. If it cannot be made, opening a file in it fails. */
void pk_target_make_folder(const char *path);
/* For pk_target_open_nameless where no file is named. */
void pk_target_need_broker(void);
/* NULL and errno if it cannot be written: in the sandbox EPERM for what was not named. */
struct pk_target *pk_target_open(const char *path);
/* Forgets it. Its temporary file was renamed or removed before. */
void pk_target_close(struct pk_target *t);
/* The file with links followed; NULL for a device, a pipe or a terminal. */
const char *pk_target_path(const struct pk_target *t);

/* Creates ".NAME.profkit-PID-XXXXXX.tmp" beside the file, with the permissions of the file. A
 * descriptor of it, or of the device, which the caller closes; -1 and errno on failure. */
int pk_target_create(struct pk_target *t);
/* The path of the temporary file. The caller frees it. */
char *pk_target_temporary(const struct pk_target *t);
/* Renames the temporary file; with new_only it replaces nothing: EEXIST. On failure it is still
 * there: -1 and errno. */
int pk_target_rename(struct pk_target *t, bool new_only);
void pk_target_remove(struct pk_target *t);

/* Holds back the signals that end the process until `hold` is false again, or the process exits.
 * Used for the moment in which the output becomes final, so that the exit status is right. */
void pk_target_hold_signals(bool hold);
/* Removes all temporary files of this process. A signal handler may call it. */
void pk_target_remove_all(void);

/* For SQLite in the sandbox: as open for reading and writing, and unlink, of a named file, its
 * temporary file and its journals. `create` as O_CREAT. -1 and errno, EPERM for all others. */
int pk_target_open_database(const char *path, bool create);
int pk_target_unlink_journal(const char *path);
/* A file without a name, for what does not fit into memory. */
int pk_target_open_nameless(void);
