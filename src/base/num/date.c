/* Dates: see date.h. */
#include "base/num/date.h"

#include <stdio.h>
#include <time.h>

#include "base/text/ascii.h"

static const int64_t second = 1000000000;

/* "+01:00", "+0100", "Z" or nothing, in seconds. */
static bool parse_zone(const char *text, int *zone)
{
	int hours, minutes, used = 0;

	*zone = 0;
	if (*text == 'Z')
		text++;
	if (!*text)
		return true;
	if (*text != '+' && *text != '-')
		return false;
	if (sscanf(text + 1, "%2d%*1[:]%2d%n", &hours, &minutes, &used) != 2 &&
	    sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used) != 2)
		return false;
	*zone = (hours * 60 + minutes) * 60 * (*text == '-' ? -1 : 1);
	return !text[1 + used];
}

bool pk_parse_date(const char *text, int64_t *ns)
{
	int64_t fraction = 0, unit = second;
	int used = 0, zone, y, mon, d, h, min, s;
	struct tm tm;

	if (sscanf(text, "%4d-%2d-%2d%*1[ T]%2d:%2d:%2d%n", &y, &mon, &d, &h, &min, &s, &used) !=
		    6 ||
	    y < 1700 || y > 2200 || mon < 1 || mon > 12 || d < 1 || d > 31 || h < 0 || h > 23 ||
	    min < 0 || min > 59 || s < 0 || s > 60)
		return false;
	text += used;
	if (*text == '.')
		for (text++; pk_is_digit(*text); text++) {
			unit /= 10;
			fraction += (*text - '0') * unit;
		}
	if (!parse_zone(text, &zone))
		return false;
	tm = (struct tm){.tm_year = y - 1900,
			 .tm_mon = mon - 1,
			 .tm_mday = d,
			 .tm_hour = h,
			 .tm_min = min,
			 .tm_sec = s};
	*ns = ((int64_t)timegm(&tm) - zone) * second + fraction;
	return true;
}

struct pk_date pk_date_of(int64_t ns)
{
	time_t seconds = (time_t)(ns / second - (ns % second < 0));
	struct pk_date date;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(date.text, sizeof(date.text), "%Y-%m-%d %H:%M:%S", &tm);
	return date;
}

double pk_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
