/*
 * The boxes of a flame graph, found in its XML through libxml2: nothing is fetched, no document
 * type is read, and no entity but those of XML itself is known. The parser calls back for every
 * element, so that no tree is held.
 *
 *	<g><title>main (200 samples, 66.67%)</title>
 *	<rect x="0.0000%" y="69" width="66.6667%" height="15" fg:x="0" fg:w="200"/></g>
 */
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "readers/flamegraph_svg/attributes.h"

enum { CHUNK = 1 << 20, LONGEST_TEXT = 1 << 20, MOST_NAMESPACES = 1000 };

enum collecting { NOTHING, BOX_TITLE, BOX_LABEL, TITLE, SUBTITLE, OTHER_TEXT };

struct parse {
	struct svg_picture *picture;
	xmlParserCtxtPtr xml;
	struct pk_buf text; /* of the element that is collected */
	enum collecting collecting;
	int depth, collect_depth, group_depth, frames_depth; /* 0 = not in one */
	struct svg_box box;                                  /* of the group */
	bool rect;                                           /* the group has its box */
	bool middle;   /* a text without a name in the middle: the title of old pictures */
	int *declared; /* namespaces, of the elements that are open */
	size_t declared_alloc;
	int namespaces; /* their sum */
	int64_t errors;
	int first_error;
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
	struct svg_value fill;
	bool pattern =
		svg_get(a, NULL, "fill", &fill) && fill.len > 4 && !memcmp(fill.text, "url(", 4);

	if (pattern) {
		p->box.estimated |= p->group_depth && p->rect && fill.len > 9 &&
				    !memcmp(fill.text, "url(#hatch", 10);
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
	else if (!svg_get(a, NULL, "id", &(struct svg_value){NULL, 0})) {
		p->middle = svg_has_value(a, "text-anchor", "middle");
		collect(p, OTHER_TEXT);
	}
}

static void see_root(struct parse *p, const xmlChar *name, const struct svg_attributes *a, bool fg)
{
	p->picture->is_svg = svg_is(name, "svg");
	if (svg_get(a, NULL, "data-profkit", &(struct svg_value){NULL, 0}))
		p->picture->producer = "profkit";
	else if (fg)
		p->picture->producer = "inferno";
}

static void see_frames(struct parse *p, const xmlChar *name, const struct svg_attributes *a)
{
	double number;
	bool percent;

	p->frames_depth = p->depth;
	p->picture->framed = true;
	if (!p->picture->producer && svg_is(name, "svg"))
		p->picture->producer = "inferno";
	if (svg_get_number(a, NULL, "total_samples", &number, &percent) && number >= 1)
		p->picture->total = (int64_t)number;
}

/* libxml2 goes through all of them for every name. */
static void count_namespaces(struct parse *p, int namespaces)
{
	PK_GROW(p->declared, (size_t)p->depth + 1, p->declared_alloc);
	p->declared[p->depth] = namespaces;
	p->namespaces += namespaces;
	if (p->namespaces > MOST_NAMESPACES)
		xmlStopParser(p->xml);
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
		     int namespaces, const xmlChar **namespace, int attributes, int defaulted,
		     const xmlChar **list)
{
	struct parse *p = data;
	struct svg_attributes a = {list, attributes};
	bool fg = false;

	(void)prefix, (void)uri, (void)defaulted;
	for (int i = 0; i < namespaces; i++)
		fg |= svg_is(namespace[2 * i + 1], "http://github.com/jonhoo/inferno");
	p->depth++;
	count_namespaces(p, namespaces);
	if (p->depth == 1)
		see_root(p, name, &a, fg);
	else if (!p->frames_depth && svg_has_value(&a, "id", "frames"))
		see_frames(p, name, &a);
	else if (svg_is(name, "g") || svg_is(name, "a"))
		begin_group(p, &a);
	else if (svg_is(name, "rect"))
		see_rect(p, &a);
	else if (svg_is(name, "text"))
		see_text(p, &a);
	else if (svg_is(name, "title") && p->group_depth)
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

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	struct parse *p = data;

	(void)name, (void)prefix, (void)uri;
	if (p->collecting && p->collect_depth == p->depth)
		finish_text(p);
	if (p->group_depth == p->depth) {
		add_box(p);
		p->group_depth = 0;
	}
	if (p->frames_depth == p->depth)
		p->frames_depth = 0;
	p->namespaces -= p->declared[p->depth--];
}

static void on_text(void *data, const xmlChar *text, int len)
{
	struct parse *p = data;

	if (p->collecting && p->text.len < LONGEST_TEXT)
		pk_buf_add(&p->text, text, (size_t)len);
}

static void on_comment(void *data, const xmlChar *text)
{
	struct parse *p = data;
	const char *notes = (const char *)text;

	notes += strspn(notes, " \n");
	if (p->depth != 1 || strncmp(notes, "NOTES:", 6) != 0 || p->picture->notes)
		return;
	notes += 6 + strspn(notes + 6, " ");
	if (*notes)
		p->picture->notes = pk_arena_copy(&p->picture->text, notes, strlen(notes));
}

static xmlEntityPtr on_entity(void *data, const xmlChar *name)
{
	(void)data;
	return xmlGetPredefinedEntity(name);
}

static void on_error(void *data, const char *format, ...)
{
	struct parse *p = data;

	(void)format;
	if (!p->errors++)
		p->first_error = p->xml && p->xml->input ? p->xml->input->line : 1;
}

static void on_warning(void *data, const char *format, ...)
{
	(void)data, (void)format;
}

/* libxml2 must be made ready before two threads use it. */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int parse_bytes(struct parse *p, const char *text, size_t len, struct pk_error *err)
{
	xmlSAXHandler sax = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_start,
		.endElementNs = on_end,
		.characters = on_text,
		.cdataBlock = on_text,
		.comment = on_comment,
		.getEntity = on_entity,
		.error = on_error,
		.fatalError = on_error,
		.warning = on_warning,
	};
	int last = 0;

