/*
 * Phrases: text that comes again, which is compared and not read (phrase.h). Token by token, a
 * trace takes 59 % more instructions. They are made of plain text only, because what is mended
 * or counted must be seen each time.
 *
 *	,"cat":"cpu_op","ph":        behind a value, up to the value of the next member
 */
#include "base/json/phrase.h"

#include <string.h>

static bool is_plain(uint8_t c)
{
	return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

bool pk_json_learn(struct pk_json *j, struct pk_json_phrase *p)
{
	const uint8_t *s = j->at, *end, *key;

	if (s >= j->fast || (j->expect != KEY_OR_END && j->expect != AFTER_MEMBER))
		return false;
	for (end = s + PK_JSON_PHRASE; s < end && pk_json_is_space(*s); s++)
		;
	if (j->expect == AFTER_MEMBER && *s++ != ',')
		return false;
	for (; s < end && pk_json_is_space(*s); s++)
		;
	if (*s != '"')
		return false;
	for (key = ++s; s < end && is_plain(*s); s++)
		;
	if (*s != '"')
		return false;
	j->text = (const char *)key;
	j->len = (size_t)(s - key);
	for (s++; s < end && pk_json_is_space(*s); s++)
		;
	if (s >= end || *s++ != ':')
		return false;
	for (; s < end && pk_json_is_space(*s); s++)
		;
	if (s >= end)
		return false;
	p->len = (uint8_t)(s - j->at);
	p->needed = PK_JSON_PHRASE + 1;
	p->expect = (uint8_t)j->expect;
	memset(p->text, 0, sizeof(p->text));
	memcpy(p->text, j->at, p->len);
	j->escaped = false;
	pk_json_pass_key(j, p);
	return true;
}

static bool is_plain_number(const char *s, size_t len)
{
	size_t i = len && s[0] == '-', first = i;

	for (; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		;
	return i == len && i > first && (i == first + 1 || s[first] != '0');
}

static bool is_plain_string(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_plain((uint8_t)s[i]))
			return false;
	return true;
}

void pk_json_learn_value(const struct pk_json *j, struct pk_json_phrase *p)
{
	const char *from = j->text;
	size_t len = j->len, needed;

	p->needed = PK_JSON_PHRASE + 1;
	if (j->at >= j->fast || len > PK_JSON_PHRASE)
		return;
	if (j->token == PK_JSON_STRING && is_plain_string(from, len)) {
		from--;
		needed = len += 2;
	} else if (j->token == PK_JSON_NUMBER && is_plain_number(from, len)) {
		/* the character after a number belongs to it, since it shows where the number
		 * ends */
		needed = len + 1;
	} else {
		return;
	}
	if (p->len + needed > PK_JSON_PHRASE)
		return;
	memcpy(p->text + p->len, from, needed);
	p->whole = (uint8_t)(p->len + len);
	p->needed = (uint8_t)(p->len + needed);
}
