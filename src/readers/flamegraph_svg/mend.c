/*
 * Repairs pictures in which a name or a title is not escaped, so that no XML parser would read on:
 * an ampersand that begins no reference, and control characters, which become U+FFFD.
 *
 *	<text id="title" x="600.00" y="24">Tom & Jerry</text>
 */
#include <stdio.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"
#include "readers/flamegraph_svg/internal.h"

static size_t reference_digits(const char *at, const char *end)
{
	const char *digits = "0123456789abcdefABCDEF", *from = at;
	bool hex = at < end && *at == 'x';

	at += hex;
	while (at < end && *at && (hex ? strchr(digits, *at) != NULL : pk_is_digit(*at)))
		at++;
	return (size_t)(at - from);
}

/* True if "&amp;" or another reference that stands for text begins at `at`. */
static bool is_reference(const char *at, const char *end)
{
	static const char *const names[] = {"amp;", "lt;", "gt;", "quot;", "apos;"};
	size_t digits, left = (size_t)(end - ++at);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (left >= strlen(names[i]) && !memcmp(at, names[i], strlen(names[i])))
			return true;
	}
	if (!left || *at != '#')
		return false;
	digits = reference_digits(at + 1, end);
	return digits && digits + 1 < left && at[digits + 1] == ';';
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' && c != '\t' && c != '\n' && c != '\r';
}

/* The end of the comment or the CDATA section that begins at `at`, which is read as it is; `at` if
 * there is none. */
static const char *skip_plain(const char *at, const char *end)
{
	static const char *const marks[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}};

	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(marks[i][0]);
		const char *close;

		if ((size_t)(end - at) < len || memcmp(at, marks[i][0], len) != 0)
			continue;
		close = memmem(at + len, (size_t)(end - at) - len, marks[i][1], 3);
		return close ? close : end;
	}
	return at;
}

static size_t lines_between(const char *from, const char *to)
{
	size_t lines = 0;

	while ((from = memchr(from, '\n', (size_t)(to - from)))) {
		from++;
		lines++;
	}
	return lines;
}

int flamegraph_svg_mend(struct pk_buf *buf, const char **text, size_t *len, struct pk_builder *b,
			struct pk_error *err)
{
	static const char what[] = "XML that is not well-formed mended";
	const char *end = *text + *len, *copied = *text;
	size_t line = 1;

	for (const char *at = *text; at < end; at++) {
		bool control = is_control(*at);

		line += *at == '\n';
		if (*at == '<') {
			const char *next = skip_plain(at, end);

			line += lines_between(at, next);
			at = next < end ? next : end - 1;
		}
		if (!control && (*at != '&' || is_reference(at, end)))
			continue;
		if (pk_build_repair(b, err, what, "line %zu", line))
			return -1;
		pk_buf_add(buf, copied, (size_t)(at - copied));
		pk_buf_adds(buf, control ? "\xef\xbf\xbd" : "&amp;");
		copied = at + 1;
	}
	if (copied == *text)
		return 0;
	pk_buf_add(buf, copied, (size_t)(end - copied));
	*text = buf->data;
	*len = buf->len;
	return 0;
}