	pthread_once(&once, xmlInitParser);
	p->xml = xmlCreatePushParserCtxt(&sax, p, NULL, 0, NULL);
	if (!p->xml)
		return pk_fail(err, PK_ELIMIT, "libxml2 has no memory");
	xmlCtxtUseOptions(p->xml, XML_PARSE_RECOVER | XML_PARSE_NOENT | XML_PARSE_NONET |
					  XML_PARSE_HUGE | XML_PARSE_IGNORE_ENC);
	for (size_t at = 0; at < len && !last; at += CHUNK)
		last = xmlParseChunk(p->xml, text + at, (int)(len - at < CHUNK ? len - at : CHUNK),
				     0) &&
		       p->xml->disableSAX;
	xmlParseChunk(p->xml, NULL, 0, 1);
	/* Elements that the file does not end. */
	if (p->group_depth)
		add_box(p);
	if (p->xml->myDoc)
		xmlFreeDoc(p->xml->myDoc);
	xmlFreeParserCtxt(p->xml);
	p->xml = NULL;
	free(p->declared);
	if (p->namespaces > MOST_NAMESPACES)
		return pk_fail(err, PK_EFORMAT, "more than %d namespaces: no flame graph",
			       MOST_NAMESPACES);
	return 0;
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
	struct pk_buf latin = PK_BUF_INIT;
	size_t len;
	const char *text = (const char *)pk_input_all(in, &len);
	char place[40];
	int ret = 0;

	if (pk_input_check(in, err))
		return -1;
	if (flamegraph_svg_check(text, len, err))
		return -1;
	if (!pk_utf8_valid(text, len)) {
		ret = pk_build_repair(b, err, "text that is not UTF-8 read as ISO-8859-1", "file");
		len = to_utf8(&latin, (const uint8_t *)text, len);
		text = latin.data;
	}
	if (!ret)
		ret = parse_bytes(&p, text, len, err);
	if (!ret && p.errors) {
		snprintf(place, sizeof(place), "line %d", p.first_error);
		ret = pk_build_repair(b, err, "XML that is not well-formed mended", "%s", place);
		if (p.errors > 1)
			pk_build_repairs(b, "XML that is not well-formed mended", p.errors - 1,
					 place);
	}
	pk_buf_release(&p.text);
	pk_buf_release(&latin);
	return ret;
}
