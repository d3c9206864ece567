/*
 * The boxes of a flame graph, found in its XML by expat, which calls back for every element, so
 * that no tree is held. Nothing is fetched, and a file that declares entities or attributes of its
 * own is refused.
 *
 *	<g><title>main (200 samples, 66.67%)</title>
 *	<rect x="0.0000%" y="69" width="66.6667%" height="15" fg:x="0" fg:w="200"/></g>
 */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "readers/flamegraph_svg/attributes.h"

enum { CHUNK = 1 << 24, LONGEST_TEXT = 1 << 20 };

enum collecting { NOTHING, BOX_TITLE, BOX_LABEL, TITLE, SUBTITLE, OTHER_TEXT };

struct parse {
	struct svg_picture *picture;
	XML_Parser xml;
	struct pk_buf text; /* of the element that is collected */
	enum collecting collecting;
	int depth, collect_depth, group_depth, frames_depth; /* 0 = not in one */
	struct svg_box box;                                  /* of the group */
	bool rect;                                           /* the group has its box */
	bool middle;   /* a text without a name in the middle: the title of old pictures */
	bool declares; /* the document type has declarations */
};

static void add_box(struct parse *p)
{
	struct svg_picture *picture = p->picture;

	if (!p->rect || !(p->box.title || p->box.label))
		return;
	PK_GROW(picture->box, picture->boxes + 1, picture->box_alloc);
	p->box.inside = p->frames_depth != 0;
	picture->box[picture->boxes++] = p->box;
}

static void begin_group(struct parse *p, const struct svg_attributes *a)
{
	/* Old pictures have a link inside of the group, after its title. */
	if (p->group_depth && p->box.title && !p->rect)
		return;
	p->group_depth = p->depth;
	p->rect = false;
	memset(&p->box, 0, sizeof(p->box));
	p->box.title = svg_mouse_title(&p->picture->text, a);
}

static void see_rect(struct parse *p, const struct svg_attributes *a)
{
	const char *fill = svg_get(a, "fill");

	if (fill && !strncmp(fill, "url(", 4)) {
		p->box.estimated |= p->group_depth && p->rect && !strncmp(fill, "url(#hatch", 10);
		return;
	}
	if (p->group_depth) {
		p->rect = p->rect || svg_get_place(a, &p->box);
		return;
	}
	memset(&p->box, 0, sizeof(p->box));
	p->box.title = svg_mouse_title(&p->picture->text, a);
	p->rect = svg_get_place(a, &p->box);
	add_box(p);
}

static void collect(struct parse *p, enum collecting what)
{
	p->collecting = what;
	p->collect_depth = p->depth;
	p->text.len = 0;
	pk_buf_adds(&p->text, "");
}

static void see_text(struct parse *p, const struct svg_attributes *a)
{
	if (p->group_depth)
		collect(p, BOX_LABEL);
	else if (svg_has_value(a, "id", "title"))
		collect(p, TITLE);
	else if (svg_has_value(a, "id", "subtitle"))
		collect(p, SUBTITLE);
	else if (!svg_get(a, "id")) {
		p->middle = svg_has_value(a, "text-anchor", "middle");
		collect(p, OTHER_TEXT);
	}
}

static void see_root(struct parse *p, const char *name, const struct svg_attributes *a)
{
	p->picture->is_svg = !strcmp(name, "svg");
	if (svg_get(a, "data-profkit"))
		p->picture->producer = "profkit";
	else if (svg_has_value(a, "xmlns:fg", "http://github.com/jonhoo/inferno"))
		p->picture->producer = "inferno";
}

static void see_frames(struct parse *p, const char *name, const struct svg_attributes *a)
{
	double number;
	bool percent;

	p->frames_depth = p->depth;
	p->picture->framed = true;
	if (!p->picture->producer && !strcmp(name, "svg"))
		p->picture->producer = "inferno";
	if (svg_get_number(a, "total_samples", &number, &percent) && number >= 1)
		p->picture->total = (int64_t)number;
}

static void on_start(void *data, const char *name, const char **list)
{
	struct parse *p = data;
	struct svg_attributes a = {list};
	const char *colon = strrchr(name, ':'); /* behind a namespace */

	name = colon ? colon + 1 : name;
	p->depth++;
	if (p->depth == 1)
		see_root(p, name, &a);
	else if (!p->frames_depth && svg_has_value(&a, "id", "frames"))
		see_frames(p, name, &a);
	else if (!strcmp(name, "g") || !strcmp(name, "a"))
		begin_group(p, &a);
	else if (!strcmp(name, "rect"))
		see_rect(p, &a);
	else if (!strcmp(name, "text"))
		see_text(p, &a);
	else if (!strcmp(name, "title") && p->group_depth)
		collect(p, BOX_TITLE);
}

