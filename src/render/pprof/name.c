/*
 * Names as pprof shows them: mangled names without parameters and template arguments. The same is
 * left out of other names that look like C++, as Go's type arguments do.
 *
 *	_ZN4demo4workEi                    demo::work
 *	std::vector<int>::push_back(int)   std::vector::push_back
 *	f[go.shape.func(int)]              f[go.shape.func]
 */
#include <string.h>

#include "base/text/demangle.h"
#include "model/nameless.h"
#include "render/pprof/internal.h"

static bool looks_like_cplusplus(const char *name)
{
	return !strstr(name, ".<") && !strstr(name, "]).") &&
	       (strpbrk(name, "<>[]") || strstr(name, "::"));
}

/* Leaves out what is between the outermost brackets, and these; nothing if they do not match. */
static void remove_between(struct pk_buf *name, char open, char close)
{
	size_t i, first = 0, kept = 0;
	int nesting = 0;

	for (i = 0; i < name->len && nesting >= 0; i++) {
		char c = name->data[kept++] = name->data[i];

		if (c == open && nesting++ == 0)
			first = kept - 1;
		if (c == close && --nesting == 0)
			kept = first;
	}
	memmove(name->data + kept, name->data + i, name->len - i + 1);
	name->len -= i - kept;
}

/* pprof shows a name as it is unless the system_name is the same; convert writes none for <module>.
 */
bool pprof_name_is_final(const struct pk_profile *p, uint32_t function)
{
	const struct pk_function_table *t = &p->function;

	if (t->system_name && t->system_name[function])
		return t->system_name[function] != t->name[function];
	return *pk_text(p, t->name[function]) == '<';
}

void pprof_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	const struct pk_function_table *t = &p->function;
	const char *name = pk_text(p, t->name[function]);
	size_t len = strlen(name);

	buf->len = 0;
	pk_buf_adds(buf, "");
	if (pk_is_empty_name(p, function))
		return;
	if (pprof_name_is_final(p, function)) {
		pk_buf_add(buf, name, len);
		return;
	}
	if ((name[0] == '_' || !strncmp(name, "__Z", 3)) &&
	    (pk_demangle_simple(buf, name, len) || pk_demangle_simple(buf, name + 1, len - 1)))
		return;
	pk_buf_add(buf, name, len);
	if (!looks_like_cplusplus(name))
		return;
	remove_between(buf, '(', ')');
	remove_between(buf, '<', '>');
}
