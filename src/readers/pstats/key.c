/*
 * Keys of pstats' dicts: functions, each of which is read once. A later reference to one is found
 * by its number.
 *
 *	('a.py', 3, 'f')       ('~', 0, "<built-in method len>")       ('__sampled__',)
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/pstats/internal.h"
#include "readers/pstats/producer.h"

int pstats_repair(struct pstats *r, size_t at, const char *what)
{
	return pk_build_repair(r->b, r->err, what, "byte %zu", at);
}

int pstats_unexpected(struct pstats *r, const struct pk_marshal_token *t, const char *wanted)
{
	return pk_fail(r->err, PK_EFORMAT, "byte %zu: not a profile: expected %s, found %s", t->at,
		       wanted, pk_marshal_name(t->type));
}

static int add_text(struct pstats *r, const struct pk_marshal_token *t, struct pk_buf *to)
{
	const char *text;
	size_t len;

	if (t->type != PK_MARSHAL_TEXT)
		return pstats_unexpected(r, t, "a name");
	if (t->memo) {
		pk_buf_adds(to, pk_text(pk_builder_profile(r->b), t->memo));
		return 0;
	}
	text = pk_marshal_text(t, &r->text, &len);
	pk_buf_add(to, text, len);
	return 0;
}

/* Called `python -m profile FILE`, it takes the code for a name. Its address is not in the file. */
static int read_code(struct pstats *r, uint32_t *string)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;
	struct pk_marshal_token file, name;
	uint32_t line;

	if (pk_marshal_code(&r->m, &file, &name, &line))
		return -1;
	pk_buf_adds(&buf, "<code object ");
	if (add_text(r, &name, &buf))
		return -1;
	pk_buf_adds(&buf, ", file \"");
	if (add_text(r, &file, &buf))
		return -1;
	pk_buf_addf(&buf, "\", line %" PRIu32 ">", line);
	*string = pk_build_string(r->b, buf.data, buf.len);
	return 0;
}

static int read_name(struct pstats *r, uint32_t *string)
{
	struct pk_marshal_token t;
	const char *text;
	size_t len;

	if (pk_marshal_next(&r->m, &t))
		return -1;
	if (t.type == PK_MARSHAL_REF && pk_marshal_enter(&r->m, &t))
		return -1;
	if (t.type == PK_MARSHAL_CODE)
		return read_code(r, string);
	if (t.type != PK_MARSHAL_TEXT)
		return pstats_unexpected(r, &t, "a name");
	*string = t.memo;
	if (*string)
		return 0;
	text = pk_marshal_text(&t, &r->text, &len);
	*string = pk_build_string(r->b, text, len);
	pk_marshal_remember(&r->m, t.ref, *string);
	if (len == 1 && *text == '~')
		r->tilde = *string;
	r->bytes_names |= t.bytes;
	return 0;
}

static int read_line(struct pstats *r, uint32_t *line)
{
	struct pk_marshal_token t;

	if (pk_marshal_next(&r->m, &t))
		return -1;
	*line = 0;
	if (t.type == PK_MARSHAL_NONE)
		return 0;
	if (t.type != PK_MARSHAL_INT)
		return pstats_unexpected(r, &t, "a line number");
	if (t.integer < 0 || t.integer > UINT32_MAX)
		return pstats_repair(r, t.at, "line number out of range taken as unknown");
	*line = (uint32_t)t.integer;
	return 0;
}

/* (file, line, name), of which the first token was read. */
static int read_triple(struct pstats *r, const struct pk_marshal_token *t, uint32_t *id)
{
	struct pk_function function = {.kind = PK_KIND_PYTHON};

	if (t->type != PK_MARSHAL_TUPLE || t->count != 3)
		return pstats_unexpected(r, t, "a function as (file, line, name)");
	if (read_name(r, &function.file) || read_line(r, &function.line) ||
	    read_name(r, &function.name))
		return -1;
	if (!function.line && pstats_is_module(pk_text(pk_builder_profile(r->b), function.file)))
		function.kind = PK_KIND_BUILTIN;
	if (!function.line && function.file == r->tilde) {
		function.file = 0;
		function.kind = PK_KIND_BUILTIN;
	}
	*id = pk_build_function(r->b, &function);
	pk_marshal_remember(&r->m, t->ref, *id);
	PK_GROW_ZERO(r->function, (size_t)*id + 1, r->function_alloc);
	return 0;
}

int pstats_read_key(struct pstats *r, struct pk_marshal_token *t, uint32_t *function)
{
	*function = 0;
	if (pk_marshal_next(&r->m, t))
		return -1;
	if (t->type == PK_MARSHAL_END)
		return 0;
	if (t->type == PK_MARSHAL_REF && t->memo) {
		*function = t->memo;
		return 0;
	}
	if (t->type == PK_MARSHAL_REF && pk_marshal_enter(&r->m, t))
		return -1;
	if (t->type == PK_MARSHAL_TUPLE && t->count == 1)
		return 0;
	return read_triple(r, t, function);
}
