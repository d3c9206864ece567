/*
 * pprof's filters, with its rules where they differ from those of --focus and the like:
 *
 * - Expressions are compared with a function's name, the path of its file and that of the program
 *   or library, never with a name that stands for an address without a function.
 * - A location is an address: a function and what was inlined into it. The outermost function of it
 *   that is left is not inlined, whatever was hidden above it.
 * - -show hides addresses without a function; -show_from sees what is not hidden, and cuts every
 *   location at the outermost match; -prune_from keeps the match.
 * - A stack of which nothing is left is dropped; otherwise a hidden function's cost goes to its
 *   caller.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/demangle.h"
#include "base/text/regex.h"
#include "model/nameless.h"
#include "model/transform/copy.h"
#include "render/pprof/internal.h"

/* By location. OF_LIBRARY: it is its program or library that -show_from matches. */
enum location_mark {
	FOCUS = 1,
	IGNORE = 2,
	SHOW = 4,
	HIDE = 8,
	FROM = 16,
	OF_LIBRARY = 32,
	PRUNE = 64
};

/* By path. WHOLE: a stack ends there, or something that is not inlined follows. */
enum path_mark { IN_FOCUS = 1, IN_IGNORE = 2, SHOWN = 4, WHOLE = 8, EMPTY = 16 };

struct filter {
	struct pk_copy copy; /* first: callbacks get its address */
	const struct pk_pprof_filters *f;
	uint8_t *location, *path;
	uint32_t *pruned; /* by path: where -prune_from ends it; 0 = it does not */
	uint32_t *frame;  /* of one location, outermost first */
	size_t frame_alloc;
	struct pprof_tag_filter tags;
	const char *unmatched;
};

struct names {
	struct pk_buf name, simple;
	const char *file, *library;
};

static bool finds(const struct pk_regex *re, const char *text)
{
	return pk_regex_search(re, text, strlen(text));
}

static void take_names(struct names *n, const struct pk_profile *p, uint32_t location)
{
	uint32_t f = p->location.function[location];

	n->name.len = 0;
	n->file = pk_text(p, p->function.file[f]);
	n->library = pprof_library(p, location);
	if (!pk_is_nameless(p, location))
		pprof_name(&n->name, p, f);
}

static bool of_function(const struct pk_regex *re, const struct names *n)
{
	return (n->name.len && pk_regex_search(re, n->name.data, n->name.len)) ||
	       (*n->file && finds(re, n->file));
}

/* The name without arguments, as expressions about frames to drop expect it. */
static bool prunes(const struct pk_regex *re, struct names *n)
{
	if (!n->name.len)
		return false;
	n->simple.len = 0;
	pk_buf_add(&n->simple, n->name.data, pk_simple_length(n->name.data));
	return pk_regex_search(re, n->simple.data + (*n->simple.data == '.'),
			       n->simple.len - (*n->simple.data == '.'));
}

struct expressions {
	struct pk_regex *focus, *ignore, *show, *hide, *show_from, *prune_from;
};

static uint8_t judge(const struct expressions *e, struct names *n)
{
	bool nameless = !n->name.len && !*n->file;
	uint8_t marks = 0;

	if (e->focus && (of_function(e->focus, n) || finds(e->focus, n->library)))
		marks |= FOCUS;
	if (e->ignore && (of_function(e->ignore, n) || finds(e->ignore, n->library)))
		marks |= IGNORE;
	if (e->hide && (of_function(e->hide, n) || finds(e->hide, n->library)))
		marks |= HIDE;
	if (e->show && !nameless && (of_function(e->show, n) || finds(e->show, n->library)))
		marks |= SHOW;
	if (e->show_from && of_function(e->show_from, n))
		marks |= FROM;
	if (e->show_from && finds(e->show_from, n->library))
		marks |= OF_LIBRARY;
	if (e->prune_from && prunes(e->prune_from, n))
		marks |= PRUNE;
	return marks;
}

static int compile(struct pk_regex **re, const char *text, const char *option, struct pk_error *err)
{
	if (text && !(*re = pk_regex_new(text, err)))
		return pk_fail_context(err, "--%s", option);
	return 0;
}

