/*
 * The version of torch that wrote a trace: it is not in the file, but its content tells a range of
 * versions. -O torch=VERSION and what profkit wrote before come first.
 *
 *	"baseTimeNanoseconds": since 2.4;  "trace_id": since 2.5;  "host_name": since 2.12
 */
#include <stdio.h>
#include <string.h>

#include "base/json/members.h"
#include "readers/chrome/dialects/torch.h"

static const char *meta_of(struct pk_chrome *c, const char *key)
{
	return pk_meta_find(pk_builder_profile(c->b), key);
}

/* Reads otherData, where profkit writes what traces of torch said. */
static void read_other_data(struct pk_chrome *c)
{
	static const char *const kept[] = {"torch_version", "with_flops", "profile_memory",
					   "record_shapes", "with_stack"};
	const char *other = meta_of(c, "otherData");

	for (size_t i = 0; other && i < sizeof(kept) / sizeof(kept[0]); i++) {
		struct pk_json_slice object = {other, strlen(other)};
		struct pk_json_slice value = pk_json_slice_member(object, kept[i]);

		if (!value.len || meta_of(c, kept[i]))
			continue;
		value = pk_json_slice_unquoted(value);
		c->text.len = 0;
		pk_buf_adds(&c->text, "");
		pk_buf_add(&c->text, value.text, value.len);
		pk_build_derived(c->b, kept[i], c->text.data);
		other = meta_of(c, "otherData"); /* texts may have moved */
	}
}

/* "2.9", and what may follow: "2.9.1+cu128" */
static bool is_version(const char *text)
{
	size_t major = strspn(text, "0123456789"), minor;

	if (!major || major > 2 || text[major] != '.')
		return false;
	text += major + 1;
	minor = strspn(text, "0123456789");
	return minor && minor <= 2 && (!text[minor] || text[minor] == '.' || text[minor] == '+');
}

static bool is_legacy(struct pk_chrome *c)
{
	for (uint32_t i = 1; i < c->process_count; i++)
		if (!strcmp(pk_text(pk_builder_profile(c->b), c->processes[i].pid.text),
			    TORCH_LEGACY))
			return true;
	return false;
}

static int tell_version(struct pk_chrome *c, bool is_old)
{
	char producer[64];

	if (c->params && c->params->torch) {
		if (!is_version(c->params->torch))
			return pk_fail(c->err, PK_EUSAGE, "-O torch: '%s' is no version (2.9 is)",
				       c->params->torch);
		snprintf(producer, sizeof(producer), "torch %.20s", c->params->torch);
		pk_build_derived(c->b, "torch_version", c->params->torch);
		pk_build_run_text(c->b, PK_RUN_PRODUCER, producer);
		return 0;
	}
	bool has_base = c->absolute != PK_NULL;
	const struct {
		bool holds;
		const char *version, *producer;
	} known[] = {
		{is_legacy(c), "2.15", "torch.autograd.profiler"},
		{is_old, "1.9", "torch 1.8 or 1.9"},
		{has_base && meta_of(c, "host_name"), "2.15", "torch 2.12 or later"},
		{has_base && meta_of(c, "trace_id"), "2.9", "torch 2.5 to 2.11"},
		{has_base, "2.4", "torch 2.4"},
		{c->has_fractions, "2.3", "torch 2.3"},
		{true, "2.2", "torch 1.10 to 2.2"},
	};

	read_other_data(c);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && !meta_of(c, "torch_version");
	     i++) {
		if (!known[i].holds)
			continue;
		pk_build_derived(c->b, "torch_version", known[i].version);
		pk_build_run_text(c->b, PK_RUN_PRODUCER, known[i].producer);
	}
	return 0;
}

/* The facts that decide how operators are counted. */
static void set_rules(struct pk_chrome *c)
{
	const char *version = meta_of(c, "torch_version");
	unsigned major, minor;

	if (version && sscanf(version, "%3u.%3u", &major, &minor) == 2 && minor <= 99)
		pk_build_set(c->b, run, torch, 1, major * 100 + minor);
	pk_build_set(c->b, run, with_flops, 1, meta_of(c, "with_flops") != NULL);
	pk_build_set(c->b, run, profile_memory, 1, meta_of(c, "profile_memory") != NULL);
}

int torch_tell_version(struct pk_chrome *c, bool is_old)
{
	if (tell_version(c, is_old))
		return -1;
	set_rules(c);
	return 0;
}
