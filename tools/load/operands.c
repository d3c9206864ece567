/* Operands that stand for many files: see operands.h. */
#include "tools/load/operands.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/os/sandbox.h"
#include "base/text/str.h"
#include "tools/load/resume.h"

enum { MOST_DEPTH = 32 }; /* of folders in folders */

/* The output, a file or a folder of tables, and what --resume saves: a run that is repeated must
 * not read what it wrote. */
struct left_out {
	struct stat file[2];
	int count;
};

static bool is_left_out(const struct left_out *out, const char *path)
{
	struct stat st;

	for (int i = 0; i < out->count; i++)
		if (!stat(path, &st) && st.st_dev == out->file[i].st_dev &&
		    st.st_ino == out->file[i].st_ino)
			return true;
	return false;
}

static void add(struct pk_files *f, char *path, bool found)
{
	struct stat st;
	bool plain = !stat(path, &st) && S_ISREG(st.st_mode);

	PK_GROW(f->item, f->count + 1, f->alloc);
	f->item[f->count++] = (struct pk_file){path, plain ? (uint64_t)st.st_size : 0, found};
}

/* A recording of Instruments is a folder that people take for a file. As a file it is refused with
 * advice. */
static bool is_bundle(const char *path)
{
	PK_BUF_AUTO file = PK_BUF_INIT;

	if (!pk_ends_with(path, ".trace") && !pk_ends_with(path, ".trace/"))
		return false;
	pk_buf_addf(&file, "%s/form.template", path);
	return access(file.data, F_OK) == 0;
}

static int add_folder(struct pk_files *f, const char *path, const struct left_out *out, int depth,
		      struct pk_error *err);

static int add_entry(struct pk_files *f, char *path, const struct left_out *out, int depth,
		     struct pk_error *err)
{
	struct stat st, target;
	int status = 0;

	/* A link to a folder may lead back to where it is, one to a file out of the folder. */
	if (is_left_out(out, path) || lstat(path, &st))
		status = 0;
	else if (S_ISDIR(st.st_mode) && !is_bundle(path))
		status = add_folder(f, path, out, depth + 1, err);
	else if (!stat(path, &target) && (S_ISREG(target.st_mode) || S_ISDIR(st.st_mode))) {
		if (S_ISLNK(st.st_mode))
			pk_sandbox_read(path, strlen(path));
		add(f, path, true);
		return 0;
	}
	free(path);
	return status;
}

static int add_folder(struct pk_files *f, const char *path, const struct left_out *out, int depth,
		      struct pk_error *err)
{
	DIR *folder = depth > MOST_DEPTH ? NULL : opendir(path);
	struct dirent *entry;
	int status = 0;

	if (depth > MOST_DEPTH)
		return pk_fail(err, PK_ELIMIT, "reading '%s': folders are nested too deeply", path);
	if (!folder)
		return pk_fail(err, PK_EIO, "reading '%s': %s", path, strerror(errno));
	while (!status && (entry = readdir(folder))) {
		PK_BUF_AUTO file = PK_BUF_INIT;

		if (*entry->d_name == '.')
			continue;
		pk_buf_addf(&file, "%s%s%s", path, pk_ends_with(path, "/") ? "" : "/",
			    entry->d_name);
		status = add_entry(f, pk_buf_detach(&file), out, depth, err);
	}
	closedir(folder);
	return status;
}

/* Reads a line without its end. 1: there is one; 0: there is none; -1: it cannot be a path. */
static int read_line(FILE *list, struct pk_buf *line)
{
	int c = getc(list);
	bool good = true, any = c != EOF;

	for (line->len = 0; c != EOF && c != '\n' && good; c = getc(list)) {
		pk_buf_addc(line, (char)c);
		good = c && line->len < PATH_MAX;
	}
	while (line->len && line->data[line->len - 1] == '\r')
		line->data[--line->len] = '\0';
	return good ? any : -1;
}

