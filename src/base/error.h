#pragma once

#include <stdarg.h>

/*
 * One error value, owned by the caller and passed down. A function that can
 * fail returns 0 or -1 and fills it; each layer above may put its own context
 * in front once: "reading 'a.folded': line 3: count is not a number".
 */
enum pk_error_code {
	PK_OK,
	PK_EUSAGE,  /* the request makes no sense */
	PK_EFORMAT, /* the input is not in the expected form */
	PK_EOTHER,  /* the input is in no known form, or of another kind than asked for */
	PK_EIO,     /* the system refused: open, read, write */
	PK_ELIMIT,  /* a limit was reached: size, depth, memory */
	PK_ECUT,    /* compressed data is cut off */
};

struct pk_error {
	enum pk_error_code code;
	char text[1000];
};

#define PK_ERROR_INIT {PK_OK, ""}

#define PK_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Sets code and text; always returns -1, so that callers can `return pk_fail(...)`. */
int pk_fail(struct pk_error *err, enum pk_error_code code, const char *fmt, ...) PK_PRINTF(3, 4);

/* Puts "context: " before the text. Always returns -1. */
int pk_fail_context(struct pk_error *err, const char *fmt, ...) PK_PRINTF(2, 3);

/* Prints "profkit: text" to stderr and ends the process with status 2. Only for errors that no
 * caller can handle: no memory, a broken invariant. */
void pk_die(const char *fmt, ...) PK_PRINTF(1, 2) __attribute__((noreturn));
