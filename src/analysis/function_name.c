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
	} else if (p->function.kind[function] == PK_KIND_BUILTIN) {
		pk_buf_adds(buf, "~:0:");
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
