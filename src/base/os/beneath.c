/* See beneath.h. Paths are walked by their components, so that a change of the folder meanwhile
 * cannot lead out of it. */
#include "base/os/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static struct {
	int root; /* -1: not confined */
	const char *path;
} confined = {.root = -1};

void pk_open_confine(int root, const char *root_path)
{
	confined.root = root;
	confined.path = root_path;
}

bool pk_open_is_confined(void)
{
	return confined.root >= 0;
}

/* The part of an absolute path below the root; NULL if the path is elsewhere. */
static const char *below(const char *root_path, const char *path)
{
	size_t len = strlen(root_path);

	if (*path != '/')
		return path;
	while (len && root_path[len - 1] == '/')
		len--;
	if (strncmp(path, root_path, len) != 0 || (path[len] && path[len] != '/'))
		return NULL;
	return path + len + strspn(path + len, "/");
}

/* Opens the next component and closes the folder before it. */
static int step(int at, int root, const char *name, size_t len, int flags)
{
	char part[NAME_MAX + 1];
	int next = -1, error;

	if (len > NAME_MAX) {
		errno = ENAMETOOLONG;
	} else if (len == 2 && memcmp(name, "..", 2) == 0) {
		errno = EXDEV;
	} else {
		memcpy(part, name, len);
		part[len] = '\0';
		next = openat(at, part, flags | O_NOFOLLOW | O_CLOEXEC);
	}
	error = errno;
	if (at != root)
		close(at);
	errno = error;
	return next;
}

int pk_open_below(int root, const char *root_path, const char *path, int flags)
{
	const char *rest = below(root_path, path);
	int at = root;

	if (!rest) {
		errno = EXDEV;
		return -1;
	}
	while (*rest) {
		size_t len = strcspn(rest, "/"), more = strspn(rest + len, "/");
		bool last = !rest[len + more], here = len == 1 && *rest == '.';

		if (!here || last)
			at = step(at, root, rest, len, last ? flags : O_PATH | O_DIRECTORY);
		if (at < 0 || last)
			return at;
		rest += len + more;
	}
	return openat(root, ".", flags | O_CLOEXEC); /* the root itself */
}

int pk_open_read(const char *path, int flags)
{
	if (confined.root < 0)
		return open(path, flags);
	return pk_open_below(confined.root, confined.path, path, flags);
}
