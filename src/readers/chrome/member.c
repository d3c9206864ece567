/*
 * Members of events. Events of one kind are written by one printf, so the text between their
 * values, and some of the values, are the same as in an earlier event. The reader remembers
 * which member followed which, with that text, and compares instead of parsing
 * (base/json/phrase.h).
 *
 *	{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, ...
 *	 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^          ^ a new value   ^ after "name" came "pid"
 */
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome/internal.h"

/* If there are more known members, all are forgotten; after so many times no more are learnt. */
enum { MOST_KNOWN = 1000, MOST_FORGOTTEN = 16 };

enum pk_chrome_member pk_chrome_member_of(const struct pk_json *j)
{
	static const struct {
		const char *name;
		enum pk_chrome_member member;
	} members[] = {
		{"ph", PK_CHROME_PH},           {"ts", PK_CHROME_TS},
		{"id", PK_CHROME_ID},           {"bp", PK_CHROME_BP},
		{"sf", PK_CHROME_SF},           {"pid", PK_CHROME_PID},
		{"tid", PK_CHROME_TID},         {"dur", PK_CHROME_DUR},
		{"cat", PK_CHROME_CAT},         {"id2", PK_CHROME_ID2},
		{"name", PK_CHROME_NAME},       {"args", PK_CHROME_ARGS},
		{"tdur", PK_CHROME_TDUR},       {"scope", PK_CHROME_SCOPE},
		{"weight", PK_CHROME_WEIGHT},   {"bind_id", PK_CHROME_BIND_ID},
		{"flow_in", PK_CHROME_FLOW_IN}, {"flow_out", PK_CHROME_FLOW_OUT},
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (pk_json_is(j, members[i].name))
			return members[i].member;
	return PK_CHROME_OTHER;
}

/* Members with values that repeat. Phase and category decide which members follow. */
static bool is_kept(enum pk_chrome_member member)
{
	return member >= PK_CHROME_PH && member <= PK_CHROME_TID;
}

static bool tells(const struct pk_chrome_known *k)
{
	return (k->member == PK_CHROME_PH || k->member == PK_CHROME_CAT) &&
	       k->phrase.needed <= PK_JSON_PHRASE;
}

/* Moves this follower to the front of the list. */
static void move_up(uint16_t *after, unsigned place)
{
	uint16_t id = after[place];

	memmove(after + 1, after, place * sizeof(*after));
	after[0] = id;
}

/* Adds a follower in place of the one used longest ago. */
static struct pk_chrome_known *add(struct pk_chrome *c, const struct pk_json_phrase *phrase,
				   enum pk_chrome_member member)
{
	struct pk_chrome_known *k;
	uint16_t *after;

	if (c->known.count == MOST_KNOWN) {
		c->known.count = 1;
		c->known.last = 0;
		memset(c->known.member[0].after, 0, sizeof(c->known.member[0].after));
		c->known.forgotten++;
	}
	PK_GROW(c->known.member, (size_t)c->known.count + 1, c->known.alloc);
	after = c->known.member[c->known.last].after;
	after[PK_CHROME_FOLLOWERS - 1] = (uint16_t)c->known.count;
	move_up(after, PK_CHROME_FOLLOWERS - 1);
	c->known.last = c->known.count++;
	k = &c->known.member[c->known.last];
	memset(k, 0, sizeof(*k));
	k->phrase = *phrase;
	k->member = (uint8_t)member;
	k->kept = is_kept(member);
	return k;
}

static enum pk_chrome_next learn(struct pk_chrome *c, struct pk_chrome_known **k)
{
	struct pk_json_phrase phrase;

	if (c->known.forgotten == MOST_FORGOTTEN || !pk_json_learn(&c->json, &phrase))
		return PK_CHROME_NO_MEMBER;
	if (!c->known.count) {
		PK_GROW(c->known.member, 1, c->known.alloc);
		memset(c->known.member, 0, sizeof(*c->known.member));
		c->known.count = 1;
	}
	*k = add(c, &phrase, pk_chrome_member_of(&c->json));
	return PK_CHROME_NEW_VALUE;
}

enum pk_chrome_next pk_chrome_next_member(struct pk_chrome *c, struct pk_chrome_known **k)
{
	struct pk_chrome_known *all = c->known.member, *alike = NULL;
	uint16_t *after = all ? all[c->known.last].after : NULL;
	struct pk_json_phrase phrase;

	for (unsigned i = 0; after && i < PK_CHROME_FOLLOWERS && after[i]; i++) {
		struct pk_chrome_known *next = &all[after[i]];
		unsigned same = pk_json_same(&c->json, &next->phrase);

		if (same < next->phrase.len)
			continue;
		*k = next;
		if (same < next->phrase.needed && tells(next)) {
			alike = next;
			continue;
		}
		c->known.last = after[i];
		if (i)
			move_up(after, i);
		if (same >= next->phrase.needed) {
			pk_json_pass_member(&c->json, &next->phrase);
			return PK_CHROME_KNOWN_VALUE;
		}
		pk_json_pass_key(&c->json, &next->phrase);
		return PK_CHROME_NEW_VALUE;
	}
	if (!alike)
		return learn(c, k);
	pk_json_pass_key(&c->json, &alike->phrase);
	phrase = alike->phrase;
	*k = add(c, &phrase, alike->member);
	return PK_CHROME_NEW_VALUE;
}
