/* Outputs: temporary files, renaming, signals, full disks. */
#include "tests/check_util.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/input.h"
#include "base/io/output.h"

/* Every test works in an empty folder of its own. */
static char folder[] = "check_output.XXXXXX";

/* The tests change signals and folders: each needs a process of its own. */
static void __attribute__((constructor)) fork_always(void)
{
	setenv("CK_FORK", "yes", 1);
}

static void enter(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static size_t count_files(void)
{
	DIR *dir = opendir(".");
	size_t count = 0;

	for (struct dirent *e; (e = readdir(dir));)
		count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(dir);
	return count;
}

/* Leaves the folder, which must hold `files` files. */
static void leave(size_t files)
{
	DIR *dir = opendir(".");

	ck_assert_uint_eq(count_files(), files);
	for (struct dirent *e; (e = readdir(dir));)
		unlink(e->d_name);
	closedir(dir);
	ck_assert_int_eq(chdir(".."), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}

static struct pk_output *open_output(const char *path)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open(path, &err);

	ck_assert_msg(out != NULL, "%s", err.text);
	return out;
}

static void commit(struct pk_output *out)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(pk_output_commit(out, &err) == 0, "%s", err.text);
}

static void make_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void expect_content(const char *path, const char *text)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &err);
	const uint8_t *data;
	size_t len;

	ck_assert_msg(in != NULL, "%s: %s", path, err.text);
	data = pk_input_all(in, &len);
	ck_assert_uint_eq(len, strlen(text));
	ck_assert(!len || memcmp(data, text, len) == 0);
	pk_input_close(in);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void expect_reason(const struct pk_error *err, const char *path, int reason)
{
	char text[PATH_MAX + 100];

	snprintf(text, sizeof(text), "writing '%s': %s", path, strerror(reason));
	ck_assert_str_eq(err->text, text);
	ck_assert_int_eq(err->code, PK_EIO);
}

static void expect_refused(const char *path, int reason)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_ptr_null(pk_output_open(path, &err));
	expect_reason(&err, path, reason);
}

START_TEST(file_is_there_when_it_is_whole)
{
	struct pk_output *out;

	enter();
	umask(027);
	out = open_output("new.txt");
	ck_assert(!pk_output_is_terminal(out));
	pk_output_puts(out, "one\n");
	ck_assert_int_ne(access("new.txt", F_OK), 0);
	ck_assert_uint_eq(count_files(), 1);
	pk_output_printf(out, "%s %d\n", "two", 2);
	pk_output_putc(out, '!');
	commit(out);
	expect_content("new.txt", "one\ntwo 2\n!");
	ck_assert_int_eq(mode_of("new.txt"), 0640);
	leave(1);
}
END_TEST

START_TEST(old_file_stays_until_the_new_one_is_whole)
{
	struct pk_output *out;

	enter();
	make_file("x", "old");
	ck_assert_int_eq(chmod("x", 0604), 0);
	out = open_output("x");
	pk_output_puts(out, "new");
	pk_output_discard(out);
	expect_content("x", "old");
	ck_assert_uint_eq(count_files(), 1);

	out = open_output("x");
	pk_output_puts(out, "new");
	expect_content("x", "old");
	commit(out);
	expect_content("x", "new");
	ck_assert_int_eq(mode_of("x"), 0604);
	leave(1);
}
END_TEST

/* The same text through every way of writing, with pieces around the buffer's size. */
static void write_much(struct pk_output *out, struct pk_buf *same)
{
	char *piece = pk_malloc(400000);

	for (size_t i = 0; i < 400000; i++)
		piece[i] = (char)('a' + i * 7 % 26);
	for (size_t len = 1; len <= 400000; len = len * 5 / 3 + 1) {
		pk_output_write(out, piece, len);
		pk_buf_add(same, piece, len);
		pk_output_printf(out, "<%.*s>", (int)len, piece);
		pk_buf_addf(same, "<%.*s>", (int)len, piece);
		for (size_t i = 0; i < len % 1000; i++) {
			pk_output_putc(out, piece[i]);
			pk_buf_addc(same, piece[i]);
		}
	}
	pk_output_write(out, NULL, 0);
	free(piece);
}

static void check_much(const char *path, size_t *size)
{
	struct pk_buf same = PK_BUF_INIT;
	struct pk_output *out = open_output(path);
	struct stat st;

	write_much(out, &same);
	commit(out);
	expect_content(path, same.data);
	ck_assert_int_eq(stat(path, &st), 0);
	*size = (size_t)st.st_size;
	pk_buf_release(&same);
}

