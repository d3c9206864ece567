#pragma once

#include "readers/native/libraries.h"

/*
 * Functions at addresses of mappings: what readers of profiles with mappings and addresses ask.
 *
 *	0x7f262a9fabc2 in /usr/lib/libc.so.6 at 0x7f262a9bb000, offset 0x26000  ->  msort_with_tmp
 */
struct pk_mapped;

/* The options of readers: `-O binary=FILE` and `-O symbols=auto|no`. */
struct pk_mapped_params {
	const char *binary;
	int symbols;
};
#define PK_MAPPED_OPTIONS(type, member)                                                          \
	{PK_OPT_TEXT,                                                                            \
	 "binary",                                                                               \
	 0,                                                                                      \
	 offsetof(type, member.binary),                                                          \
	 .arg = "FILE",                                                                          \
	 .help = "program or library with the symbols: of its name in the profile, or the main " \
		 "one"},                                                                         \
	{                                                                                        \
		PK_OPT_CHOICE, "symbols", 0, offsetof(type, member.symbols), "WHEN",             \
			.help = "names of functions: from libraries that are as they were when " \
				"it was recorded (auto), or none",                               \
			.choices = pk_mapped_choices, .fallback = "auto"                         \
	}
extern const char *const pk_mapped_choices[];

/* recorded: in ms since 1970, PK_NULL: not known. */
struct pk_mapped *pk_mapped_new(struct pk_builder *b, const struct pk_mapped_params *params,
				int64_t recorded);
/* Says in meta which files were used. */
void pk_mapped_free(struct pk_mapped *m);
/* Once the mappings are built, of which the first is the main program: opens what -O binary names.
 * -1 with err: it is no program, or not the one that was recorded. */
int pk_mapped_open(struct pk_mapped *m, struct pk_error *err);
/* True if -O binary names the file of this mapping of the builder. */
bool pk_mapped_is_named(const struct pk_mapped *m, uint32_t mapping);
/* The frames at an address, the innermost first; 0: none is known. Sets the mapping's flags. */
size_t pk_mapped_frames(struct pk_mapped *m, uint32_t mapping, uint64_t address,
			struct pk_location location[PK_LIBRARY_INLINED]);
