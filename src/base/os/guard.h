#ifndef PK_GUARD_H
#define PK_GUARD_H

/*
 * For libraries that crash, abort or exit when memory runs out: between begin and end, that ends
 * the process like pk_die, with "NAME crashed", status 2 and without temporary files. One thread at
 * a time; guards do not nest. The end makes standard error what it was at the beginning. Handlers
 * that somebody else has set (sanitizers) stay. Threads of the library are guarded after the end,
 * too.
 */
void pk_guard_begin(const char *name);
void pk_guard_end(void);

#endif
