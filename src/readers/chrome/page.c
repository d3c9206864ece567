/*
 * Reports of viztracer (its -o FILE.html): pages that draw a trace, which is within as JSON.
 *
 *	<!DOCTYPE html>
 *	...
 *	'trace_viewer_full.html is missing. '
 *	...
 *	  json_data = {"traceEvents": [...], "viztracer_metadata": {...}};
 *
 * - Before it are 2.6 MB of Chromium's trace viewer, after it more of the page's script.
 * - "</" is "<\/" in it, which is the same in JSON.
 */
#include <string.h>

#include "readers/chrome/internal.h"

static const char *const begins[] = {"{\"traceEvents\"", "{\"viztracer_metadata\""};

enum { BEGINS = sizeof(begins) / sizeof(*begins), LONGEST_BEGIN = 24 };

bool pk_chrome_is_page(struct pk_input *in)
{
	size_t len, i;
	const uint8_t *text = pk_input_peek(in, 64, &len);

	for (i = 0; i < len && strchr(" \t\r\n", text[i]) && text[i]; i++)
		;
	return i < len && text[i] == '<';
}

int pk_chrome_find_trace(struct pk_input *in, struct pk_error *err)
{
	const uint8_t *text, *found = NULL, *at;
	size_t len;

	for (;;) {
		text = pk_input_peek(in, 1 << 16, &len);
		for (int i = 0; i < BEGINS; i++) {
			at = memmem(text, len, begins[i], strlen(begins[i]));
			if (at && (!found || at < found))
				found = at;
		}
		if (found) {
			pk_input_take(in, (size_t)(found - text));
			return 0;
		}
		if (len <= LONGEST_BEGIN)
			break;
		pk_input_take(in, len - LONGEST_BEGIN);
	}
	if (pk_input_check(in, err))
		return -1;
	return pk_fail(err, PK_EFORMAT, "there is no trace as JSON in the page");
}
