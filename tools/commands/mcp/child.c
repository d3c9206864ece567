/* Runs a call of a tool as a process, with limits of time and output: see child.h. */
#include "tools/commands/mcp/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/os/beneath.h"
#include "tools/command.h"

enum { MOST_OUTPUT = 1 << 20 };

int64_t pk_mcp_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void print_entry(DIR *folder, const char *name)
{
	PK_BUF_AUTO line = PK_BUF_INIT;
	struct stat st;

	if (fstatat(dirfd(folder), name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	pk_buf_add_visible(&line, name);
	if (S_ISDIR(st.st_mode)) {
		pk_buf_addc(&line, '/');
	} else if (S_ISREG(st.st_mode)) {
		pk_buf_addc(&line, ' ');
		pk_format_value_unit(&line, st.st_size, "bytes");
	} else {
		pk_buf_adds(&line, S_ISLNK(st.st_mode) ? " (symbolic link, not followed)"
						       : " (not a regular file)");
	}
	printf("%s\n", line.data);
}

/* Lists the files of a folder, except those whose names begin with a dot. */
static int list_folder(const char *path)
{
	enum { MOST_NAMES = 200, MOST_ENTRIES = 100000 };
	int fd = pk_open_read(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	char **name = NULL;
	size_t count = 0, alloc = 0;

	if (!folder) {
		fprintf(stderr, "profkit: reading '%s': %s\n", path, strerror(errno));
		return PK_FAILED;
	}
	while (count < MOST_ENTRIES && (entry = readdir(folder))) {
		if (*entry->d_name == '.')
			continue;
		PK_GROW(name, count + 1, alloc);
		name[count++] = pk_strdup(entry->d_name);
	}
	if (count)
		qsort(name, count, sizeof(*name), by_name);
	printf("%s: %zu files and folders\n", path, count);
	for (size_t i = 0; i < count && i < MOST_NAMES; i++)
		print_entry(folder, name[i]);
	if (count > MOST_NAMES)
		printf("\xE2\x80\xA6 %zu more\n", count - MOST_NAMES);
	return PK_DONE;
}

static int work(const struct pk_mcp_call *call, const struct pk_mcp_limits *limits)
{
	const struct rlimit none = {0};
	const struct rlimit cpu = {(rlim_t)ceil(limits->seconds) * 4,
				   (rlim_t)ceil(limits->seconds) * 4};

	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_CPU, &cpu); /* of all its threads */
	if (fchdir(limits->root)) {
		fprintf(stderr, "profkit: '%s': %s\n", limits->root_path, strerror(errno));
		return PK_FAILED;
	}
	pk_open_confine(limits->root, limits->root_path);
	if (call->folder)
		return list_folder(call->folder);
	return pk_command_run(pk_command_find(call->argv[0]), call->argc - 1, call->argv + 1);
}

/* Moves fd to this number of the new process, where it cannot be confused with a descriptor of the
 * server. */
static void become(const struct pk_mcp_call *call, const struct pk_mcp_limits *limits, int out,
		   int err, pid_t server)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), status;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != server || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(PK_FAILED);
	close(null);
	close(out);
	close(err);
	status = work(call, limits);
	fflush(stdout);
	_exit(status);
}

int pk_mcp_start(struct pk_mcp_child *child, const struct pk_mcp_call *call,
		 const struct pk_mcp_limits *limits, const int *others, size_t count)
{
	pid_t server = getpid();
	int out[2], err[2];

	if (pipe2(out, O_CLOEXEC))
		return -1;
	if (pipe2(err, O_CLOEXEC)) {
		close(out[0]);
		close(out[1]);
		return -1;
	}
	child->pid = fork();
	if (!child->pid) {
		for (size_t i = 0; i < count; i++)
			if (others[i] >= 0)
				close(others[i]);
		close(out[0]);
		close(err[0]);
		become(call, limits, out[1], err[1], server);
	}
	close(out[1]);
	close(err[1]);
	if (child->pid < 0) {
		close(out[0]);
		close(err[0]);
		return -1;
	}
	/* for the case that it has to be killed before it did so itself */
	setpgid(child->pid, child->pid);
	child->out = out[0];
	child->err = err[0];
	child->deadline = pk_mcp_now() + (int64_t)(limits->seconds * 1e9);
	return 0;
}

void pk_mcp_read(struct pk_mcp_child *child, int *fd)
{
	struct pk_buf *to = fd == &child->out ? &child->said : &child->failed;
	char piece[16384];
	ssize_t got = read(*fd, piece, sizeof(piece));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got > 0 && to->len + (size_t)got <= MOST_OUTPUT) {
		pk_buf_add(to, piece, (size_t)got);
		return;
	}
	if (got > 0) { /* too much: the text so far is used */
		child->cut = true;
		pk_mcp_kill(child);
	}
	close(*fd);
	*fd = -1;
}

void pk_mcp_kill(struct pk_mcp_child *child)
{
	kill(-child->pid, SIGKILL);
	kill(child->pid, SIGKILL);
}

static void explain(const struct pk_mcp_child *child, const struct pk_mcp_limits *limits,
		    int status, struct pk_buf *text)
{
	if (child->late)
		pk_buf_addf(text, "no result within %g s (--timeout of the server)",
			    limits->seconds);
	else if (child->cut)
		pk_buf_adds(text, "the result is too long");
	else if (WIFSIGNALED(status))
		pk_buf_addf(text, "the process that read the file ended by signal %d (%s)",
			    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (!child->failed.len)
		pk_buf_adds(text, "failed without a message");
	if (child->failed.len)
		pk_buf_addf(text, "%s%s", text->len ? "\n" : "", child->failed.data);
}

bool pk_mcp_ended(struct pk_mcp_child *child, const struct pk_mcp_limits *limits,
		  struct pk_buf *text, bool *failed)
{
	int status;
	pid_t ended =
		child->out >= 0 || child->err >= 0 ? 0 : waitpid(child->pid, &status, WNOHANG);

	if (!ended || (ended < 0 && errno == EINTR))
		return false;
	*failed = ended < 0 || child->late || child->cut || !WIFEXITED(status) ||
		  WEXITSTATUS(status) == PK_FAILED;
	if (*failed)
		explain(child, limits, status, text);
	else if (child->said.len)
		pk_buf_add(text, child->said.data, child->said.len);
	if (!*failed && child->failed.len) /* notes: an option that matches nothing, repairs */
		pk_buf_add(text, child->failed.data, child->failed.len);
	return true;
}

void pk_mcp_child_release(struct pk_mcp_child *child)
{
	if (child->out >= 0)
		close(child->out);
	if (child->err >= 0)
		close(child->err);
	pk_buf_release(&child->id);
	pk_buf_release(&child->said);
	pk_buf_release(&child->failed);
}
