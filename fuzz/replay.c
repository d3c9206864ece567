/*
 * replay [-t SECONDS] [-f FORMAT] PATH...: runs files, and all files in folders, through the fuzz
 * target: for compilers without a fuzzer, and to see what a fuzzer found. With -t it does so for as
 * long as that, from the second time on with a few bytes of each file changed, always the same
 * ones.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

static unsigned long count, rounds;
static uint64_t state = 1;
static time_t end;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Sets a few bytes; now and then cuts the end off. */
static size_t change(uint8_t *data, size_t len)
{
	static const uint8_t odd[] = {0, 0xFF, 0x80, 0x7F, '"', '<', '-', '9', ';', '\n'};
	int times = 1 + (int)(next_random() % 8);

	while (len && times--) {
		uint64_t n = next_random();

		data[n % len] = n >> 63 ? odd[(n >> 40) % sizeof(odd)] : (uint8_t)(n >> 40);
	}
	return next_random() % 4 || !len ? len : next_random() % len;
}

/* The bytes as they are in the file: the target undoes compression. */
static uint8_t *load(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0) {
		perror(path);
		exit(2);
	}
	rewind(f);
	/* Exactly as large as the file, so that a sanitizer sees every access beyond its end. */
	data = malloc(size ? (size_t)size : 1);
	*len = data ? fread(data, 1, (size_t)size, f) : 0;
	fclose(f);
	return data;
}

static void replay(const char *path)
{
	DIR *dir = opendir(path);
	char inside[PATH_MAX];
	uint8_t *data;
	size_t len;

	if (dir) {
		for (struct dirent *e; (e = readdir(dir));) {
			if (e->d_name[0] == '.')
				continue;
			snprintf(inside, sizeof(inside), "%s/%s", path, e->d_name);
			replay(inside);
		}
		closedir(dir);
		return;
	}
	if (end && rounds && time(NULL) >= end)
		return;
	data = load(path, &len);
	if (rounds)
		len = change(data, len);
	else
		fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, len);
	free(data);
	count++;
}

int main(int argc, char **argv)
{
	int opt, i;

	while ((opt = getopt(argc, argv, "f:t:")) != -1) {
		if (opt == 'f')
			fuzz_format = optarg;
		else if (opt == 't')
			end = time(NULL) + atoi(optarg);
		else
			return 2;
	}
	if (optind == argc) {
		fputs("usage: replay [-t SECONDS] [-f FORMAT] PATH...\n", stderr);
		return 2;
	}
	do {
		for (i = optind; i < argc; i++)
			replay(argv[i]);
		rounds++;
	} while (count && time(NULL) < end);
	fprintf(stderr, "stat::number_of_executed_units: %lu\n", count);
	return 0;
}
