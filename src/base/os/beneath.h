#pragma once

#include <stdbool.h>

/*
 * Files below one folder. A process that was confined to it by pk_open_confine can open no other
 * file by a path: none outside of the folder, and none through a symbolic link, wherever that
 * leads.
 */

/* Opens a file below the folder `root`, whose real path is root_path. Fails with EXDEV for a path
 * that leads out of it, ELOOP or ENOTDIR for one with a symbolic link. */
int pk_open_below(int root, const char *root_path, const char *path, int flags);
/* From here on, pk_open_read opens files below this folder only. Both must stay. */
void pk_open_confine(int root, const char *root_path);
/* True if it was called. */
bool pk_open_is_confined(void);
/* open(), by which all files that are named by a path are read. */
int pk_open_read(const char *path, int flags);
