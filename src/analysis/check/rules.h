#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/io/input.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * Rules: the changes that a check does not allow.
 *
 *	rule    := subject [ '(' pattern ')' ] '>' limit [ ',' limit ]
 *	subject := 'total' | 'self' | 'calls' | 'new' | 'memory' | METRIC
 *	         | 'line' '(' FILE ':' LINE ')' [ '.' METRIC ] '>' limit [ ',' limit ]
 *	pattern := NAME | 're:' REGEX
 *	limit   := number [ '%' | 'ns' | 'us' | 'ms' | 's' | 'B' | 'KB' | 'MB' | 'GB' ]
 *
 * Blanks may stand between the parts. If there are two limits, one is a percentage and both
 * must be exceeded.
 */
enum pk_rule_subject {
	PK_RULE_TOTAL,   /* the whole; with a pattern: the total of these functions */
	PK_RULE_SELF,    /* the self of every function; with a pattern: of these */
	PK_RULE_CALLS,   /* the calls of all functions; with a pattern: of these */
	PK_RULE_NEW,     /* new functions: their share of the whole after, or their value */
	PK_RULE_MEMORY,  /* the same as total in the metric of bytes; with a pattern: the self of
			    these functions */
	PK_RULE_METRIC,  /* the same in the metric that is named: "peak", "Ir" */
	PK_RULE_MACHINE, /* both sides ran on one machine: not written, see pk_rules_add_machine */
	PK_RULE_LINE,    /* the total of a source line, in the metric that is named, if one is: a
			    difference of profiles by line */
};

/* Which functions are meant. A name matches the function's name, alone or after its module
 * ("json.loads", "db.query", "app.db.query" for query in app/db.py). A regular expression is
 * searched in these and in "file:line". In the name of a benchmark * stands for any text;
 * "group:NAME" are the benchmarks of a group. */
struct pk_rule_pattern {
	const char *name;    /* NULL for a regular expression */
	struct pk_regex *re; /* NULL for a name */
	const char *group;   /* the part of name behind "group:"; NULL */
	uint32_t line;       /* of PK_RULE_LINE: name is a source file, or the end of its path */
};
bool pk_rule_matches(const struct pk_rule_pattern *pattern, const struct pk_profile *p,
		     uint32_t function, struct pk_buf *scratch);

struct pk_rule {
	const char *text; /* as written, without blanks at the ends */
	enum pk_rule_subject subject;
	const char *metric; /* PK_RULE_METRIC, PK_RULE_LINE: its name; NULL = the usual one */
	bool has_pattern;
	struct pk_rule_pattern pattern;
	double relative;    /* 0.05 for 5%; NaN = none given */
	double absolute;    /* in ns, bytes or as counted; NaN = none given */
	const char *unit;   /* base unit of absolute: "ns", "bytes", "" */
	bool usual;         /* none was given */
	bool unless_faster; /* not broken by a function if others became faster by more */
};

struct pk_rules {
	struct pk_rule *rule;
	size_t count, alloc;
	struct pk_rule_pattern *ignored; /* functions that no rule applies to */
	size_t ignored_count, ignored_alloc;
	struct pk_arena arena; /* texts */
};

/*
 * Adds a rule. `where` begins the error message ("--fail"), which shows the text with a mark
 * below the place. Returns -1 on an error.
 */
int pk_rules_add(struct pk_rules *rules, const char *text, const char *where, struct pk_error *err);
void pk_rules_add_machine(struct pk_rules *rules);
int pk_rules_ignore(struct pk_rules *rules, const char *pattern, const char *where,
		    struct pk_error *err);
/* Adds the rules of a file, one a line. "ignore PATTERN" names functions that no rule applies to.
 * Empty lines are skipped; a '#' at the start of a line or after a blank begins a comment. */
int pk_rules_read(struct pk_rules *rules, struct pk_input *in, struct pk_error *err);
void pk_rules_release(struct pk_rules *rules);
