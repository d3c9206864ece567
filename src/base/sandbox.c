#include "base/sandbox.h"

#include "config.h"

#ifdef HAVE_SECCOMP

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/broker.h"

/* What needs no look at the arguments. Opening is for reading alone: see add_conditions. */
static const int harmless[] = {
	/* descriptors that are there */
	SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev),
	SCMP_SYS(pwrite64), SCMP_SYS(lseek), SCMP_SYS(_llseek), SCMP_SYS(close), SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe),
	SCMP_SYS(pipe2), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6),
	SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(ftruncate), SCMP_SYS(ftruncate64),
	SCMP_SYS(fallocate), SCMP_SYS(fadvise64), SCMP_SYS(fchmod), SCMP_SYS(fchown),
	SCMP_SYS(fstat), SCMP_SYS(fstat64), SCMP_SYS(fstatfs), SCMP_SYS(getdents64),
	SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
	/* looking at files */
	SCMP_SYS(stat), SCMP_SYS(stat64), SCMP_SYS(lstat), SCMP_SYS(lstat64), SCMP_SYS(statx),
	SCMP_SYS(newfstatat), SCMP_SYS(fstatat64), SCMP_SYS(access), SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
	SCMP_SYS(statfs), SCMP_SYS(umask),
	/* memory and threads */
	SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap), SCMP_SYS(mprotect),
	SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(gettid),
	SCMP_SYS(membarrier), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
	SCMP_SYS(wait4), SCMP_SYS(waitid),
	/* itself and the time */
	SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
	SCMP_SYS(getegid), SCMP_SYS(getrusage), SCMP_SYS(getrandom), SCMP_SYS(uname),
	SCMP_SYS(sysinfo), SCMP_SYS(times), SCMP_SYS(time), SCMP_SYS(gettimeofday),
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep),
	SCMP_SYS(nanosleep), SCMP_SYS(setitimer), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack)};

static int allow_all(scmp_filter_ctx filter)
{
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		/* What this machine does not have is no error. */
		int status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, harmless[i], 0);

		if (status && status != -EDOM && status != -EINVAL)
			return status;
	}
	return 0;
}

/* Calls that do more than one thing. */
static int add_conditions(scmp_filter_ctx f)
{
	const uint64_t changing = O_ACCMODE | O_CREAT | O_TRUNC, pid = (uint64_t)getpid();

	if (seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
			     SCMP_A2(SCMP_CMP_MASKED_EQ, changing, O_RDONLY)) ||
	    seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
			     SCMP_A1(SCMP_CMP_MASKED_EQ, changing, O_RDONLY)) ||
	    seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
			     SCMP_A1(SCMP_CMP_EQ, TIOCGWINSZ, 0)) ||
	    seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
			     SCMP_A1(SCMP_CMP_EQ, TCGETS, 0)) ||
	    /* --max-memory */
	    seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
			     SCMP_A0(SCMP_CMP_EQ, 0, 0)) ||
	    /* abort and raise */
	    seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
			     SCMP_A0(SCMP_CMP_EQ, pid, 0)) ||
	    /* Threads, no processes. The arguments of clone3 are in memory: clone does it, too. */
	    seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
			     SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)))
		return -1;
	return seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

int pk_sandbox_enter(struct pk_error *err)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int status;

	if (!filter)
		return pk_fail(err, PK_EIO, "--sandbox: the system has no seccomp");
	if (pk_broker_start()) {
		seccomp_release(filter);
		return pk_fail(err, PK_EIO, "--sandbox: %s", strerror(errno));
	}
	status = allow_all(filter) || add_conditions(filter) ? -EINVAL : seccomp_load(filter);
	seccomp_release(filter);
	if (status)
		return pk_fail(err, PK_EIO, "--sandbox: no filter can be set: %s",
			       strerror(-status));
	return 0;
}

#else

int pk_sandbox_enter(struct pk_error *err)
{
	return pk_fail(err, PK_EUSAGE, "--sandbox: profkit was built without libseccomp");
}

#endif
