#pragma once

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Walks the fixtures: the files in testdata/FORMAT/ but SOURCE, expected results (.dump)
 * and scripts. testdata/FORMAT/bad/ holds files that are refused, or read with repairs
 * only as FORMAT: nothing detects them. Folders that are not named after a format hold
 * files of any. The tests' environment says where testdata is.
 */
struct fixture {
	const char *format; /* the name of the folder */
	const char *name;   /* of the file */
	const char *path;
	bool bad;
};

typedef void (*see_fixture)(const struct fixture *fixture, void *data);

static inline int is_fixture(const struct dirent *entry)
{
	static const char *const others[] = {".dump", ".py", ".sh", ".c", ".md", ".go"};
	size_t len = strlen(entry->d_name);

	if (entry->d_name[0] == '.' || strcmp(entry->d_name, "SOURCE") == 0)
		return 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		size_t n = strlen(others[i]);

		if (len > n && strcmp(entry->d_name + len - n, others[i]) == 0)
			return 0;
	}
	return 1;
}

static inline char *join_path(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		exit(99);
	return path;
}

static inline void walk_folder(const char *folder, const char *format, bool bad, see_fixture see,
			       void *data)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_fixture, alphasort);
	struct stat st;

	for (int i = 0; i < count; i++) {
		char *path = join_path(folder, entries[i]->d_name);
		struct fixture f = {format, entries[i]->d_name, path, bad};

		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			see(&f, data);
		else if (strcmp(f.name, "bad") == 0)
			walk_folder(path, format, true, see, data);
		free(path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static inline void walk_fixtures(see_fixture see, void *data)
{
	const char *root = getenv("TESTDATA");
	struct dirent **entries;
	int count;

	if (!root) {
		fputs("TESTDATA is not set: run this by 'make check'\n", stderr);
		exit(99);
	}
	count = scandir(root, &entries, is_fixture, alphasort);
	for (int i = 0; i < count; i++) {
		char *folder = join_path(root, entries[i]->d_name);

		walk_folder(folder, entries[i]->d_name, false, see, data);
		free(folder);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}
