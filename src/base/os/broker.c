#include "base/os/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "base/io/temporary.h"

enum operation { OPEN, UNLINK, CREATE, RENAME, PERMIT };

/*
 * The process that asks may be hostile and change what a path like /proc/PID/fd/N means. Therefore
 * a path in a request is only compared with the paths that were named, which are canonical and
 * were looked up before the input was read.
 */
struct request {
	uint64_t number; /* the answer repeats it */
	enum operation operation;
	int flags;
	mode_t mode;
	uid_t owner;
	gid_t group;
	char path[PATH_MAX], to[PATH_MAX];
};

struct answer { /* and the descriptor, where there is one */
	uint64_t number;
	int failed; /* errno */
	char path[PATH_MAX];
};

struct made {
	struct pk_temporary temporary; /* path: NULL when done with */
	char *target;
};

static struct named {
	char *path;
	bool itself; /* else only what is beside it */
} * allowed;
static size_t allowed_count, allowed_alloc;
static bool needed;       /* also to say why a file cannot be written */
static struct made *made; /* in the broker */
static size_t made_count, made_alloc;
static int channel = -1; /* to the broker */
static pid_t broker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One path for one file, whether it is there or not; NULL if its folder is not. */
static char *canonical(const char *path)
{
	char *real = realpath(path, NULL), *folder, *joined;
	const char *name = pk_basename(path);
	struct pk_buf buf = PK_BUF_INIT;

	if (real)
		return real;
	folder = pk_strndup(path, (size_t)(name - path));
	real = realpath(*folder ? folder : ".", NULL);
	if (real)
		pk_buf_addf(&buf, "%s/%s", real, name);
	joined = real ? pk_buf_detach(&buf) : NULL;
	free(folder);
	free(real);
	return joined;
}

static void allow(const char *path, bool itself)
{
	char *real = canonical(path);

	needed = true;
	if (!real)
		return;
	PK_GROW(allowed, allowed_count + 1, allowed_alloc);
	allowed[allowed_count++] = (struct named){real, itself};
}

void pk_broker_allow(const char *path)
{
	allow(path, true);
}

void pk_broker_allow_beside(const char *path)
{
	allow(path, false);
}

static bool is_file_of(const char *path, const char *main, bool itself)
{
	static const char *const beside[] = {"-journal", "-wal", "-shm"};
	size_t len = strlen(main);

	if (strncmp(path, main, len) != 0)
		return false;
	for (size_t i = 0; i < 3; i++)
		if (!strcmp(path + len, beside[i]))
			return true;
	return itself && !path[len];
}

/*
 * The file that was named, or that was made, if path is it or one beside it; without `itself` the
 * latter alone. Else NULL, and errno is set.
 */
static const char *find_allowed(const char *path, bool itself)
{
	for (size_t i = 0; i < allowed_count; i++)
		if (is_file_of(path, allowed[i].path, itself && allowed[i].itself))
			return allowed[i].path;
	for (size_t i = 0; i < made_count; i++)
		if (made[i].temporary.path && is_file_of(path, made[i].temporary.path, itself))
			return made[i].temporary.path;
	errno = EPERM;
	return NULL;
}

/* As SQLite does it: a journal that was made belongs to whom the file does. */
static void copy_owner(int fd, const char *from)
{
	struct stat st, old;

	if (fstat(fd, &st) || st.st_size || stat(from, &old))
		return;
	if (geteuid() == 0 && fchown(fd, old.st_uid, old.st_gid))
		errno = 0;
	if (fchmod(fd, old.st_mode & 0777))
		errno = 0;
}

static struct made *find_made(const char *path)
{
	for (size_t i = 0; i < made_count; i++)
		if (made[i].temporary.path && !strcmp(made[i].temporary.path, path))
			return &made[i];
	return NULL;
}

