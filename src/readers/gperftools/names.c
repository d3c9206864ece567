/*
 * Frames that the file itself names: those of Java, which stand at the end, and of Go, in comments.
 *
 *	 0x00000006 com.example.Main.run (Main.java:63)       a frame of that number
 *	 0x00000007 memcpy (/lib/libc.so.6)
 *	 0x00000003 GC
 *	#	0x4b97fb	main.main+0xbb	/srv/main.go:14       behind its row
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/gperftools/internal.h"

static void push_name(struct gperf *g, uint64_t address, const struct pk_function *f, uint32_t line)
{
	PK_GROW(g->name, g->names + 1, g->name_alloc);
	g->name[g->names] =
		(struct gperf_name){address, (uint32_t)g->names, pk_build_function(g->b, f), line};
	g->names++;
}

/* Cuts ":63" off the end; 0 if there is none, or one that is no line. */
static uint32_t cut_line(struct gperf_text *file)
{
	const char *colon = memrchr(file->at, ':', file->len);
	int64_t line;
	bool exact, overflow;
	size_t len = colon ? (size_t)(file->at + file->len - colon) - 1 : 0;

	if (!len || pk_parse_decimal(colon + 1, len, 0, &line, &exact, &overflow) != len)
		return 0;
	file->len = (size_t)(colon - file->at);
	return line > 0 && line < UINT32_MAX ? (uint32_t)line : 0;
}

static void read_java_name(struct gperf *g, uint64_t address, struct gperf_text name)
{
	struct pk_function f = {.kind = PK_KIND_UNKNOWN};
	const char *open = NULL;
	uint32_t line = 0;

	gperf_skip_any(&name, " \t");
	if (name.len && name.at[name.len - 1] == ')')
		open = memrchr(name.at, '(', name.len);
	if (open && open > name.at && pk_is_blank(open[-1])) {
		struct gperf_text file = {open + 1, (size_t)(name.at + name.len - open) - 2};

		line = cut_line(&file);
		f.file = pk_build_string(g->b, file.at, file.len);
		name.len = pk_text_trim(name.at, (size_t)(open - name.at));
	}
	f.name = pk_build_string(g->b, name.at, name.len);
	push_name(g, address, &f, line);
}

int gperf_read_java_names(struct gperf *g)
{
	struct gperf_text line;
	uint64_t address;

	while (gperf_next_line(g, &line))
		if (gperf_take_hex(&line, true, &address) && line.len)
			read_java_name(g, address, line);
	return 0;
}

/* Cuts "+0xbb" off the end. */
static void cut_offset(struct gperf_text *name)
{
	const char *plus = memrchr(name->at, '+', name->len);

	if (plus && pk_text_begins(plus, (size_t)(name->at + name->len - plus), "+0x"))
		name->len = (size_t)(plus - name->at);
}

void gperf_read_go_name(struct gperf *g, struct gperf_text line)
{
	struct pk_function f = {.kind = PK_KIND_NATIVE};
	struct gperf_text name, file;
	const char *tab;
	uint64_t address;
	uint32_t number;

	if (!pk_text_begins(line.at, line.len, "#\t0x"))
		return;
	gperf_skip(&line, 2);
	if (!gperf_take_hex(&line, true, &address) || !line.len || *line.at != '\t')
		return;
	name = (struct gperf_text){line.at + 1, line.len - 1};
	tab = memchr(name.at, '\t', name.len);
	if (!tab)
		return;
	file = (struct gperf_text){tab, (size_t)(name.at + name.len - tab)};
	name.len = (size_t)(tab - name.at);
	gperf_skip_any(&file, "\t");
	cut_offset(&name);
	number = cut_line(&file);
	f.name = pk_build_string(g->b, name.at, name.len);
	f.file = pk_build_string(g->b, file.at, file.len);
	push_name(g, address, &f, number);
}
