/*
 * What `time` and `time -l` of macOS and the BSDs print: a line of times, and with -l a line for
 * each count. The text does not name the command.
 *
 *	        1.69 real         0.06 user         0.02 sys
 *	             7012352  maximum resident set size
 *	                 581  page reclaims
 *	                   2  involuntary context switches
 *	            48230197  instructions retired
 *	             1262016  peak memory footprint
 *
 * The largest size is bytes on macOS, which also counts instructions, and KiB elsewhere. A text
 * with neither instructions nor footprint may be of a BSD or of an old macOS: there it is left out.
 */
#include <math.h>
#include <string.h>

#include "base/num/units.h"
#include "readers/time/internal.h"

static const struct {
	const char *text;
	enum time_value value;
} counts[] = {
	{"maximum resident set size", TIME_MAXRSS},
	{"page reclaims", TIME_MINOR},
	{"page faults", TIME_MAJOR},
	{"swaps", TIME_SWAPS},
	{"block input operations", TIME_INPUTS},
	{"block output operations", TIME_OUTPUTS},
	{"messages sent", TIME_SENT},
	{"messages received", TIME_RECEIVED},
	{"signals received", TIME_SIGNALS},
	{"voluntary context switches", TIME_VOLUNTARY},
	{"involuntary context switches", TIME_INVOLUNTARY},
	{"instructions retired", TIME_INSTRUCTIONS},
	{"cycles elapsed", TIME_CYCLES},
	{"peak memory footprint", TIME_FOOTPRINT},
};

static void skip_blanks(struct pk_scan *line)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
}

/* A number from 0 on behind blanks, and blanks behind it. */
static bool take(struct pk_scan *line, double *number)
{
	size_t used;

	skip_blanks(line);
	used = pk_parse_real(line->at, (size_t)(line->end - line->at), number);
	if (!used || !isfinite(*number) || *number < 0)
		return false;
	line->at += used;
	skip_blanks(line);
	return true;
}

static bool is_rest(const struct pk_scan *line, const char *text)
{
	return (size_t)(line->end - line->at) == strlen(text) &&
	       memcmp(line->at, text, strlen(text)) == 0;
}

bool time_bsd_times(struct pk_scan line, double *value)
{
	return take(&line, &value[TIME_ELAPSED]) && pk_scan_word(&line, "real") &&
	       take(&line, &value[TIME_USER]) && pk_scan_word(&line, "user") &&
	       take(&line, &value[TIME_SYSTEM]) && is_rest(&line, "sys") &&
	       value[TIME_ELAPSED] <= TIME_MOST && value[TIME_USER] <= TIME_MOST &&
	       value[TIME_SYSTEM] <= TIME_MOST;
}

bool time_bsd_count(struct pk_scan line, double *value)
{
	double number;

	if (line.at == line.end || (*line.at != ' ' && *line.at != '\t') || !take(&line, &number))
		return false;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (is_rest(&line, counts[i].text)) {
			value[counts[i].value] = number;
			return true;
		}
	/* "average shared memory size" and so on, which are always 0 */
	return pk_scan_word(&line, "average ");
}

bool time_bsd_end(double *value)
{
	bool known = isnan(value[TIME_MAXRSS]) || !isnan(value[TIME_INSTRUCTIONS]) ||
		     !isnan(value[TIME_FOOTPRINT]);

	if (!known)
		value[TIME_MAXRSS] = NAN;
	return known;
}
