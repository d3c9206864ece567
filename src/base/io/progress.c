/* The line on a terminal that says how far a long command is. */
#include "base/io/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/text/str.h"
#include "base/num/date.h"
#include "base/num/units.h"

static bool watching, shown;
static double started, drawn; /* seconds */

static int columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20)
		return 80;
	return size.ws_col;
}

/* Appends a file name with '?' for characters that are not printable. */
static void add_name(struct pk_buf *line, const char *name, int room)
{
	for (; *name && room > 0; name++, room--)
		pk_buf_addc(line, *name >= ' ' && *name <= '~' ? *name : '?');
}

/* ", 712 MB a second, 9 s left" */
static void add_rate(struct pk_buf *line, uint64_t done, uint64_t size, double seconds)
{
	double rate = (double)done / seconds;

	if (!done)
		return;
	pk_buf_adds(line, ", ");
	pk_format_value_unit(line, (int64_t)rate, "bytes");
	pk_buf_addf(line, " a second, %.0f s left", (double)(size - done) / rate);
}

static void show(const struct pk_buf *line)
{
	fprintf(stderr, "\r%s\033[K", line->data);
	fflush(stderr);
	shown = true;
}

static void draw(const struct pk_input *in, uint64_t done, double seconds)
{
	uint64_t size = pk_input_size(in);
	PK_BUF_AUTO line = PK_BUF_INIT, numbers = PK_BUF_INIT;

	if (size && done <= size) {
		pk_buf_addf(&numbers, " %3.0f%% of ", 100.0 * (double)done / (double)size);
		pk_format_value_unit(&numbers, (int64_t)size, "bytes");
		add_rate(&numbers, done, size, seconds);
	} else {
		pk_buf_addc(&numbers, ' ');
		pk_format_value_unit(&numbers, (int64_t)done, "bytes");
	}
	pk_buf_adds(&line, "reading ");
	add_name(&line, pk_basename(pk_input_name(in)), columns() - 10 - (int)numbers.len);
	pk_buf_add(&line, numbers.data, numbers.len);
	show(&line);
}

void pk_progress_report(const struct pk_input *in, uint64_t done)
{
	double t;

	if (!watching)
		return;
	t = pk_clock();
	if (t - started < 0.5 || t - drawn < 0.1)
		return;
	drawn = t;
	draw(in, done, t - started);
}

/* "merging 3,412 of 10,000 files, 285 MB a second, 4 s left" */
static void draw_files(const char *what, const struct pk_progress *done,
		       const struct pk_progress *all, double seconds)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_buf_addf(&line, "%s %s of %s files", what, pk_in_count((int64_t)done->files).text,
		    pk_in_count((int64_t)all->files).text);
	add_rate(&line, done->bytes, all->bytes, seconds);
	show(&line);
}

void pk_progress_files(const char *what, const struct pk_progress *done,
		       const struct pk_progress *all)
{
	static double first;
	double t = pk_clock();

	first = first > 0 ? first : t;
	if (!done->files || t - first < 0.5 || t - drawn < 0.1 || !isatty(STDERR_FILENO))
		return;
	drawn = t;
	draw_files(what, done, all, t - first);
}

static void tick(const struct pk_input *in, void *data)
{
	(void)data;
	pk_progress_report(in, pk_input_consumed(in));
}

void pk_progress_watch(struct pk_input *in)
{
	if (!isatty(STDERR_FILENO))
		return;
	started = pk_clock();
	watching = true;
	pk_input_set_observer(in, tick, NULL);
}

void pk_progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	shown = false;
}
