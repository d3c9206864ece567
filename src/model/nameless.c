#include "model/nameless.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"

enum { LONGEST = 4096 };

/* The last component of a text, or the end of it: many functions may share a text of any length. */
static const char *base_of(const struct pk_profile *p, uint32_t file)
{
	size_t len = p->string.len[file];

	return pk_basename(pk_text(p, file) + (len > LONGEST ? len - LONGEST : 0));
}

uint32_t pk_build_nameless(struct pk_builder *b, uint32_t file)
{
	const char *base = base_of(pk_builder_profile(b), file);
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_buf_addf(&name, *base == '[' ? "%s" : "[%s]", *base ? base : "unknown");
	return pk_build_string(b, name.data, name.len);
}

uint32_t pk_build_nameless_at(struct pk_builder *b, uint32_t file, uint64_t offset)
{
	const char *base = base_of(pk_builder_profile(b), file);
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_buf_addf(&name, "%s%s0x%" PRIx64, base, *base ? "+" : "", offset);
	return pk_build_string(b, name.data, name.len);
}

/* "0x27249" to the end. */
static bool is_offset(const char *text)
{
	enum { MOST_DIGITS = 16 };
	size_t digits = 0;

	if (!pk_starts_with(text, "0x"))
		return false;
	while (digits <= MOST_DIGITS && pk_hex_digit(text[2 + digits]) <= 15)
		digits++;
	return digits && !text[2 + digits];
}

bool pk_is_nameless(const struct pk_profile *p, uint32_t location)
{
	uint32_t function = p->location.function[location];
	bool placed = p->location.address && p->location.address[location];
	const struct pk_function_table *t = &p->function;
	const char *name = pk_text(p, t->name[function]);
	const char *base = base_of(p, t->module[function]);
	size_t len = strlen(base);

	if (t->file[function] || t->line[function])
		return false;
	if (!len)
		return !strcmp(name, "[unknown]") || (placed && is_offset(name));
	if (!strncmp(name, base, len))
		return (!name[len] && *name == '[') ||
		       (placed && name[len] == '+' && is_offset(name + len + 1));
	return *name == '[' && !strncmp(name + 1, base, len) && !strcmp(name + 1 + len, "]");
}

bool pk_is_empty_name(const struct pk_profile *p, uint32_t function)
{
	const struct pk_function_table *t = &p->function;

	return t->system_name && t->system_name[function] &&
	       !p->string.len[t->system_name[function]] &&
	       !strcmp(pk_text(p, t->name[function]), "[unknown]");
}
