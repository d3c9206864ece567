/*
 * Which dialect a trace is of: told by a key beside the list of events, a category, or the name of
 * a process, whichever comes first (the signs of the dialects).
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome/internal.h"

#define PK_CHROME_DIALECT(name) extern const struct pk_chrome_dialect pk_chrome_##name;
#include "readers/chrome/dialects.def"
#undef PK_CHROME_DIALECT

static const struct pk_chrome_dialect *const dialects[] = {
#define PK_CHROME_DIALECT(name) &pk_chrome_##name,
#include "readers/chrome/dialects.def"
#undef PK_CHROME_DIALECT
	NULL};

/* The first dialect that the text identifies by such a sign; NULL if there is none. */
static const struct pk_chrome_dialect *find_dialect(enum pk_chrome_sign sign, const char *text)
{
	for (const struct pk_chrome_dialect *const *d = dialects; *d; d++)
		for (const char *const *word = (*d)->signs[sign]; word && *word; word++)
			if (sign == PK_CHROME_PROCESS ? pk_starts_with(text, *word)
						      : !strcmp(text, *word))
				return *d;
	return NULL;
}

static void choose(struct pk_chrome *c, const struct pk_chrome_dialect *d)
{
	if (!d)
		return;
	c->dialect = d;
	c->state = pk_calloc(1, d->state_size ? d->state_size : 1);
	if (d->begin)
		d->begin(c);
}

void pk_chrome_recognise_key(struct pk_chrome *c)
{
	PK_FREED char *key = c->dialect ? NULL : pk_strndup(c->json.text, c->json.len);

	if (key)
		choose(c, find_dialect(PK_CHROME_KEY, key));
}

void pk_chrome_recognise_category(struct pk_chrome *c, uint32_t category)
{
	if (c->dialect || !category || c->apart)
		return;
	PK_GROW_ZERO(c->categories, (size_t)category + 1, c->category_alloc);
	if (c->categories[category])
		return;
	c->categories[category] = 1;
	choose(c, find_dialect(PK_CHROME_CATEGORY, pk_text(pk_builder_profile(c->b), category)));
}

bool pk_chrome_tells_dialect(const char *category)
{
	return find_dialect(PK_CHROME_CATEGORY, category);
}

void pk_chrome_recognise_process(struct pk_chrome *c, uint32_t name)
{
	if (!c->dialect)
		choose(c, find_dialect(PK_CHROME_PROCESS, pk_text(pk_builder_profile(c->b), name)));
}

void pk_chrome_reset_dialect(struct pk_chrome *c)
{
	const struct pk_chrome_dialect *d = c->dialect;

	if (d && d->release)
		d->release(c);
	free(c->state);
	choose(c, d);
}
