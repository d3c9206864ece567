/*
 * The filter is written here, not by libseccomp, for what it costs each run: the kernel tries it
 * for every call there is, which takes longer than a small profile with a list of a hundred
 * comparisons, and a twentieth of that with a tree.
 */
#include "base/os/sandbox.h"

#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(PK_WITH_SANDBOX) && defined(__linux__) && \
	(defined(__x86_64__) && defined(__LP64__) ||  \
	 defined(__aarch64__) && defined(__AARCH64EL__))
#define HAVE_SANDBOX
#endif

static bool entered;

bool pk_sandbox_is_entered(void)
{
	return entered;
}

int pk_sandbox_from_environment(enum pk_sandbox_wish *wish, struct pk_error *err)
{
	static const char *const words[] = {"auto", "no", "yes"};
	const char *text = getenv("PROFKIT_SANDBOX");

	*wish = PK_SANDBOX_AUTO;
	if (!text || !*text)
		return 0;
	for (int i = 0; i < 3; i++) {
		if (!strcmp(text, words[i])) {
			*wish = (enum pk_sandbox_wish)i;
			return 0;
		}
	}
	return pk_fail(err, PK_EUSAGE, "PROFKIT_SANDBOX is '%s', none of: auto, no, yes", text);
}

#ifdef HAVE_SANDBOX

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os/broker.h"

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41 /* headers before Linux 5.17 */
#endif

/* What needs no look at the arguments. */
static const short harmless[] = {
#ifdef __x86_64__
	/* what newer machines do by one of the others */
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2, SYS_pipe, SYS_poll,
	SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_time, SYS_alarm, SYS_pause, SYS_getpgrp,
	SYS_arch_prctl,
#endif
	/* descriptors that are there */
	SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_write, SYS_writev,
	SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_lseek, SYS_close, SYS_dup, SYS_dup3, SYS_pipe2,
	SYS_ppoll, SYS_pselect6, SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_ftruncate,
	SYS_fallocate, SYS_fadvise64, SYS_readahead, SYS_flock, SYS_copy_file_range, SYS_sendfile,
	SYS_splice, SYS_fstat, SYS_fstatfs, SYS_getdents64, SYS_eventfd2, SYS_epoll_create1,
	SYS_epoll_ctl, SYS_epoll_pwait,
	/* looking at files */
	SYS_statx, SYS_newfstatat, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd,
	SYS_statfs, SYS_umask, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr,
	/* memory and threads */
	SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_mincore,
	SYS_msync, SYS_mlock, SYS_mlock2, SYS_munlock, SYS_memfd_create, SYS_get_mempolicy,
	SYS_pkey_mprotect, SYS_pkey_alloc, SYS_pkey_free, SYS_futex, SYS_set_robust_list,
	SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_membarrier, SYS_sched_yield,
	SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
	SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getcpu, SYS_gettid, SYS_exit,
	SYS_exit_group, SYS_restart_syscall, SYS_wait4, SYS_waitid,
	/* itself and the time */
	SYS_getpid, SYS_getppid, SYS_getpgid, SYS_getsid, SYS_getuid, SYS_geteuid, SYS_getgid,
	SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_getpriority, SYS_capget,
	SYS_getrusage, SYS_getrlimit, SYS_setrlimit, SYS_getrandom, SYS_uname, SYS_sysinfo,
	SYS_times, SYS_gettimeofday, SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep,
	SYS_nanosleep, SYS_setitimer, SYS_getitimer, SYS_rt_sigaction, SYS_rt_sigprocmask,
	SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_rt_sigreturn,
	SYS_sigaltstack};

/* Calls that do more than one thing are allowed where the bits of an argument are so. */
struct condition {
	short call;
	unsigned char argument;
	uint32_t bits, value;
};

#define ALL_BITS 0xffffffffU
/* O_TMPFILE contains O_DIRECTORY, with which folders (of fonts) are opened to be read. */
#define CHANGING ((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)))
/* A file without a name, which can get none: what SQLite puts in no memory. */
#define NAMELESS ((uint32_t)(O_RDWR | O_TMPFILE | O_EXCL))