static void mark_locations(struct filter *f, const struct expressions *e)
{
	const struct pk_profile *p = f->copy.p;
	struct names n = {.name = PK_BUF_INIT};
	const struct {
		const char *expression, *option;
		uint8_t marks;
	} options[] = {{f->f->focus, "focus", FOCUS},
		       {f->f->ignore, "ignore", IGNORE},
		       {f->f->show, "show", SHOW},
		       {f->f->hide, "hide", HIDE},
		       {f->f->show_from, "show-from", FROM | OF_LIBRARY},
		       {f->f->prune_from, "prune-from", PRUNE}};
	uint8_t all = 0;

	for (uint32_t i = 1; i < p->location.count; i++) {
		take_names(&n, p, i);
		all |= f->location[i] = judge(e, &n);
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].expression && !(all & options[i].marks))
			f->unmatched = options[i].option;
	pk_buf_release(&n.name);
	pk_buf_release(&n.simple);
}

static int judge_locations(struct filter *f, struct pk_error *err)
{
	struct expressions e = {.focus = NULL};
	int status = -1;

	if (!compile(&e.focus, f->f->focus, "focus", err) &&
	    !compile(&e.ignore, f->f->ignore, "ignore", err) &&
	    !compile(&e.show, f->f->show, "show", err) &&
	    !compile(&e.hide, f->f->hide, "hide", err) &&
	    !compile(&e.show_from, f->f->show_from, "show-from", err) &&
	    !compile(&e.prune_from, f->f->prune_from, "prune-from", err)) {
		mark_locations(f, &e);
		status = 0;
	}
	pk_regex_free(e.focus);
	pk_regex_free(e.ignore);
	pk_regex_free(e.show);
	pk_regex_free(e.hide);
	pk_regex_free(e.show_from);
	pk_regex_free(e.prune_from);
	return status;
}

/* Facts about paths before any is placed: callers come first, callees last. */
static void mark_paths(struct filter *f)
{
	const struct pk_profile *p = f->copy.p;

	for (uint32_t i = 1; i < p->node.count; i++) {
		uint8_t marks = f->location[p->node.location[i]];
		uint32_t up = p->node.parent[i];

		f->path[i] |= f->path[up] & (IN_FOCUS | IN_IGNORE);
		f->path[i] |= (marks & FOCUS ? IN_FOCUS : 0) | (marks & IGNORE ? IN_IGNORE : 0);
		if (!strcmp(pk_text(p, pk_node_name(p, i)), PPROF_NO_STACK))
			f->path[i] |= EMPTY;
		if (!pk_node_inlined(p, i))
			f->path[up] |= WHOLE;
	}
	for (uint32_t i = 1; i < p->cost.count; i++)
		f->path[p->cost.node[i]] |= WHOLE;
	for (uint32_t i = 1; i < p->sample.count; i++)
		f->path[p->sample.node[i]] |= WHOLE;
}

/* The frames of the location that ends in `node`; returns the path above it. */
static uint32_t take_frames(struct filter *f, uint32_t node, size_t *count)
{
	const struct pk_profile *p = f->copy.p;
	bool inlined;

	*count = 0;
	do {
		PK_GROW(f->frame, *count + 1, f->frame_alloc);
		f->frame[(*count)++] = p->node.location[node];
		inlined = pk_node_inlined(p, node);
		node = p->node.parent[node];
	} while (inlined);
	for (size_t i = 0; i < *count / 2; i++) {
		uint32_t swap = f->frame[i];

		f->frame[i] = f->frame[*count - 1 - i];
		f->frame[*count - 1 - i] = swap;
	}
	return node;
}

/* Leaves out hidden frames, and those above or below the matches of -show_from and -prune_from;
 * returns whether these match. */
