/*
 * Arguments of events as a pattern and the numbers in which events differ.
 *
 *	{"dur": "$[0]", "id": "$[1]"} and 12, 345
 */
#include "model/args/text.h"

#include <string.h>

#include "base/alloc.h"

/* Deeper or larger objects are kept as they are. */
enum { MOST_DEPTH = 100, LARGEST = 64 << 10 };

enum class { PLAIN, QUOTE, COLON, OPEN, CLOSE };

static const uint8_t classes[256] = {
	['"'] = QUOTE, [':'] = COLON, ['{'] = OPEN, ['['] = OPEN, ['}'] = CLOSE, [']'] = CLOSE};

size_t pk_arg_number(const char *s, const char *end, int64_t *number)
{
	bool negative = s < end && *s == '-';
	const char *digits = s + negative, *at = digits;
	int64_t v = 0;

	for (; at < end && (uint8_t)(*at - '0') <= 9 && at - digits < 18; at++)
		v = v * 10 + (*at - '0');
	if (at == digits || (*digits == '0' && (at - digits > 1 || negative)) || at == end ||
	    !memchr(",} \t\r\n", *at, 6))
		return 0;
	*number = negative ? -v : v;
	return (size_t)(at - s);
}

/* After the string that begins at s. */
static const char *skip_string(const char *s, const char *end)
{
	for (s++; s < end && *s != '"'; s++)
		s += *s == '\\';
	return s < end ? s + 1 : end;
}

static void add_place(struct pk_buf *pattern, int number)
{
	char place[] = "\"$[00]\"", *s = place + 3;

	if (number > 9)
		*s++ = (char)('0' + number / 10);
	*s++ = (char)('0' + number % 10);
	*s++ = ']';
	*s++ = '"';
	pk_buf_add(pattern, place, (size_t)(s - place));
}

int pk_arg_pattern(struct pk_buf *pattern, const char *text, size_t len,
		   int64_t numbers[PK_MOST_NUMBERS])
{
	const char *s = text, *end = text + len, *copied = text;
	int depth = 0, count = 0;
	size_t digits;

	pattern->len = 0;
	if (len > LARGEST || !len || *text != '{')
		return 0;
	while (s < end) {
		switch ((enum class)classes[(uint8_t)*s]) {
		case PLAIN:
			s++;
			break;
		case QUOTE:
			if (end - s > 2 && s[1] == '$' && s[2] == '[')
				return 0;
			s = skip_string(s, end);
			break;
		case COLON:
			for (s++; s < end && *s == ' ';)
				s++;
			if (depth != 1 || count == PK_MOST_NUMBERS ||
			    !(digits = pk_arg_number(s, end, &numbers[count])))
				break;
			pk_buf_add(pattern, copied, (size_t)(s - copied));
			add_place(pattern, count++);
			copied = s += digits;
			break;
		case OPEN:
			if (depth++ == MOST_DEPTH)
				return 0;
			s++;
			break;
		case CLOSE:
			depth--;
			s++;
			break;
		}
	}
	pk_buf_add(pattern, copied, (size_t)(end - copied));
	return count;
}

uint32_t pk_arg_pack(struct pk_arg_table *t, const int64_t *numbers, int count)
{
	size_t room = 2 + (size_t)count * 10, place = t->packed_size + !t->packed_size;
	uint8_t *to;

	if (!count || place + room > UINT32_MAX)
		return 0;
	PK_GROW(t->packed, place + room, t->packed_alloc);
	to = t->packed + place;
	*to++ = (uint8_t)count;
	for (int i = 0; i < count; i++) {
		uint64_t v = (uint64_t)numbers[i] << 1 ^ (uint64_t)(numbers[i] >> 63);

		for (; v > 127; v >>= 7)
			*to++ = (uint8_t)(v | 128);
		*to++ = (uint8_t)v;
	}
	t->packed_size = (size_t)(to - t->packed);
	return (uint32_t)place;
}

int pk_arg_unpack(const struct pk_arg_table *t, uint32_t place, int64_t numbers[PK_MOST_NUMBERS])
{
	const uint8_t *from = place ? t->packed + place : NULL;
	int count = from ? *from++ : 0;

	for (int i = 0; i < count; i++) {
		uint64_t v = 0;
		int shift = 0;

		for (; *from & 128; shift += 7)
			v |= (uint64_t)(*from++ & 127) << shift;
		v |= (uint64_t)*from++ << shift;
		numbers[i] = (int64_t)(v >> 1 ^ -(v & 1));
	}
	return count;
}

static char *put_number(char *to, int64_t number)
{
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char digits[20], *s = digits + sizeof(digits);
	size_t len;

	do
		*--s = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		*to++ = '-';
	len = (size_t)(digits + sizeof(digits) - s);
	memcpy(to, s, len);
	return to + len;
}

size_t pk_arg_list(char text[PK_ARG_LIST], const int64_t *numbers, int count)
{
	char *to = text;

	for (int i = 0; i < count; i++) {
		*to++ = i ? ',' : '[';
		to = put_number(to, numbers[i]);
	}
	*to++ = ']';
	return (size_t)(to - text);
}

