/*
 * The channel is a pair of sockets that keep messages apart. A request and its answer are one
 * message each, of fixed size; a descriptor comes beside the answer.
 */
#include "base/os/broker.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct answer {
	uint64_t number;
	int failed; /* errno, or 0; a descriptor comes beside it */
};

static pk_broker_fn *serve; /* NULL: not needed */
static void (*end)(void);
static int channel = -1;
static pid_t broker;

void pk_broker_need(pk_broker_fn *serve_fn, void (*end_fn)(void))
{
	serve = serve_fn;
	end = end_fn;
}

bool pk_broker_is_running(void)
{
	return broker;
}

int pk_broker_channel(void)
{
	return channel;
}

static void close_channel(void)
{
	int fd = channel;

	channel = -1;
	if (fd >= 0)
		close(fd);
}

/* The broker notices that the channel is closed, removes unfinished files, and exits. */
void pk_broker_stop(void)
{
	pid_t pid = broker;

	broker = 0;
	close_channel();
	while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
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
	ssize_t done;

	if (fd > 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	while ((done = sendmsg(to, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	if (fd > 0)
		close(fd);
	return done == sizeof(*a);
}

static void run(int from)
{
	struct pk_request r;
	ssize_t got;

	/* The other process handles signals; when it ends, the channel closes. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	/* Closes inherited pipes, and keeps descriptor 0 from being given to a file. */
	dup2(from, STDIN_FILENO);
	dup2(from, STDOUT_FILENO);
	while ((got = recv(from, &r, sizeof(r), 0)) == sizeof(r) || (got < 0 && errno == EINTR)) {
		struct answer a = {.number = r.number};
		int fd;

		if (got < 0)
			continue;
		fd = serve(&r);
		a.failed = fd < 0 ? errno : 0;
		if (!send_answer(from, &a, fd))
			break;
	}
}

int pk_broker_start(void)
{
	int pair[2];

	if (!serve)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	broker = fork();
	if (!broker) {
		close(pair[0]);
		run(pair[1]);
		end();
		/* skips the exit handlers of libraries, because the other process is waiting */
		_exit(0);
	}
	close(pair[1]);
	channel = pair[0];
	if (broker > 0)
		return 0;
	broker = 0;
	close_channel();
	return -1;
}

/* True if the answer belongs to this request. *fd is the descriptor that came with it, or 0. */
static bool exchange(const struct pk_request *r, struct answer *a, int *fd)
{
	struct iovec data = {a, sizeof(*a)};
	union control control = {0};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	ssize_t done;

	while ((done = send(channel, r, sizeof(*r), MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	if (done != sizeof(*r))
		return false;
	while ((done = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		;
	if (done > 0 && message.msg_controllen >= CMSG_LEN(sizeof(int)))
		memcpy(fd, CMSG_DATA(&control.head), sizeof(int));
	return done == sizeof(*a) && a->number == r->number;
}

int pk_broker_ask(struct pk_request r)
{
	static uint64_t last;
	struct answer a = {0};
	int fd = 0;

	r.number = ++last;
	if (!exchange(&r, &a, &fd)) {
		close_channel();
		a.failed = EIO;
	}
	if (!a.failed)
		return fd;
	if (fd)
		close(fd);
	errno = a.failed;
	return -1;
}
