/* Sums that are saved while files are added: see resume.h. */
#include "config.h"

#include "tools/load/resume.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/describe.h"
#include "base/alloc.h"
#include "base/io/target.h"
#include "base/num/date.h"
#include "base/num/hash.h"
#include "model/build/builder.h"
#include "tools/option.h"
#include "writers/writer.h"

/* Meta data of the second run of what is saved: the command, and each file with its stamp as the
 * key. */
#define COMMAND "resume"
#define ANEW "; remove '%s' to begin anew"
#define FOREIGN "'%s' is not what --resume saves: move it, or name another output"

enum { FEWEST_SECONDS = 1, SHARE = 20 };

struct pk_resume {
	char *path, *command;
	char **file; /* the operands */
	int files, count;
	struct stamp {
		char text[48]; /* size and time of the last change */
		bool saved, taken;
	} * stamp;
	double next; /* when it saves again, in seconds */
	bool fresh;  /* something was taken since it was saved */
};

char *pk_resume_path(const char *output)
{
	struct pk_buf path = PK_BUF_INIT;

	pk_buf_addf(&path, "%s.resume", output);
	return pk_buf_detach(&path);
}

/* The options that the sum depends on, besides the files. */
static char *command_of(const struct pk_common *c)
{
	struct pk_buf words = PK_BUF_INIT;

	pk_buf_addf(&words, "profkit %s %s", PACKAGE_VERSION, c->command->name);
	pk_option_words(&words, c);
	if (c->read.strict)
		pk_buf_adds(&words, " --strict");
	return pk_buf_detach(&words);
}