static int do_open(const struct request *r)
{
	const int flags = (r->flags & (O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC)) | O_NOFOLLOW |
			  O_NOCTTY | O_CLOEXEC;
	const char *file = find_allowed(r->path, true);
	int fd = file ? open(r->path, flags, r->mode) : -1, reason = errno;

	if (fd >= 0 && (r->flags & O_CREAT) && find_allowed(r->path, false))
		copy_owner(fd, file);
	errno = reason;
	return fd;
}

static int do_unlink(const struct request *r)
{
	struct made *m = find_made(r->path);

	if (m) {
		pk_temporary_remove(&m->temporary);
		return 0;
	}
	return find_allowed(r->path, false) ? unlink(r->path) : -1;
}

static int do_create(const struct request *r, struct answer *a)
{
	struct made *m;

	if (!find_allowed(r->path, true))
		return -1;
	PK_GROW(made, made_count + 1, made_alloc);
	m = &made[made_count];
	if (pk_temporary_create(&m->temporary, r->path))
		return -1;
	made_count++;
	m->target = pk_strdup(r->path);
	strncpy(a->path, m->temporary.path, sizeof(a->path) - 1);
	return dup(m->temporary.fd);
}

static int do_rename(const struct request *r)
{
	struct made *m = find_made(r->path);

	if (!m || strcmp(m->target, r->to) != 0)
		return errno = EPERM, -1;
	m->temporary.new_only = !r->flags;
	return pk_temporary_rename(&m->temporary, m->target);
}

static int do_permit(const struct request *r)
{
	struct made *m = find_made(r->path);

	if (!m)
		return errno = EPERM, -1;
	return pk_temporary_permit(&m->temporary, r->mode & 0777, r->owner, r->group);
}

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

static bool send_answer(int to, const struct answer *a, int fd)
{
	struct iovec data = {(void *)(uintptr_t)a, sizeof(*a)};
	union control control = {0};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};

	if (fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	while (sendmsg(to, &message, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return false;
	return true;
}

static void serve(int from)
{
	struct request r;
	ssize_t got;

	while ((got = recv(from, &r, sizeof(r), 0)) > 0 || (got < 0 && errno == EINTR)) {
		struct answer a = {.number = r.number};
		int result, fd = -1;
		bool sent;

		if (got < 0)
			continue;
		if (got != sizeof(r))
			break;
		r.path[PATH_MAX - 1] = r.to[PATH_MAX - 1] = '\0';
		result = r.operation == OPEN     ? (fd = do_open(&r))
			 : r.operation == UNLINK ? do_unlink(&r)
			 : r.operation == CREATE ? (fd = do_create(&r, &a))
			 : r.operation == PERMIT ? do_permit(&r)
						 : do_rename(&r);
		a.failed = result < 0 ? errno : 0;
		sent = send_answer(from, &a, fd);
		if (fd >= 0)
			close(fd);
		if (!sent)
			break;
	}
	for (size_t i = 0; i < made_count; i++)
		if (made[i].temporary.path)
			pk_temporary_remove(&made[i].temporary);
	_exit(0); /* without what libraries do at the end: the other process waits */
}

/* The broker ends when nobody can ask it any more; it is waited for, so that what it removes is
 * gone when this process is. */
void pk_broker_stop(void)
{
	if (channel < 0)
		return;
	close(channel);
	channel = -1;
	while (waitpid(broker, NULL, 0) < 0 && errno == EINTR)
		;
	broker = 0;
}

/* It may be waiting for the reader of a pipe. The default action is in force again. */
static void on_signal(int number)
{
	int saved = errno;

	kill(broker, SIGTERM);
	while (waitpid(broker, NULL, 0) < 0 && errno == EINTR)
		;
	errno = saved;
	raise(number);
}

static void watch_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		/* What nohup or the program chose stays. */
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
	}
}

