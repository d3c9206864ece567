/* The progress line on a terminal. */
#include "tests/check_util.h"

#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io/progress.h"
#include "base/text/str.h"

/* Writes to a pipe for `ms` milliseconds, a little every 20. */
static void feed(int to, int ms)
{
	static char some[1000];

	for (int t = 0; t < ms; t += 20) {
		if (write(to, some, sizeof(some)) < 0)
			_exit(1);
		usleep(20000);
	}
	_exit(0);
}

static void read_watched(int from, int errors)
{
	char path[40];
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in;
	size_t avail;

	dup2(errors, STDERR_FILENO);
	snprintf(path, sizeof(path), "/dev/fd/%d", from);
	in = pk_input_open(path, &err);
	pk_progress_watch(in);
	for (;;) {
		pk_input_peek(in, 1, &avail);
		if (!avail)
			break;
		pk_input_take(in, avail);
	}
	pk_input_close(in);
	pk_progress_clear();
	pk_progress_clear();
	_exit(0);
}

/* What is written to stderr, a terminal of 40 columns or a pipe, while a pipe is read that
 * ends after `ms` milliseconds. */
static void watch(int ms, bool terminal, struct pk_buf *seen)
{
	struct winsize size = {.ws_row = 10, .ws_col = 40};
	int data[2], errors[2];
	char part[1000];
	ssize_t n;

	ck_assert_int_eq(pipe(data), 0);
	if (terminal)
		ck_assert_int_eq(openpty(&errors[0], &errors[1], NULL, NULL, &size), 0);
	else
		ck_assert_int_eq(pipe(errors), 0);
	if (fork() == 0)
		feed(data[1], ms);
	close(data[1]);
	if (fork() == 0)
		read_watched(data[0], errors[1]);
	close(errors[1]);
	close(data[0]);
	while ((n = read(errors[0], part, sizeof(part))) > 0)
		pk_buf_add(seen, part, (size_t)n);
	close(errors[0]);
	while (wait(NULL) > 0)
		;
}

START_TEST(long_work_at_a_terminal)
{
	struct pk_buf seen = PK_BUF_INIT;

	watch(1000, true, &seen);
	ck_assert_msg(seen.len > 0, "no progress was shown");
	ck_assert(pk_starts_with(seen.data, "\rreading "));
	ck_assert(strstr(seen.data, " KB\033[K\r"));
	/* In the end the line is gone; it is removed once. */
	ck_assert(pk_ends_with(seen.data, "\033[K\r\033[K"));
	pk_buf_release(&seen);
}
END_TEST

START_TEST(nothing_elsewhere)
{
	struct timespec begin, end;
	struct pk_buf seen = PK_BUF_INIT;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	watch(200, true, &seen);
	clock_gettime(CLOCK_MONOTONIC, &end);
	/* Where other work of the machine made it long, a line is right. */
	if ((end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000 < 500)
		ck_assert_uint_eq(seen.len, 0);
	seen.len = 0;
	watch(1000, false, &seen);
	ck_assert_uint_eq(seen.len, 0);
	pk_buf_release(&seen);
}
END_TEST

CHECK_MAIN("progress", long_work_at_a_terminal, nothing_elsewhere)
