#ifndef PK_FLAME_FILES_H
#define PK_FLAME_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Two small files that people keep beside their flame graphs, as flamegraph.pl
 * reads and writes them.
 *
 * Palette map: colors that functions had in earlier pictures, sorted by name.
 *
 *	main->rgb(205,116,27)
 *
 * Name attributes: what is added to the boxes of a function, tabs in between.
 * id, class, href, target and title have a value; g_extra and a_extra hold
 * attributes written as in XML. A title takes the place of name and numbers; a box with
 * href is a link.
 *
 *	main	class=own	href=https://example.org/main.c	g_extra=stroke="green"
 */
struct pk_flame_map {
	struct pk_flame_entry {
		const char *name;
		size_t len;
		uint32_t color;
	} * entry;
	size_t count, alloc, sorted; /* the first `sorted` entries can be found */
	struct pk_arena arena;
};
/* A missing file is an empty map. */
int pk_flame_map_load(struct pk_flame_map *map, const char *path, struct pk_error *err);
/* The color; -1 if the map has none. */
int64_t pk_flame_map_find(const struct pk_flame_map *map, const char *name, size_t len);
/* The name must live as long as the map. */
void pk_flame_map_add(struct pk_flame_map *map, const char *name, size_t len, uint32_t color);
int pk_flame_map_save(struct pk_flame_map *map, const char *path, struct pk_error *err);
void pk_flame_map_release(struct pk_flame_map *map);

struct pk_flame_attrs {
	struct pk_flame_attr {
		const char *name, *title; /* title NULL = none */
		const char *xml;          /* " class=\"own\" id=...", escaped */
		bool link;
	} * item; /* sorted by name */
	size_t count, alloc;
	bool links; /* at least one is a link */
	struct pk_arena arena;
};
int pk_flame_attrs_load(struct pk_flame_attrs *attrs, const char *path, struct pk_error *err);
const struct pk_flame_attr *pk_flame_attrs_find(const struct pk_flame_attrs *attrs,
						const char *name, size_t len);
void pk_flame_attrs_release(struct pk_flame_attrs *attrs);

#endif
