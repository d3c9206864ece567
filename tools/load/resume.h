#pragma once

#include "tools/command.h"

/*
 * --resume: while many profiles are added, the part that they make so far is saved beside the
 * output, as OUTPUT.resume, with a list of the files that are in it. The same command, started
 * again, goes on from there, with the same result to the byte, since parts are sums. The file is
 * replaced as a whole each time, so that a process may be killed at any moment.
 */
struct pk_resume;

/* The name of the file; the caller frees it. */
char *pk_resume_path(const char *output);
/* Names it to the sandbox, before that is entered. */
void pk_resume_name(const char *output);

/* Reads what is saved, if anything is, and adds it to *merged. *resume is NULL without --resume.
 * -1 with err, also if what is saved was made of other files, or with other options. */
int pk_resume_begin(struct pk_resume **resume, const struct pk_common *c, int argc, char **argv,
		    struct pk_merging *merged, struct pk_error *err);
void pk_resume_free(struct pk_resume *resume);

/* True if the file is in the saved sum; false if resume is NULL. */
bool pk_resume_has(const struct pk_resume *resume, int file);
/* Marks the file as added. One thread at a time calls this, and the next ones. */
void pk_resume_took(struct pk_resume *resume, int file);
/* True if it is time to save: saving may take a twentieth of the whole. */
bool pk_resume_is_due(const struct pk_resume *resume);
/* Saves the sum, if there is something new. *merged is finished for that, and replaced by another
 * one with the same content; if that fails, it becomes NULL. */
int pk_resume_save(struct pk_resume *resume, struct pk_merging **merged, struct pk_error *err);
/* Removes the saved sum: the output is complete. */
void pk_resume_remove(const struct pk_common *c);