bool pk_arg_read_list(const char *text, size_t len, int64_t numbers[PK_MOST_NUMBERS], int *count)
{
	struct pk_json_members m = pk_json_members(text, len);
	struct pk_json_slice item;

	for (*count = 0; pk_json_item(&m, &item); (*count)++)
		if (*count == PK_MOST_NUMBERS || !pk_json_slice_int(item, &numbers[*count]))
			return false;
	return *count && text[0] == '[' && text[len - 1] == ']';
}

int pk_arg_place(const char *value, size_t len)
{
	int number = 0;
	size_t i;

	if (len < 6 || len > 7 || memcmp(value, "\"$[", 3) != 0 ||
	    memcmp(value + len - 2, "]\"", 2) != 0)
		return -1;
	for (i = 3; i < len - 2; i++) {
		if ((uint8_t)(value[i] - '0') > 9)
			return -1;
		number = number * 10 + (value[i] - '0');
	}
	return number < PK_MOST_NUMBERS ? number : -1;
}

static struct pk_json_slice value_of(const struct pk_profile *p, uint32_t row)
{
	uint32_t value = p->arg.value[row];

	return (struct pk_json_slice){pk_text(p, value), p->string.len[value]};
}

static int numbers_of(const struct pk_profile *p, uint32_t row, int64_t *numbers)
{
	return pk_arg_unpack(&p->arg, p->arg.numbers ? p->arg.numbers[row] : 0, numbers);
}

struct pk_json_slice pk_arg_text(const struct pk_profile *p, uint32_t row, struct pk_buf *buf)
{
	struct pk_json_slice pattern = value_of(p, row);
	const char *s = pattern.text, *end = s + pattern.len, *place;
	int64_t numbers[PK_MOST_NUMBERS];
	char text[PK_ARG_NUMBER];
	int count = numbers_of(p, row, numbers);

	if (!count)
		return pattern;
	buf->len = 0;
	while ((place = memmem(s, (size_t)(end - s), "\"$[", 3))) {
		const char *close = memmem(place, (size_t)(end - place), "]\"", 2);
		size_t len = close ? (size_t)(close + 2 - place) : 3;
		int number = pk_arg_place(place, len);

		pk_buf_add(buf, s, (size_t)(place - s));
		if (number < 0 || number >= count)
			pk_buf_add(buf, place, len);
		else
			pk_buf_add(buf, text, (size_t)(put_number(text, numbers[number]) - text));
		s = place + len;
	}
	pk_buf_add(buf, s, (size_t)(end - s));
	return (struct pk_json_slice){buf->data, buf->len};
}

static struct pk_json_slice find_member(const struct pk_profile *p, uint32_t row, const char *key)
{
	struct pk_json_slice object = value_of(p, row), name, value;
	struct pk_json_members m = pk_json_members(object.text, object.len);

	if (memmem(object.text, object.len, key, strlen(key)))
		while (pk_json_member(&m, &name, &value))
			if (pk_json_slice_is(name, key))
				return value;
	return (struct pk_json_slice){NULL, 0};
}

/* The number at that place in the list of a row; false: the list is shorter. */
static bool number_at(const struct pk_profile *p, uint32_t row, int place, int64_t *number)
{
	uint32_t list = p->arg.numbers ? p->arg.numbers[row] : 0;
	const uint8_t *from = list ? p->arg.packed + list : NULL;
	uint64_t v = 0;

	if (!from || place >= *from++)
		return false;
	for (; place; from++)
		place -= *from < 128;
	for (int shift = 0;; shift += 7) {
		v |= (uint64_t)(*from & 127) << shift;
		if (*from++ < 128)
			break;
	}
	*number = (int64_t)(v >> 1 ^ -(v & 1));
	return true;
}

/* Finds a member in the pattern of a row. True if its value is one of the row's numbers. */
static bool find_value(struct pk_arg_finder *f, uint32_t row, const char *key,
		       struct pk_json_slice *value, int64_t *number)
{
	uint32_t pattern = f->profile->arg.value[row];
	size_t i = (pattern * 7 + (uintptr_t)key) % PK_ARG_MEMORY;

	if (f->known[i].key != key || f->known[i].pattern != pattern) {
		*value = find_member(f->profile, row, key);
		f->known[i].key = key;
		f->known[i].pattern = pattern;
		f->known[i].value = *value;
		f->known[i].place = value->text ? pk_arg_place(value->text, value->len) : -1;
	}
	*value = f->known[i].value;
	return f->known[i].place >= 0 && number_at(f->profile, row, f->known[i].place, number);
}

bool pk_arg_member(struct pk_arg_finder *f, uint32_t row, const char *key,
		   struct pk_json_slice *value)
{
	int64_t number;

	if (find_value(f, row, key, value, &number)) {
		value->text = f->number;
		value->len = (size_t)(put_number(f->number, number) - f->number);
	}
	return value->text;
}

bool pk_arg_int(struct pk_arg_finder *f, uint32_t row, const char *key, int64_t *number)
{
	struct pk_json_slice value;

	return find_value(f, row, key, &value, number) ||
	       (value.text && pk_json_slice_int(value, number));
}
