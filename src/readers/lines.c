#include "readers/lines.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define WINDOW ((size_t)256 << 10)
#define LONGEST_LINE ((size_t)64 << 20)

/* Reads the lines of a window; *used is what they take of it. */
static int read_window(const struct pk_line_reader *reader, void *data, uint64_t *number,
		       const char *p, size_t len, bool last, size_t *used)
{
	size_t at = 0;
	int ret;

	while (at < len) {
		const char *end = memchr(p + at, '\n', len - at);

		if (!end && !last)
			break;
		++*number;
		ret = reader->line(data, p + at, end ? (size_t)(end - p) - at : len - at);
		if (ret)
			return ret;
		at = end ? (size_t)(end - p) + 1 : len;
	}
	*used = at;
	if (reader->leave)
		reader->leave(data);
	return 0;
}

int pk_read_lines(struct pk_input *in, const struct pk_line_reader *reader, void *data,
		  uint64_t *number, struct pk_error *err)
{
	size_t need = WINDOW, avail, used;
	int ret;

	for (;;) {
		const char *p = (const char *)pk_input_peek(in, need, &avail);

		if (!avail)
			return pk_input_check(in, err);
		ret = read_window(reader, data, number, p, avail, avail < need, &used);
		if (ret)
			return ret;
		if (!used && need >= LONGEST_LINE)
			return pk_fail(err, PK_ELIMIT, "line %" PRIu64 ": longer than %zu MB",
				       *number + 1, LONGEST_LINE >> 20);
		need = used ? WINDOW : need * 2;
		pk_input_take(in, used);
	}
}
