#pragma once

#include <string.h>

#include "base/num/hash.h"
#include "readers/native/mapped.h"
#include "readers/pprof/drop.h"
#include "readers/reader.h"

enum { GPERF_VALUES = 4 };

struct gperf_text {
	const char *at;
	size_t len;
};

struct gperf_sample {
	size_t first; /* of its addresses, the leaf first */
	uint32_t depth, thread;
	bool same; /* stack as of the sample before */
	int64_t value[GPERF_VALUES];
	int64_t size; /* of one object, PK_NULL */
};

struct gperf_mapping {
	uint64_t start, limit, offset;
	uint32_t file, build_id; /* strings */
	uint32_t built;          /* mapping of the model */
};

/* A frame that the file itself names. Several of one address are inlined, the innermost first. */
struct gperf_name {
	uint64_t address;
	uint32_t order; /* in the file */
	uint32_t function, line;
};

struct gperf {
	struct pk_builder *b;
	struct pk_error *err;
	const char *data, *at, *end; /* at: the line that is read next */
	uint64_t line;               /* number of the one before, 0 in binary parts */

	uint32_t metric[GPERF_VALUES];
	int64_t factor[GPERF_VALUES];
	int values;
	int columns;    /* numbers of a row */
	int64_t period; /* of samples; of heaps the bytes between them */
	int64_t hertz;  /* of the cycles in which delays are given, 0: they are ns */
	bool alloc;     /* heaps: what was allocated over all time counts, too */
	bool unscale;   /* values are those of the sampled allocations */
	bool micro;     /* delays are us, not ns */
	bool java;      /* the file names its frames, which are numbers and no addresses */

	uint64_t *address;
	size_t addresses, address_alloc;
	struct gperf_sample *sample;
	size_t samples, sample_alloc;
	struct gperf_mapping *mapping; /* by address, once they are finished */
	size_t mappings, mapping_alloc;
	struct pk_mapped *mapped;
	bool all_frames;
	struct pprof_drop drop;
	struct gperf_name *name; /* by address, at the end */
	size_t names, name_alloc;

	struct gperf_place {
		uint64_t address;
		uint32_t first, count; /* of its frames, outermost first */
		uint32_t kept;         /* of these, above what is dropped */
	} * place;
	size_t places, place_alloc;
	struct pk_index place_index;
	uint32_t *frame; /* locations */
	size_t frames, frame_alloc;
	uint64_t expanded; /* frames of all stacks: bounds what addresses of many frames multiply */
};

/* Appends a sample, to which gperf_push_address adds addresses. */
struct gperf_sample *gperf_push_sample(struct gperf *g);
void gperf_push_address(struct gperf *g, uint64_t address);
/* "samples/count cpu/nanoseconds" become metrics, of which the last is shown. */
void gperf_set_types(struct gperf *g, const char *types);
/* The distance between two samples, in "space/bytes". */
void gperf_set_period(struct gperf *g, const char *type, int64_t period);

static inline void gperf_skip(struct gperf_text *text, size_t len)
{
	text->at += len;
	text->len -= len;
}

/* Skips what is among these characters. */
static inline void gperf_skip_any(struct gperf_text *text, const char *characters)
{
	while (text->len && memchr(characters, *text->at, strlen(characters)))
		gperf_skip(text, 1);
}

/* The next line, without white space at its ends. False: there is none. */
bool gperf_next_line(struct gperf *g, struct gperf_text *line);
/* Takes blanks and "0x2f" or "2f" off the text. */
bool gperf_take_hex(struct gperf_text *text, bool prefixed, uint64_t *value);
int gperf_repair(struct gperf *g, const char *what);

/* A binary CPU profile: how its words are written. */
struct gperf_words {
	int size; /* in bytes; 0: it is none */
	bool big_endian, java;
	uint64_t period; /* us */
};
struct gperf_words gperf_words_of(const uint8_t *data, size_t len);
int gperf_read_cpu(struct gperf *g, const struct gperf_words *words);
/* As pprof does: a signal handler may give the leaf twice. */
void gperf_drop_repeated_leaves(struct gperf *g);

/* True if a text form begins with the line. */
bool gperf_is_text(struct gperf_text line);
int gperf_read_text(struct gperf *g);

/* True if maps follow the line. */
bool gperf_is_maps_header(struct gperf_text line);
/* The rest of the file: maps. Then they are sorted, and made mappings of the model. */
int gperf_read_maps(struct gperf *g);
const struct gperf_mapping *gperf_find_mapping(const struct gperf *g, uint64_t address);

/* The rest of the file: names of Java's frames. */
int gperf_read_java_names(struct gperf *g);
/* "#\t0x4b97fb\tmain.main+0xbb\t/srv/main.go:14". */
void gperf_read_go_name(struct gperf *g, struct gperf_text line);

/* Sets what is dropped of profiles with these metrics. */
void gperf_set_drop(struct gperf *g);

/* Gives everything to the builder. */
int gperf_build(struct gperf *g);
