/*
 * Native frames of memray's captures: instructions by file and offset, and their names if the file
 * is on this machine and unchanged since the recording. A capture has the path and the segments of
 * the file.
 *
 *	SEGMENT_HEADER "libblas.so.3" load 0x7f00; SEGMENT 0x0-0x9000     loaded at 0x7f00
 *	NATIVE_TRACE_INDEX 0x8a21, parent 3     frame 4: libblas.so.3+0xb21, called by frame 3
 *
 * Only those between the allocator and the interpreter are kept, since Python's own are known.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/ascii.h"
#include "model/nameless.h"
#include "readers/memray/internal.h"
#include "readers/native/libraries.h"

#define DEEPEST 256

struct segment {
	uint32_t generation, image;
	uint64_t from, to;
};

/* The frames at an instruction. */
struct place {
	uint64_t ip;
	uint32_t image; /* + 1; 0: none */
	uint32_t first, count;
};

struct memray_images {
	struct image {
		uint32_t path; /* string */
		uint64_t load;
		uint64_t shape; /* a hash of its segments */
		bool interpreter, looked;
		struct pk_symbols *file; /* NULL: not there, or changed */
	} * image;
	size_t count, alloc;
	struct segment *segment;
	size_t segments, segment_alloc, sorted;
	struct native {
		uint64_t ip;
		uint32_t parent;
	} * native; /* from 1 */
	size_t natives, native_alloc;
	struct pk_index index; /* of `below` */
	struct below {
		uint32_t node, native, generation, result;
	} * below;
	size_t belows, below_alloc;
	struct pk_index place_index; /* of `place` */
	struct place *place;
	size_t places, place_alloc;
	uint32_t *location; /* of places, the innermost first */
	size_t locations, location_alloc;
	struct pk_libraries *libraries; /* NULL: no names are wanted */
	uint32_t generation;
};

static struct memray_images *images_new(const struct memray *m)
{
	struct memray_images *x = pk_calloc(1, sizeof(*x));

	if (m->look_for_symbols)
		x->libraries = pk_libraries_new(m->b, m->header.start);
	return x;
}

static struct memray_images *images_of(struct memray *m)
{
	if (!m->images)
		m->images = images_new(m);
	return m->images;
}

void memray_images_free(struct memray *m)
{
	struct memray_images *x = m->images;

	if (!x)
		return;
	free(x->image);
	free(x->segment);
	free(x->native);
	free(x->below);
	free(x->place);
	free(x->location);
	pk_index_release(&x->index);
	pk_index_release(&x->place_index);
	pk_libraries_free(x->libraries);
	free(x);
}

void memray_images_clear(struct memray *m)
{
	images_of(m)->generation++;
}

uint32_t memray_generation(const struct memray *m)
{
	return m->images ? m->images->generation : 0;
}

/* Adds a segment to the shape of a library, which begins with 0. */
static uint64_t add_shape(uint64_t shape, uint64_t address, uint64_t size)
{
	return pk_hash_pair(shape, pk_hash_pair(address, size));
}

static enum pk_library_match test_shape(const struct pk_symbols *file, const void *what)
{
	struct pk_segment segment;
	uint64_t shape = 0;
	size_t next = 0;

	while (pk_symbols_segment(file, &next, &segment))
		shape = add_shape(shape, segment.address, segment.size);
	return shape == *(const uint64_t *)what ? PK_LIBRARY_ALIKE : PK_LIBRARY_CHANGED;
}

static struct pk_symbols *file_of(struct memray *m, struct image *image)
{
	const char *path = pk_text(pk_builder_profile(m->b), image->path);
	bool named = m->binary && !strcmp(pk_basename(m->binary), pk_basename(path));

	if (!image->looked && m->images->libraries)
		image->file = pk_library_find(m->images->libraries, image->path,
					      named ? m->binary : NULL, test_shape, &image->shape);
	image->looked = true;
	return image->file;
}

void memray_image_add(struct memray *m, const char *file, size_t len, uint64_t load)
{
	struct memray_images *x = images_of(m);
	const char *slash = len ? memrchr(file, '/', len) : NULL;
	const char *name = slash ? slash + 1 : file;
	size_t name_len = len - (size_t)(name - file);

	PK_GROW(x->image, x->count + 1, x->alloc);
	x->image[x->count++] =
		(struct image){.path = pk_build_string(m->b, file, len),
			       .load = load,
			       .interpreter = pk_text_begins(name, name_len, "python") ||
					      pk_text_begins(name, name_len, "libpython")};
}

void memray_image_segment(struct memray *m, uint64_t address, uint64_t size)
{
	struct memray_images *x = images_of(m);
	struct image *image;
	uint64_t from;

	if (!x->count)
		return;
	image = &x->image[x->count - 1];
	from = image->load + address;
	image->shape = add_shape(image->shape, address, size);
	PK_GROW(x->segment, x->segments + 1, x->segment_alloc);
	x->segment[x->segments++] =
		(struct segment){x->generation, (uint32_t)x->count - 1, from, from + size};
}

