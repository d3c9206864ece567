/*
 * pprof's filters, with its rules where they differ from those of --focus and the like:
 *
 * - Expressions are compared with a function's name, the path of its file and that of the program
 *   or library, never with a name that stands for an address without a function.
 * - A location is an address: a function and what was inlined into it. The outermost function of it
 *   that is left is not inlined, whatever was hidden above it.
 * - -show hides addresses without a function; -show_from sees what is not hidden, and cuts every
 *   location at the outermost match; -prune_from keeps the match.
 * - A stack without any frame left is dropped; otherwise the cost of a hidden function goes to its
 *   caller.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/demangle.h"
#include "base/text/regex.h"
#include "model/nameless.h"
#include "model/transform/copy.h"
#include "render/pprof/internal.h"

/* The expressions, in the order of `options`. */
enum { E_FOCUS, E_IGNORE, E_SHOW, E_HIDE, E_FROM, E_PRUNE, EXPRESSIONS };

static const struct {
	const char *name;
	size_t text;
} options[EXPRESSIONS] = {{"focus", offsetof(struct pk_pprof_filters, focus)},
			  {"ignore", offsetof(struct pk_pprof_filters, ignore)},
			  {"show", offsetof(struct pk_pprof_filters, show)},
			  {"hide", offsetof(struct pk_pprof_filters, hide)},
			  {"show-from", offsetof(struct pk_pprof_filters, show_from)},
			  {"prune-from", offsetof(struct pk_pprof_filters, prune_from)}};

/* By location: which expressions match. OF_LIBRARY: -show_from matches its program or library.
 * KNOWN: this function or library was compared already. */
enum location_mark {
	FOCUS = 1 << E_FOCUS,
	IGNORE = 1 << E_IGNORE,
	SHOW = 1 << E_SHOW,
	HIDE = 1 << E_HIDE,
	FROM = 1 << E_FROM,
	PRUNE = 1 << E_PRUNE,
	OF_LIBRARY = 64,
	KNOWN = 128
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

struct judging {
	const struct pk_profile *p;
	struct pk_regex *re[EXPRESSIONS];
	uint8_t *function; /* marks, by function: without its name, and with it */
	uint8_t *library;  /* marks, by string */
	struct pk_buf name;
};

static bool finds(const struct pk_regex *re, const char *text, size_t len)
{
	return re && pk_regex_search(re, text, len);
}

static uint8_t judge_function(struct judging *j, uint32_t function, bool named)
{
	const char *file = pk_text(j->p, j->p->function.file[function]);
	size_t dot;
	uint8_t marks = KNOWN;

	j->name.len = 0;
	if (named)
		pprof_name(&j->name, j->p, function);
	for (int i = 0; i < E_PRUNE; i++)
		if ((j->name.len && finds(j->re[i], j->name.data, j->name.len)) ||
		    (*file && finds(j->re[i], file, strlen(file))))
			marks |= 1 << i;
	if (!j->name.len)
		return marks;
	/* expressions about frames to drop expect a name without arguments */
	j->name.len = pk_simple_length(j->name.data);
	dot = *j->name.data == '.';
	if (finds(j->re[E_PRUNE], j->name.data + dot, j->name.len - dot))
		marks |= PRUNE;
	return marks;
}

static uint8_t judge_library(const struct judging *j, const char *library)
{
	size_t len = strlen(library);
	uint8_t marks = KNOWN;

	for (int i = 0; i < E_PRUNE; i++)
		if (finds(j->re[i], library, len))
			marks |= i == E_FROM ? OF_LIBRARY : 1 << i;
	return marks;
}

static uint8_t judge_location(struct judging *j, uint32_t location)
{
	const struct pk_profile *p = j->p;
	uint32_t function = p->location.function[location], library = pprof_library(p, location);
	bool named = *pk_text(p, p->function.name[function]) && !pk_is_nameless(p, location);
	uint8_t *known = &j->function[2 * (size_t)function + named], marks;

	if (!*known)
		*known = judge_function(j, function, named);
	if (!j->library[library])
		j->library[library] = judge_library(j, pk_text(p, library));
	marks = *known | j->library[library];
	return named || p->function.file[function] ? marks : marks & ~SHOW;
}

static void judge_locations(struct filter *f, struct judging *j)
{
	const struct pk_profile *p = j->p;
	uint8_t all = 0;

	j->function = pk_calloc(pk_mul(p->function.count, 2), 1);
	j->library = pk_calloc(p->string.count, 1);
	for (uint32_t i = 1; i < p->location.count; i++)
		all |= f->location[i] = judge_location(j, i);
	for (int i = 0; i < EXPRESSIONS; i++)
		if (j->re[i] && !(all & (i == E_FROM ? FROM | OF_LIBRARY : 1 << i)))
			f->unmatched = options[i].name;
	free(j->function);
	free(j->library);
	pk_buf_release(&j->name);
}

/* Finds out which locations the expressions match. */
static int mark_locations(struct filter *f, struct pk_error *err)
{
	struct judging j = {.p = f->copy.p, .name = PK_BUF_INIT};
	int status = 0;

	for (int i = 0; !status && i < EXPRESSIONS; i++) {
		const char *text = *(const char *const *)((const char *)f->f + options[i].text);

		if (text && !(j.re[i] = pk_regex_new(text, err)))
			status = pk_fail_context(err, "--%s", options[i].name);
	}
	if (!status)
		judge_locations(f, &j);
	for (int i = 0; i < EXPRESSIONS; i++)
		pk_regex_free(j.re[i]);
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
	status = mark_locations(&f, err);
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
