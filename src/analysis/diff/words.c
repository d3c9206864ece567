#include "analysis/diff/words.h"

#include <inttypes.h>

const char *const pk_diff_notes[] = {
	[PK_NOTE_OLD_NAME] = "perhaps the new name of %s",
	[PK_NOTE_NEW_NAME] = "perhaps renamed to %s",
	[PK_NOTE_MOVED_TO] = "now in %s",
	[PK_NOTE_MOVED_FROM] = "was in %s",
	[PK_NOTE_AND_MORE] = " and %u more",
	[PK_NOTE_CALLEES] = "in callees: %s",
	[PK_NOTE_CALLS] = "%" PRId64 " calls instead of %" PRId64,
	[PK_NOTE_BY] = "by %s",
	[PK_NOTE_OLD_FILE] = "file was %s",
};

const char *pk_direction_word(bool time, bool up)
{
	if (time)
		return up ? "slower" : "faster";
	return up ? "more" : "less";
}

const char *pk_verdict_word(const struct pk_change *c, bool time)
{
	bool up = c->ratio > 1 || (!(c->ratio < 1) && c->after > c->before);

	switch (pk_change_own(c)) {
	case PK_REGRESSED: /* a rate that shrinks gets the word of a time that grows */
	case PK_IMPROVED:
		return pk_direction_word(time, up);
	case PK_SUSPECT:
		if (time)
			return up ? "maybe slower" : "maybe faster";
		return up ? "maybe more" : "maybe less";
	case PK_INCONCLUSIVE:
		return "unclear";
	case PK_NEW:
		return "new";
	case PK_GONE:
		return "gone";
	case PK_UNRECORDED:
		return "not recorded";
	case PK_MINOR:
		return "minor";
	case PK_SHIFTED:
		return "renamed";
	case PK_UNCHANGED:
		break;
	}
	return "unchanged";
}

const char *pk_diff_reference(const struct pk_diff *d)
{
	uint32_t id;
	const struct pk_profile *p;

	if (!d->reference)
		return "a typical function";
	p = pk_match_profile(&d->match, d->reference, &id);
	return pk_text(p, p->function.name[id]);
}
