/*
 * The sandbox of the program: a filter of system calls (seccomp) and, where the kernel has it, a
 * list of files that may be read (Landlock). Both are written without their libraries: libseccomp
 * takes long to load its filter, and the headers may be older than the kernel. SECURITY.md says
 * what the sandbox guarantees.
 */
#include "base/os/sandbox.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "config.h"

#if defined(PK_WITH_SANDBOX) && defined(__linux__) && \
	(defined(__x86_64__) && defined(__LP64__) ||  \
	 defined(__aarch64__) && defined(__AARCH64EL__))
#define HAVE_SANDBOX
#endif

static bool entered;

static char **reads, **folders;
static size_t read_count, read_alloc, folder_count, folder_alloc;

void pk_sandbox_read(const char *path, size_t len)
{
	if (!len)
		return;
	PK_GROW(reads, read_count + 1, read_alloc);
	reads[read_count++] = pk_strndup(path, len);
}

void pk_sandbox_read_folder(const char *path)
{
	PK_GROW(folders, folder_count + 1, folder_alloc);
	folders[folder_count++] = pk_strdup(path);
}

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
	return pk_fail(err, PK_EUSAGE, "PROFKIT_SANDBOX is '%s'; it must be auto, no or yes", text);
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
#include <sys/stat.h>
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

/* Calls that are allowed with any arguments. */
static const short harmless[] = {
#ifdef __x86_64__
	/* calls that arm64 does not have */
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2, SYS_pipe, SYS_poll,
	SYS_select, SYS_time, SYS_arch_prctl,
#endif
	/* descriptors that are there */
	SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_pwrite64, SYS_lseek, SYS_close,
	SYS_dup, SYS_dup3, SYS_pipe2, SYS_ppoll, SYS_pselect6, SYS_fsync, SYS_fdatasync,
	SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_fstat, SYS_fstatfs, SYS_getdents64,
	/* looking at files */
	SYS_statx, SYS_newfstatat, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd,
	SYS_statfs, SYS_umask,
	/* memory and threads */
	SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_memfd_create,
	SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_rseq, SYS_membarrier,
	SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid, SYS_exit, SYS_exit_group,
	SYS_restart_syscall, SYS_wait4,
	/* itself and the time */
	SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrusage,
	SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_gettimeofday, SYS_clock_gettime,
	SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_setitimer, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_rt_sigsuspend, SYS_rt_sigreturn, SYS_sigaltstack};

/* Calls that are allowed if an argument, masked by `bits`, has one of these values. */
struct condition {
	short call;
	unsigned char argument;
	uint32_t bits;
	int count;
	uint32_t value[6];
};

#define ALL_BITS 0xffffffffU
/* O_TMPFILE contains O_DIRECTORY, with which folders (of fonts) are opened to be read. */
#define CHANGING ((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY)))

/* Calls from this one on are newer than profkit. */
enum { CALLS = 480, WORDS = CALLS / 32, MOST = 200 };

struct program {
	struct sock_filter item[MOST];
	int length;
};

static void emit(struct program *p, int code, int yes, int no, uint32_t value)
{
	p->item[p->length++] =
		(struct sock_filter){(uint16_t)code, (uint8_t)yes, (uint8_t)no, value};
}

static void emit_load(struct program *p, size_t offset)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void emit_return(struct program *p, uint32_t verdict)
{
	emit(p, BPF_RET | BPF_K, 0, 0, verdict);
}

/* A table of bits: a list of comparisons takes the kernel five times as long to load, since it
 * tries the filter for every call that there is. */
static void emit_harmless(struct program *p)
{
	uint32_t bits[WORDS] = {0};

	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		bits[harmless[i] / 32] |= 1U << harmless[i] % 32;
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, 31);
	emit(p, BPF_MISC | BPF_TAX, 0, 0, 0);
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_ALU | BPF_RSH | BPF_K, 0, 0, 5);
	for (int i = 0; i < WORDS; i++) {
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 2, (uint32_t)i);
		emit(p, BPF_LD | BPF_IMM, 0, 0, bits[i]);
		emit(p, BPF_JMP | BPF_JA, 0, 0, (uint32_t)(3 * (WORDS - 1 - i) + 1));
	}
	emit_return(p, SECCOMP_RET_ERRNO | ENOSYS);
	emit(p, BPF_ALU | BPF_RSH | BPF_X, 0, 0, 0);
	emit(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, 1);
	emit_return(p, SECCOMP_RET_ALLOW);
}

static void emit_condition(struct program *p, const struct condition *c)
{
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, (2 + 2 * c->count), (uint32_t)c->call);
	/* Both machines have the lower half first; it is all that the kernel looks at. */
	emit_load(p, offsetof(struct seccomp_data, args) + 8 * c->argument);
	emit(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, c->bits);
	for (int i = 0; i < c->count; i++) {
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, c->value[i]);
		emit_return(p, SECCOMP_RET_ALLOW);
	}
}

