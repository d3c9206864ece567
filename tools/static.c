/*
 * Part of the program only if it is one static file (--enable-static-program). Even then, glibc
 * loads shared libraries for names of users and for dlopen. On another system these have another
 * version, and the program may crash. These functions replace those of glibc and load nothing: no
 * users are known, elfutils works without debuginfod, and SQLite without extensions.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pwd.h>
#include <stddef.h>

void *dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	return NULL;
}

void *dlsym(void *restrict handle, const char *restrict name)
{
	(void)handle, (void)name;
	return NULL;
}

int dlclose(void *handle)
{
	(void)handle;
	return -1;
}

char *dlerror(void)
{
	static char text[] = "this program loads no libraries";

	return text;
}

void setpwent(void)
{
}

void endpwent(void)
{
}

struct passwd *getpwent(void)
{
	return NULL;
}

struct passwd *getpwuid(uid_t user)
{
	(void)user;
	return NULL;
}

int getpwuid_r(uid_t user, struct passwd *restrict entry, char *restrict text, size_t size,
	       struct passwd **restrict result)
{
	(void)user, (void)entry, (void)text, (void)size;
	*result = NULL;
	return ENOENT;
}

int getpwnam_r(const char *restrict name, struct passwd *restrict entry, char *restrict text,
	       size_t size, struct passwd **restrict result)
{
	(void)name, (void)entry, (void)text, (void)size;
	*result = NULL;
	return ENOENT;
}
