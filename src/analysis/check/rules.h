#ifndef PK_RULES_H
#define PK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/io/input.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * What a change may not exceed, as people write it:
 *
 *	rule    := subject [ '(' pattern ')' ] '>' limit [ ',' limit ]
 *	subject := 'total' | 'self' | 'calls' | 'new' | 'memory'
 *	pattern := NAME | 're:' REGEX
 *	limit   := number [ '%' | 'ns' | 'us' | 'ms' | 's' | 'B' | 'KB' | 'MB' | 'GB' ]
 *
 * Blanks may stand between them. Of two limits, one a percentage, both must be exceeded.
 */
enum pk_rule_subject {
	PK_RULE_TOTAL,  /* the whole; with a pattern: functions with what they call */
	PK_RULE_SELF,   /* functions themselves, each; with a pattern: these */
	PK_RULE_CALLS,  /* all calls; with a pattern: of these functions */
	PK_RULE_NEW,    /* functions that are new: their share of the whole after, or their value */
	PK_RULE_MEMORY, /* as total, of the metric in bytes; with a pattern: functions themselves */
	PK_RULE_SUBJECTS
};
extern const char *const pk_rule_subjects[]; /* NULL-terminated */

/* Which functions are meant. A name is that of the function, alone or after its module
 * ("json.loads", "db.query", "app.db.query" for query in app/db.py); a regular expression is
 * searched in these, and in "file:line". */
struct pk_rule_pattern {
	const char *name;    /* NULL where it is a regular expression */
	struct pk_regex *re; /* NULL where it is a name */
};
bool pk_rule_matches(const struct pk_rule_pattern *pattern, const struct pk_profile *p,
		     uint32_t frame, struct pk_buf *scratch);

struct pk_rule {
	const char *text; /* as written, blanks at the ends left out */
	enum pk_rule_subject subject;
	bool has_pattern;
	struct pk_rule_pattern pattern;
	double relative;  /* 0.05 for 5%; NaN = none given */
	double absolute;  /* in ns, bytes or as counted; NaN = none given */
	const char *unit; /* base unit of absolute: "ns", "bytes", "" */
};

struct pk_rules {
	struct pk_rule *rule;
	size_t count, alloc;
	struct pk_rule_pattern *ignored; /* functions that no rule looks at */
	size_t ignored_count, ignored_alloc;
	struct pk_arena arena; /* texts */
};

/*
 * Adds one. `where` begins the message of what is wrong with it ("--fail"), which shows the
 * text with a mark below the place: -1.
 */
int pk_rules_add(struct pk_rules *rules, const char *text, const char *where, struct pk_error *err);
int pk_rules_ignore(struct pk_rules *rules, const char *pattern, const char *where,
		    struct pk_error *err);
/* Adds the rules of a file: one a line, "ignore PATTERN" for functions to leave alone; empty
 * lines and what follows '#' at the start of a line or after a blank are comments. */
int pk_rules_read(struct pk_rules *rules, struct pk_input *in, struct pk_error *err);
void pk_rules_release(struct pk_rules *rules);

#endif