/* Data from a pipe would be added twice if the command is started again. */
static int set_stamp(struct stamp *stamp, const char *path, struct pk_error *err)
{
	struct stat st;

	if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode)))
		return pk_fail(err, PK_EUSAGE,
			       "--resume reads files, and '%s' is not a file: the next start would "
			       "add it again; save it as a file first",
			       path);
	if (!stat(path, &st)) /* else reading it fails, with the reason */
		snprintf(stamp->text, sizeof(stamp->text), "%" PRIu64 " %" PRId64 ".%09ld",
			 (uint64_t)st.st_size, (int64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	return 0;
}

static uint32_t find_file(const struct pk_resume *r, const struct pk_index *x, const char *path,
			  uint32_t *tag)
{
	uint32_t i;

	*tag = pk_index_tag(pk_hash_bytes(path, strlen(path)));
	for (i = *tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (strcmp(r->file[x->slot[i].id - 1], path) == 0)
			break;
	return i;
}

/* Marks the files that are in what was saved. */
static int mark_saved(struct pk_resume *r, const struct pk_profile *list,
		      const struct pk_index *files, struct pk_error *err)
{
	for (uint32_t i = 1; i < list->meta.count; i++) {
		const char *key = pk_text(list, list->meta.key[i]);
		const char *value = pk_text(list, list->meta.value[i]);
		uint32_t tag, at;

		if (strcmp(key, COMMAND) == 0) {
			if (strcmp(value, r->command) != 0)
				return pk_fail(err, PK_EUSAGE,
					       "'%s' was made by another command, '%s'" ANEW,
					       r->path, value, r->path);
			continue;
		}
		at = files->slot[find_file(r, files, value, &tag)].id;
		if (!at || strcmp(r->stamp[at - 1].text, key) != 0)
			return pk_fail(
				err, PK_EUSAGE, "'%s', which is in '%s', %s" ANEW, value, r->path,
				at ? "has changed since" : "is not among the files now", r->path);
		r->count += !r->stamp[at - 1].saved;
		r->stamp[at - 1].saved = r->stamp[at - 1].taken = true;
	}
	return 0;
}

static bool is_saved_sum(const struct pk_profiles *runs)
{
	return runs->count == 2 && pk_is_part(runs->item[0]) && runs->item[1]->meta.count > 1 &&
	       !strcmp(pk_text(runs->item[1], runs->item[1]->meta.key[1]), COMMAND);
}

static int read_saved(struct pk_resume *r, struct pk_merging *merged, struct pk_error *err)
{
	struct pk_profiles runs = {0};
	struct pk_index files = {0};
	uint32_t tag, at;
	int status;

	if (access(r->path, F_OK))
		return 0;
	if (pk_read_file(r->path, NULL, &runs, err))
		return pk_fail_context(err, FOREIGN, r->path);
	for (int i = 0; i < r->files; i++) {
		pk_index_reserve(&files);
		at = find_file(r, &files, r->file[i], &tag);
		if (!files.slot[at].id)
			pk_index_put(&files, at, tag, (uint32_t)i + 1);
	}
	if (!is_saved_sum(&runs))
		status = pk_fail(err, PK_EUSAGE, FOREIGN, r->path);
	else
		status = mark_saved(r, runs.item[1], &files, err);
	if (!status)
		status = pk_merge_add(merged, runs.item[0], 0, err);
	pk_index_release(&files);
	pk_profiles_release(&runs);
	return status;
}

int pk_resume_begin(struct pk_resume **resume, const struct pk_common *c, int argc, char **argv,
		    struct pk_merging *merged, struct pk_error *err)
{
	struct pk_resume *r;
	int status = 0;

	*resume = NULL;
	if (!c->resume)
		return 0;
	if (!c->output || !strcmp(c->output, "-") || pk_ends_with(c->output, "/"))
		return pk_fail(err, PK_EUSAGE, "--resume needs a file as output");
	r = *resume = pk_calloc(1, sizeof(*r));
	*r = (struct pk_resume){.file = argv, .files = argc};
	r->path = pk_resume_path(c->output);
	r->command = command_of(c);
	r->stamp = pk_calloc((size_t)argc, sizeof(*r->stamp));
	for (int i = 0; i < argc && !status; i++)
		status = set_stamp(&r->stamp[i], argv[i], err);
	r->next = pk_clock() + FEWEST_SECONDS;
	if (status || read_saved(r, merged, err)) {
		pk_resume_free(r);
		*resume = NULL;
		return -1;
	}
	if (r->count)
		pk_note(c, "continues from '%s', which has %d of %d files", r->path, r->count,
			argc);
	return 0;
}

void pk_resume_free(struct pk_resume *resume)
{
	if (!resume)
		return;
	free(resume->path);
	free(resume->command);
	free(resume->stamp);
	free(resume);
}

bool pk_resume_has(const struct pk_resume *resume, int file)
{
	return resume && resume->stamp[file].saved;
}

void pk_resume_took(struct pk_resume *resume, int file)
{
	resume->fresh |= !resume->stamp[file].taken;
	resume->stamp[file].taken = true;
}

bool pk_resume_is_due(const struct pk_resume *resume)
{
	return resume->fresh && pk_clock() >= resume->next;
}

/* A profile with only the names of the files that are in the sum. */
static struct pk_profile *list_files(const struct pk_resume *r)
{
	struct pk_builder *b = pk_builder_new();

	pk_build_meta(b, COMMAND, r->command);
	for (int i = 0; i < r->files; i++)
		if (r->stamp[i].taken && *r->stamp[i].text)
			pk_build_meta(b, r->stamp[i].text, r->file[i]);
	return pk_builder_finish(b);
}

static int write_store(const char *path, const struct pk_profiles *runs, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(path, err);

	if (!out)
		return -1;
	if (!pk_write(pk_writer_find("store"), runs, NULL, out, err))
		return pk_output_commit(out, err);
	pk_output_discard(out);
	return pk_fail_context(err, "writing '%s'", path);
}

int pk_resume_save(struct pk_resume *r, struct pk_merging **merged, struct pk_error *err)
{
	struct pk_profile *item[2];
	struct pk_profiles runs = {item, 2, 2};
	double begun = pk_clock();
	int status;

	if (!r->fresh)
		return 0;
	item[0] = pk_merge_end(*merged);
	item[1] = list_files(r);
	*merged = NULL;
	status = write_store(r->path, &runs, err);
	if (!status) {
		*merged = pk_merge_begin_part();
		pk_merge_describe(*merged, pk_describe_run);
		status = pk_merge_add(*merged, item[0], 0, err);
	}
	pk_profile_free(item[0]);
	pk_profile_free(item[1]);
	r->fresh = false;
	r->next = pk_clock() + FEWEST_SECONDS + SHARE * (pk_clock() - begun);
	return status;
}

void pk_resume_name(const char *output)
{
	PK_FREED char *path = pk_resume_path(output);

	pk_target_name_removable(path);
}

void pk_resume_remove(const struct pk_common *c)
{
	PK_FREED char *path = pk_resume_path(c->output);

	pk_target_unlink(path);
}
