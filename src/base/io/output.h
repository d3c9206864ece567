#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/text/str.h"

/*
 * Where results are written. A file appears whole or not at all: bytes go to a
 * temporary file beside it, which is synced and renamed when all is well; an
 * interrupted process (SIGINT, SIGTERM, SIGHUP) removes it. A path that ends in
 * .gz or .zst is compressed. A symbolic link is followed: what it names is replaced.
 * A file that is replaced keeps its permissions; one that may not be written is an
 * error. What is not a regular file (a pipe, /dev/null, a
 * terminal) is written directly.
 *
 * Errors stick and are reported once by pk_output_commit. Writing to a closed
 * pipe is no error: the rest is dropped quietly. (The program ignores SIGPIPE and
 * SIGXFSZ, so that writing fails instead of ending it.)
 */
struct pk_output;

/* Names a path for pk_output_open in the sandbox: pk_target_name. Nothing for standard output. */
void pk_output_name(const char *path);
/* path NULL or "-" is standard output. NULL with err "writing 'PATH': REASON", as in
 * pk_output_commit. */
struct pk_output *pk_output_open(const char *path, struct pk_error *err);
/* Creates a new file. If another process creates the file before pk_output_commit, that file is
 * kept. Nothing is compressed, and path is always the name of a file: "-" is not standard
 * output. */
struct pk_output *pk_output_create(const char *path, struct pk_error *err);
/* Appends to buf, which the caller keeps. */
struct pk_output *pk_output_to_buf(struct pk_buf *buf);

static inline void pk_output_write(struct pk_output *out, const void *data, size_t len);
static inline void pk_output_puts(struct pk_output *out, const char *text);
/* Writes what is in buf, and empties it, if it has at least this length. */
void pk_output_drain(struct pk_output *out, struct pk_buf *buf, size_t at_least);
static inline void pk_output_putc(struct pk_output *out, char c);
void pk_output_printf(struct pk_output *out, const char *fmt, ...) PK_PRINTF(2, 3);

/* For writers that need a file of their own to write to (SQLite): the path of the
 * temporary file, which exists and is empty; NULL for anything but a plain file. */
const char *pk_output_temporary(struct pk_output *out);
/* The file that it will become, links followed; NULL for anything but a plain file. */
const char *pk_output_target(const struct pk_output *out);
bool pk_output_is_terminal(const struct pk_output *out);
/* Lets sequences that set colors ("\033[1m") pass from here on. Otherwise control characters in
 * output to a terminal are shown as "\x1b". */
void pk_output_colors(struct pk_output *out);

/* A remark on what was written, which the caller of pk_output_open shows to the user. */
void pk_output_note(struct pk_output *out, const char *fmt, ...) PK_PRINTF(2, 3);
/* All remarks, "; " between them; "" when there is none. Valid until commit. */
const char *pk_output_notes(const struct pk_output *out);

/* True when nothing more will be kept (error, closed pipe): a loop may stop early. */
bool pk_output_failed(const struct pk_output *out);

/* Completes the file and frees. -1 with the reason if anything failed: then the
 * file that was there before is as it was. 1 after pk_output_create: the file exists meanwhile. */
int pk_output_commit(struct pk_output *out, struct pk_error *err);
/* Forgets the output and frees; the file that was there before is as it was. */
void pk_output_discard(struct pk_output *out);

/* The inline part of writing: room in the buffer, and a slow path when it is full. */
struct pk_output_window {
	char *at, *end; /* the first member of struct pk_output */
};
void pk_output_write_slow(struct pk_output *out, const void *data, size_t len);

static inline void pk_output_write(struct pk_output *out, const void *data, size_t len)
{
	struct pk_output_window *window = (struct pk_output_window *)out;

	if (len && len <= (size_t)(window->end - window->at)) {
		memcpy(window->at, data, len);
		window->at += len;
	} else if (len) {
		pk_output_write_slow(out, data, len);
	}
}

static inline void pk_output_puts(struct pk_output *out, const char *text)
{
	pk_output_write(out, text, strlen(text));
}

static inline void pk_output_putc(struct pk_output *out, char c)
{
	struct pk_output_window *window = (struct pk_output_window *)out;

	if (window->at != window->end)
		*window->at++ = c;
	else
		pk_output_write_slow(out, &c, 1);
}
