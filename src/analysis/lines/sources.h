#pragma once

#include "base/io/source_text.h"
#include "base/opt.h"
#include "model/profile.h"

/*
 * The sources of the files of a profile, each looked for once: out of the profile if it is there,
 * otherwise in folders.
 */
struct pk_line_sources {
	const struct pk_profile *profile;
	const char *const *folders; /* see pk_source_find */
	size_t folder_count;
	struct pk_line_source {
		struct pk_source_text text;
		bool found, changed; /* changed: it did, and the user was told */
	} * source;
	uint32_t count, alloc;
	uint32_t *of_file; /* string -> source + 1 */
	uint32_t *kept;    /* string -> row of the profile's own sources */
};

void pk_line_sources_init(struct pk_line_sources *s, const struct pk_profile *p,
			  const char *const *folders, size_t count);
void pk_line_sources_release(struct pk_line_sources *s);
/* The source of a file (string); valid until the next is asked for. */
struct pk_line_source *pk_line_source(struct pk_line_sources *s, uint32_t file);
