#include "readers/pprof/drop.h"

#include <string.h>

#include "base/text/demangle.h"

int pprof_drop_compile(struct pk_regex **re, const char *text, size_t len)
{
	struct pk_error err = PK_ERROR_INIT;
	PK_BUF_AUTO pattern = PK_BUF_INIT;

	if (!len)
		return 0;
	pk_buf_addf(&pattern, "^(%.*s)$", (int)len, text);
	*re = pk_regex_new(pattern.data, &err);
	return *re ? 0 : -1;
}

void pprof_drop_release(struct pprof_drop *d)
{
	pk_regex_free(d->drop);
	pk_regex_free(d->keep);
}

bool pprof_drop_matches(const struct pprof_drop *d, const char *name)
{
	PK_BUF_AUTO demangled = PK_BUF_INIT;
	size_t len;

	if (!d->drop)
		return false;
	if (*name == '_' && pk_demangle_simple(&demangled, name, strlen(name)))
		name = demangled.data;
	name += *name == '.';
	len = pk_simple_length(name);
	return pk_regex_search(d->drop, name, len) &&
	       !(d->keep && pk_regex_search(d->keep, name, len));
}
