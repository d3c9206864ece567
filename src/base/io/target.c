/*
 * Files that are written: see target.h. Each operation is a function that works with the descriptor
 * of a folder and the last component of a path. It runs in this process, or in the broker when this
 * process is in the sandbox. A request to the broker holds no path, only the number of the target,
 * the operation, and which of its files is meant: the target, its temporary file, or a journal of
 * SQLite. Code that has taken over the reader can choose nothing else.
 */
#include "base/io/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/os/broker.h"
#include "base/os/sandbox.h"
#include "base/text/str.h"

#define UNTOUCHED_SECONDS 600

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* The signal handler walks the list: targets are added at the front, used again, never freed. */
struct pk_target {
	char *given; /* the path as pk_target_name got it; NULL: not named */
	bool used;   /* between pk_target_open and pk_target_close */
	bool removable;
	int failed; /* errno of looking it up */
	int device; /* or -1 */
	int folder; /* or -1 */
	char *path; /* NULL for a device */
	uint32_t number;
	atomic_bool has_temporary;
	pid_t owner; /* a forked child must not remove its parent's files */
	char temporary[NAME_MAX + 1];
	struct pk_target *next;
};

static _Atomic(struct pk_target *) targets;
static char *made_folder; /* by pk_target_make_folder, of the process folder_owner; or NULL */
static pid_t folder_owner;
static uint32_t named;

/* The files of a target that SQLite opens. */
enum { ITSELF, JOURNAL, WAL, SHM, TEMPORARY };
static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};

static const char *name_of(const struct pk_target *t)
{
	return pk_basename(t->path);
}

void pk_target_remove_all(void)
{
	pid_t self = getpid();

	if (pk_broker_is_running()) {
		pk_broker_stop(); /* the broker removes its own files */
		return;
	}
	for (struct pk_target *t = targets; t; t = t->next)
		if (t->has_temporary && t->owner == self)
			unlinkat(t->folder, t->temporary, 0);
	if (made_folder && folder_owner == self)
		rmdir(made_folder); /* removes the folder only if it is empty */
}

static void remove_all_in_broker(void)
{
	folder_owner = getpid();
	pk_target_remove_all();
}

/* The default action is in force again (SA_RESETHAND): the process ends by the signal,
 * and its parent can see that. */
static void on_signal(int number)
{
	int saved = errno;

	pk_target_remove_all();
	errno = saved;
	raise(number);
}

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

void pk_target_hold_signals(bool hold)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaddset(&set, ends[i]);
	pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static void watch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, old;
	static bool done;

	if (done)
		return;
	done = true;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		/* Keep a handler that nohup or the program has set. */
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
	}
	atexit(pk_target_remove_all);
}

