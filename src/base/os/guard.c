#include "base/os/guard.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/target.h"

static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP};
#define COUNT (sizeof(crashes) / sizeof(*crashes))

static const char *volatile library; /* the last one */
static volatile bool within;         /* between begin and end */
static pthread_t thread;             /* that called begin */
static int messages = -1;            /* standard error as it was */

static void put(const char *text)
{
	if (write(messages < 0 ? STDERR_FILENO : messages, text, strlen(text)) < 0)
		return; /* and nobody is told */
}

/* Nothing here may need memory, or locks. */
static void give_up(void)
{
	put("profkit: ");
	put(library);
	put(" crashed: it may have run out of memory\n");
	pk_target_remove_all();
	_exit(2);
}

/* Threads that a library has started may go on, and crash, after the end. */
static void on_crash(int number)
{
	if (within || !pthread_equal(pthread_self(), thread))
		give_up();
	signal(number, SIG_DFL);
	raise(number);
}

static void on_exit_within(void)
{
	if (within)
		give_up();
}

/* A stack that is full is no place for a handler. */
static void set_stack(void)
{
	static char room[64 << 10];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};
	stack_t old;

	if (!sigaltstack(NULL, &old) && (old.ss_flags & SS_DISABLE))
		sigaltstack(&stack, NULL);
}

void pk_guard_begin(const char *name)
{
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK}, before;
	static bool watched;

	if (!watched)
		watched = !atexit(on_exit_within);
	messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	thread = pthread_self();
	library = name;
	within = true;
	set_stack();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < COUNT; i++)
		if (!sigaction(crashes[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(crashes[i], &action, NULL);
}

void pk_guard_end(void)
{
	if (!within)
		return;
	within = false;
	if (messages >= 0) {
		dup2(messages, STDERR_FILENO);
		close(messages);
	}
	messages = -1;
}
