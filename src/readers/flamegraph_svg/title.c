/*
 * Titles of boxes: "name (12 samples, 3.40%)", with "; -0.10%" in pictures of differences.
 */
#include <string.h>

#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/flamegraph_svg/internal.h"

enum { MOST_DECIMALS = 9 };

/* What a title says behind the name. */
struct info {
	int64_t digits, change;
	int decimals;
	const char *unit;
	size_t unit_len;
	bool changed;
};

/* "1,234.5": the digits alone as a number, and how many come after the point. */
static size_t parse_count(const char *text, int64_t *digits, int *decimals)
{
	const char *at = text;
	bool point = false;

	*digits = 0;
	*decimals = 0;
	for (; pk_is_digit(*at) || *at == ',' || *at == '.'; at++) {
		if (*at == '.') {
			if (point)
				return 0;
			point = true;
		} else if (*at != ',') {
			if (__builtin_mul_overflow(*digits, 10, digits) ||
			    __builtin_add_overflow(*digits, *at - '0', digits))
				return 0;
			*decimals += point;
		}
	}
	return *decimals > MOST_DECIMALS ? 0 : (size_t)(at - text);
}

/* "12.34%": in 1/100 %. */
static const char *parse_percent(const char *text, int64_t *hundredths)
{
	bool exact, overflow, plus = *text == '+';
	size_t used = pk_parse_decimal(text + plus, strlen(text + plus), 2, hundredths, &exact,
				       &overflow);

	return used && text[plus + used] == '%' ? text + plus + used + 1 : NULL;
}

/* What follows " (" in a title: "12 samples, 3.40%; -0.10%)". The unit may hold anything. */
static bool parse_info(const char *text, struct info *info)
{
	size_t used = parse_count(text, &info->digits, &info->decimals);
	const char *share, *rest;
	int64_t percent;

	if (!used || text[used] != ' ')
		return false;
	info->unit = text + used + 1;
	for (share = info->unit; (share = strstr(share, ", ")); share++) {
		rest = parse_percent(share + 2, &percent);
		if (!rest)
			continue;
		info->changed = rest[0] == ';' && rest[1] == ' ';
		if (info->changed)
			rest = parse_percent(rest + 2, &info->change);
		if (rest && !strcmp(rest, ")")) {
			info->unit_len = (size_t)(share - info->unit);
			return true;
		}
	}
	return false;
}

static bool unit_fits(const struct svg_build *r, const struct info *info)
{
	return !r->unit ||
	       (info->unit_len == r->unit_len && !memcmp(info->unit, r->unit, r->unit_len));
}

/* Names may hold " (" too, so the last one that makes sense counts; but the root's name is known,
 * so that its first one tells the unit. */
void flamegraph_svg_read_title(struct svg_build *r, struct svg_box *box, bool root)
{
	const char *title = box->title ? box->title : "", *end = title + strlen(title), *at;
	struct info info;

	for (at = root ? strstr(title, " (") : end; at && at >= title; at--) {
		if (at[0] != ' ' || at[1] != '(' || !parse_info(at + 2, &info) ||
		    !unit_fits(r, &info))
			continue;
		box->name = title;
		box->name_len = (size_t)(at - title);
		box->counted = true;
		box->weight = info.digits;
		box->decimals = info.decimals;
		box->changed = info.changed;
		box->change = info.changed ? info.change : 0;
		r->decimals = info.decimals > r->decimals ? info.decimals : r->decimals;
		if (root) {
			r->unit = info.unit;
			r->unit_len = info.unit_len;
		}
		return;
	}
	/* A title of the user's own: the name is what is seen, if that is all of it. */
	at = box->label;
	if (!at || !*at || (title[0] && strstr(at, "..")))
		at = title;
	box->name = at;
	box->name_len = strlen(at);
}

bool flamegraph_svg_called_all(const struct svg_box *box)
{
	const char *title = box->title ? box->title : "";

	return !strncmp(title, "all (", 5) || !strncmp(title, "all samples (", 13) ||
	       !strcmp(title, "all") || !strncmp(title, " (", 2) || !*title;
}
