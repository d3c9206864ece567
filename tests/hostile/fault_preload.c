/*
 * Preloaded by tests/hostile/faults.py: one call of a program fails, as told by its environment.
 *
 *	FAULT_CALL   write, sync, rename, read, poll, malloc, ask (send and receive, in the
 *	             sandbox) or answer (the same in the process that opens files for it):
 *	             all functions that do it are counted together
 *	FAULT_AT     which call fails, from 1
 *	FAULT_HOW    an errno by its number (every later call of write or sync fails,
 *	             too, as on a full disk, but for EINTR), "short": half is done,
 *	             "bytes": each call does one byte, "often": every other call is
 *	             interrupted, "signal 9": the process gets this signal there
 *	FAULT_COUNT  a file that gets the number of calls at exit
 *
 * Calls of read, write and sync are those of files and pipes, but for standard error.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { NONE, WRITE, SYNC, RENAME, READ, POLL, MALLOC, ASK, ANSWER };
enum { SHORT = -1, SIGNAL = -2, BYTES = -3, OFTEN = -4 };

/* What malloc is below this library. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static enum call failing;
static unsigned long at;
static int how, number, count_to = -1;
static atomic_ulong calls;

__attribute__((constructor)) static void begin(void)
{
	static const char *const names[] = {"",     "write",  "sync", "rename", "read",
					    "poll", "malloc", "ask",  "answer"};
	const char *call = getenv("FAULT_CALL"), *text = getenv("FAULT_HOW"),
		   *count = getenv("FAULT_COUNT");
	enum call c;

	/* Now: in the sandbox it is too late. */
	if (count)
		count_to = open(count, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	at = getenv("FAULT_AT") ? strtoul(getenv("FAULT_AT"), NULL, 10) : 0;
	if (text)
		how = !strcmp(text, "short")         ? SHORT
		      : !strcmp(text, "bytes")       ? BYTES
		      : !strcmp(text, "often")       ? OFTEN
		      : !strncmp(text, "signal ", 7) ? SIGNAL
						     : atoi(text);
	if (how == SIGNAL)
		number = atoi(text + 7);
	for (c = WRITE; call && c <= ANSWER; c++)
		if (!strcmp(call, names[c]))
			failing = c;
}

__attribute__((destructor)) static void end(void)
{
	char text[32];

	if (count_to >= 0)
		syscall(SYS_write, count_to, text,
			(size_t)snprintf(text, sizeof(text), "%lu\n", calls));
}

/* True: the call is to fail, with errno set; or *len was made less. */
static bool fails(enum call call, size_t *len)
{
	unsigned long n;

	if (call != failing)
		return false;
	n = ++calls;
	if (how == BYTES && len && *len > 1)
		*len = 1;
	if (how == OFTEN && n % 2)
		return errno = EINTR, true;
	if (!at || n < at)
		return false;
	if (n > at && (how <= 0 || how == EINTR || call == READ || call >= MALLOC))
		return false;
	if (how == SIGNAL)
		raise(number); /* of all ways the one that the sandbox allows */
	if (how == SHORT && len && *len > 1)
		*len /= 2;
	if (how > 0)
		errno = how;
	return how > 0;
}

ssize_t write(int fd, const void *data, size_t len)
{
	return fd != STDERR_FILENO && fails(WRITE, &len) ? -1 : syscall(SYS_write, fd, data, len);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t offset)
{
	return fails(WRITE, &len) ? -1 : syscall(SYS_pwrite64, fd, data, len, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t len, off64_t offset)
{
	return fails(WRITE, &len) ? -1 : syscall(SYS_pwrite64, fd, data, len, offset);
}

int ftruncate64(int fd, off64_t len)
{
	return fails(WRITE, NULL) ? -1 : (int)syscall(SYS_ftruncate, fd, len);
}

int fsync(int fd)
{
	return fails(SYNC, NULL) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return fails(SYNC, NULL) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	return fails(RENAME, NULL)
		       ? -1
		       : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	return fails(RENAME, NULL)
		       ? -1
		       : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
	return fails(RENAME, NULL)
		       ? -1
		       : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

ssize_t read(int fd, void *data, size_t len)
{
	return fails(READ, &len) ? -1 : syscall(SYS_read, fd, data, len);
}

ssize_t pread(int fd, void *data, size_t len, off_t offset)
{
	return fails(READ, &len) ? -1 : syscall(SYS_pread64, fd, data, len, offset);
}

ssize_t pread64(int fd, void *data, size_t len, off64_t offset)
{
	return fails(READ, &len) ? -1 : syscall(SYS_pread64, fd, data, len, offset);
}

/* Requests are sent by send and answered by sendmsg. */
ssize_t send(int fd, const void *data, size_t len, int flags)
{
	return fails(ASK, NULL) ? -1 : syscall(SYS_sendto, fd, data, len, flags, NULL, 0);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	return fails(ASK, NULL) ? -1 : syscall(SYS_recvmsg, fd, message, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return fails(ANSWER, NULL) ? -1 : syscall(SYS_sendmsg, fd, message, flags);
}

ssize_t recv(int fd, void *data, size_t len, int flags)
{
	return fails(ANSWER, NULL) ? -1 : syscall(SYS_recvfrom, fd, data, len, flags, NULL, NULL);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return fails(POLL, NULL) ? -1 : (int)syscall(SYS_poll, fds, count, timeout);
}

void *malloc(size_t size)
{
	return fails(MALLOC, NULL) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(MALLOC, NULL) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	return fails(MALLOC, NULL) ? NULL : __libc_realloc(p, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(MALLOC, NULL) ? NULL : __libc_memalign(alignment, size);
}