/* The file that a path leads to through symbolic links; the file need not exist. */
static char *follow_links(const char *path)
{
	char *at = pk_strdup(path), link[PATH_MAX];

	for (int i = 0; i < 40; i++) {
		ssize_t len = readlink(at, link, sizeof(link) - 1);
		struct pk_buf next = PK_BUF_INIT;

		if (len < 0)
			return at;
		if (link[0] != '/')
			pk_buf_add(&next, at, (size_t)(pk_basename(at) - at));
		pk_buf_add(&next, link, (size_t)len);
		free(at);
		at = pk_buf_detach(&next);
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

static int open_folder(const char *path)
{
	char *folder = pk_strndup(path, (size_t)(pk_basename(path) - path));
	int fd = open(*folder ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(folder);
	return fd;
}

/* The name is that of a temporary file of this target; *pid is the process that created it. */
static bool is_temporary(const char *name, const char *head, long *pid)
{
	int end = 0;

	return pk_starts_with(name, head) &&
	       sscanf(name + strlen(head), "%ld-%*6[0-9a-zA-Z].tmp%n", pid, &end) == 1 && end &&
	       *pid > 0 && !name[strlen(head) + (size_t)end];
}

/* Shortens the name so that the temporary name is no longer than a file name may be. */
static void format_head(char head[NAME_MAX - 30], const struct pk_target *t)
{
	snprintf(head, NAME_MAX - 30, ".%.*s.profkit-", NAME_MAX - 50, name_of(t));
}

/* Removes temporary files of processes that were killed while they wrote the same file: no process
 * has the number in the name, and the file is old, because the number may belong to another machine
 * or container. */
static void clean(const struct pk_target *t, const char *head)
{
	int fd = openat(t->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;
	long pid;

	while (dir && (entry = readdir(dir))) {
		if (is_temporary(entry->d_name, head, &pid) && kill((pid_t)pid, 0) &&
		    errno == ESRCH &&
		    !fstatat(t->folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(st.st_mode) && st.st_mtime < time(NULL) - UNTOUCHED_SECONDS)
			unlinkat(t->folder, entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

/* 0 or errno. */
static int look_up(struct pk_target *t, const char *path)
{
	char head[NAME_MAX - 30];
	uint32_t random;
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		do {
			t->device = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		} while (t->device < 0 && errno == EINTR);
		return t->device < 0 ? errno : 0;
	}
	t->path = follow_links(path);
	if (!t->path)
		return errno;
	if (!*name_of(t))
		return ENOENT; /* "" and "new/" */
	t->folder = open_folder(t->path);
	if (t->folder < 0 || getentropy(&random, sizeof(random)))
		return errno;
	format_head(head, t);
	snprintf(t->temporary, sizeof(t->temporary), "%s%ld-%06x.tmp", head, (long)getpid(),
		 (unsigned)(random & 0xffffff));
	clean(t, head);
	return 0;
}

static struct pk_target *add(const char *path)
{
	struct pk_target *t = targets;

	while (t && (t->used || t->given))
		t = t->next;
	if (!t) {
		t = pk_calloc(1, sizeof(*t));
		t->next = targets;
		targets = t;
	}
	t->device = t->folder = -1;
	t->failed = look_up(t, path);
	return t;
}

struct pk_target *pk_target_open(const char *path)
{
	struct pk_target *t = targets;

	while (t && (t->used || !t->given || strcmp(t->given, path) != 0))
		t = t->next;
	if (!t && pk_sandbox_is_entered())
		return errno = EPERM, NULL;
	if (!t)
		t = add(path);
	t->used = true;
	if (!t->failed)
		return t;
	errno = t->failed;
	pk_target_close(t);
	return NULL;
}

void pk_target_close(struct pk_target *t)
{
	int saved = errno;

	if (!t->given) {
		free(t->path);
		t->path = NULL;
		if (t->device >= 0)
			close(t->device);
		if (t->folder >= 0)
			close(t->folder);
	}
	t->used = false;
	errno = saved;
}

const char *pk_target_path(const struct pk_target *t)
{
	return t->path;
}

char *pk_target_temporary(const struct pk_target *t)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_add(&buf, t->path, (size_t)(name_of(t) - t->path));
	pk_buf_adds(&buf, t->temporary);
	return pk_buf_detach(&buf);
}

/* The operations, up to `perform`. */

static int open_temporary(const struct pk_target *t, mode_t mode)
{
	int fd;

	do {
		fd = openat(t->folder, t->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* Gives the new file the owner of the file that it replaces or stands beside. Only root may do
 * that; for others the new file stays theirs. */
static int copy_owner(int fd, const struct stat *old)
{
	if (fchown(fd, old->st_uid, old->st_gid))
		errno = 0;
	return fchmod(fd, old->st_mode & 0777);
}

static int remove_temporary(struct pk_target *t)
{
	int saved = errno;

	if (t->has_temporary)
		unlinkat(t->folder, t->temporary, 0);
	t->has_temporary = false;
	errno = saved;
	return 0;
}

static int create(struct pk_target *t)
{
	struct stat old;
	bool replaces =
		!fstatat(t->folder, name_of(t), &old, AT_SYMLINK_NOFOLLOW) && S_ISREG(old.st_mode);
	sigset_t before;
	int fd;

	if (t->has_temporary)
		return errno = EBUSY, -1;
	if (replaces && faccessat(t->folder, name_of(t), W_OK, AT_EACCESS))
		return -1;
	/* No signal may come between creating the file and recording its name. */
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	pk_target_hold_signals(true);
	fd = open_temporary(t, replaces ? 0600 : 0666);
	t->owner = getpid();
	t->has_temporary = fd >= 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (fd < 0 || !replaces || !copy_owner(fd, &old))
		return fd;
	remove_temporary(t);
	close(fd);
	return -1;
}

/* Renames unless the new name exists. A file system that supports neither this call nor links fails
 * with EEXIST, too. */
static int rename_new(int folder, const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
	if (!renameat2(folder, from, folder, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
#endif
	if (!linkat(folder, from, folder, to, 0)) {
		unlinkat(folder, from, 0); /* a second name does no harm */
		return 0;
	}
	if (errno == EPERM || errno == ENOTSUP || errno == ENOSYS)
		errno = EEXIST;
	return -1;
}

static int rename_temporary(struct pk_target *t, bool new_only)
{
	int failed = !t->has_temporary ? (errno = ENOENT, -1)
		     : new_only        ? rename_new(t->folder, t->temporary, name_of(t))
				       : renameat(t->folder, t->temporary, t->folder, name_of(t));

	if (!failed)
		t->has_temporary = false;
	return failed;
}

static const char *file_name(const struct pk_target *t, uint32_t which, char name[2 * NAME_MAX])
{
	if (which == TEMPORARY)
		return t->has_temporary ? t->temporary : "";
	snprintf(name, 2 * NAME_MAX, "%s%s", name_of(t), suffixes[which]);
	return name;
}

static int open_database(struct pk_target *t, uint32_t which, bool may_create)
{
	int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | (may_create ? O_CREAT : 0);
	char name[2 * NAME_MAX];
	int fd = openat(t->folder, file_name(t, which, name), flags, 0644);
	struct stat st, old;

	/* SQLite gives journals the permissions of the store. */
	if (fd >= 0 && which != ITSELF && !fstat(fd, &st) && !st.st_size &&
	    !fstatat(t->folder, name_of(t), &old, AT_SYMLINK_NOFOLLOW) && copy_owner(fd, &old))
		errno = 0;
	return fd;
}

static int unlink_file(struct pk_target *t, uint32_t which)
{
	char name[2 * NAME_MAX];

	return unlinkat(t->folder, file_name(t, which, name), 0);
}

/* Opens a file without a name in one of the folders that SQLite would use. */
static int open_nameless(void)
{
	const char *const folders[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp",
				       "/tmp", "."};
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(*folders); i++)
		if (folders[i])
			fd = open(folders[i], O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	return fd;
}

enum operation { CREATE, RENAME, REMOVE, OPEN, UNLINK, NAMELESS };

static int perform(struct pk_target *t, const struct pk_request *r)
{
	switch (r->operation) {
	case CREATE:
		return create(t);
	case RENAME:
		return rename_temporary(t, r->flag);
	case REMOVE:
		return remove_temporary(t);
	case OPEN:
		return open_database(t, r->which, r->flag);
	case UNLINK:
		return unlink_file(t, r->which);
	default:
		return errno = EINVAL, -1;
	}
}

/* Runs in the broker. The process that sends the request may have been taken over by hostile input,
 * so nothing in the request is trusted. */
static int serve(const struct pk_request *r)
{
	struct pk_target *t = targets;

	if (r->operation == NAMELESS)
		return open_nameless();
	while (t && (!t->given || t->number != r->target))
		t = t->next;
	if (!t || t->folder < 0 || r->which > TEMPORARY ||
	    (r->operation == UNLINK &&
	     (r->which == TEMPORARY || (r->which == ITSELF && !t->removable))))
		return errno = EPERM, -1;
	return perform(t, r);
}

static int ask(struct pk_target *t, struct pk_request r)
{
	r.target = t->number;
	return pk_broker_is_running() ? pk_broker_ask(r) : perform(t, &r);
}

int pk_target_create(struct pk_target *t)
{
	if (t->device >= 0)
		return fcntl(t->device, F_DUPFD_CLOEXEC, 0);
	watch_signals();
	return ask(t, (struct pk_request){.operation = CREATE});
}

int pk_target_rename(struct pk_target *t, bool new_only)
{
	return ask(t, (struct pk_request){.operation = RENAME, .flag = new_only});
}

void pk_target_remove(struct pk_target *t)
{
	ask(t, (struct pk_request){.operation = REMOVE});
}

static struct pk_target *name_target(const char *path)
{
	struct pk_target *t = add(path);

	t->given = pk_strdup(path);
	t->number = ++named;
	if (t->path)
		pk_sandbox_read(t->path, strlen(t->path));
	pk_target_need_broker();
	return t;
}

void pk_target_name(const char *path)
{
	name_target(path);
}

void pk_target_make_folder(const char *path)
{
	if (mkdir(path, 0777))
		return;
	made_folder = pk_strdup(path);
	folder_owner = getpid();
	watch_signals();
}

void pk_target_name_removable(const char *path)
{
	name_target(path)->removable = true;
}

void pk_target_need_broker(void)
{
	watch_signals();
	pk_broker_need(serve, remove_all_in_broker);
}

/* Finds the named target that this database file belongs to. */
static struct pk_target *find_database(const char *path, uint32_t *which)
{
	const char *name = pk_basename(path);
	int folder = open_folder(path);
	struct stat st, its;
	struct pk_target *t;

	if (folder < 0 || fstat(folder, &st))
		st.st_ino = 0;
	if (folder >= 0)
		close(folder);
	for (t = targets; t; t = t->next) {
		if (!t->given || t->folder < 0 || fstat(t->folder, &its) ||
		    st.st_ino != its.st_ino || st.st_dev != its.st_dev)
			continue;
		*which = TEMPORARY;
		if (!strcmp(name, t->temporary))
			return t;
		for (*which = ITSELF; *which <= SHM; ++*which)
			if (pk_starts_with(name, name_of(t)) &&
			    !strcmp(name + strlen(name_of(t)), suffixes[*which]))
				return t;
	}
	return errno = EPERM, NULL;
}

int pk_target_open_database(const char *path, bool may_create)
{
	struct pk_request r = {.operation = OPEN, .flag = may_create};
	struct pk_target *t = find_database(path, &r.which);

	return t ? ask(t, r) : -1;
}

int pk_target_unlink_journal(const char *path)
{
	struct pk_request r = {.operation = UNLINK};
	struct pk_target *t;

	if (!pk_sandbox_is_entered())
		return unlink(path);
	t = find_database(path, &r.which);
	return t ? ask(t, r) : -1;
}

int pk_target_unlink(const char *path)
{
	struct pk_target *t = targets;

	while (t && (!t->removable || strcmp(t->given, path) != 0))
		t = t->next;
	return t ? ask(t, (struct pk_request){.operation = UNLINK, .which = ITSELF})
		 : (errno = EPERM, -1);
}

int pk_target_open_nameless(void)
{
	struct pk_request r = {.operation = NAMELESS};

	return pk_broker_is_running() ? pk_broker_ask(r) : open_nameless();
}
