#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/json/json.h"
#include "base/opt.h"
#include "model/build/builder.h"
#include "model/profile.h"
#include "model/transform/transform.h"

/* What a reader can say about the first bytes of a file. A tie between two readers is an error, so
 * a reader claims no more than it has verified. */
enum pk_score {
	PK_NO = 0,
	PK_MAYBE = 25,  /* the shape fits, as it may for other formats */
	PK_LIKELY = 50, /* several signs fit */
	PK_SURE = 75,   /* only this format looks like that */
	PK_MAGIC = 100, /* a signature was found */
};

struct pk_probe {
	const uint8_t *data; /* the first bytes, decompressed, followed by 64 zero bytes */
	size_t len;          /* at most PK_PROBE_SIZE */
	bool whole;          /* data is the whole file */
};

#define PK_PROBE_SIZE 65536

/* True if `text` follows the blanks at the begin; true if it occurs anywhere. */
bool pk_probe_begins(const struct pk_probe *probe, const char *text);
/* True if it begins like a JSON object. (A marshalled dict begins with '{', too.) */
bool pk_probe_is_object(const struct pk_probe *probe);
bool pk_probe_has(const struct pk_probe *probe, const char *text);
/* True if it may be text: a zero byte says at once that it is not. */
bool pk_probe_may_be_text(const struct pk_probe *probe);
/* The line after *line (NULL: the first), without its line break, if all of it is there. False: no
 * more; *line is what is left then, of length *len. */
bool pk_probe_line(const struct pk_probe *probe, const char **line, size_t *len);

struct pk_cut;
struct pk_piece_reader;

struct pk_slice_result {
	uint64_t events, kept; /* number of events seen and kept, without metadata */
	uint64_t broken;       /* left out: their arguments are no JSON */
	const char *unmatched; /* as of pk_select */
	struct pk_profile
		*seen; /* what was mended, as repairs and nothing else; the caller frees it */
};

/*
 * One format, one file, one const descriptor, one line in readers.def.
 * `read` is straight-line code: it pushes what it finds into the builder, mends
 * what is odd with pk_build_repair, and fails only where the rest makes no sense
 * (err says the place: "line 3: ...", "byte 77: ...").
 */
struct pk_reader {
	const char *name;            /* as in -f NAME: "pstats" */
	const char *title;           /* one line for people */
	const char *const *suffixes; /* ".prof", NULL-terminated; they only break ties */
	const char *const *beside;   /* optional: files that it looks into, from the folder of the
					input: "../names.json" */
	const struct pk_opt *opts;   /* -O key=value; NULL = none */
	size_t params_size;
	unsigned keeps; /* enum pk_part that profiles of this format may have */
	enum pk_score (*probe)(const struct pk_probe *probe); /* pure */
	int (*read)(struct pk_input *in, const void *params, struct pk_builder *b,
		    struct pk_error *err);
	/* Instead of read: how to read it by several threads at once. */
	const struct pk_piece_reader *pieces;
	/* Instead of read: reads with the help of other threads, if there are any, and gives the
	 * same result, also for errors. */
	int (*read_cut)(struct pk_input *in, const void *params, const struct pk_cut *cut,
			struct pk_builder *b, struct pk_error *err);
	/* Optional: copies the selected part of the regular file at `path` to an output of the same
	 * format, in memory that does not depend on the size of the file. Returns 1 when it is
	 * done, 0 if the file or the selection needs a profile (nothing is written then), -1 with
	 * err. */
	int (*slice)(const char *path, const struct pk_selection *s, struct pk_output *out,
		     struct pk_slice_result *result, struct pk_error *err);
	/* Instead of read, for files that hold several runs: adds one profile each, with its
	 * format and source as they were when it was saved. label NULL = all runs; otherwise
	 * those with this label or, when there are none, the run with this number (from 1). */
	int (*read_runs)(struct pk_input *in, const void *params, const char *label,
			 struct pk_profiles *runs, struct pk_error *err);
};

/* All readers, sorted by name, NULL at the end. */
extern const struct pk_reader *const pk_readers[];

const struct pk_reader *pk_reader_find(const char *name);
/* True if the name ends in a suffix of the format; ".gz", ".zst" and ".lz4" are put aside. */
bool pk_reader_has_suffix(const struct pk_reader *reader, const char *name);

/* For the sandbox: calls name for the files beside this one that a reader with its suffix may look
 * into. */
void pk_reader_name_beside(const char *path, void (*name)(const char *path, size_t len));

struct pk_read_options {
	const char *format;         /* -f NAME; NULL = detect */
	struct pk_opt_list options; /* -O key=value; keys of other formats are an error */
	bool strict;                /* repairs are errors */
	bool ordered;               /* keep the order of costs: pk_builder_set_ordered */
	unsigned wanted;            /* enum pk_part: pk_builder_set_wanted */
	const char *const *args;    /* pk_builder_set_arg_keys */
	bool progress;              /* show the progress line */
	unsigned threads;           /* that may read one file at once; 0 = 1 */
	struct pk_sums *sums;       /* checksums of files that are read; NULL = not asked for */
};

/*
 * Opens, detects, reads: appends the profiles in `path` to list. "-" is standard input.
 * "FILE@LABEL" is one run of a file that holds several, where no file of that whole name
 * exists and FILE does; "FILE@KEY=VALUE" those with this meta data, "FILE@3" is the third run.
 * Sets run.format and run.source.
 * On error the list is as before, and err reads "reading 'x': ..."; for what is wrong
 * with the options alone: without that context. options NULL = all defaults.
 */
int pk_read_file(const char *path, const struct pk_read_options *options, struct pk_profiles *list,
		 struct pk_error *err);
/* True if several threads can read this file at once. */
bool pk_read_is_shared(const char *path, const struct pk_read_options *options);
/* The same from an input that is open; the caller closes it. label NULL = all runs. */
int pk_read_input(struct pk_input *in, const char *label, const struct pk_read_options *options,
		  struct pk_profiles *list, struct pk_error *err);
/*
 * Which reader takes these bytes: the one with the best score; among equals the one with
 * the suffix of `name`. NULL with err: a tie with its rivals named, or what the bytes
 * look like when no reader takes them.
 */
const struct pk_reader *pk_reader_detect(const struct pk_probe *probe, const char *name,
					 struct pk_error *err);
/* The same for what an input that was just opened holds; nothing is taken from it. */
const struct pk_reader *pk_reader_detect_input(struct pk_input *in, struct pk_error *err);
/* For `read` of JSON formats, after the last token. Adds what the tokenizer mended as repairs.
 * Returns -1 with err for an error of the tokenizer, or for a repair if --strict forbids it. */
int pk_reader_end_json(const struct pk_json *json, struct pk_builder *b, struct pk_error *err);
/* Describes bytes that are no profile, for messages: "a PNG picture". Never NULL. *advice: what to
 * do to get a profile ("unpack it first"), NULL if nothing is known. */
const char *pk_probe_describe(const struct pk_probe *probe, const char **advice);