static int add_lines(struct pk_files *f, const char *path, FILE *list, struct pk_error *err)
{
	PK_BUF_AUTO line = PK_BUF_INIT;
	size_t before = f->count, number = 0;
	int got;

	errno = 0;
	while ((got = read_line(list, &line)) > 0) {
		number++;
		if (!line.len)
			continue;
		pk_sandbox_read(line.data, line.len);
		add(f, pk_strdup(line.data), false);
		errno = 0;
	}
	if (got < 0)
		return pk_fail(err, PK_EFORMAT,
			       "reading the list '%s': line %zu is not a path: it has a NUL or is "
			       "longer than %d bytes",
			       path, number + 1, PATH_MAX - 1);
	if (ferror(list))
		return pk_fail(err, PK_EIO, "reading the list '%s': %s", path,
			       strerror(errno ? errno : EIO));
	if (f->count == before)
		return pk_fail(err, PK_EUSAGE, "the list '%s' names no files", path);
	return 0;
}

static int add_list(struct pk_files *f, const char *path, struct pk_error *err)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *list = is_stdin ? stdin : fopen(path, "r");
	int status;

	if (!list)
		return pk_fail(err, PK_EIO, "reading the list '%s': %s", path, strerror(errno));
	status = add_lines(f, path, list, err);
	if (!is_stdin)
		fclose(list);
	return status;
}

static int add_pattern(struct pk_files *f, const char *pattern, const struct left_out *out,
		       struct pk_error *err)
{
	glob_t found;
	size_t before = f->count;
	int failed = glob(pattern, GLOB_NOSORT, NULL, &found);

	for (size_t i = 0; !failed && i < found.gl_pathc; i++) {
		if (is_left_out(out, found.gl_pathv[i]))
			continue;
		pk_sandbox_read(found.gl_pathv[i], strlen(found.gl_pathv[i]));
		add(f, pk_strdup(found.gl_pathv[i]), false);
	}
	if (!failed)
		globfree(&found);
	return f->count > before ? 0 : pk_fail(err, PK_EUSAGE, "no file matches '%s'", pattern);
}

enum kind { ONE_FILE, FOLDER, LIST, PATTERN };

static enum kind kind_of(const char *operand)
{
	struct stat st;

	if (!stat(operand, &st))
		return S_ISDIR(st.st_mode) && !is_bundle(operand) ? FOLDER : ONE_FILE;
	if (*operand == '@' && operand[1])
		return LIST;
	return strpbrk(operand, "*?[") ? PATTERN : ONE_FILE;
}

static int add_operand(struct pk_files *f, const char *operand, const struct left_out *out,
		       struct pk_error *err)
{
	size_t before = f->count;

	switch (kind_of(operand)) {
	case LIST:
		return add_list(f, operand + 1, err);
	case PATTERN:
		return add_pattern(f, operand, out, err);
	case ONE_FILE:
		add(f, pk_strdup(operand), false);
		return 0;
	case FOLDER:
		break;
	}
	pk_sandbox_read_folder(operand);
	if (add_folder(f, operand, out, 0, err))
		return -1;
	return f->count > before ? 0 : pk_fail(err, PK_EUSAGE, "'%s' has no files", operand);
}

PK_COMPARE(by_size, struct pk_file, PK_ORDER(b->size, a->size) ?: strcmp(a->path, b->path))

int pk_operands_expand(struct pk_files **files, int argc, char **argv, const char *output,
		       struct pk_error *err)
{
	struct pk_files *f;
	struct left_out out = {0};
	bool many = false;
	int i;

	*files = NULL;
	for (i = 0; i < argc; i++)
		many |= kind_of(argv[i]) != ONE_FILE;
	if (!many)
		return 0;
	if (output) {
		PK_FREED char *saved = pk_resume_path(output);

		out.count += !stat(output, &out.file[out.count]);
		out.count += !stat(saved, &out.file[out.count]);
	}
	f = pk_calloc(1, sizeof(*f));
	for (i = 0; i < argc; i++) {
		if (add_operand(f, argv[i], &out, err)) {
			pk_files_free(f);
			return -1;
		}
	}
	qsort(f->item, f->count, sizeof(*f->item), by_size);
	f->path = pk_calloc(f->count + 1, sizeof(*f->path));
	for (size_t k = 0; k < f->count; k++)
		f->path[k] = f->item[k].path;
	*files = f;
	return 0;
}

void pk_files_free(struct pk_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++)
		free(files->item[i].path);
	free(files->item);
	free(files->path);
	free(files);
}
