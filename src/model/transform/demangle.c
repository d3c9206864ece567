/* Profiles with the names that compilers mangled made readable. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text/demangle.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/transform/edges.h"
#include "model/transform/transform.h"

struct demangler {
	struct pk_copy copy; /* first: callbacks get its address */
	enum pk_demangling how;
	uint32_t *name; /* string of the source -> name in the builder; 0 = not asked yet */
};

static bool demangle(struct pk_buf *out, const struct pk_profile *p, uint32_t string,
		     enum pk_demangling how)
{
	const char *text = pk_text(p, string);
	size_t len = p->string.len[string];

	if (how == PK_DEMANGLE_SIMPLE)
		return pk_demangle_simple(out, text, len);
	return pk_demangle(out, text, len);
}

/* Names of Python are never mangled, whatever they look like. */
static bool may_change(const struct pk_profile *p, uint32_t function)
{
	return p->function.name[function] && p->function.kind[function] != PK_KIND_PYTHON;
}

static bool changes(const struct pk_profile *p, enum pk_demangling how)
{
	PK_FREED bool *asked = pk_calloc(p->string.count, sizeof(*asked)); /* of this name */
	PK_BUF_AUTO out = PK_BUF_INIT;
	bool found = false;

	for (uint32_t i = 1; i < p->function.count && !found; i++) {
		uint32_t name = p->function.name[i];

		if (!may_change(p, i) || asked[name])
			continue;
		asked[name] = true;
		found = demangle(&out, p, name, how);
	}
	return found;
}

static void edit_function(struct pk_copy *copy, uint32_t function, struct pk_function *f)
{
	struct demangler *d = (struct demangler *)copy;
	uint32_t string = copy->p->function.name[function];
	PK_BUF_AUTO out = PK_BUF_INIT;

	if (!may_change(copy->p, function))
		return;
	if (!d->name[string]) {
		d->name[string] = f->name;
		if (demangle(&out, copy->p, string, d->how))
			d->name[string] =
				pk_build_string(copy->b, out.data ? out.data : "", out.len);
	}
	f->name = d->name[string];
}

struct pk_profile *pk_demangle_profile(const struct pk_profile *p, enum pk_demangling how)
{
	struct demangler d = {.how = how};

	if (how == PK_DEMANGLE_NO || !changes(p, how))
		return NULL;
	pk_copy_init(&d.copy, pk_builder_new(), p);
	d.copy.edit_function = edit_function;
	d.name = pk_calloc(p->string.count, sizeof(*d.name));
	pk_copy_paths(&d.copy);
	pk_copy_events(&d.copy, NULL);
	pk_edges_copy(&d.copy, pk_edges_add);
	pk_copy_release(&d.copy);
	free(d.name);
	return pk_builder_finish(d.copy.b);
}