START_TEST(large_files_plain_and_compressed)
{
	size_t plain, gz, zst;
	uint8_t magic[5];
	int fd;

	enter();
	check_much("x", &plain);
	check_much("x.gz", &gz);
	check_much("x.zst", &zst);
	ck_assert_uint_lt(gz, plain / 2);
	ck_assert_uint_lt(zst, plain / 2);
	fd = open("x.gz", O_RDONLY);
	ck_assert_int_eq(read(fd, magic, 2), 2);
	ck_assert_int_eq(memcmp(magic, "\x1F\x8B", 2), 0);
	close(fd);
	fd = open("x.zst", O_RDONLY);
	ck_assert_int_eq(read(fd, magic, 5), 5);
	ck_assert_int_eq(memcmp(magic, "\x28\xB5\x2F\xFD", 4), 0);
	ck_assert(magic[4] & 4); /* a checksum comes at the end */
	close(fd);
	leave(3);
}
END_TEST

START_TEST(empty_files)
{
	enter();
	commit(open_output("x"));
	expect_content("x", "");
	commit(open_output("x.gz"));
	expect_content("x.gz", "");
	commit(open_output("x.zst"));
	expect_content("x.zst", "");
	leave(3);
}
END_TEST

START_TEST(links_are_followed)
{
	char target[100] = "";
	struct pk_output *out;

	enter();
	ck_assert_int_eq(symlink("second", "first"), 0);
	ck_assert_int_eq(symlink("./real", "second"), 0);
	out = open_output("first"); /* "real" is not there yet */
	pk_output_puts(out, "1");
	commit(out);
	expect_content("real", "1");
	out = open_output("first");
	pk_output_puts(out, "2");
	commit(out);
	expect_content("real", "2");
	ck_assert_int_eq(readlink("first", target, 99), 6);
	ck_assert_str_eq(target, "second");

	ck_assert_int_eq(symlink("loop", "loop"), 0);
	expect_refused("loop", ELOOP);
	leave(4);
}
END_TEST

static void write_through(const char *link)
{
	struct pk_output *out = open_output(link);

	pk_output_puts(out, link);
	commit(out);
	expect_content("sub/real", link);
}

START_TEST(links_between_folders)
{
	char here[PATH_MAX], there[PATH_MAX + 10];

	enter();
	ck_assert_int_eq(mkdir("sub", 0777), 0);
	ck_assert_int_eq(symlink("real", "sub/beside"), 0);
	ck_assert_int_eq(symlink("sub/beside", "into"), 0);
	ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
	snprintf(there, sizeof(there), "%s/sub/real", here);
	ck_assert_int_eq(symlink(there, "sub/absolute"), 0);
	write_through("sub/beside");
	write_through("into");
	write_through("sub/absolute");
	unlink("sub/beside");
	unlink("sub/absolute");
	unlink("sub/real");
	ck_assert_int_eq(rmdir("sub"), 0);
	leave(1);
}
END_TEST

START_TEST(what_cannot_be_written)
{
	enter();
	make_file("readonly", "old");
	chmod("readonly", 0444);
	chmod(".", 0777);
	expect_refused(".", EISDIR);
	expect_refused("there/is/no/such", ENOENT);
	expect_refused("", ENOENT);
	expect_refused("new/", ENOENT);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	expect_refused("readonly", EACCES);
	expect_refused("/proc/version", EACCES);
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	expect_content("readonly", "old");
	leave(1);
}
END_TEST

START_TEST(longest_name)
{
	char name[NAME_MAX + 1];
	struct pk_output *out;

	enter();
	memset(name, 'n', NAME_MAX);
	name[NAME_MAX] = '\0';
	out = open_output(name);
	pk_output_puts(out, "x");
	commit(out);
	expect_content(name, "x");
	leave(1);
}
END_TEST

static void expect_failure(struct pk_output *out, const char *path, int reason)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_int_eq(pk_output_commit(out, &err), -1);
	expect_reason(&err, path, reason);
}

START_TEST(devices_are_written_directly)
{
	struct pk_buf same = PK_BUF_INIT;
	struct pk_output *out;

	out = open_output("/dev/null");
	ck_assert_ptr_null(pk_output_temporary(out));
	write_much(out, &same);
	commit(out);
	pk_buf_release(&same);

	out = open_output("/dev/full");
	pk_output_puts(out, "x");
	expect_failure(out, "/dev/full", ENOSPC);
	out = open_output("/dev/full");
	write_much(out, &same);
	ck_assert(pk_output_failed(out));
	expect_failure(out, "/dev/full", ENOSPC);
	pk_buf_release(&same);
}
END_TEST

/* As on a full disk: writing fails after `space` bytes. (Check writes files as well, so
 * that nothing may be asserted while the limit is in force.) */
