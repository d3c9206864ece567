/*
 * Short names, as in pprof's pictures. They leave out: the folders of a package of Go, the package
 * and arguments of Java, the outer namespaces of C++.
 *
 *	crypto/internal/fips140/sha256.(*Digest).Sum    sha256.(*Digest).Sum
 *	java.util.concurrent.Executor.run(Task)         Executor.run
 *	demo::detail::Parser::next                      Parser::next
 */
#include <ctype.h>
#include <string.h>

#include "render/pprof/internal.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t word(const char *at)
{
	size_t len = 0;

	while (is_word(at[len]))
		len++;
	return len;
}

/* "/v2" and so on, before a slash or a point: the version of a module of Go. */
static void drop_version(struct pk_buf *name)
{
	for (char *at = name->data; (at = strstr(at, "/v")); at += 2) {
		size_t len = 2 + strspn(at + 2, "0123456789");
		bool version = len == 3 ? at[2] >= '2' : len > 3 && at[2] != '0';

		if (!version || (at[len] != '.' && at[len] != '/'))
			continue;
		memmove(at, at + len, strlen(at + len) + 1);
		name->len -= len;
		return;
	}
}

/* The part after the last folder; NULL if this is no Go name with folders. */
static const char *in_go(const char *name)
{
	const char *rest = NULL;

	for (const char *at = name, *part = name;; at++) {
		if (*at == '/' && at > part) {
			const char *point = strchr(at + 1, '.');

			if (point && point > at + 1 && point[1])
				rest = at + 1;
			part = at + 1;
		} else if (!is_word(*at) && *at != '-' && *at != '.') {
			return rest;
		}
	}
}

static size_t dollar_word(const char *at)
{
	size_t len = 0;

	while (is_word(at[len]) || at[len] == '$')
		len++;
	return len;
}

/* The class and the method; *len 0 if this is no name of Java. */
static const char *in_java(const char *name, size_t *len)
{
	const char *class = name, *end;

	*len = 0;
	while (*class >= 'a' && *class <= 'z' && class[word(class)] == '.')
		class += word(class) + 1;
	end = class + dollar_word(class);
	if (*class < 'A' || *class > 'Z' || *end++ != '.')
		return class;
	if (!strncmp(end, "<init>", 6))
		end += 6;
	else if (*end >= 'a' && *end <= 'z')
		end += dollar_word(end);
	else
		return class;
	if (!*end || *end == '(')
		*len = (size_t)(end - class);
	return class;
}

/* The length from a class in a namespace on, with a method and the arguments of templates. */
static size_t method_length(const char *class)
{
	const char *at = class + strspn(class, "_"), *method, *last;

	if (*at < 'A' || *at > 'Z')
		return 0;
	at += word(at);
	if (strncmp(at, "::", 2) != 0)
		return 0;
	method = at + 2 + (at[2] == '~');
	if (!word(method) || isdigit((unsigned char)*method))
		return 0;
	at = method + word(method);
	last = *at == '<' ? strrchr(at, '>') : NULL;
	return (size_t)((last ? last + 1 : at) - class);
}

static const char *in_cplusplus(const char *name, size_t *len)
{
	const char *best = name;

	*len = 0;
	for (const char *at = name; word(at) && !isdigit((unsigned char)*at);) {
		size_t found = at > name ? method_length(at) : 0;

		if (found) {
			best = at;
			*len = found;
		}
		at += word(at);
		if (strncmp(at, "::", 2) != 0)
			break;
		at += 2;
	}
	return best;
}

void pprof_short_name(struct pk_buf *buf, const char *name)
{
	static const char anonymous[] = "(anonymous namespace)::";
	PK_BUF_AUTO text = PK_BUF_INIT;
	const char *found;
	size_t len;

	pk_buf_adds(&text, name + (pk_starts_with(name, anonymous) ? strlen(anonymous) : 0));
	drop_version(&text);
	found = in_go(text.data);
	if (found) {
		pk_buf_adds(buf, found);
		return;
	}
	found = in_java(text.data, &len);
	if (!len)
		found = in_cplusplus(text.data, &len);
	if (len)
		pk_buf_add(buf, found, len);
	else
		pk_buf_add(buf, text.data, text.len);
}
