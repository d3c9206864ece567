/*
 * Finds what `time` prints in a text, which may have the output of the program before it.
 *
 *	Command exited with non-zero status 3      GNU time -v; not with -q
 *		Command being timed: "python3 run.py"
 *		User time (seconds): 0.27
 *		Elapsed (wall clock) time (h:mm:ss or m:ss): 0:04.90
 *		...
 *		Exit status: 3
 *
 *	0.03user 0.01system 0:00.04elapsed 95%CPU (0avgtext+0avgdata 14052maxresident)k
 *	0inputs+8outputs (0major+3814minor)pagefaults 0swaps
 *
 *	real 1.69                        time -p; of bash, "real<tab>0m1.690s"
 *	user 0.06
 *	sys 0.02
 *
 *	python3 run.py  0.03s user 0.01s system 95% cpu 0.044 total           zsh
 *
 *	        1.69 real         0.06 user         0.02 sys                  BSD, macOS: bsd.c
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/time/internal.h"

enum step {
	OUTSIDE,
	COMMAND, /* of -v, which may have line breaks */
	VERBOSE, /* the lines behind it */
	REAL,    /* was read; user is next */
	USER,    /* was read; sys is next */
	SHORT,   /* the first line of the default format was read */
	BSD,     /* that of a BSD was read: see bsd.c */
};

#define KILOBYTES 1024

static const struct {
	const char *key;
	enum time_value value;
	double unit;
} verbose[] = {
	{"User time (seconds): ", TIME_USER, 1},
	{"System time (seconds): ", TIME_SYSTEM, 1},
	{"Percent of CPU this job got: ", TIME_CPU, 1},
	{"Elapsed (wall clock) time (h:mm:ss or m:ss): ", TIME_ELAPSED, 1},
	{"Average shared text size (kbytes): ", TIME_AVERAGE_TEXT, KILOBYTES},
	{"Average unshared data size (kbytes): ", TIME_AVERAGE_DATA, KILOBYTES},
	{"Average stack size (kbytes): ", TIME_AVERAGE_STACK, KILOBYTES},
	{"Average total size (kbytes): ", TIME_AVERAGE_TOTAL, KILOBYTES},
	{"Maximum resident set size (kbytes): ", TIME_MAXRSS, KILOBYTES},
	{"Average resident set size (kbytes): ", TIME_AVERAGE_RSS, KILOBYTES},
	{"Major (requiring I/O) page faults: ", TIME_MAJOR, 1},
	{"Minor (reclaiming a frame) page faults: ", TIME_MINOR, 1},
	{"Voluntary context switches: ", TIME_VOLUNTARY, 1},
	{"Involuntary context switches: ", TIME_INVOLUNTARY, 1},
	{"Swaps: ", TIME_SWAPS, 1},
	{"File system inputs: ", TIME_INPUTS, 1},
	{"File system outputs: ", TIME_OUTPUTS, 1},
	{"Socket messages sent: ", TIME_SENT, 1},
	{"Socket messages received: ", TIME_RECEIVED, 1},
	{"Signals delivered: ", TIME_SIGNALS, 1},
};

static void forget(struct time_text *t)
{
	t->step = OUTSIDE;
	t->next = (struct time_run){0};
	for (int i = 0; i < TIME_VALUES; i++)
		t->next.value[i] = NAN;
}

void time_begin(struct time_text *t, struct pk_builder *b, struct pk_error *err)
{
	*t = (struct time_text){.b = b, .err = err};
	forget(t);
}

static void keep(struct time_text *t)
{
	PK_GROW(t->run, t->runs + 1, t->alloc);
	t->run[t->runs++] = t->next;
	forget(t);
}

/* Takes "12.5", "12,5" of a shell in another language, "1:02.5", "1:02:03", "0m1.5s". */
static bool take_time(struct pk_scan *t, double *seconds)
{
	double part, sum = 0;
	bool more = true;

	while (more) {
		size_t used = pk_parse_real(t->at, (size_t)(t->end - t->at), &part);
		double fraction;

		if (!used || !isfinite(part) || part < 0)
			return false;
		t->at += used;
		if (pk_scan_word(t, ",")) {
			const char *digits = t->at;

			used = pk_parse_real(digits, (size_t)(t->end - digits), &fraction);
			t->at += used;
			part += used ? fraction / pow(10, (double)used) : 0;
		}
		sum = sum * 60 + part;
		more = pk_scan_word(t, ":") || (t->end - t->at > 1 && pk_scan_word(t, "m"));
	}
	*seconds = sum;
	return sum <= TIME_MOST;
}

