#ifndef PK_TEMPORARY_H
#define PK_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Temporary files beside the file that they will become. They are removed when
 * the process exits or is ended by SIGINT, SIGTERM or SIGHUP. Made by
 * output.c alone.
 */
struct pk_temporary {
	char *path;
	int fd;
	bool new_only; /* pk_temporary_rename replaces nothing: EEXIST */
	struct pk_temporary_slot *slot;
};

/* Creates ".NAME.profkit-PID-XXXXXX.tmp" in target's folder; -1 and errno on failure. What killed
 * processes left there for the same target is removed.
 * It can be read and written by the owner alone. */
int pk_temporary_create(struct pk_temporary *t, const char *target);
/* Sets its permissions, and its owner where the process may. -1 and errno on failure. */
int pk_temporary_permit(struct pk_temporary *t, mode_t mode, uid_t owner, gid_t group);
/* Closes and renames it to target: -1 and errno on failure; then it is removed.
 * Releases t in any case. */
int pk_temporary_rename(struct pk_temporary *t, const char *target);
/* Removes what killed processes left for this target; for whoever writes to it directly. */
void pk_temporary_clean(const char *target);
/* Removes all files of this process; a signal handler may call it. */
void pk_temporary_remove_all(void);
/* Closes and removes it, and releases t. */
void pk_temporary_remove(struct pk_temporary *t);

#endif
