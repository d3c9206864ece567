/* What a process may do in the sandbox, and what not. */
#include "check_util.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/broker.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "config.h"

/* The sanitizers ask more of the system. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#if defined(HAVE_SECCOMP) && !defined(__SANITIZE_ADDRESS__)

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
		pk_broker_allow("out");
		if (pk_sandbox_enter(&err)) {
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
	REFUSED(kill(getppid(), SIGTERM));
	REFUSED(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

/* The broker does as much, and no more. */
static void asked(void)
{
	char *path = NULL;
	int fd;

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

CHECK_MAIN("sandbox", calls_are_refused, broker_opens_what_was_named, outputs_and_threads_work,
	   what_is_not_finished_is_removed)

#else

int main(void)
{
	return 77;
}

#endif