/* Takes a number from 0 on and the word behind it. */
static bool take_number(struct pk_scan *t, const char *word, double *number)
{
	size_t used = pk_parse_real(t->at, (size_t)(t->end - t->at), number);

	if (!used || *number < 0 || !isfinite(*number))
		return false;
	t->at += used;
	return pk_scan_word(t, word);
}

/* Moves after the text, which may follow output without a line break. */
static bool find(struct pk_scan *line, const char *text)
{
	const char *at = memmem(line->at, (size_t)(line->end - line->at), text, strlen(text));

	line->at = at ? at + strlen(text) : line->at;
	return at;
}

/* "Command exited with non-zero status 3": kept for the block that follows. */
static bool read_end(struct time_text *t, struct pk_scan line)
{
	bool exited = find(&line, "Command exited with non-zero status ");
	PK_BUF_AUTO text = PK_BUF_INIT;
	uint64_t number;

	if (!exited && !find(&line, "Command terminated by signal ") &&
	    !find(&line, "Command stopped by signal "))
		return false;
	if (!pk_scan_number(&line, &number) || line.at < line.end)
		return false;
	pk_buf_addf(&text, "%s%u", exited ? "" : "signal ", (unsigned)number);
	forget(t);
	t->next.end = pk_build_text(t->b, text.data);
	return true;
}

/* Reads a line with a command, or a further line of the command. */
static bool read_command(struct time_text *t, struct pk_scan line)
{
	if (t->step == OUTSIDE) {
		if (!find(&line, "\tCommand being timed: \""))
			return false;
		t->command.len = 0;
		t->step = COMMAND;
	} else {
		pk_buf_addc(&t->command, '\n');
	}
	pk_buf_add(&t->command, line.at, (size_t)(line.end - line.at));
	return true;
}

static bool read_verbose(struct time_text *t, struct pk_scan line)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!pk_scan_word(&line, "\t"))
		return false;
	if (pk_scan_word(&line, "Exit status: ")) {
		pk_buf_add(&text, line.at, (size_t)(line.end - line.at));
		if (!t->next.end && text.len && strcmp(text.data, "0") != 0)
			t->next.end = pk_build_text(t->b, text.data);
		keep(t);
		return true;
	}
	for (size_t i = 0; i < sizeof(verbose) / sizeof(*verbose); i++) {
		double *value = &t->next.value[verbose[i].value];

		/* "?%" of a program that took no time */
		if (pk_scan_word(&line, verbose[i].key) && take_time(&line, value))
			*value *= verbose[i].unit;
	}
	return true; /* other versions may have others */
}

/* Reads the line after the command: it closes the command, or is a further line of it. */
static bool end_command(struct time_text *t, struct pk_scan line)
{
	if (!pk_scan_word(&(struct pk_scan){line.at, line.end}, "\tUser time (seconds): "))
		return read_command(t, line);
	if (t->command.len && t->command.data[t->command.len - 1] == '"')
		t->command.len--;
	t->next.command = pk_build_string(t->b, t->command.data, t->command.len);
	t->step = VERBOSE;
	return read_verbose(t, line);
}

/* "real 1.69", "real<tab>0m1.690s" */
static bool read_posix(struct time_text *t, struct pk_scan line)
{
	static const struct {
		const char *word;
		enum time_value value;
	} lines[] = {{"real", TIME_ELAPSED}, {"user", TIME_USER}, {"sys", TIME_SYSTEM}};
	int next = t->step == REAL ? 1 : t->step == USER ? 2 : 0;
	double seconds;

	if (!pk_scan_word(&line, lines[next].word) || line.at == line.end ||
	    (*line.at != ' ' && *line.at != '\t'))
		return false;
	while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
		line.at++;
	if (!take_time(&line, &seconds))
		return false;
	pk_scan_word(&line, "s");
	if (line.at < line.end)
		return false;
	t->next.value[lines[next].value] = seconds;
	t->step = next == 0 ? REAL : USER;
	if (next == 2)
		keep(t);
	return true;
}

