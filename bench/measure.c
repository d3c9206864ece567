/*
 * Runs a command and prints what it took, on file descriptor 3 if that is open, else on stderr:
 *
 *	measure COMMAND...
 *	0.1234 0.1170 5678 0     seconds, those of the processor, kilobytes of memory at the most, exit status
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start = now(), seconds, cpu;
	pid_t pid;
	int status;

	if (argc < 2) {
		fputs("usage: measure COMMAND...\n", stderr);
		return 2;
	}
	pid = fork();
	if (!pid) {
		close(3);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
		perror("measure");
		return 2;
	}
	seconds = now() - start;
	cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	if (dprintf(3, "%.6f %.6f %ld %d\n", seconds, cpu, usage.ru_maxrss, WEXITSTATUS(status)) < 0)
		fprintf(stderr, "%.6f %.6f %ld %d\n", seconds, cpu, usage.ru_maxrss,
			WEXITSTATUS(status));
	return 0;
}
