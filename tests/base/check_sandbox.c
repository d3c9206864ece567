/* What a process may do in the sandbox, and what not. */
#include "tests/check_util.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/broker.h"
#include "base/io/output.h"
#include "base/os/sandbox.h"
#include "config.h"

static bool names_outputs = true;
static char folder[] = "check_sandbox.XXXXXX";

static void make_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert(f && fputs(text, f) >= 0 && !fclose(f));
}

/* Runs `body` in the sandbox of a process that may write "out": its number is the line that failed.
 */
static int in_sandbox(void (*body)(void))
{
	struct pk_error err = PK_ERROR_INIT;
	pid_t child = fork();
	int status;

	if (!child) {
		if (names_outputs) {
			pk_broker_allow("out");
			pk_broker_allow_beside("other");
		}
		if (pk_sandbox_enter(PK_SANDBOX_YES, &err)) {
			fprintf(stderr, "%s\n", err.text);
			_exit(1);
		}
		body();
		exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* In the child: its exit status tells the parent. */
#define REFUSED(call)                                                                      \
	do {                                                                               \
		errno = 0;                                                                 \
		if ((call) != -1 || errno != EPERM) {                                      \
			fprintf(stderr, "not refused: " #call " (%s)\n", strerror(errno)); \
			_exit(2);                                                          \
		}                                                                          \
	} while (0)
#define HOLDS(condition)                                                                          \
	do {                                                                                      \
		if (!(condition)) {                                                               \
			fprintf(stderr, "does not hold: " #condition " (%s)\n", strerror(errno)); \
			_exit(2);                                                                 \
		}                                                                                 \
	} while (0)

static void forbidden(void)
{
	char *const args[] = {"true", NULL};
	int other = open("other", O_RDONLY);
	struct rlimit limit;
	int on = 1;

	REFUSED(socket(AF_INET, SOCK_STREAM, 0));
	REFUSED(socket(AF_UNIX, SOCK_STREAM, 0));
	REFUSED(execv("/bin/true", args));
	REFUSED(fork());
	REFUSED(open("other", O_WRONLY));
	REFUSED(open("other", O_RDWR));
	REFUSED(open("other", O_RDONLY | O_TRUNC));
	REFUSED(open("new", O_RDONLY | O_CREAT, 0666));
	REFUSED(open("out", O_WRONLY));
	REFUSED(openat(AT_FDCWD, ".", O_TMPFILE | O_RDWR, 0666));
	REFUSED(unlink("other"));
	REFUSED(rename("other", "third"));
	REFUSED(link("other", "third"));
	REFUSED(symlink("other", "third"));
	REFUSED(mkdir("third", 0777));
	REFUSED(chmod("other", 0777));
	REFUSED(truncate("other", 0));
	REFUSED(chdir("/"));
	REFUSED(fchmod(other, 0777));
	REFUSED(kill(getpid(), 0));
	REFUSED(prlimit(getppid(), RLIMIT_CPU, NULL, &limit));
	REFUSED(ioctl(other, TIOCSTI, "x"));
	REFUSED(kill(getppid(), SIGTERM));
	/* Signals to any process by way of a descriptor. */
	REFUSED(fcntl(other, F_SETOWN, getppid()));
	REFUSED(fcntl(other, F_SETOWN_EX, NULL));
	REFUSED(fcntl(other, F_SETSIG, SIGKILL));
	REFUSED(fcntl(other, F_SETFL, O_ASYNC));
	REFUSED(fcntl(other, F_SETLEASE, F_RDLCK));
	REFUSED(ioctl(other, FIOASYNC, &on));
	HOLDS(syscall(SYS_clone3, NULL, 0) == -1 && errno == ENOSYS);
	HOLDS(syscall(1000) == -1 && errno == ENOSYS);
	REFUSED(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

/* The broker does as much, and no more. */
static void asked(void)
{
	char *path = NULL;
	int fd;

	REFUSED(pk_broker_permit("other", 0777, getuid(), getgid()));
	REFUSED(pk_broker_open("other", O_WRONLY, 0));
	REFUSED(pk_broker_open("new", O_WRONLY | O_CREAT, 0666));
	REFUSED(pk_broker_open(".//./other", O_WRONLY, 0));
	REFUSED(pk_broker_open("output", O_WRONLY | O_CREAT, 0666));
	REFUSED(pk_broker_open("out-other", O_WRONLY | O_CREAT, 0666));
	REFUSED(pk_broker_unlink("other"));
	REFUSED(pk_broker_unlink("out"));
	REFUSED(pk_broker_create("other", &path));
	REFUSED(pk_broker_rename("other", "out", true));
	HOLDS((fd = pk_broker_open("out-journal", O_RDWR | O_CREAT, 0666)) >= 0);
	HOLDS(write(fd, "x", 1) == 1 && !close(fd));
	HOLDS(!pk_broker_unlink("out-journal"));
	HOLDS((fd = pk_broker_create("out", &path)) >= 0);
	REFUSED(pk_broker_rename(path, "other", true));
	HOLDS(!pk_broker_unlink(path));
	HOLDS(access(path, F_OK) != 0);
	free(path);
}

static void *answer(void *data)
{
	*(int *)data = 42;
	return NULL;
}

static void allowed(void)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open("out", &err);
	pthread_t thread;
	int n = 0;
	char text[8];
	int fd;

	HOLDS(!pthread_create(&thread, NULL, answer, &n));
	HOLDS(!pthread_join(thread, NULL) && n == 42);
	HOLDS((fd = open("other", O_RDONLY)) >= 0 && read(fd, text, sizeof(text)) == 5);
	/* As fontconfig opens the folders of fonts. */
	HOLDS((fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 && !close(fd));
	HOLDS(fcntl(0, F_DUPFD_CLOEXEC, 3) >= 0 && fcntl(0, F_GETFL) >= 0);
	HOLDS(out);
	pk_output_puts(out, "new\n");
	HOLDS(!pk_output_commit(out, &err));
}

static void unfinished(void)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open("out", &err);

	HOLDS(out);
	pk_output_puts(out, "half");
}

static void enter(void)
{
	ck_assert(mkdtemp(folder) && !chdir(folder));
	make_file("other", "other");
	make_file("out", "old\n");
}

static void leave(const char *content)
{
	char text[8] = "";
	FILE *f = fopen("out", "r");

	ck_assert(f && fgets(text, sizeof(text), f));
	fclose(f);
	ck_assert_str_eq(text, content);
	ck_assert(!unlink("out") && !unlink("other") && !chdir(".."));
	ck_assert_msg(!rmdir(folder), "something was left behind");
}

START_TEST(calls_are_refused)
{
	enter();
	ck_assert_int_eq(in_sandbox(forbidden), 0);
	leave("old\n");
}
END_TEST

START_TEST(broker_opens_what_was_named)
{
	enter();
	ck_assert_int_eq(in_sandbox(asked), 0);
	leave("old\n");
}
END_TEST

START_TEST(outputs_and_threads_work)
{
	enter();
	ck_assert_int_eq(in_sandbox(allowed), 0);
	leave("new\n");
}
END_TEST

START_TEST(what_is_not_finished_is_removed)
{
	enter();
	ck_assert_int_eq(in_sandbox(unfinished), 0);
	leave("old\n");
}
END_TEST

/* A file that is read may need some beside it, and is not written for that. */
static void beside(void)
{
	int fd;

	REFUSED(pk_broker_open("other", O_RDWR, 0));
	HOLDS((fd = pk_broker_open("other-wal", O_RDWR | O_CREAT, 0666)) >= 0 && !close(fd));
	HOLDS(!pk_broker_unlink("other-wal"));
}

/* Where nothing is written there is no second process, and nothing is opened. */
static void alone(void)
{
	HOLDS(!pk_broker_is_running());
	REFUSED(pk_broker_open("other", O_WRONLY, 0));
	REFUSED(open("out", O_WRONLY));
	HOLDS(open(".", O_TMPFILE | O_EXCL | O_RDWR, 0600) >= 0 || errno == EOPNOTSUPP);
	REFUSED(open(".", O_TMPFILE | O_RDWR, 0600));
}

START_TEST(what_is_beside_can_be_had)
{
	enter();
	ck_assert_int_eq(in_sandbox(beside), 0);
	leave("old\n");
}
END_TEST

START_TEST(there_may_be_no_broker)
{
	enter();
	names_outputs = false;
	ck_assert_int_eq(in_sandbox(alone), 0);
	leave("old\n");
}
END_TEST

/* Builds to be watched (sanitizers, coverage) ask more of the system; and it may have no sandbox.
 */
static bool can_enter(void)
{
	struct pk_error err = PK_ERROR_INIT;
	pid_t child = fork();
	int status;

	if (!child)
		_exit(pk_sandbox_enter(PK_SANDBOX_YES, &err) ? 1 : 0);
	return PK_SANDBOX_BY_DEFAULT && waitpid(child, &status, 0) == child && !status;
}

int main(void)
{
	static const TTest *tests[7];
	size_t n = 0;

	if (!can_enter())
		return 77;
	tests[n++] = calls_are_refused;
	tests[n++] = broker_opens_what_was_named;
	tests[n++] = outputs_and_threads_work;
	tests[n++] = what_is_not_finished_is_removed;
	tests[n++] = what_is_beside_can_be_had;
	tests[n++] = there_may_be_no_broker;
	return check_run("sandbox", NULL, tests, n);
}