enum { MAX_CONDITIONS = 40 };

/* Rows of the same call stand together. */
static int list_conditions(struct condition *c)
{
	const uint32_t self = (uint32_t)getpid(), channel = (uint32_t)pk_broker_channel(),
		       broker = (uint32_t)pk_broker_pid();
	const struct condition all[] = {
		{SYS_openat, 2, CHANGING, O_RDONLY},
		{SYS_openat, 2, CHANGING | O_DIRECTORY | O_EXCL, NAMELESS},
#ifdef __x86_64__
		{SYS_open, 1, CHANGING, O_RDONLY},
#endif
		{SYS_ioctl, 1, ALL_BITS, TIOCGWINSZ},
		{SYS_ioctl, 1, ALL_BITS, TCGETS},
		{SYS_ioctl, 1, ALL_BITS, TCSETS},
		{SYS_ioctl, 1, ALL_BITS, TCSETSW},
		{SYS_ioctl, 1, ALL_BITS, TCSETSF},
		{SYS_ioctl, 1, ALL_BITS, FIONREAD},
		/* Not F_SETOWN, F_SETSIG and F_SETFL, by which a descriptor sends signals to
		 * other processes. */
		{SYS_fcntl, 1, ALL_BITS, F_DUPFD},
		{SYS_fcntl, 1, ALL_BITS, F_DUPFD_CLOEXEC},
		{SYS_fcntl, 1, ALL_BITS, F_GETFD},
		{SYS_fcntl, 1, ALL_BITS, F_SETFD},
		{SYS_fcntl, 1, ALL_BITS, F_GETFL},
		{SYS_fcntl, 1, ALL_BITS, F_GETLK},
		{SYS_fcntl, 1, ALL_BITS, F_SETLK},
		{SYS_fcntl, 1, ALL_BITS, F_SETLKW},
		{SYS_prlimit64, 0, ALL_BITS, 0}, /* --max-memory */
		{SYS_prctl, 0, ALL_BITS, PR_SET_NAME},
		{SYS_prctl, 0, ALL_BITS, PR_SET_VMA}, /* glibc names its memory */
		{SYS_tgkill, 0, ALL_BITS, self},      /* abort and raise */
		/* threads, no processes: the arguments of clone3 are in memory */
		{SYS_clone, 0, CLONE_THREAD, CLONE_THREAD},
		{SYS_kill, 0, ALL_BITS, broker},
		{SYS_sendto, 0, ALL_BITS, channel},
		{SYS_recvmsg, 0, ALL_BITS, channel},
	};
	int n = sizeof(all) / sizeof(*all) - (broker ? 0 : 3);

	memcpy(c, all, (size_t)n * sizeof(*c));
	return n;
}

/* What is to be done with each call, by its number; beyond the last one comes what is newer. */
enum { FORBIDDEN, ALLOWED, MISSING, CONDITIONAL };
enum { CALLS = 462, MAX_PROGRAM = 1000 };

struct filter {
	unsigned char verdict[CALLS + 1];
	short first[CALLS + 1]; /* number of a stretch of calls with one verdict */
	int count;
	struct condition condition[MAX_CONDITIONS];
	int conditions;
	struct sock_filter program[MAX_PROGRAM];
	int length;
};

static void emit(struct filter *f, uint16_t code, uint8_t yes, uint8_t no, uint32_t value)
{
	f->program[f->length++] = (struct sock_filter)BPF_JUMP(code, value, yes, no);
}

static void emit_conditions(struct filter *f, short call)
{
	for (const struct condition *c = f->condition; c < f->condition + f->conditions; c++) {
		if (c->call != call)
			continue;
		/* Both machines have the lower half first; it is all that the kernel looks at. */
		emit(f, BPF_LD | BPF_W | BPF_ABS, 0, 0,
		     (uint32_t)(offsetof(struct seccomp_data, args) + 8 * c->argument));
		emit(f, BPF_ALU | BPF_AND | BPF_K, 0, 0, c->bits);
		emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, c->value);
		emit(f, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
	}
	emit(f, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM);
}

