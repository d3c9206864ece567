/*
 * replay [-f FORMAT] PATH...: runs files, and all files in folders, through the fuzz
 * target: for compilers without a fuzzer, and to see what a fuzzer found.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

static unsigned long count;

/* Bytes as they are in the file: what is compressed is for the target to undo. */
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
	/* No more than the file has, so that a sanitizer sees every byte beyond. */
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
	data = load(path, &len);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, len);
	free(data);
	count++;
}

int main(int argc, char **argv)
{
	int i = 1;

	if (argc > 2 && strcmp(argv[1], "-f") == 0) {
		fuzz_format = argv[2];
		i = 3;
	}
	if (i == argc) {
		fputs("usage: replay [-f FORMAT] PATH...\n", stderr);
		return 2;
	}
	for (; i < argc; i++)
		replay(argv[i]);
	fprintf(stderr, "%lu files\n", count);
	return 0;
}
