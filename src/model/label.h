#pragma once

#include <stdint.h>

#include "base/text/str.h"
#include "model/profile.h"

/*
 * Names of functions, threads and processes in one text. All are appended to buf.
 */
enum pk_label_style {
	PK_LABEL_NAME,   /* the function alone */
	PK_LABEL_SHORT,  /* "function (file.py:12)", base name of the file; builtins: name; "(no
			    name)" */
	PK_LABEL_FULL,   /* "function (path/file.py:12)" */
	PK_LABEL_PSTATS, /* "path/file.py:12(function)", "{built-in method len}" */
};
void pk_function_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t function,
		       enum pk_label_style style);
/* The last part of the file's path without its suffix, or the module, or "": a part of a text of
 * the profile. */
const char *pk_function_module(const struct pk_profile *p, uint32_t function, size_t *len);
/* The label of the run, or its file. */
const char *pk_run_name(const struct pk_profile *p);
/* The file that was read, as the user named it. For a store or a part this is the store or the part
 * itself, not the files from which its runs came. */
const char *pk_file_name(const struct pk_profile *p);
/* How many runs from the one with this index on came from one file, by its name: runs of a
 * baseline, or of a store to which a file of one name was added again and again. */
size_t pk_runs_of_file(const struct pk_profiles *runs, size_t i);
/* How many files the runs from this index on came from. */
size_t pk_files_of_runs(const struct pk_profiles *runs, size_t i);
/* The text of the label with this key in a set; NULL if there is none. */
const char *pk_label_text(const struct pk_profile *p, uint32_t set, const char *key);
/* The value of a label (the first one of the set): "io", "4096 bytes". */
void pk_label_value(struct pk_buf *buf, const struct pk_profile *p, uint32_t label);
/* True if the first word of a name is followed by the number, as in "thread 12 (python)". */
bool pk_name_has_number(const char *name, int64_t number);
/* "NAME (thread 12)", "thread 12". */
void pk_thread_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t thread);
/* "NAME (process 12)", "process 12", of an unknown one "process"; "rank 3, NAME (process 12)" where
 * runs of several ranks were added. */
void pk_process_label(struct pk_buf *buf, const struct pk_profile *p, uint32_t process);
/* " of NAME (process 12)"; nothing for process 0, and in a profile of one process. */
void pk_of_process(struct pk_buf *buf, const struct pk_profile *p, uint32_t process);
