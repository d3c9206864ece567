/* Names of functions in call graphs, and patterns and handles (f12) that choose functions. */
#include "analysis/function_name.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/regex.h"
#include "model/label.h"

/* Appends the file's base name up to its last point. A leading point begins no suffix: ".profile"
 * is kept. */
static void add_stem(struct pk_buf *buf, const char *file)
{
	const char *base = pk_basename(file);
	const char *point = strrchr(base, '.');

	if (point && strspn(base, ".") < (size_t)(point - base))
		pk_buf_add(buf, base, (size_t)(point - base));
	else
		pk_buf_adds(buf, base);
}

/* The part of name between a first text that it begins with and a second one; its length in *len.
 * NULL if name has not both. */
static const char *between(const char *name, const char *begin, const char *end, size_t *len)
{
	const char *from = name + strlen(begin), *to;

	if (!pk_starts_with(name, begin) || !(to = strstr(from, end)) || to == from)
		return NULL;
	*len = (size_t)(to - from);
	return from;
}

/*
 * Functions of C as CPython calls them, in the words of a program:
 *
 *	<built-in method builtins.exec>                     builtins.exec
 *	<method 'append' of 'list' objects>                 list.append
 *	<built-in method __new__ of type object at 0x95d0>  type.__new__
 *
 * False for other names; "{built-in method ...}" is the same.
 */
static bool add_plain(struct pk_buf *buf, const char *name)
{
	const char *function, *type;
	size_t len, type_len;

	if (*name != '<' && *name != '{')
		return false;
	if ((function = between(name + 1, "method '", "' of '", &len)) &&
	    (type = between(function + len, "' of '", "' objects", &type_len))) {
		pk_buf_add(buf, type, type_len);
	} else if ((function = between(name + 1, "built-in method ", " of ", &len)) &&
		   (type = between(function + len, " of ", " object at ", &type_len))) {
		pk_buf_add(buf, type, type_len);
	} else if ((function = between(name + 1, "built-in method ", *name == '<' ? ">" : "}",
				       &len)) &&
		   !memchr(function, ' ', len)) {
		pk_buf_add(buf, function, len);
		return true;
	} else {
		return false;
	}
	pk_buf_addc(buf, '.');
	pk_buf_add(buf, function, len);
	return true;
}

void pk_graph_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	uint32_t name = p->function.name[function], line = p->function.line[function];

	if (p->function.file[function]) {
		add_stem(buf, pk_text(p, p->function.file[function]));
		if (line ||
		    p->edge.count >
			    1) /* in formats without call paths, line 0 is part of the name */
			pk_buf_addf(buf, ":%u", line);
		pk_buf_addc(buf, ':');
	} else if (add_plain(buf, pk_text(p, name))) {
		return;
	}
	pk_buf_add(buf, pk_text(p, name), p->string.len[name]);
}

struct pk_pattern {
	char *glob; /* NULL: regex is used */
	struct pk_regex *regex;
	struct pk_buf name;
};

struct pk_pattern *pk_pattern_new(const char *text, struct pk_error *err)
{
	struct pk_pattern *pattern = pk_calloc(1, sizeof(*pattern));
	size_t len = strlen(text);
	char *expression;

	if (len < 3 || text[0] != '/' || text[len - 1] != '/') {
		pattern->glob = pk_strdup(text);
		return pattern;
	}
	expression = pk_strndup(text + 1, len - 2);
	pattern->regex = pk_regex_new(expression, err);
	free(expression);
	if (!pattern->regex) {
		free(pattern);
		return NULL;
	}
	return pattern;
}

static bool matches(const struct pk_pattern *pattern, const char *text)
{
	if (pattern->glob)
		return fnmatch(pattern->glob, text, FNM_NOESCAPE) == 0;
	return pk_regex_search(pattern->regex, text, strlen(text));
}

bool pk_pattern_matches(struct pk_pattern *pattern, const struct pk_profile *p, uint32_t function)
{
	if (matches(pattern, pk_text(p, p->function.name[function])))
		return true;
	pattern->name.len = 0;
	pk_graph_name(&pattern->name, p, function);
	if (matches(pattern, pattern->name.data))
		return true;
	pattern->name.len = 0;
	if (p->function.kind[function] == PK_KIND_BUILTIN) { /* gprof2dot's name */
		pk_buf_addf(&pattern->name, "~:0:%s", pk_text(p, p->function.name[function]));
		if (matches(pattern, pattern->name.data))
			return true;
		pattern->name.len = 0;
	}
	pk_function_label(&pattern->name, p, function, PK_LABEL_PSTATS);
	return matches(pattern, pattern->name.data);
}

void pk_pattern_free(struct pk_pattern *pattern)
{
	if (!pattern)
		return;
	free(pattern->glob);
	pk_regex_free(pattern->regex);
	pk_buf_release(&pattern->name);
	free(pattern);
}

uint32_t pk_function_of_handle(const struct pk_profile *p, const char *text)
{
	size_t digits = *text == 'f' ? strspn(text + 1, "0123456789") : 0;
	uint64_t number;

	if (!digits || digits > 10 || text[1 + digits] || text[1] == '0')
		return 0;
	number = strtoull(text + 1, NULL, 10);
	return number < p->function.count ? (uint32_t)number : 0;
}

bool pk_handles_are_names(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->function.count; i++)
		if (pk_function_of_handle(p, pk_text(p, p->function.name[i])))
			return true;
	return false;
}
