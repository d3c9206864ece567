#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/output.h"

/*
 * Writes JSON as a stream. Commas and indentation are put in by the writer.
 *
 *	struct pk_json_writer w;
 *	pk_json_init(&w, out, 2);
 *	pk_json_object(&w);
 *	pk_json_key(&w, "rows");
 *	pk_json_array(&w);
 *	pk_json_int(&w, 1);
 *	pk_json_end(&w);
 *	pk_json_end(&w);            // the outermost end writes '\n'
 *
 * Strings may hold anything: bytes that are not UTF-8 become U+FFFD, control
 * characters (C0, DEL, C1) and U+2028/2029 are escaped, and '<' is written as
 * \u003c where it begins "</script" or "<!--", so that the text may stand in HTML.
 */
struct pk_json_writer {
	struct pk_output *out;
	int indent; /* spaces a level; 0 = everything on one line, no spaces at all */
	int depth;
	bool after_key;
	struct { /* by depth, from 1 */
		char close;
		bool used, flat;
	} level[64];
};

void pk_json_init(struct pk_json_writer *w, struct pk_output *out, int indent);
void pk_json_object(struct pk_json_writer *w);
void pk_json_array(struct pk_json_writer *w);
/* The same, with all that is inside on one line. */
void pk_json_flat_object(struct pk_json_writer *w);
void pk_json_flat_array(struct pk_json_writer *w);
void pk_json_end(struct pk_json_writer *w);
void pk_json_key(struct pk_json_writer *w, const char *key);
void pk_json_text(struct pk_json_writer *w, const char *text); /* NULL is null */
void pk_json_text_len(struct pk_json_writer *w, const char *text, size_t len);
void pk_json_int(struct pk_json_writer *w, int64_t value);
/* An integer in units of 10^-exponent, exactly; INT64_MIN (not known) is null. */
void pk_json_decimal(struct pk_json_writer *w, int64_t value, int exponent);
void pk_json_double(struct pk_json_writer *w, double value,
		    int digits); /* %.*g; not finite: null */
void pk_json_bool(struct pk_json_writer *w, bool value);
void pk_json_null(struct pk_json_writer *w);
void pk_json_int_or_null(struct pk_json_writer *w, int64_t value); /* INT64_MIN: not known */
/* Text that is already a JSON value. */
void pk_json_raw(struct pk_json_writer *w, const char *json, size_t len);

/* Members of an object: key and value, or its begin, as above; INT64_MIN is null. */
void pk_json_put_object(struct pk_json_writer *w, const char *key);
void pk_json_put_array(struct pk_json_writer *w, const char *key);
void pk_json_put_flat_array(struct pk_json_writer *w, const char *key);
void pk_json_put_text(struct pk_json_writer *w, const char *key, const char *text);
void pk_json_put_int(struct pk_json_writer *w, const char *key, int64_t value);
/* An array of many numbers in JSON without indentation; INT64_MIN is null. */
struct pk_json_ints {
	struct pk_json_writer *w;
	char *at, text[4096]; /* numbers that are not written yet, each with a comma behind it */
};
void pk_json_begin_ints(struct pk_json_ints *ints, struct pk_json_writer *w, const char *key);
void pk_json_add_int_slow(struct pk_json_ints *ints, int64_t value);
static inline void pk_json_add_int(struct pk_json_ints *ints, int64_t value)
{
	if ((uint64_t)value < 10 && ints->text + sizeof(ints->text) - ints->at >= 2) {
		*ints->at++ = (char)('0' + value);
		*ints->at++ = ',';
	} else {
		pk_json_add_int_slow(ints, value);
	}
}
void pk_json_end_ints(struct pk_json_ints *ints);
/*
 * Several members, each a key and the conversion of its value; { } is an object on one line:
 *
 *	pk_json_put(w, "name %s range {start %jd end %jd}", name, start, end);
 *
 * %s is a text, %d a bool, %u an unsigned, %jd an int64_t, %g a real with 6 digits, %.17g with 17,
 * %.*jd an exponent and an int64_t as of pk_json_decimal. NULL, INT64_MIN and what is not finite
 * are null.
 */
void pk_json_put(struct pk_json_writer *w, const char *format, ...) PK_PRINTF(2, 3);

/* Appends text with quotes and escapes, as above. Returns the number of bytes that were not
 * UTF-8. */
size_t pk_json_quote(struct pk_buf *buf, const char *text, size_t len);
/* Appends a number with the fewest digits that tell it; what is not finite as a text: "inf". */
void pk_json_real(struct pk_buf *buf, double value);