static void run_broker(int from, pid_t parent)
{
	/* What ends the other process ends this one: by the end of the channel, or by SIGTERM
	 * while it does something else. What a terminal sends is for the other. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	serve(from);
}

/* Where standard input or output are closed, their numbers are taken by what is opened next. */
static int pass_standard(int *fd)
{
	int higher = *fd > STDERR_FILENO ? *fd : fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (higher < 0)
		return -1;
	if (higher != *fd)
		close(*fd);
	*fd = higher;
	return 0;
}

int pk_broker_start(void)
{
	pid_t self = getpid();
	int pair[2];

	if (!needed)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	if (pass_standard(&pair[0]) || pass_standard(&pair[1])) {
		close(pair[0]);
		close(pair[1]);
		return -1;
	}
	broker = fork();
	if (broker < 0) {
		close(pair[0]);
		close(pair[1]);
		return -1;
	}
	if (!broker) {
		close(pair[0]);
		run_broker(pair[1], self);
	}
	close(pair[1]);
	channel = pair[0];
	watch_signals();
	atexit(pk_broker_stop);
	return 0;
}

pid_t pk_broker_pid(void)
{
	return broker;
}

int pk_broker_channel(void)
{
	return channel;
}

bool pk_broker_is_running(void)
{
	return channel >= 0;
}

/* An answer to this request, and no other, has come. */
static bool exchange(struct request *r, struct answer *a, int *fd)
{
	static uint64_t last;
	struct iovec data = {a, sizeof(*a)};
	union control control = {0};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	ssize_t done;

	r->number = ++last;
	do {
		done = send(channel, r, sizeof(*r), MSG_NOSIGNAL);
	} while (done < 0 && errno == EINTR);
	if (done != sizeof(*r))
		return false;
	do {
		done = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
	} while (done < 0 && errno == EINTR);
	if (done > 0 && message.msg_controllen >= CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(&control.head), sizeof(int));
	return done == sizeof(*a) && a->number == r->number;
}

/* Sends a request; 0, or -1 and errno. *fd is the descriptor that came back, or -1. After a failure
 * of the channel there is no other request: its answer might be that to an earlier one. */
static int ask(struct request *r, struct answer *a, int *fd)
{
	static bool broken;
	bool answered;

	*fd = -1;
	if (channel < 0)
		return errno = EPERM, -1;
	pthread_mutex_lock(&lock);
	answered = !broken && exchange(r, a, fd);
	broken = !answered;
	pthread_mutex_unlock(&lock);
	if (!answered) {
		if (*fd >= 0)
			close(*fd);
		return errno = EIO, -1;
	}
	errno = a->failed;
	return a->failed ? -1 : 0;
}

static bool set_path(char *to, const char *path)
{
	char *real = canonical(path);
	bool fits = real && strlen(real) < PATH_MAX;

	if (fits)
		strcpy(to, real);
	else if (real)
		errno = ENAMETOOLONG;
	free(real);
	return fits;
}

int pk_broker_open(const char *path, int flags, mode_t mode)
{
	struct request r = {.operation = OPEN, .flags = flags, .mode = mode};
	struct answer a;
	int fd;

	return set_path(r.path, path) && !ask(&r, &a, &fd) ? fd : -1;
}

int pk_broker_unlink(const char *path)
{
	struct request r = {.operation = UNLINK};
	struct answer a;
	int fd;

	return set_path(r.path, path) ? ask(&r, &a, &fd) : -1;
}

int pk_broker_create(const char *target, char **path)
{
	struct request r = {.operation = CREATE};
	struct answer a;
	int fd;

	if (!set_path(r.path, target) || ask(&r, &a, &fd))
		return -1;
	*path = pk_strdup(a.path);
	return fd;
}

int pk_broker_rename(const char *from, const char *to, bool replace)
{
	struct request r = {.operation = RENAME, .flags = replace};
	struct answer a;
	int fd;

	return set_path(r.path, from) && set_path(r.to, to) ? ask(&r, &a, &fd) : -1;
}

int pk_broker_permit(const char *path, mode_t mode, uid_t owner, gid_t group)
{
	struct request r = {.operation = PERMIT, .mode = mode, .owner = owner, .group = group};
	struct answer a;
	int fd;

	return set_path(r.path, path) ? ask(&r, &a, &fd) : -1;
}
