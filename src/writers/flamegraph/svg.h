#ifndef PK_FLAME_SVG_H
#define PK_FLAME_SVG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/io/output.h"
#include "writers/flamegraph/color.h"
#include "writers/flamegraph/files.h"
#include "writers/flamegraph/layout.h"
#include "writers/flamegraph/flamegraph.h"

/* Everything that a picture is made of. */
struct pk_flame_picture {
	const struct pk_flamegraph_params *params;
	const struct pk_flame *flame;
	struct pk_flame_names *names;
	struct pk_flame_map *map; /* NULL = colors are not kept; new ones are added */
	const struct pk_flame_attrs *attrs;
	struct pk_flame_background background;
	const char *unit;
	int exponent; /* values are in 10^-exponent of the unit */
	bool compare; /* a difference: boxes have a `before` */
	enum pk_flame_widths widths;
	bool percent; /* minwidth is in percent, not px */
	double minwidth;
	bool ascii; /* the encoding declared is not UTF-8 */
};
void pk_flame_draw(const struct pk_flame_picture *picture, struct pk_output *out);

#endif
