#ifndef PK_PSTATS_STATS_H
#define PK_PSTATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * What python's pstats.Stats holds after it has loaded some profiles: functions in
 * the order of its dict, numbers added in its order, so that sums of floating-point
 * times come out the same to the last digit.
 */
struct pk_stats_key { /* (file, line, name); texts belong to the profiles */
	const char *file, *name;
	uint32_t file_len, name_len, line;
};

struct pk_stats_caller {
	uint32_t key;
	uint32_t next;   /* of the same function, + 1; 0 = the last */
	bool only_count; /* nc alone is known: what the profile module writes */
	int64_t nc, cc;
	double tt, ct; /* seconds */
};

struct pk_stats_function {
	uint32_t key;
	uint32_t first, last; /* its callers, + 1; 0 = none */
	int64_t nc, cc;
	double tt, ct;
};

struct pk_stats {
	struct pk_stats_key *key;
	size_t key_count, key_alloc;
	struct pk_index index;
	uint32_t *of_key; /* key -> function + 1; 0 = a caller that has no entry */
	size_t of_key_alloc;
	struct pk_stats_function *function;
	size_t count, alloc;
	struct pk_stats_caller *caller;
	size_t caller_count, caller_alloc;
	uint32_t *top; /* keys of what jprofile marked as top level; may repeat */
	size_t top_count, top_alloc;
	int64_t calls, primitive_calls;
	double time;
};

/*
 * Loads the profiles as Stats(first, second, third) does: the first, then the others from
 * the last to the second. callers false leaves them out. metric is a name or NULL for
 * the first; times are ns made seconds, other units stay. The profiles must stay.
 */
void pk_stats_init(struct pk_stats *s, const struct pk_profiles *list, const char *metric,
		   bool callers);
void pk_stats_release(struct pk_stats *s);
/* Stats.strip_dirs. Two callers of one function that become equal: the later replaces the
 * earlier. Two functions: they are added, and so are their callers. */
void pk_stats_strip_dirs(struct pk_stats *s);
/* The same with names changed by edit (texts must live as long as s); replace false adds
 * callers that become equal. */
typedef void pk_stats_edit(struct pk_stats_key *key, void *data);
void pk_stats_rename(struct pk_stats *s, pk_stats_edit *edit, void *data, bool replace);

/* The function with this key; NULL for a caller without an entry of its own. */
static inline const struct pk_stats_function *pk_stats_find(const struct pk_stats *s, uint32_t key)
{
	if (key >= s->of_key_alloc || !s->of_key[key])
		return NULL;
	return &s->function[s->of_key[key] - 1];
}

/* "file:line(name)", "{built-in method len}", appended. */
void pk_stats_name(struct pk_buf *buf, const struct pk_stats_key *key);
/* Characters as python counts them: a lone surrogate is one, a stray byte is one. */
size_t pk_stats_width(const char *text, size_t len);
/* By code points, as python compares strings. */
int pk_stats_compare(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