static size_t keep_frames(struct filter *f, size_t count, bool *from, bool *prune)
{
	size_t kept = 0, first = 0;

	*from = *prune = false;
	for (size_t i = 0; i < count; i++) {
		uint8_t marks = f->location[f->frame[i]];

		if (!(marks & HIDE) && (!f->f->show || (marks & SHOW)))
			f->frame[kept++] = f->frame[i];
	}
	for (size_t i = 0; i < kept && !*from; i++) {
		uint8_t marks = f->location[f->frame[i]];

		*from = marks & (FROM | OF_LIBRARY);
		first = marks & OF_LIBRARY ? 0 : i;
	}
	if (*from)
		memmove(f->frame, f->frame + first, (kept -= first) * sizeof(*f->frame));
	for (size_t i = kept; i && !*prune; i--) {
		*prune = f->location[f->frame[i - 1]] & PRUNE;
		kept = *prune ? i : kept;
	}
	return f->f->no_inlines && kept > 1 ? 1 : kept;
}

static uint32_t copy_outermost(struct pk_copy *copy, uint32_t location)
{
	const struct pk_location_table *t = &copy->p->location, *made;
	uint32_t id = pk_copy_location(copy, location);
	const struct pk_profile *result = pk_builder_profile(copy->b);
	struct pk_location l;

	if (!t->inlined || !t->inlined[location])
		return id;
	made = &result->location;
	l = (struct pk_location){.function = made->function[id],
				 .line = pk_location_line(result, id),
				 .column = made->column ? made->column[id] : 0,
				 .address = made->address ? made->address[id] : 0,
				 .mapping = made->mapping ? made->mapping[id] : 0};
	return pk_build_location(copy->b, &l);
}

static void place(struct filter *f, uint32_t node)
{
	struct pk_copy *copy = &f->copy;
	size_t count, kept;
	uint32_t up = take_frames(f, node, &count), at = copy->node[up];
	bool from, prune;

	kept = keep_frames(f, count, &from, &prune);
	f->path[node] |= (f->path[up] & SHOWN) | (from ? SHOWN : 0);
	if (f->f->show_from && !(f->path[node] & SHOWN))
		kept = 0;
	for (size_t i = 0; i < kept; i++)
		at = pk_build_node(copy->b, at,
				   i ? pk_copy_location(copy, f->frame[i])
				     : copy_outermost(copy, f->frame[i]));
	copy->node[node] = at;
	f->pruned[node] = prune ? at : f->pruned[up];
}

static bool keep_row(const struct pk_copy *copy, uint32_t thread, uint32_t node, uint32_t labels)
{
	const struct filter *f = (const struct filter *)copy;
	uint8_t path = f->path[node];
	bool names = f->f->focus || f->f->ignore || f->f->show || f->f->hide || f->f->show_from;

	(void)thread;
	return pprof_tags_keep(&f->tags, labels) && !(names && (path & EMPTY)) &&
	       !(path & IN_IGNORE) && (!f->f->focus || (path & IN_FOCUS));
}

static void copy_rows(struct filter *f)
{
	struct pk_copy *copy = &f->copy;
	const struct pk_profile *p = copy->p;

	pk_copy_begin(copy);
	for (uint32_t i = 1; i < p->node.count; i++)
		if (f->path[i] & WHOLE)
			place(f, i);
	for (uint32_t i = 1; i < p->node.count; i++)
		if (f->pruned[i])
			copy->node[i] = f->pruned[i];
	pk_copy_costs(copy, keep_row);
	pk_copy_events(copy, keep_row);
}

int pk_pprof_filter(const struct pk_profile *p, const struct pk_pprof_filters *filters,
		    struct pk_profile **result, const char **unmatched, struct pk_error *err)
{
	struct filter f = {.f = filters};
	int status;

	pk_copy_init(&f.copy, pk_builder_new(), p);
	f.location = pk_calloc(p->location.count, 1);
	f.path = pk_calloc(p->node.count, 1);
	f.pruned = pk_calloc(p->node.count, sizeof(*f.pruned));
	status = judge_locations(&f, err);
	if (!status)
		status = pprof_tags_judge(&f.tags, p, filters, err);
	if (!status) {
		mark_paths(&f);
		copy_rows(&f);
		*result = pk_builder_finish(f.copy.b);
	} else {
		pk_builder_free(f.copy.b);
	}
	*unmatched = f.tags.unmatched ? f.tags.unmatched : f.unmatched;
	pprof_tags_release(&f.tags);
	pk_copy_release(&f.copy);
	free(f.location);
	free(f.path);
	free(f.pruned);
	free(f.frame);
	return status;
}
