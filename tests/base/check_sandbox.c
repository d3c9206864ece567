/* The system calls that a process may make in the sandbox, and those that it may not. */
#include "tests/check_util.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io/target.h"
#include "base/os/broker.h"
#include "base/io/output.h"
#include "base/os/sandbox.h"
#include "config.h"

static bool names_outputs = true, has_landlock;
static char folder[] = "check_sandbox.XXXXXX";

static void make_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert(f && fputs(text, f) >= 0 && !fclose(f));
}

/* Runs `body` in the sandbox of a process that may write "sub/out" and read "other": its exit
 * status. */
static int in_sandbox(void (*body)(void))
{
	struct pk_error err = PK_ERROR_INIT;
	pid_t child = fork();
	int status;

	if (!child) {
		if (names_outputs) {
			pk_target_name("sub/out");
			/* The folder was looked up; later no name leads to it. */
			if (rename("sub", "moved") || symlink("/", "sub"))
				_exit(1);
		}
		pk_sandbox_read("other", 5);
		pk_sandbox_read(".", 1); /* allows nothing in it */
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
	REFUSED(open("moved/out", O_WRONLY));
	REFUSED(openat(AT_FDCWD, ".", O_TMPFILE | O_RDWR, 0666));
	REFUSED(openat(AT_FDCWD, ".", O_TMPFILE | O_EXCL | O_RDWR, 0666));
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
	HOLDS(other >= 0);
}

/* Other files than inputs cannot be read, although their content could only get into outputs. */
static void unreadable(void)
{
	char memory[40];

	snprintf(memory, sizeof(memory), "/proc/%ld/mem", (long)getppid());
	HOLDS((open("secret", O_RDONLY) < 0 && errno == EACCES) == has_landlock);
	HOLDS((open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES) == has_landlock);
	HOLDS((open(memory, O_RDONLY) < 0 && errno == EACCES) == has_landlock);
	HOLDS(open("other", O_RDONLY) >= 0 && open("/usr/share", O_RDONLY | O_DIRECTORY) >= 0);
	HOLDS(open("none", O_RDONLY) < 0 && errno == ENOENT);
}

/* As in io/target.c. */
enum { CREATE, RENAME, REMOVE, OPEN, UNLINK, NAMELESS };

static int ask(uint32_t operation, uint32_t target, uint32_t which)
{
	return pk_broker_ask(
		(struct pk_request){.operation = operation, .target = target, .which = which});
}

/* The broker does as much, and no more. A request holds numbers only. */
static void asked(void)
{
	struct pk_target *t = pk_target_open("sub/out");
	char *path, moved[300] = "moved";
	int fd;

	REFUSED(pk_target_open("other") ? 0 : -1);
	REFUSED(pk_target_open("out") ? 0 : -1);
	REFUSED(pk_target_open_database("other", false));
	REFUSED(pk_target_open_database("new", true));
	REFUSED(pk_target_open_database("out", true));
	REFUSED(pk_target_open_database("moved/output", true));
	REFUSED(pk_target_open_database("moved/out-other", true));
	REFUSED(pk_target_open_database("/proc/self/cwd/other", true));
	REFUSED(pk_target_unlink_journal("other"));
	REFUSED(pk_target_unlink_journal("moved/out"));
	for (uint32_t operation = CREATE; operation < 10; operation++)
		for (uint32_t target = 0; target < 10; target++)
			if (target != 1 && operation != NAMELESS)
				REFUSED(ask(operation, target, 0));
	for (uint32_t which = 5; which < 20; which++) {
		REFUSED(ask(OPEN, 1, which));
		REFUSED(ask(UNLINK, 1, which));
	}
	REFUSED(ask(UNLINK, 1, 0));
	REFUSED(ask(UNLINK, 1, 4));
	HOLDS(ask(NAMELESS + 1, 1, 0) == -1 && errno == EINVAL);
	HOLDS((fd = pk_target_open_database("moved/out-journal", true)) >= 0);
	HOLDS(write(fd, "x", 1) == 1 && !close(fd));
	HOLDS(!pk_target_unlink_journal("moved/out-journal"));
	HOLDS((fd = pk_target_open_nameless()) >= 0 && write(fd, "x", 1) == 1);
	HOLDS(t && (fd = pk_target_create(t)) >= 0);
	path = pk_target_temporary(t);
	memcpy(moved + strlen("moved"), strrchr(path, '/'), strlen(strrchr(path, '/')) + 1);
	HOLDS((fd = pk_target_open_database(moved, false)) >= 0);
	pk_target_remove(t);
	HOLDS(access(moved, F_OK) != 0);
	free(path);
}

/* Half a request ends the broker, and no process waits for it. */
static void broken(void)
{
	HOLDS(send(pk_broker_channel(), "half", 4, 0) == 4);
	HOLDS(ask(CREATE, 1, 0) == -1 && errno == EIO);
	HOLDS(pk_target_open_nameless() == -1 && errno == EIO);
}

static void *answer(void *data)
{
	*(int *)data = 42;
	return NULL;
}

static void allowed(void)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open("sub/out", &err);
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
	struct pk_output *out = pk_output_open("sub/out", &err);

	HOLDS(out);
	pk_output_puts(out, "half");
}

