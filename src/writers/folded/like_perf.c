/*
 * Names of functions as stackcollapse-perf.pl of FlameGraph writes them, so that stacks match those
 * in files that it made:
 *
 *	Ljava/util/A;::run->Ljava/util/B;::call	java/util/A:::run;java/util/B:::call_[i]
 *	Foo::bar(int)				Foo::bar
 *	[unknown] ([kernel.kallsyms])		[[kernel.kallsyms]]
 *	(anonymous namespace)::f		is left out
 *
 * - Arguments are cut off at the first '(', except in names of Go ("http.(*Client).Do"). Quotes are
 *   left out, and the 'L' of names with '/' where the root begins with "java".
 * - "->" begins another frame, also in "operator->".
 * - "_[i]" marks what was inlined by Java, "_[k]" what is in the kernel or in another file in
 *   brackets, "_[j]" code of a JIT.
 */
#include <string.h>

#include "base/text/ascii.h"
#include "writers/folded/folded.h"

/* True for "http.(*Client).Do": the place of its parentheses is in the middle of the name. */
static bool is_go(const char *text, size_t len)
{
	const char *open = memmem(text, len, ".(", 2);

	return open && memmem(open + 2, len - (size_t)(open + 2 - text), ").", 2);
}

static size_t drop_arguments(const char *text, size_t len)
{
	static const char kept[] = "(anonymous namespace)";

	if (is_go(text, len))
		return len;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '(' && !pk_text_begins(text + i, len - i, kept))
			return i;
	return len;
}

static void add_tidy(struct pk_buf *buf, const char *text, size_t len, bool java)
{
	size_t kept = drop_arguments(text, len), begin = buf->len;
	bool slash = false;

	for (size_t i = 0; i < kept; i++) {
		slash |= text[i] == '/';
		if (text[i] != '"' && text[i] != '\'')
			pk_buf_addc(buf, text[i] == ';' ? ':' : text[i]);
	}
	if (java && slash && buf->data[begin] == 'L') {
		memmove(buf->data + begin, buf->data + begin + 1, buf->len - begin);
		buf->len--;
	}
}

/* Code without a symbol in a file with brackets gets these twice. */
static bool is_nameless(const char *name, const char *module)
{
	size_t len = strlen(module);

	return len && module[0] == '[' && !strncmp(name, module, len - 1) &&
	       (!strcmp(name + len - 1, "]") || name[len - 1] == ' ');
}

static const char *mark_of(const struct pk_folded_style *style, const struct pk_profile *p,
			   uint32_t function, const char *name, bool inlined)
{
	const char *module = pk_text(p, p->function.module[function]);

	if (inlined)
		return strstr(name, "_[i]") ? "" : "_[i]";
	if (style->kernel && (module[0] == '[' || pk_ends_with(module, "vmlinux")) &&
	    !strstr(module, "unknown"))
		return "_[k]";
	return style->jit && !strstr(name, "_[j]") &&
			       (pk_folded_is_jit(p, function) ||
				p->function.kind[function] == PK_KIND_PYTHON)
		       ? "_[j]"
		       : "";
}

/* Adds a frame for each part of the name: the first one as name `at`, others below it. */
static void add_parts(struct pk_folded_tree *t, const struct pk_folded_style *style, uint32_t at,
		      uint32_t function, const struct pk_buf *text, int variant)
{
	const char *p = text->data, *end = p + text->len;
	bool inlined = variant & PK_FOLDED_INLINED;
	PK_BUF_AUTO buf = PK_BUF_INIT;

	while (end - p > 2 && pk_text_ends(p, (size_t)(end - p), "->"))
		end -= 2;
	while (p) {
		const char *arrow = memmem(p, (size_t)(end - p), "->", 2);

		buf.len = 0;
		pk_buf_add(&buf, "", 0);
		add_tidy(&buf, p, (size_t)((arrow ? arrow : end) - p), variant & PK_FOLDED_JAVA);
		pk_buf_adds(&buf, mark_of(style, t->p, function, buf.data, inlined));
		t->name[at].text = pk_arena_copy(&t->text, buf.data, buf.len);
		t->name[at].len = buf.len;
		p = arrow ? arrow + 2 : NULL;
		inlined = true;
		if (p) {
			PK_GROW_ZERO(t->name, (size_t)t->names + 1, t->name_alloc);
			at = t->name[at].more = t->names++;
		}
	}
}

void pk_folded_name_like_perf(struct pk_folded_tree *t, const struct pk_folded_style *style)
{
	const struct pk_profile *p = t->p;
	uint32_t count = p->function.count, i;

	t->names = PK_FOLDED_VARIANTS * count;
	PK_GROW_ZERO(t->name, t->names, t->name_alloc);
	for (i = 0; i < PK_FOLDED_VARIANTS * count; i++) {
		uint32_t function = i % count;
		const char *module = pk_text(p, p->function.module[function]);
		uint32_t full = p->function.system_name ? p->function.system_name[function] : 0;
		const char *name =
			pk_text(p, p->string.len[full] ? full : p->function.name[function]);
		PK_BUF_AUTO text = PK_BUF_INIT;

		t->name[i].text = "";
		if (*name == '(' || !strcmp(name, style->no_frames))
			continue;
		if (is_nameless(name, module))
			pk_buf_addf(&text, "[%s%s", module, name + strlen(module) - 1);
		else
			pk_buf_adds(&text, name);
		add_parts(t, style, i, function, &text, (int)(i / count));
	}
}