/* 0 or errno. */
static int load_filter(void)
{
	const uint32_t self = (uint32_t)getpid(), channel = (uint32_t)pk_broker_channel();
	const struct condition conditions[] = {
		{SYS_openat, 2, CHANGING, 1, {O_RDONLY}},
#ifdef __x86_64__
		{SYS_open, 1, CHANGING, 1, {O_RDONLY}},
#endif
		/* the line editor of the prompt sets the terminal */
		{SYS_ioctl,
		 1,
		 ALL_BITS,
		 6,
		 {TCGETS, TIOCGWINSZ, TCSETS, TCSETSW, TCSETSF, FIONREAD}},
		/* Not F_SETOWN, F_SETSIG and F_SETFL, by which a descriptor sends signals to
		 * other processes. */
		{SYS_fcntl,
		 1,
		 ALL_BITS,
		 6,
		 {F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK}},
		{SYS_prlimit64, 0, ALL_BITS, 1, {0}},                   /* --max-memory */
		{SYS_prctl, 0, ALL_BITS, 2, {PR_SET_NAME, PR_SET_VMA}}, /* of threads, memory */
		{SYS_tgkill, 0, ALL_BITS, 1, {self}},                   /* abort and raise */
		{SYS_clone, 0, CLONE_THREAD, 1, {CLONE_THREAD}},
		{SYS_sendto, 0, ALL_BITS, 1, {channel}},
		{SYS_recvmsg, 0, ALL_BITS, 1, {channel}},
	};
	struct program p = {.length = 0};
	struct sock_fprog program = {.filter = p.item};

	emit_load(&p, offsetof(struct seccomp_data, arch));
	emit(&p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
	emit_return(&p, SECCOMP_RET_ERRNO | EPERM);
	emit_harmless(&p);
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		emit_condition(&p, &conditions[i]);
	/* The filter cannot read the arguments of clone3, which are in memory; glibc then uses
	 * clone. */
	emit_load(&p, offsetof(struct seccomp_data, nr));
	emit(&p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3);
	emit_return(&p, SECCOMP_RET_ERRNO | ENOSYS);
	emit_return(&p, SECCOMP_RET_ERRNO | EPERM);
	program.len = (unsigned short)p.length;
	/* SPEC_ALLOW: this process runs no foreign code, so it does not need the mitigation that
	 * slows the processor down. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &program)
		       ? errno
		       : 0;
}

/* From linux/landlock.h, which may be older than the kernel. */
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 };
enum { GET_VERSION = 1, PATH_BENEATH = 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3 };

/* is_named: by the user as an input. A folder among these is not read, and must not allow all files
 * in it. */
static void allow_reading(int ruleset, const char *path, const char *rest, bool is_named)
{
	char joined[PATH_MAX];
	struct stat st;
	struct {
		uint64_t allowed;
		int32_t path;
	} __attribute__((packed)) rule = {READ_FILE, -1};

	if (snprintf(joined, sizeof(joined), "%s%s", path, rest) < PATH_MAX)
		rule.path = open(joined, O_PATH | O_CLOEXEC);
	if (rule.path < 0)
		return; /* there is nothing to read */
	if (!is_named || (!fstat(rule.path, &st) && !S_ISDIR(st.st_mode)))
		syscall(LANDLOCK_ADD, ruleset, PATH_BENEATH, &rule, 0);
	close(rule.path);
}

/* Files that libraries open while they work: plugins, fonts, the time zone, the number of
 * processors. */
static const struct {
	const char *variable, *path;
} system_paths[] = {{"", "/usr"},
		    {"", "/lib"},
		    {"", "/lib64"},
		    {"", "/opt"},
		    {"", "/nix/store"},
		    {"", "/gnu/store"},
		    {"", "/etc/fonts"},
		    {"", "/etc/ld.so.cache"},
		    {"", "/etc/localtime"},
		    {"", "/var/cache/fontconfig"},
		    {"", "/sys/devices/system/cpu"},
		    {"", "/proc/self"},
		    {"CONDA_PREFIX", "/lib"},
		    {"CONDA_PREFIX", "/etc/fonts"},
		    {"CONDA_PREFIX", "/fonts"},
		    {"HOME", "/.fonts"},
		    {"HOME", "/.local/share/fonts"},
		    {"HOME", "/.cache/fontconfig"},
		    {"HOME", "/.config/fontconfig"}};

/* Lets Landlock refuse every access except listing folders and reading files that were named or
 * that libraries need. Does nothing where the kernel has no Landlock. Returns 0 or errno. */
static int restrict_files(void)
{
	static const char *const of_stores[] = {"", "-journal", "-wal", "-shm"};
	static const uint64_t known[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff};
	long version = syscall(LANDLOCK_CREATE, NULL, 0, GET_VERSION);
	uint64_t handled = known[version < 0 ? 0 : version > 5 ? 5 : version] & ~READ_DIR;
	int ruleset, failed;

	if (!handled)
		return 0;
	ruleset = (int)syscall(LANDLOCK_CREATE, &handled, sizeof(handled), 0);
	if (ruleset < 0)
		return errno;
	for (size_t i = 0; i < sizeof(system_paths) / sizeof(*system_paths); i++) {
		const char *value =
			*system_paths[i].variable ? getenv(system_paths[i].variable) : "";

		if (value)
			allow_reading(ruleset, value, system_paths[i].path, false);
	}
	for (size_t i = 0; i < 4 * read_count; i++)
		allow_reading(ruleset, reads[i / 4], of_stores[i % 4], true);
	for (size_t i = 0; i < folder_count; i++)
		allow_reading(ruleset, folders[i], "", false);
	failed = syscall(LANDLOCK_RESTRICT, ruleset, 0) ? errno : 0;
	close(ruleset);
	return failed;
}

/* Code that was loaded into the process by LD_PRELOAD or LD_AUDIT (valgrind, fakeroot, rr, tests)
 * needs other system calls. configure decides the same for sanitizers, coverage and -pg. */
static bool is_default(void)
{
	static const char *const loaders[] = {"LD_PRELOAD", "LD_AUDIT"};

	for (int i = 0; i < 2; i++) {
		const char *value = getenv(loaders[i]);

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
	failed = pk_broker_start() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0;
	failed = failed ? failed : restrict_files();
	failed = failed ? failed : load_filter();
	entered = !failed;
	if (!failed)
		return 0;
	pk_broker_stop();
	return wish == PK_SANDBOX_AUTO ? 0
				       : pk_fail(err, PK_EIO, "the sandbox cannot be used here: %s",
						 strerror(failed));
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
