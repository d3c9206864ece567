#ifndef PK_BROKER_H
#define PK_BROKER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A second process that opens, renames and removes files for this one, which may not do so any more
 * (sandbox.h): only files that were named before it began, temporary files beside them, and what
 * SQLite puts there. It looks at no input. It ends with this process, and removes what is not
 * finished.
 */

/* Names a file that will be written. Before pk_broker_start. */
void pk_broker_allow(const char *path);
/* The same for what SQLite puts beside it alone: one that is read may need that. */
void pk_broker_allow_beside(const char *path);
/* Nothing is started where no file was named. -1 and errno when there can be no such process. */
int pk_broker_start(void);
/* Waits for its end. Does nothing where there is none. */
void pk_broker_stop(void);
bool pk_broker_is_running(void);
/* For the filter: its number, 0 where there is none, and the descriptor by which it is asked. */
pid_t pk_broker_pid(void);
int pk_broker_channel(void);

/* As the system calls: -1 and errno, EPERM for files that were not named. Any thread may call them.
 */
int pk_broker_open(const char *path, int flags, mode_t mode);
int pk_broker_unlink(const char *path);
/* As pk_temporary_create: the descriptor, and the path, which the caller frees. */
int pk_broker_create(const char *target, char **path);
/* Only of files that pk_broker_create made: to its target, EEXIST without `replace`; permissions and
 * owner. */
int pk_broker_rename(const char *from, const char *to, bool replace);
int pk_broker_permit(const char *path, mode_t mode, uid_t owner, gid_t group);

#endif
