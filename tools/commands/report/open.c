/*
 * `report --open`: shows the page in a browser. A process is started before the sandbox is entered,
 * and knows only the name of the page. It waits for the message that the page is written; if
 * profkit ends without it, the process ends, too. The browser is a program of BROWSER (names, with
 * ":" between them), xdg-open or open, and gets the path as its one argument: no shell sees it.
 */
#include "tools/commands/report/open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text/str.h"

enum { READ_END, WRITE_END };

/* Returns only if the program cannot be started. */
static void try_program(const char *program, size_t len, char *path)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (!len)
		return;
	pk_buf_add(&name, program, len);
	execvp(name.data, (char *[]){name.data, path, NULL});
}

/* Its output would appear on the terminal long after profkit has ended. */
static void run_browser(char *path)
{
	const char *browser = getenv("BROWSER");
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		dup2(null, fd);
	setsid();
	signal(SIGINT, SIG_DFL); /* exec keeps signals that are ignored */
	signal(SIGPIPE, SIG_DFL);
	for (size_t len; browser && *browser; browser += len + (browser[len] == ':')) {
		len = strcspn(browser, ":");
		try_program(browser, len, path);
	}
	try_program("xdg-open", strlen("xdg-open"), path);
	try_program("open", strlen("open"), path);
}

/* True if a browser was started: the pipe is closed by exec, and has a byte if exec failed. */
static bool start_browser(char *path)
{
	int failed[2];
	char byte = 0;
	ssize_t got;
	pid_t pid;

	if (pipe(failed) || fcntl(failed[WRITE_END], F_SETFD, FD_CLOEXEC))
		return false;
	pid = fork();
	if (pid < 0)
		return false;
	if (!pid) {
		run_browser(path);
		got = write(failed[WRITE_END], &byte, 1);
		_exit(got == 1 ? 127 : 126);
	}
	close(failed[WRITE_END]);
	while ((got = read(failed[READ_END], &byte, 1)) < 0 && errno == EINTR)
		;
	return !got;
}

/* The path with its folder, so that a name that begins with "-" is no option. */
static char *whole_path(const char *path)
{
	PK_BUF_AUTO whole = PK_BUF_INIT;
	PK_FREED char *folder = *path == '/' ? NULL : getcwd(NULL, 0);

	if (folder)
		pk_buf_addf(&whole, "%s/", folder);
	pk_buf_adds(&whole, path);
	return pk_strdup(whole.data);
}

int pk_opener_start(struct pk_opener *o, const char *path, struct pk_error *err)
{
	int word[2];
	char byte;

	if (pipe(word) || fcntl(word[WRITE_END], F_SETFD, FD_CLOEXEC) || (o->pid = fork()) < 0)
		return pk_fail(err, PK_EOTHER, "--open: starting a process: %s", strerror(errno));
	if (!o->pid) {
		close(word[WRITE_END]);
		signal(SIGINT, SIG_IGN);
		if (read(word[READ_END], &byte, 1) != 1)
			_exit(0);
		_exit(start_browser(whole_path(path)) ? 0 : 1);
	}
	close(word[READ_END]);
	o->fd = word[WRITE_END];
	return 0;
}

int pk_opener_show(const struct pk_opener *o, struct pk_error *err)
{
	ssize_t done = write(o->fd, "", 1);
	int status = 0;

	close(o->fd);
	while (waitpid(o->pid, &status, 0) < 0)
		if (errno != EINTR)
			return pk_fail(err, PK_EOTHER,
				       "--open: waiting for the browser's process: %s",
				       strerror(errno));
	if (done == 1 && WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return pk_fail(err, PK_EOTHER,
		       "--open: no browser could be started: BROWSER may name one; the page is "
		       "written");
}