static void check_no_space(const char *path, rlim_t space)
{
	struct rlimit small = {space, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf same = PK_BUF_INIT;
	struct pk_output *out;
	int limited, failed;

	make_file(path, "old");
	out = open_output(path);
	limited = setrlimit(RLIMIT_FSIZE, &small);
	write_much(out, &same);
	failed = pk_output_commit(out, &err);
	setrlimit(RLIMIT_FSIZE, &all);
	ck_assert_int_eq(limited, 0);
	ck_assert_int_eq(failed, -1);
	expect_reason(&err, path, EFBIG);
	pk_buf_release(&same);
}

static void expect_old(const char *path)
{
	char text[10] = "";
	int fd = open(path, O_RDONLY);

	ck_assert_int_eq(read(fd, text, sizeof(text)), 3);
	ck_assert_str_eq(text, "old");
	close(fd);
}

START_TEST(no_space_leaves_the_old_file)
{
	enter();
	signal(SIGXFSZ, SIG_IGN);
	check_no_space("x", 100000);
	expect_old("x");
	check_no_space("x.gz", 1000);
	expect_old("x.gz");
	check_no_space("x.zst", 0);
	expect_old("x.zst");
	leave(3);
}
END_TEST

START_TEST(closed_pipe_is_no_error)
{
	struct pk_buf same = PK_BUF_INIT;
	struct pk_output *out;
	char path[40];
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	out = open_output(path);
	pk_output_puts(out, "x");
	ck_assert(!pk_output_failed(out));
	close(ends[0]);
	write_much(out, &same);
	ck_assert(pk_output_failed(out));
	commit(out);
	pk_buf_release(&same);
}
END_TEST

START_TEST(slow_pipe_gets_everything)
{
	struct pk_buf same = PK_BUF_INIT;
	struct pk_output *out;
	int ends[2], status;
	char path[40];
	pid_t reader;

	ck_assert_int_eq(pipe(ends), 0);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	reader = fork();
	if (!reader) {
		size_t total = 0;
		char few[7000];
		ssize_t n;

		close(ends[1]);
		while ((n = read(ends[0], few, sizeof(few))) > 0)
			total += (size_t)n;
		_exit(total == 2000000 ? 0 : 1);
	}
	close(ends[0]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	out = open_output(path);
	write_much(out, &same);
	while (same.len < 2000000) {
		pk_output_putc(out, '.');
		pk_buf_addc(&same, '.');
	}
	ck_assert_uint_eq(same.len, 2000000);
	commit(out);
	close(ends[1]);
	ck_assert_int_eq(waitpid(reader, &status, 0), reader);
	ck_assert_int_eq(status, 0);
	pk_buf_release(&same);
}
END_TEST

START_TEST(standard_output)
{
	struct pk_output *out;
	int fd;

	enter();
	fd = open("x", O_WRONLY | O_CREAT, 0666);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	printf("before ");
	out = open_output("-");
	ck_assert_ptr_null(pk_output_temporary(out));
	pk_output_puts(out, "middle ");
	commit(out);
	out = open_output("/dev/stdout");
	pk_output_puts(out, "after ");
	commit(out);
	out = open_output(NULL);
	pk_output_puts(out, "end");
	commit(out);
	expect_content("x", "before middle after end");
	ck_assert_int_ge(fcntl(STDOUT_FILENO, F_GETFD), 0);
	leave(1);
}
END_TEST

START_TEST(another_process_writes_the_temporary)
{
	struct pk_output *out;

	enter();
	make_file("x.db", "old");
	out = open_output("x.db");
	make_file(pk_output_temporary(out), "from elsewhere");
	commit(out);
	expect_content("x.db", "from elsewhere");

	out = open_output("x.db");
	make_file(pk_output_temporary(out), "half");
	pk_output_discard(out);
	expect_content("x.db", "from elsewhere");

	out = open_output("x.db.gz");
	ck_assert_ptr_null(pk_output_temporary(out));
	pk_output_discard(out);
	leave(1);
}
END_TEST

START_TEST(output_that_is_the_input)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out;
	struct pk_input *in;
	size_t avail;

	enter();
	while (text.len < 3000000)
		pk_buf_addf(&text, "line at %zu\n", text.len);
	make_file("x", text.data);
	in = pk_input_open("x", &err);
	out = open_output("x");
	for (;;) {
		const uint8_t *p = pk_input_peek(in, 1, &avail);

		if (!avail)
			break;
		pk_output_write(out, p, avail);
		pk_input_take(in, avail);
	}
	commit(out);
	pk_input_close(in);
	expect_content("x", text.data);
	pk_buf_release(&text);
	leave(1);
}
END_TEST

/* The end of a child with half-written files; it must leave no file behind. */
static int end_with_half_files(void (*end)(void))
{
	pid_t child = fork();
	int status;

	if (!child) {
		struct pk_output *a = open_output("x"), *b = open_output("y.gz");
		struct pk_output *c = open_output("z");

		pk_output_discard(b);
		pk_output_puts(a, "half");
		pk_output_puts(c, "half");
		end();
		_exit(77);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	expect_content("x", "old");
	ck_assert_uint_eq(count_files(), 1);
	return status;
}

static void end_by_term(void)
{
	kill(getpid(), SIGTERM);
}

static void end_by_int(void)
{
	raise(SIGINT);
}

static void end_by_hup(void)
{
	raise(SIGHUP);
}

static void end_by_exit(void)
{
	exit(3);
}

START_TEST(interrupted_process_leaves_nothing)
{
	int status;

	enter();
	make_file("x", "old");
	/* Check has handlers of its own, which would be kept; so would what nohup ignores. */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	status = end_with_half_files(end_by_term);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	status = end_with_half_files(end_by_int);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	status = end_with_half_files(end_by_hup);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	status = end_with_half_files(end_by_exit);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	leave(1);
}
END_TEST

START_TEST(ignored_signals_stay_ignored)
{
	enter();
	make_file("x", "old");
	signal(SIGHUP, SIG_IGN); /* nohup */
	ck_assert_int_eq(WEXITSTATUS(end_with_half_files(end_by_exit)), 3);
	if (fork() == 0) {
		struct pk_output *out = open_output("x");

		raise(SIGHUP);
		pk_output_puts(out, "new");
		commit(out);
		_exit(0);
	}
	wait(NULL);
	expect_content("x", "new");
	leave(1);
}
END_TEST

START_TEST(child_keeps_the_files_of_its_parent)
{
	struct pk_output *out;
	int status;

	enter();
	out = open_output("x");
	pk_output_puts(out, "whole");
	if (fork() == 0)
		exit(0);
	wait(&status);
	commit(out);
	expect_content("x", "whole");
	leave(1);
}
END_TEST

static void make_left(const char *target, pid_t pid, bool old)
{
	time_t when = old ? 1000000000 : time(NULL);
	struct timespec times[2] = {{.tv_sec = when}, {.tv_sec = when}};
	char name[64];
	FILE *f;

	snprintf(name, sizeof(name), ".%s.profkit-%ld-%s.tmp", target, (long)pid,
		 old ? "abcdef" : "ABCDEF");
	f = fopen(name, "w");
	ck_assert(f && !fclose(f));
	ck_assert(!utimensat(AT_FDCWD, name, times, 0));
}

/* After SIGKILL: removes its own files, but not those of others, of a running process, or new
 * ones. */
START_TEST(what_was_left_is_removed)
{
	pid_t dead = fork();
	struct pk_output *out;

	if (!dead)
		_exit(0);
	enter();
	waitpid(dead, NULL, 0);
	make_left("a", dead, true);
	make_left("a", dead, false);
	make_left("a", getpid(), true);
	make_left("b", dead, true);
	make_left("a.gz", dead, true);
	ck_assert_uint_eq(count_files(), 5);
	out = open_output("a");
	ck_assert_uint_eq(count_files(), 5);
	commit(out);
	expect_content("a", "");
	leave(5);
}
END_TEST

START_TEST(output_to_memory)
{
	struct pk_buf got = PK_BUF_INIT, same = PK_BUF_INIT;
	struct pk_output *out;

	pk_buf_adds(&got, "kept ");
	out = pk_output_to_buf(&got);
	pk_output_putc(out, 'x');
	ck_assert_str_eq(got.data, "kept x");
	pk_output_printf(out, "%03d", 7);
	pk_output_puts(out, "");
	ck_assert_str_eq(got.data, "kept x007");
	ck_assert_ptr_null(pk_output_temporary(out));
	ck_assert(!pk_output_failed(out));
	got.len = 0;
	write_much(out, &same);
	ck_assert_uint_eq(got.len, same.len);
	ck_assert_int_eq(memcmp(got.data, same.data, same.len), 0);
	commit(out);
	pk_buf_release(&got);
	pk_buf_release(&same);
}
END_TEST

CHECK_MAIN("output", file_is_there_when_it_is_whole, old_file_stays_until_the_new_one_is_whole,
	   large_files_plain_and_compressed, empty_files, links_are_followed, links_between_folders,
	   what_cannot_be_written, longest_name, devices_are_written_directly,
	   no_space_leaves_the_old_file, closed_pipe_is_no_error, slow_pipe_gets_everything,
	   standard_output, another_process_writes_the_temporary, output_that_is_the_input,
	   interrupted_process_leaves_nothing, ignored_signals_stay_ignored,
	   child_keeps_the_files_of_its_parent, what_was_left_is_removed, output_to_memory)
