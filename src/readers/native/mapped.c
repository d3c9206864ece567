/*
 * Names of functions at addresses of mappings, for readers of profiles that have addresses without
 * names: which file a mapping is of (-O binary may replace it), and at which offset in it.
 */
#include "readers/native/mapped.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"

enum { SYMBOLS_AUTO, SYMBOLS_NO };
enum { ALL_FLAGS = 15 }; /* functions, files, lines, inlined frames */

const char *const pk_mapped_choices[] = {"auto", "no", NULL};

struct pk_mapped {
	struct pk_builder *b;
	const struct pk_mapped_params *params;
	struct pk_libraries *libraries;
	uint32_t named; /* path of mappings that -O binary stands for, 0 = none */
	struct mapped_file {
		struct pk_symbols *file; /* NULL: none */
		bool looked;
	} * file; /* by mapping */
	size_t alloc;
};

struct pk_mapped *pk_mapped_new(struct pk_builder *b, const struct pk_mapped_params *params,
				int64_t recorded)
{
	struct pk_mapped *m = pk_calloc(1, sizeof(*m));

	*m = (struct pk_mapped){
		.b = b, .params = params, .libraries = pk_libraries_new(b, recorded)};
	return m;
}

void pk_mapped_free(struct pk_mapped *m)
{
	if (!m)
		return;
	pk_libraries_free(m->libraries);
	free(m->file);
	free(m);
}

/* The recorded facts of a mapping. */
struct recorded {
	uint64_t start, limit, offset;
	const char *build_id;
};

static struct recorded recorded_of(const struct pk_mapped *m, uint32_t mapping)
{
	const struct pk_profile *p = pk_builder_profile(m->b);

	return (struct recorded){p->mapping.start[mapping], p->mapping.limit[mapping],
				 p->mapping.offset[mapping],
				 pk_text(p, p->mapping.build_id[mapping])};
}

/* A page is as large as the machine's that recorded. */
static bool ends_page(uint64_t end, uint64_t limit)
{
	for (uint64_t page = 4096; page <= 65536; page *= 4)
		if (limit % page == 0 && limit >= end && limit - end < page)
			return true;
	return false;
}

/* A mapping has a segment of code of the file, and ends with it. */
static enum pk_library_match test(const struct pk_symbols *file, const void *what)
{
	const struct recorded *r = what;
	struct pk_segment s;
	size_t next = 0;
	uint64_t end;

	if (*r->build_id)
		return strcmp(r->build_id, pk_symbols_build_id(file)) ? PK_LIBRARY_CHANGED
								      : PK_LIBRARY_SAME;
	while (pk_symbols_segment(file, &next, &s))
		if (s.code && s.offset + s.stored > r->offset &&
		    !__builtin_add_overflow(r->limit - r->start, r->offset, &end) &&
		    ends_page(s.offset + s.stored, end))
			return PK_LIBRARY_ALIKE;
	return PK_LIBRARY_CHANGED;
}

/* A file that the user names was checked when it was opened. */
static enum pk_library_match accept(const struct pk_symbols *file, const void *what)
{
	(void)file, (void)what;
	return PK_LIBRARY_SAME;
}

/* The path that -O binary stands for: that of its name, or else of the main program. */
static uint32_t path_of(const struct pk_profile *p, const char *binary)
{
	for (uint32_t i = 1; i < p->mapping.count; i++)
		if (!strcmp(pk_basename(pk_text(p, p->mapping.file[i])), pk_basename(binary)))
			return p->mapping.file[i];
	return p->mapping.file[1];
}

/* Whether the file is the one of its mappings. */
static int check_binary(struct pk_mapped *m, const struct pk_symbols *file, struct pk_error *err)
{
	const struct pk_profile *p = pk_builder_profile(m->b);
	const char *own = pk_symbols_build_id(file);
	bool alike = false;

	for (uint32_t i = 1; i < p->mapping.count; i++) {
		struct recorded r = recorded_of(m, i);

		if (p->mapping.file[i] != m->named)
			continue;
		if (*r.build_id && strcmp(r.build_id, own))
			return pk_fail(err, PK_EFORMAT,
				       "%s was recorded with build id %s, and '%s' has %s",
				       pk_text(p, m->named), r.build_id, m->params->binary,
				       *own ? own : "none");
		alike |= test(file, &r) != PK_LIBRARY_CHANGED;
	}
	if (alike)
		return 0;
	return pk_build_repair(
		m->b, err,
		"names from a program with more or less code than what was recorded, "
		"which may be wrong (-O binary)",
		"%s", pk_text(p, m->named));
}

int pk_mapped_open(struct pk_mapped *m, struct pk_error *err)
{
	const struct pk_profile *p = pk_builder_profile(m->b);
	const char *binary = m->params->binary;
	struct pk_symbols *file;
	int ret;

	if (!binary)
		return 0;
	file = pk_symbols_open(binary, err);
	if (!file)
		return -1;
	if (p->mapping.count < 2) {
		pk_symbols_free(file);
		return pk_fail(err, PK_EFORMAT,
			       "the file has no maps, without which -O binary is of no use");
	}
	m->named = path_of(p, binary);
	ret = check_binary(m, file, err);
	pk_symbols_free(file);
	return ret;
}

bool pk_mapped_is_named(const struct pk_mapped *m, uint32_t mapping)
{
	return m->params->binary && mapping &&
	       pk_builder_profile(m->b)->mapping.file[mapping] == m->named;
}

static struct pk_symbols *find_file(struct pk_mapped *m, uint32_t mapping)
{
	uint32_t path = pk_builder_profile(m->b)->mapping.file[mapping];
	bool named = pk_mapped_is_named(m, mapping);
	struct recorded r = recorded_of(m, mapping);
	struct mapped_file *f;

	PK_GROW_ZERO(m->file, (size_t)mapping + 1, m->alloc);
	f = &m->file[mapping];
	if (!f->looked && (named || m->params->symbols == SYMBOLS_AUTO)) {
		f->file = pk_library_find(m->libraries, path, named ? m->params->binary : NULL,
					  named ? accept : test, &r);
		if (f->file)
			pk_build_set(m->b, mapping, symbols, mapping, ALL_FLAGS);
	}
	f->looked = true;
	return f->file;
}

size_t pk_mapped_frames(struct pk_mapped *m, uint32_t mapping, uint64_t address,
			struct pk_location location[PK_LIBRARY_INLINED])
{
	struct pk_symbols *file = mapping ? find_file(m, mapping) : NULL;
	const struct pk_profile *p = pk_builder_profile(m->b);
	uint64_t start = p->mapping.start[mapping], offset = p->mapping.offset[mapping];
	uint32_t path = p->mapping.file[mapping];
	size_t count;

	if (!file)
		return 0;
	/* a mapping of all memory means that addresses are as linked */
	count = !start && !offset ? pk_library_frames(m->b, file, path, address, location)
				  : pk_library_frames_at_offset(m->b, file, path,
								address - start + offset, location);
	for (size_t i = 0; i < count; i++) {
		location[i].address = address;
		location[i].mapping = mapping;
	}
	return count;
}
