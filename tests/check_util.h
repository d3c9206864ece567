#pragma once

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* For the report of a crash, check writes the place of each assertion that held to a file: millions
 * of system calls in tests with loops. */
#define _mark_point(file, line) ((void)0)

/*
 * The main function of a file of unit tests: CHECK_MAIN("units", decimals, sizes)
 * runs its tests, each in a process of its own. CHECK_MAIN_AND("units", add_loops, decimals)
 * calls add_loops(tcase), too, which adds tests in loops.
 */
#define CHECK_MAIN(suite, ...) CHECK_MAIN_AND(suite, NULL, __VA_ARGS__)
#define CHECK_MAIN_AND(suite, add, ...)                                              \
	int main(void)                                                               \
	{                                                                            \
		const TTest *tests[] = {__VA_ARGS__};                                \
                                                                                     \
		return check_run(suite, add, tests, sizeof(tests) / sizeof(*tests)); \
	}

/*
 * A test that takes more than a minute of processor time is stopped. There is no limit on the time
 * that passes, which depends on what else the machine does. The limit is one of each process: it
 * is not set where all tests run in one, which valgrind needs.
 */
static inline void limit_processor_time(void)
{
	const char *multiplier = getenv("CK_TIMEOUT_MULTIPLIER"), *forks = getenv("CK_FORK");
	rlim_t seconds = (rlim_t)(60 * (multiplier ? atof(multiplier) : 1));
	struct rlimit limit = {seconds, seconds};

	if (!forks || strcmp(forks, "no") != 0)
		setrlimit(RLIMIT_CPU, &limit);
}

static inline int check_run(const char *name, void (*add)(TCase *), const TTest **tests,
			    size_t count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner;
	int failed;

	limit_processor_time();
	tcase_set_timeout(tcase, 0);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	if (add)
		add(tcase);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The template of a temporary file or folder for mkstemp or mkdtemp. */
static inline char *temporary(char *path, size_t size, const char *name)
{
	const char *folder = getenv("TMPDIR");

	snprintf(path, size, "%s/%s.XXXXXX", folder ? folder : "/tmp", name);
	return path;
}

/* The bytes of a text such as "A9 02 'ab'": hexadecimal, and texts in quotes, in which | is the end
 * of a line and ` a quote. */
static inline size_t unhex(const char *hex, uint8_t *out)
{
	size_t n = 0;

	while (*hex) {
		if (*hex == '\'') {
			for (hex++; *hex != '\''; hex++)
				out[n++] = *hex == '|' ? '\n' : *hex == '`' ? '\'' : (uint8_t)*hex;
			hex++;
		} else if (*hex == ' ') {
			hex++;
		} else {
			char digits[3] = {hex[0], hex[1], 0};

			out[n++] = (uint8_t)strtoul(digits, NULL, 16);
			hex += 2;
		}
	}
	return n;
}
