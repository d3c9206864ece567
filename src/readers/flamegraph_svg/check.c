/*
 * What libxml2 takes too long for, or reads in another way than its callbacks tell, is refused
 * before the picture is parsed:
 *
 *	<g a0="" a1="" a2="" ...>                 each attribute is compared with all others
 *	<!DOCTYPE svg [<!ATTLIST g a0 CDATA "">]> every <g> gets the attributes
 */
#include <string.h>

#include "readers/flamegraph_svg/internal.h"

enum { MOST_ATTRIBUTES = 1000, SHORTEST_ATTRIBUTE = 4 /* a="" */ };

/* tag: what follows a '<', up to the next one at most. */
static bool has_many(const char *tag, size_t len)
{
	size_t values = 0;
	char quote = 0;

	for (size_t i = 0; i < len && (quote || tag[i] != '>'); i++) {
		if (quote)
			quote = tag[i] == quote ? 0 : quote;
		else if (tag[i] == '"' || tag[i] == '\'')
			quote = tag[i];
		else
			values += tag[i] == '=';
	}
	return values > MOST_ATTRIBUTES;
}

static size_t line_of(const char *text, const char *at)
{
	size_t line = 1;

	while ((text = memchr(text, '\n', (size_t)(at - text)))) {
		line++;
		text++;
	}
	return line;
}

static int check_attributes(const char *text, size_t len, struct pk_error *err)
{
	const char *end = text + len, *at = text, *next;

	for (; at < end; at = next + 1) {
		next = memchr(at, '<', (size_t)(end - at));
		next = next ? next : end;
		if ((size_t)(next - at) > (size_t)MOST_ATTRIBUTES * SHORTEST_ATTRIBUTE &&
		    has_many(at, (size_t)(next - at)))
			return pk_fail(
				err, PK_EFORMAT,
				"line %zu: more than %d attributes in an element: no flame graph",
				line_of(text, at), MOST_ATTRIBUTES);
	}
	return 0;
}

int flamegraph_svg_check(const char *text, size_t len, struct pk_error *err)
{
	/* libxml2 would take it for UTF-16 or UTF-32 whatever it was told. */
	if (memchr(text, '\0', len < 4 ? len : 4))
		return pk_fail(err, PK_EFORMAT, "a zero byte at the start: convert it to UTF-8");
	if (memmem(text, len, "<!ENTITY", 8) || memmem(text, len, "<!ATTLIST", 9))
		return pk_fail(err, PK_EFORMAT,
			       "entities or attributes are declared, as in no flame graph");
	return check_attributes(text, len, err);
}