static void enter(void)
{
	strcpy(folder, "check_sandbox.XXXXXX");
	ck_assert(mkdtemp(folder) && !chdir(folder) && !mkdir("sub", 0777));
	make_file("other", "other");
	make_file("secret", "secret");
	make_file("sub/out", "old\n");
}

static void leave(const char *content)
{
	const char *sub = names_outputs ? "moved" : "sub";
	char text[8] = "";
	FILE *f;

	ck_assert(!chdir(sub) && (f = fopen("out", "r")) && fgets(text, sizeof(text), f));
	fclose(f);
	ck_assert_str_eq(text, content);
	ck_assert(!unlink("out") && !chdir("..") && !unlink("other") && !unlink("secret"));
	ck_assert(!names_outputs || !unlink("sub"));
	ck_assert_msg(!rmdir(sub) && !chdir("..") && !rmdir(folder), "something was left behind");
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

/* If nothing is written, there is no second process, and nothing is opened. */
static void alone(void)
{
	HOLDS(!pk_broker_is_running());
	REFUSED(pk_target_open("out") ? 0 : -1);
	REFUSED(pk_target_open_database("other", false));
	REFUSED(pk_target_open_nameless());
}

START_TEST(other_files_are_not_read)
{
	enter();
	ck_assert_int_eq(in_sandbox(unreadable), 0);
	leave("old\n");
}
END_TEST

START_TEST(channel_that_breaks_is_closed)
{
	enter();
	ck_assert_int_eq(in_sandbox(broken), 0);
	leave("old\n");
}
END_TEST

/* As if the kernel were older: there is no landlock_create_ruleset. For this process and all that
 * it starts. */
static void hide_landlock(void)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {4, program};

	ck_assert(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	ck_assert(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	has_landlock = false;
}

START_TEST(all_but_reading_holds_without_landlock)
{
	hide_landlock();
	enter();
	ck_assert_int_eq(in_sandbox(forbidden), 0);
	leave("old\n");
	enter();
	ck_assert_int_eq(in_sandbox(unreadable), 0);
	leave("old\n");
	enter();
	ck_assert_int_eq(in_sandbox(asked), 0);
	leave("old\n");
	enter();
	ck_assert_int_eq(in_sandbox(allowed), 0);
	leave("new\n");
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

/* Builds to be watched (sanitizers, coverage) ask more of the system; and it may have no
 * sandbox. */
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
	static const TTest *tests[9];
	size_t n = 0;

	if (!can_enter())
		return 77;
	has_landlock = syscall(444, NULL, 0, 1) > 0;
	tests[n++] = calls_are_refused;
	tests[n++] = broker_opens_what_was_named;
	tests[n++] = outputs_and_threads_work;
	tests[n++] = what_is_not_finished_is_removed;
	tests[n++] = other_files_are_not_read;
	tests[n++] = channel_that_breaks_is_closed;
	tests[n++] = all_but_reading_holds_without_landlock;
	tests[n++] = there_may_be_no_broker;
	return check_run("sandbox", NULL, tests, n);
}