/* A search among the stretches from..to - 1; the number of the call is loaded. */
static void emit_search(struct filter *f, int from, int to)
{
	int middle = (from + to) / 2, jump;

	if (to - from > 1) {
		emit(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, (uint32_t)f->first[middle]);
		jump = f->length;
		emit(f, BPF_JMP | BPF_JA, 0, 0, 0);
		emit_search(f, from, middle);
		f->program[jump].k = (uint32_t)(f->length - jump - 1);
		emit_search(f, middle, to);
		return;
	}
	switch (f->verdict[f->first[from]]) {
	case CONDITIONAL:
		emit_conditions(f, f->first[from]);
		break;
	case ALLOWED:
		emit(f, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
		break;
	default:
		emit(f, BPF_RET | BPF_K, 0, 0,
		     SECCOMP_RET_ERRNO | (f->verdict[f->first[from]] == MISSING ? ENOSYS : EPERM));
	}
}

static void judge_calls(struct filter *f)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		f->verdict[harmless[i]] = ALLOWED;
	f->conditions = list_conditions(f->condition);
	for (int i = 0; i < f->conditions; i++)
		f->verdict[f->condition[i].call] = CONDITIONAL;
	/* glibc does without. */
	f->verdict[SYS_clone3] = f->verdict[SYS_openat2] = f->verdict[CALLS] = MISSING;
	for (short i = 0; i <= CALLS; i++) {
		if (!i || f->verdict[i] != f->verdict[i - 1] || f->verdict[i] == CONDITIONAL)
			f->first[f->count++] = i;
	}
}

/* 0 or errno. */
static int load_filter(void)
{
	struct filter *f = calloc(1, sizeof(*f));
	struct sock_fprog program;
	int failed;

	if (!f)
		return ENOMEM;
	judge_calls(f);
	emit(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
	emit(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
	emit(f, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM);
	emit(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
	emit_search(f, 0, f->count);
	program = (struct sock_fprog){(unsigned short)f->length, f->program};
	/* Nothing here runs other people's code, which is what slows down the processor elsewhere.
	 */
	failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
				 syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
					 SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program)
			 ? errno
			 : 0;
	free(f);
	return failed;
}

/*
 * Code that others put into the process (valgrind, fakeroot, rr, tests) needs calls of its own, and
 * so do sanitizers and what counts at exit: configure sees to those.
 */
static bool is_default(void)
{
	static const char *const put_in[] = {"LD_PRELOAD", "LD_AUDIT"};

	for (int i = 0; i < 2; i++) {
		const char *value = getenv(put_in[i]);

		if (value && *value)
			return false;
	}
	return PK_SANDBOX_BY_DEFAULT;
}

int pk_sandbox_enter(enum pk_sandbox_wish wish, struct pk_error *err)
{
	int failed;

	if (wish == PK_SANDBOX_NO || (wish == PK_SANDBOX_AUTO && !is_default()))
		return 0;
	failed = pk_broker_start() ? errno : load_filter();
	entered = !failed;
	if (!failed)
		return 0;
	pk_broker_stop();
	return wish == PK_SANDBOX_AUTO
		       ? 0
		       : pk_fail(err, PK_EIO, "there can be no sandbox here: %s", strerror(failed));
}

const char *pk_sandbox_of_build(void)
{
	return PK_SANDBOX_BY_DEFAULT ? "by default" : "on demand";
}

#else

int pk_sandbox_enter(enum pk_sandbox_wish wish, struct pk_error *err)
{
	if (wish != PK_SANDBOX_YES)
		return 0;
	return pk_fail(err, PK_EUSAGE, "profkit was built without a sandbox");
}

const char *pk_sandbox_of_build(void)
{
	return "none";
}

#endif
