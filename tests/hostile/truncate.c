/*
 * Feeds every fixture to detection and to its reader: cut off at every byte, and with
 * every byte changed in two ways (of large files: as many places as time allows, spread
 * evenly). Whatever comes of it must be a message or a sound profile; see fuzz_reader.c.
 */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/fixtures.h"
#include "fuzz/fuzz.h"
#include "readers/reader.h"

/*
 * Bytes to be read in one pass over a file, and places in it. Sanitizers are ten times slower, so
 * that large files get a tenth of the places with them.
 */
#ifdef PK_CHECK_PROFILES
#define BUDGET 0.3e6
#define MOST_PLACES 400
#define SMALL 400
#else
#define BUDGET 3e6
#define MOST_PLACES 300
#define SMALL 300
#endif

static struct {
	char text[PATH_MAX + 100];
	bool done;
} current;

static unsigned long runs, files;

/* A crash, a hang, or an exit where none should be: says what was being read. */
static void tell(void)
{
	if (current.done || !current.text[0])
		return;
	if (write(STDERR_FILENO, current.text, strlen(current.text)) < 0)
		return;
}

static void on_signal(int number)
{
	tell();
	signal(number, SIG_DFL);
	raise(number);
}

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch(void)
{
	static const int signals[] = {SIGABRT, SIGPROF, SIGBUS, SIGFPE};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], on_signal);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(tell);
	else
		signal(SIGSEGV, on_signal);
	atexit(tell);
}

static void try(const uint8_t *data, size_t len)
{
	/* Seconds of processor time. */
	static const struct itimerval limit = {.it_value = {.tv_sec = 20}}, none;

	setitimer(ITIMER_PROF, &limit, NULL);
	LLVMFuzzerTestOneInput(data, len);
	setitimer(ITIMER_PROF, &none, NULL);
	runs++;
}

static size_t count_places(size_t len)
{
	size_t places = len <= SMALL ? len : MOST_PLACES;

	if ((double)places * (double)len > BUDGET)
		places = (size_t)(BUDGET / (double)len);
	return places < 20 ? (len < 20 ? len : 20) : places;
}

static void break_file(const struct fixture *f, const uint8_t *data, size_t len, size_t places)
{
	for (size_t i = 0; i < places; i++) {
		size_t at = (size_t)((double)len * (double)i / (double)places);
		uint8_t *part = malloc(len); /* of just this size, for the sanitizer */

		snprintf(current.text, sizeof(current.text), "%s as %s, broken at byte %zu\n",
			 f->path, fuzz_format ? fuzz_format : "whatever it is", at);
		memcpy(part, data, len);
		part[at] ^= 0xFF;
		try(part, len);
		part[at] ^= 0xFE;
		try(part, len);
		part = realloc(part, at ? at : 1);
		if (at)
			memcpy(part, data, at);
		try(part, at);
		free(part);
	}
	snprintf(current.text, sizeof(current.text), "%s, whole\n", f->path);
	try(data, len);
}

static void see(const struct fixture *f, void *unused)
{
	FILE *file = fopen(f->path, "rb");
	struct stat st;
	uint8_t *data;
	size_t len;
	bool known;

	(void)unused;
	if (!file || fstat(fileno(file), &st)) {
		perror(f->path);
		exit(99);
	}
	data = malloc(st.st_size ? (size_t)st.st_size : 1);
	len = fread(data, 1, (size_t)st.st_size, file);
	fclose(file);
	/* What is detected is mostly read by the reader of the format, which gets all places. */
	fuzz_format = NULL;
	known = pk_reader_find(f->format) != NULL;
	break_file(f, data, len, count_places(len) / (known ? 4 : 1));
	if (known) {
		fuzz_format = f->format;
		break_file(f, data, len, count_places(len));
	}
	free(data);
	files++;
}

int main(void)
{
	watch();
	walk_fixtures(see, NULL);
	current.done = true;
	printf("%lu files, %lu runs\n", files, runs);
	return files ? EXIT_SUCCESS : EXIT_FAILURE;
}