/* The first line of the default format, which may follow a text without a line break. */
static bool read_short(struct time_text *t, struct pk_scan line)
{
	const char *at = memmem(line.at, (size_t)(line.end - line.at), "user ", 5), *first = at;
	double *value = t->next.value;

	while (first && first > line.at && strchr("0123456789.", first[-1]) && first[-1])
		first--;
	if (!at || first == at)
		return false;
	line.at = first;
	if (!take_number(&line, "user ", &value[TIME_USER]) ||
	    !take_number(&line, "system ", &value[TIME_SYSTEM]) ||
	    !take_time(&line, &value[TIME_ELAPSED]) || !pk_scan_word(&line, "elapsed "))
		return false;
	if (!pk_scan_word(&line, "?%CPU (") && !take_number(&line, "%CPU (", &value[TIME_CPU]))
		return false;
	if (!take_number(&line, "avgtext+", &value[TIME_AVERAGE_TEXT]) ||
	    !take_number(&line, "avgdata ", &value[TIME_AVERAGE_DATA]) ||
	    !take_number(&line, "maxresident)k", &value[TIME_MAXRSS]))
		return false;
	value[TIME_AVERAGE_TEXT] *= KILOBYTES;
	value[TIME_AVERAGE_DATA] *= KILOBYTES;
	value[TIME_MAXRSS] *= KILOBYTES;
	t->step = SHORT;
	return true;
}

static bool read_second(struct time_text *t, struct pk_scan line)
{
	double *value = t->next.value;
	bool whole = take_number(&line, "inputs+", &value[TIME_INPUTS]) &&
		     take_number(&line, "outputs (", &value[TIME_OUTPUTS]) &&
		     take_number(&line, "major+", &value[TIME_MAJOR]) &&
		     take_number(&line, "minor)pagefaults ", &value[TIME_MINOR]) &&
		     take_number(&line, "swaps", &value[TIME_SWAPS]);

	if (whole)
		keep(t);
	return whole;
}

/* "COMMAND  0.03s user 0.01s system 95% cpu 0.044 total" */
static bool read_zsh(struct time_text *t, struct pk_scan line)
{
	const char *first = line.at, *at = memmem(first, (size_t)(line.end - first), "s user ", 7);
	double *value = t->next.value;

	if (!at)
		return false;
	for (line.at = at; line.at > first && line.at[-1] != ' '; line.at--)
		;
	at = line.at;
	if (!take_number(&line, "s user ", &value[TIME_USER]) ||
	    !take_number(&line, "s system ", &value[TIME_SYSTEM]) ||
	    !take_number(&line, "% cpu ", &value[TIME_CPU]) ||
	    !take_time(&line, &value[TIME_ELAPSED]) || !pk_scan_word(&line, " total") ||
	    line.at < line.end)
		return false;
	while (at > first && at[-1] == ' ')
		at--;
	if (at > first)
		t->next.command = pk_build_string(t->b, first, (size_t)(at - first));
	keep(t);
	return true;
}

static bool read_bsd(struct time_text *t, struct pk_scan line)
{
	if (t->step == BSD)
		return time_bsd_count(line, t->next.value);
	if (!time_bsd_times(line, t->next.value))
		return false;
	t->step = BSD;
	return true;
}

static void read_outside(struct time_text *t, struct pk_scan line)
{
	if (read_bsd(t, line) || read_end(t, line) || read_command(t, line) ||
	    read_posix(t, line) || read_short(t, line) || read_zsh(t, line))
		return;
	if (line.at < line.end)
		forget(t);
}

static bool read_inside(struct time_text *t, struct pk_scan line)
{
	switch ((enum step)t->step) {
	case COMMAND:
		return end_command(t, line);
	case VERBOSE:
		return read_verbose(t, line);
	case REAL:
	case USER:
		return read_posix(t, line);
	case SHORT:
		return read_second(t, line);
	case BSD:
		return read_bsd(t, line);
	default:
		return false;
	}
}

static int end_bsd(struct time_text *t)
{
	bool known = time_bsd_end(t->next.value);
	uint64_t first = t->first;

	keep(t);
	return known ? 0
		     : pk_build_repair_line(t->b, t->err,
					    "maximum resident set size left out: bytes on macOS, "
					    "KiB on BSD, and the text does not tell which",
					    first);
}

int time_end_block(struct time_text *t)
{
	/* "real 3" alone may be anything */
	bool cut = t->step == COMMAND || t->step == VERBOSE || t->step == SHORT;
	uint64_t first = t->first;

	if (t->step == BSD)
		return end_bsd(t);
	forget(t);
	return cut ? pk_build_repair_line(t->b, t->err, "output of time without its end left out",
					  first)
		   : 0;
}

int time_read_line(void *data, const char *text, size_t len)
{
	struct time_text *t = data;
	struct pk_scan line = {text, text + len};

	if (len && text[len - 1] == '\r')
		line.end--;
	if (t->step != OUTSIDE && read_inside(t, line))
		return 0;
	if (t->step != OUTSIDE && time_end_block(t))
		return -1;
	read_outside(t, line);
	if (t->step != OUTSIDE)
		t->first = t->number;
	return 0;
}
