/* Regular expressions of options and SQL, by PCRE2, with a limit on the steps of a search. */
#include "base/text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Steps of one search: some ms. */
#define STEPS 100000

struct pk_regex {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
};

struct pk_regex *pk_regex_new(const char *pattern, struct pk_error *err)
{
	uint32_t options =
		PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
	PCRE2_SPTR text = (PCRE2_SPTR)pattern;
	struct pk_regex *re = pk_calloc(1, sizeof(*re));
	PCRE2_SIZE place;
	int code;

	re->code = pcre2_compile(text, PCRE2_ZERO_TERMINATED, options, &code, &place, NULL);
	if (!re->code) {
		char reason[200];

		pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof(reason));
		pk_fail(err, PK_EUSAGE, "regular expression '%s': %s at %zu", pattern, reason,
			(size_t)place);
		free(re);
		return NULL;
	}
	/* without a JIT, matching is slower but the same */
	pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE);
	re->match = pcre2_match_data_create(1, NULL);
	re->context = pcre2_match_context_create(NULL);
	if (!re->match || !re->context)
		pk_die("out of memory");
	pcre2_set_match_limit(re->context, STEPS);
	pcre2_set_depth_limit(re->context, STEPS);
	return re;
}

bool pk_regex_search(const struct pk_regex *re, const char *text, size_t len)
{
	PCRE2_SPTR subject = (PCRE2_SPTR)text;
	int found = pcre2_match(re->code, subject, len, 0, 0, re->match, re->context);

	if (found == PCRE2_ERROR_JIT_STACKLIMIT)
		found = pcre2_match(re->code, subject, len, 0, PCRE2_NO_JIT, re->match,
				    re->context);
	return found >= 0;
}

bool pk_regex_replace(const struct pk_regex *re, const char *text, size_t len, const char *with,
		      struct pk_buf *buf)
{
	uint32_t options = PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH |
			   PCRE2_SUBSTITUTE_UNSET_EMPTY;
	size_t room = len + 64;
	int replaced;

	if (!pk_regex_search(re, text, len))
		return false;
	for (;;) {
		char *out = pk_malloc(room);
		PCRE2_SIZE used = room;

		replaced = pcre2_substitute(re->code, (PCRE2_SPTR)text, len, 0, options, NULL,
					    re->context, (PCRE2_SPTR)with, PCRE2_ZERO_TERMINATED,
					    (PCRE2_UCHAR *)out, &used);
		if (replaced > 0)
			pk_buf_add(buf, out, used);
		free(out);
		if (replaced != PCRE2_ERROR_NOMEMORY || used <= room)
			return replaced > 0;
		room = used;
	}
}

void pk_regex_free(struct pk_regex *re)
{
	if (!re)
		return;
	pcre2_code_free(re->code);
	pcre2_match_data_free(re->match);
	pcre2_match_context_free(re->context);
	free(re);
}