void memray_native_add(struct memray *m, uint64_t ip, uint64_t parent)
{
	struct memray_images *x = images_of(m);

	PK_GROW(x->native, x->natives + 2, x->native_alloc);
	x->natives++;
	x->native[x->natives] = (struct native){ip, parent < x->natives ? (uint32_t)parent : 0};
}

PK_COMPARE(by_address, struct segment,
	   PK_ORDER(a->generation, b->generation) ?: PK_ORDER(a->from, b->from))

static struct image *find_image(struct memray_images *x, uint32_t generation, uint64_t ip)
{
	size_t low;

	if (x->sorted != x->segments) {
		pk_sort(x->segment, x->segments, sizeof(*x->segment), by_address);
		x->sorted = x->segments;
	}
	low = PK_BISECT(
		i, 0, x->segments,
		x->segment[i].generation < generation ||
			(x->segment[i].generation == generation && x->segment[i].from <= ip));
	if (!low || x->segment[low - 1].generation != generation || x->segment[low - 1].to <= ip)
		return NULL;
	return &x->image[x->segment[low - 1].image];
}

static void push_location(struct memray_images *x, uint32_t location)
{
	PK_GROW(x->location, x->locations + 1, x->location_alloc);
	x->location[x->locations++] = location;
}

/* The frames of an instruction: those inlined there, and the function itself. */
static void make_place(struct memray *m, struct place *p, struct image *image)
{
	struct memray_images *x = m->images;
	struct pk_function f = {.kind = PK_KIND_NATIVE, .module = image ? image->path : 0};
	struct pk_symbols *file = image ? file_of(m, image) : NULL;
	struct pk_location location[PK_LIBRARY_INLINED];
	size_t count = 0;

	p->first = (uint32_t)x->locations;
	/* the address is where the call returns to; the call is before it */
	if (file)
		count = pk_library_frames(m->b, file, image->path, p->ip - image->load - 1,
					  location);
	for (size_t i = 0; i < count; i++)
		push_location(x, pk_build_location(m->b, &location[i]));
	if (!count) {
		f.name = pk_build_nameless_at(m->b, f.module, image ? p->ip - image->load : p->ip);
		push_location(x, pk_build_place(m->b, pk_build_function(m->b, &f), 0));
	}
	p->count = (uint32_t)x->locations - p->first;
}

static const struct place *find_place(struct memray *m, struct image *image, uint64_t ip)
{
	struct memray_images *x = m->images;
	uint32_t number = image ? (uint32_t)(image - x->image) + 1 : 0;
	uint32_t *known =
		PK_INDEX_FIND(&x->place_index, pk_hash_pair(ip, number), id,
			      x->place[id - 1].ip == ip && x->place[id - 1].image == number);

	if (*known)
		return &x->place[*known - 1];
	PK_GROW(x->place, x->places + 1, x->place_alloc);
	x->place[x->places] = (struct place){.ip = ip, .image = number};
	make_place(m, &x->place[x->places++], image);
	*known = (uint32_t)x->places;
	return &x->place[x->places - 1];
}

static uint32_t make_node(struct memray *m, uint32_t node, uint32_t native, uint32_t generation)
{
	struct memray_images *x = m->images;
	uint32_t location[DEEPEST];
	size_t depth = 0;

	for (; native && depth < DEEPEST; native = x->native[native].parent) {
		uint64_t ip = x->native[native].ip;
		struct image *image = find_image(x, generation, ip);
		const struct place *p;

		if (image && image->interpreter)
			break;
		p = find_place(m, image, ip);
		for (uint32_t i = 0; i < p->count && depth < DEEPEST; i++)
			location[depth++] = x->location[p->first + i];
	}
	while (depth)
		node = pk_build_node(m->b, node, location[--depth]);
	return node;
}

uint32_t memray_node(struct memray *m, uint32_t node, uint64_t native, uint32_t generation)
{
	struct memray_images *x = images_of(m);
	uint64_t hash = pk_hash_pair((uint64_t)node << 32 | generation, native);
	uint32_t *known;

	if (native > x->natives)
		return node;
	known = PK_INDEX_FIND(&x->index, hash, id,
			      x->below[id - 1].node == node && x->below[id - 1].native == native &&
				      x->below[id - 1].generation == generation);
	if (*known)
		return x->below[*known - 1].result;
	PK_GROW(x->below, x->belows + 1, x->below_alloc);
	x->below[x->belows++] = (struct below){node, (uint32_t)native, generation,
					       make_node(m, node, (uint32_t)native, generation)};
	*known = (uint32_t)x->belows;
	return x->below[x->belows - 1].result;
}
