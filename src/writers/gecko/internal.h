#pragma once

#include "base/json/write.h"
#include "base/num/group.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/profile.h"

/* Shared by the files of this writer. */
struct gecko_out {
	const struct pk_profile *p;
	struct pk_json_writer json;
	struct pk_buf text;
	int64_t offset;   /* ns added to times */
	bool own;         /* read from a file of this format: markers stay as they were */
	uint32_t *string; /* number + 1 in the file, by string */
	uint32_t *listed; /* strings by number */
	uint32_t strings, string_alloc;
	uint32_t *source; /* the same of files */
	uint32_t *sourced;
	uint32_t sources, source_alloc;
	uint32_t *category;              /* number by text; 0 is for all others */
	uint32_t kind[PK_KIND_IDLE + 1]; /* the same by kind of function */
	uint32_t categories;
	uint32_t *node_category; /* by node; 0 = that of the function, or of the caller */
	uint32_t *first_thread;  /* by process: a thread of it in the file */
	uint32_t threads;
	struct pk_groups spans, instants;   /* by thread */
	uint32_t *span_args, *instant_args; /* by row: the arguments that are one object */
};

/* The number of a string in the file. */
uint32_t gecko_string(struct gecko_out *w, uint32_t string);
/* ms with as many digits as are needed. */
void gecko_ms(struct gecko_out *w, int64_t ns);
/* Text in w->text: "12", or another one that is no number. */
const char *gecko_pid(struct gecko_out *w, uint32_t process);

void gecko_put_meta(struct gecko_out *w);
void gecko_put_threads(struct gecko_out *w);
/* Called last, because it has the strings of all others. */
void gecko_put_shared(struct gecko_out *w);
void gecko_init_marks(struct gecko_out *w);
void gecko_release_marks(struct gecko_out *w);
/* Spans and instants of a thread. */
void gecko_put_markers(struct gecko_out *w, const uint32_t *threads, uint32_t count);
void gecko_put_counters(struct gecko_out *w);