static void finish_text(struct parse *p)
{
	struct svg_picture *picture = p->picture;
	const char *text = p->text.data;
	enum collecting what = p->collecting;

	p->collecting = NOTHING;
	if (what == OTHER_TEXT) {
		if (!strncmp(text, "ERROR: ", 7) && !picture->message)
			picture->message = pk_arena_copy(&picture->text, text, p->text.len);
		if (!p->middle || picture->title)
			return;
		what = TITLE;
	}
	if (!p->text.len && what != BOX_TITLE)
		return;
	text = pk_arena_copy(&picture->text, text, p->text.len);
	if (what == BOX_TITLE)
		p->box.title = text;
	else if (what == BOX_LABEL)
		p->box.label = text;
	else if (what == TITLE)
		picture->title = text;
	else
		picture->subtitle = text;
}

static void on_end(void *data, const char *name)
{
	struct parse *p = data;

	(void)name;
	if (p->collecting && p->collect_depth == p->depth)
		finish_text(p);
	if (p->group_depth == p->depth) {
		add_box(p);
		p->group_depth = 0;
	}
	if (p->frames_depth == p->depth)
		p->frames_depth = 0;
	p->depth--;
}

static void on_text(void *data, const char *text, int len)
{
	struct parse *p = data;

	if (p->collecting && p->text.len < LONGEST_TEXT)
		pk_buf_add(&p->text, text, (size_t)len);
}

static void on_comment(void *data, const char *notes)
{
	struct parse *p = data;

	notes += strspn(notes, " \n");
	if (p->depth != 1 || strncmp(notes, "NOTES:", 6) != 0 || p->picture->notes)
		return;
	notes += 6 + strspn(notes + 6, " ");
	if (*notes)
		p->picture->notes = pk_arena_copy(&p->picture->text, notes, strlen(notes));
}

static void on_document_type(void *data, const char *name, const char *system, const char *public,
			     int declares)
{
	struct parse *p = data;

	(void)name, (void)system, (void)public;
	p->declares = declares;
	if (declares)
		XML_StopParser(p->xml, XML_FALSE);
}

static int finish_parsing(struct parse *p, bool ok, struct pk_builder *b, struct pk_error *err)
{
	enum XML_Error error = XML_GetErrorCode(p->xml);

	if (p->declares)
		return pk_fail(err, PK_EFORMAT,
			       "it declares entities or attributes, which no flame graph does");
	if (!ok && error == XML_ERROR_NO_MEMORY)
		return pk_fail(err, PK_ELIMIT, "no memory for the XML parser");
	if (p->group_depth) /* the file ends in it */
		add_box(p);
	return ok ? 0
		  : pk_build_repair(b, err,
				    "XML that is not well-formed, and all that follows, ignored",
				    "line %lu, %s", (unsigned long)XML_GetCurrentLineNumber(p->xml),
				    error == XML_ERROR_NO_ELEMENTS ? "where the file is cut off"
								   : XML_ErrorString(error));
}

static int parse_bytes(struct parse *p, const char *text, size_t len, struct pk_builder *b,
		       struct pk_error *err)
{
	bool ok = true;
	int ret;

	p->xml = XML_ParserCreate("UTF-8"); /* whatever the file says of itself */
	if (!p->xml)
		return pk_fail(err, PK_ELIMIT, "no memory for the XML parser");
	XML_SetUserData(p->xml, p);
	XML_SetElementHandler(p->xml, on_start, on_end);
	XML_SetCharacterDataHandler(p->xml, on_text);
	XML_SetCommentHandler(p->xml, on_comment);
	XML_SetStartDoctypeDeclHandler(p->xml, on_document_type);
	for (size_t at = 0; at < len && ok; at += CHUNK)
		ok = XML_Parse(p->xml, text + at, (int)(len - at < CHUNK ? len - at : CHUNK),
			       false);
	ok = ok && XML_Parse(p->xml, NULL, 0, true);
	ret = finish_parsing(p, ok, b, err);
	XML_ParserFree(p->xml);
	return ret;
}

static size_t to_utf8(struct pk_buf *buf, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		pk_buf_addu8(buf, data[i]);
	return buf->len;
}

int flamegraph_svg_parse(struct svg_picture *picture, struct pk_input *in, struct pk_builder *b,
			 struct pk_error *err)
{
	struct parse p = {.picture = picture};
	struct pk_buf latin = PK_BUF_INIT, mended = PK_BUF_INIT;
	size_t len;
	const char *text = (const char *)pk_input_all(in, &len);
	int ret = 0;

	if (pk_input_check(in, err))
		return -1;
	/* expat would take it for UTF-16 whatever it was told. */
	if (memchr(text, '\0', len < 4 ? len : 4))
		return pk_fail(err, PK_EFORMAT, "a zero byte at the start: convert it to UTF-8");
	if (!pk_utf8_valid(text, len)) {
		ret = pk_build_repair_file(b, err, "text that is not UTF-8 read as ISO-8859-1", 1);
		len = to_utf8(&latin, (const uint8_t *)text, len);
		text = latin.data;
	}
	if (!ret)
		ret = flamegraph_svg_mend(&mended, &text, &len, b, err);
	if (!ret)
		ret = parse_bytes(&p, text, len, b, err);
	pk_buf_release(&p.text);
	pk_buf_release(&latin);
	pk_buf_release(&mended);
	return ret;
}
