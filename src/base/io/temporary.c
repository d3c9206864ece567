#include "base/io/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/os/broker.h"
#include "base/text/str.h"

#define UNTOUCHED_SECONDS 600

/*
 * What the signal handler walks: slots are added at the front, used again, and
 * never freed, so that it may run at any moment, in any thread.
 */
struct pk_temporary_slot {
	_Atomic(const char *) path; /* NULL: free */
	pid_t owner;                /* a forked child must not remove its parent's files */
	struct pk_temporary_slot *next;
};

static _Atomic(struct pk_temporary_slot *) slots;

void pk_temporary_remove_all(void)
{
	pid_t self = getpid();

	for (struct pk_temporary_slot *s = slots; s; s = s->next) {
		const char *path = s->path;

		if (path && s->owner == self)
			unlink(path);
	}
}

/* The default action is in force again (SA_RESETHAND): the process ends by the signal,
 * and its parent can see that. */
static void on_signal(int number)
{
	int saved = errno;

	pk_temporary_remove_all();
	errno = saved;
	raise(number);
}

static void watch_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, old;
	static bool done;

	if (done)
		return;
	done = true;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		/* What nohup or the program chose stays. */
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
	}
	atexit(pk_temporary_remove_all);
}

static struct pk_temporary_slot *free_slot(void)
{
	struct pk_temporary_slot *s = slots;

	while (s && s->path)
		s = s->next;
	if (!s) {
		s = pk_calloc(1, sizeof(*s));
		s->next = slots;
		slots = s;
	}
	return s;
}

/* The file was made for the same target by a process of this number. */
static bool is_left_by(const char *entry, const char *head, long *pid)
{
	char *end;

	if (!pk_starts_with(entry, head))
		return false;
	entry += strlen(head);
	*pid = strtol(entry, &end, 10);
	return end > entry && *pid > 0 && end[0] == '-' && strlen(end) == 11 &&
	       !strcmp(end + 7, ".tmp");
}

/*
 * Removes what a process left that was killed while it wrote the same file: nobody has its number,
 * and nothing was written for a while, for it may be one of another machine or container.
 */
static void remove_left(const char *target, const char *head)
{
	char *folder = pk_strndup(target, (size_t)(pk_basename(target) - target));
	DIR *dir = opendir(*folder ? folder : ".");
	struct dirent *entry;
	struct stat st;
	long pid;

	while (dir && (entry = readdir(dir))) {
		if (is_left_by(entry->d_name, head, &pid) && kill((pid_t)pid, 0) &&
		    errno == ESRCH &&
		    !fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(st.st_mode) && st.st_mtime < time(NULL) - UNTOUCHED_SECONDS)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

/* The whole name must not be longer than a name may be. */
static void add_head(struct pk_buf *buf, const char *name)
{
	pk_buf_addf(buf, ".%.*s.profkit-", NAME_MAX - 50, name);
}

int pk_temporary_create(struct pk_temporary *t, const char *target)
{
	const char *name = pk_basename(target);
	struct pk_buf path = PK_BUF_INIT;
	sigset_t ends, before;

	if (pk_broker_is_running()) {
		t->slot = NULL;
		t->fd = pk_broker_create(target, &t->path);
		return t->fd < 0 ? -1 : 0;
	}
	watch_signals();
	pk_buf_add(&path, target, (size_t)(name - target));
	add_head(&path, name);
	remove_left(target, path.data + (name - target));
	pk_buf_addf(&path, "%ld-XXXXXX.tmp", (long)getpid());
	t->path = pk_buf_detach(&path);

	/* The file must not exist without its slot, for which there may be no memory. */
	t->slot = free_slot();
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, &before);
	do {
		t->fd = mkostemps(t->path, 4, O_CLOEXEC);
	} while (t->fd < 0 && errno == EINTR);
	if (t->fd >= 0) {
		t->slot->owner = getpid();
		t->slot->path = t->path;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (t->fd >= 0)
		return 0;
	free(t->path);
	t->path = NULL;
	return -1;
}

static void remove_file(const struct pk_temporary *t)
{
	if (t->slot)
		unlink(t->path);
	else
		pk_broker_unlink(t->path);
}

static void release(struct pk_temporary *t)
{
	if (t->slot)
		t->slot->path = NULL;
	free(t->path);
	t->path = NULL;
	t->fd = -1;
}

void pk_temporary_clean(const char *target)
{
	struct pk_temporary t = {0};
	struct pk_buf head = PK_BUF_INIT;

	if (pk_broker_is_running()) {
		/* It does so before it makes one. */
		if (!pk_temporary_create(&t, target))
			pk_temporary_remove(&t);
		return;
	}
	add_head(&head, pk_basename(target));
	remove_left(target, head.data);
	pk_buf_release(&head);
}

/* Where the system has no such call, or the file system neither that nor links, it is as if
 * somebody else had been first. */
static int rename_new(const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
#endif
	if (!link(from, to)) {
		unlink(from); /* a second name does no harm */
		return 0;
	}
	if (errno == EPERM || errno == ENOTSUP || errno == ENOSYS)
		errno = EEXIST;
	return -1;
}

static int rename_file(const struct pk_temporary *t, const char *target)
{
	if (!t->slot)
		return pk_broker_rename(t->path, target, !t->new_only);
	return t->new_only ? rename_new(t->path, target) : rename(t->path, target);
}

int pk_temporary_permit(struct pk_temporary *t, mode_t mode, uid_t owner, gid_t group)
{
	if (!t->slot)
		return pk_broker_permit(t->path, mode, owner, group);
	/* Only root may give files away: for others it stays theirs. */
	if (fchown(t->fd, owner, group))
		errno = 0;
	return fchmod(t->fd, mode);
}

int pk_temporary_rename(struct pk_temporary *t, const char *target)
{
	int failed = close(t->fd), reason = errno;

	if (!failed) {
		failed = rename_file(t, target);
		reason = errno;
	}
	if (failed)
		remove_file(t);
	release(t);
	errno = reason;
	return failed;
}

void pk_temporary_remove(struct pk_temporary *t)
{
	close(t->fd);
	remove_file(t);
	release(t);
}
