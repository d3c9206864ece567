/*
 * The texts and functions that the page names, and its columns of numbers:
 *
 *	"texts": ["", "main", "x.py"],
 *	"symbols": {"name": [1], "file": [2], "line": [3], "module": [0], "kind": [1]}
 */
#include "writers/report/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"

enum { LONGEST_TEXT = 2000 }; /* bytes of a name */

static size_t shown_length(const char *text, size_t len)
{
	if (len <= LONGEST_TEXT)
		return len;
	for (len = LONGEST_TEXT; len && ((unsigned char)text[len] & 0xC0) == 0x80;)
		len--;
	return len;
}

uint32_t pk_report_name_text(struct pk_report_names *n, const struct pk_profile *p, uint32_t string)
{
	const char *text = pk_text(p, string);
	size_t len = shown_length(text, p->string.len[string]);
	uint32_t *known = PK_INDEX_FIND(&n->texts, pk_hash_bytes(text, len), id,
					n->text[id - 1].len == len &&
						!memcmp(n->text[id - 1].text, text, len));

	if (*known)
		return *known - 1;
	PK_GROW(n->text, n->text_count + 1, n->text_alloc);
	n->text[n->text_count] = (struct pk_report_text){text, len, len < p->string.len[string]};
	n->cut += n->text[n->text_count].cut;
	*known = (uint32_t)++n->text_count;
	return *known - 1;
}

static uint32_t add_symbol(struct pk_report_names *n, const struct pk_report_symbol *s)
{
	uint32_t *known = PK_INDEX_FIND(&n->symbols, pk_hash_bytes(s, sizeof(*s)), id,
					!memcmp(&n->symbol[id - 1], s, sizeof(*s)));

	if (*known)
		return *known - 1;
	PK_GROW(n->symbol, n->symbol_count + 1, n->symbol_alloc);
	n->symbol[n->symbol_count] = *s;
	*known = (uint32_t)++n->symbol_count;
	return *known - 1;
}

/* Many call paths in a row are of one profile. */
uint32_t pk_report_name_function(struct pk_report_names *n, const struct pk_profile *p,
				 uint32_t function)
{
	struct pk_report_symbol s;

	if (n->of != p) {
		free(n->known);
		n->known = pk_calloc(p->function.count, sizeof(*n->known));
		n->of = p;
	}
	if (n->known[function])
		return n->known[function] - 1;
	s = (struct pk_report_symbol){
		.name = pk_report_name_text(n, p, p->function.name[function]),
		.file = pk_report_name_text(n, p, p->function.file[function]),
		.module = pk_report_name_text(n, p, p->function.module[function]),
		.line = p->function.line[function],
		.kind = p->function.kind[function],
	};
	n->known[function] = add_symbol(n, &s) + 1;
	return n->known[function] - 1;
}

void pk_report_put_names(struct pk_json_writer *w, const struct pk_report_names *n)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	const struct pk_report_symbol *symbol = n->symbol;

	pk_json_put_array(w, "texts");
	for (uint32_t i = 0; i < n->text_count; i++) {
		text.len = 0;
		pk_buf_add(&text, n->text[i].text, n->text[i].len);
		pk_buf_adds(&text, n->text[i].cut ? "\xE2\x80\xA6" : "");
		pk_json_text_len(w, text.data, text.len);
	}
	pk_json_end(w);
	pk_json_put_int(w, "texts_cut", n->cut);
	pk_json_put_object(w, "symbols");
	pk_json_put_int(w, "count", n->symbol_count);
	PK_REPORT_BRIEF_COLUMN(w, "name", n->symbol_count, symbol[i].name);
	PK_REPORT_BRIEF_COLUMN(w, "file", n->symbol_count, symbol[i].file);
	PK_REPORT_BRIEF_COLUMN(w, "module", n->symbol_count, symbol[i].module);
	PK_REPORT_BRIEF_COLUMN(w, "line", n->symbol_count, symbol[i].line);
	PK_REPORT_BRIEF_COLUMN(w, "kind", n->symbol_count, symbol[i].kind);
	pk_json_end(w);
	pk_json_put_array(w, "kinds");
	for (int i = 0; i <= PK_KIND_IDLE; i++)
		pk_json_text(w, pk_function_kinds[i]);
	pk_json_end(w);
}

void pk_report_names_release(struct pk_report_names *n)
{
	pk_index_release(&n->texts);
	pk_index_release(&n->symbols);
	free(n->text);
	free(n->symbol);
	free(n->known);
}
