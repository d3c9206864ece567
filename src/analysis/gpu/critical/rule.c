/* Rules of --what-if: "communication=0", "aten::mm/2", "launch*0.5". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/simulate.h"
#include "base/alloc.h"
#include "base/opt.h"
#include "base/text/str.h"

/* Names of classes besides those of pk_critical_classes. */
static const struct alias {
	const char *name;
	enum pk_critical_class first, last;
} aliases[] = {
	{"launch", PK_CRITICAL_LAUNCH, PK_CRITICAL_LAUNCH},
	{"dataloader", PK_CRITICAL_DATA, PK_CRITICAL_DATA},
	{"host", PK_CRITICAL_OPERATORS, PK_CRITICAL_HOST},
	{"copies", PK_CRITICAL_COPY, PK_CRITICAL_COPY},
	{"gaps", PK_CRITICAL_GAP, PK_CRITICAL_GAP},
	{"sync", PK_CRITICAL_SYNC, PK_CRITICAL_SYNC},
};

/* Ignores case and characters that are not always written: "all-reduce" is in "AllReduce". */
static char *plain(const char *text, size_t len)
{
	char *copy = pk_strndup(text, len), *to = copy;

	for (const char *from = copy; *from; from++)
		if (*from != '-' && *from != '_')
			*to++ = (char)(*from >= 'A' && *from <= 'Z' ? *from + 32 : *from);
	*to = '\0';
	return copy;
}

/* The factor behind the name, whose length this finds; -1 if there is none. */
static double parse_factor(const char *text, size_t *len)
{
	for (size_t i = strlen(text); i-- > 1;) {
		char *end;
		double number;

		if (text[i] != '=' && text[i] != '/' && text[i] != '*')
			continue;
		number = strtod(text + i + 1, &end);
		if (end == text + i + 1 || *end || !isfinite(number) || number < 0 ||
		    (text[i] == '=' && number > 0) || (text[i] == '/' && number <= 0))
			return -1;
		*len = i;
		return text[i] == '/' ? 1 / number : number;
	}
	return -1;
}

static void find_class(struct pk_critical_rule *rule, const char *name)
{
	for (int i = 0; i < PK_CRITICAL_CLASSES; i++) {
		PK_FREED char *known =
			plain(pk_critical_classes[i], strlen(pk_critical_classes[i]));

		rule->is_class[i] = !strcmp(name, known);
		rule->classes |= rule->is_class[i];
	}
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
		if (strcmp(name, aliases[i].name) != 0)
			continue;
		rule->classes = true;
		for (int k = (int)aliases[i].first; k <= (int)aliases[i].last; k++)
			rule->is_class[k] = true;
	}
	rule->calls = rule->is_class[PK_CRITICAL_LAUNCH];
}

/* Functions with just this name, or else those whose name contains it. Returns whether it is the
 * latter. */
static bool find_functions(bool *fits, const struct pk_profile *p, const char *text, size_t len)
{
	PK_FREED char *name = plain(text, len);
	bool any = false;

	for (uint32_t i = 1; i < p->function.count; i++) {
		uint32_t known = p->function.name[i];

		fits[i] = p->string.len[known] == len && !memcmp(pk_text(p, known), text, len);
		any |= fits[i];
	}
	for (uint32_t i = 1; !any && i < p->function.count; i++) {
		uint32_t other = p->function.name[i];
		PK_FREED char *known = plain(pk_text(p, other), p->string.len[other]);

		fits[i] = strstr(known, name);
	}
	return !any;
}

static void add_name(struct pk_critical_names *names, uint32_t name)
{
	const uint32_t most = sizeof(names->first) / sizeof(*names->first);

	if (names->count < most)
		names->first[names->count] = name;
	names->count++;
}

/* Spans of a name; a span of the host comes after the span around it. Returns whether there are
 * any. */
static bool find_spans(struct pk_critical_rule *rule, const struct pk_critical_graph *g,
		       const char *text, size_t len)
{
	const struct pk_profile *p = g->in.profile;
	PK_FREED bool *fits = pk_calloc(p->function.count, sizeof(*fits));
	PK_FREED bool *seen = pk_calloc(p->function.count, sizeof(*seen));
	bool any = false, contained = find_functions(fits, p, text, len);

	rule->spans = pk_calloc(p->span.count, sizeof(*rule->spans));
	for (uint32_t i = 1; i < p->span.count; i++) {
		uint32_t function = pk_node_function(p, p->span.node[i]);

		if (g->class_of[i] == PK_CRITICAL_HIDDEN)
			continue;
		rule->spans[i] = fits[function] || rule->spans[g->parent[i]];
		if (contained && fits[function] && !seen[function])
			add_name(&rule->names, p->function.name[function]);
		seen[function] = true;
		any |= rule->spans[i];
	}
	for (uint32_t i = 0; i < g->works; i++)
		rule->spans[g->work[i]] |= rule->spans[g->in.launches.call[g->work[i]]];
	return any;
}

/* The class or the name in the trace that was probably meant; NULL = none is near. */
static const char *find_meant(const struct pk_critical_graph *g, const char *name)
{
	const struct pk_profile *p = g->in.profile;
	const size_t known = sizeof(aliases) / sizeof(*aliases);
	PK_FREED const char **word = pk_calloc(
		known + PK_CRITICAL_CLASSES + (size_t)p->function.count + 1, sizeof(*word));
	size_t count = 0;

	for (size_t i = 0; i < known; i++)
		word[count++] = aliases[i].name;
	for (int i = 0; i < PK_CRITICAL_CLASSES; i++)
		word[count++] = pk_critical_classes[i];
	for (uint32_t i = 1; i < p->function.count; i++)
		word[count++] = pk_text(p, p->function.name[i]);
	return pk_closest_word(name, word);
}

int pk_critical_rule_init(struct pk_critical_rule *rule, const struct pk_critical_graph *g,
			  const char *text, bool is_name, struct pk_error *err)
{
	PK_FREED char *name = NULL;
	size_t len = 0;

	if (!is_name && pk_starts_with(text, "rank:"))
		return pk_fail(err, PK_EUSAGE,
			       "--what-if: '%s': one trace tells nothing of other ranks", text);
	*rule = (struct pk_critical_rule){.factor = parse_factor(text, &len)};
	if (rule->factor < 0)
		return pk_fail(err, PK_EUSAGE,
			       "--what-if: '%s' is not a change such as launch=0, aten::mm/2 or "
			       "copies*1.5",
			       text);
	name = plain(text, len);
	if (!is_name)
		find_class(rule, name);
	if (!rule->classes && !find_spans(rule, g, text, len)) {
		PK_FREED char *typed = pk_strndup(text, len);
		const char *meant = find_meant(g, typed);

		pk_critical_rule_release(rule);
		return pk_fail(err, PK_EUSAGE,
			       "--what-if: '%s': nothing in the trace has that name%s%s%s", text,
			       meant ? "; did you mean '" : "", meant ? meant : "",
			       meant ? "'?" : "");
	}
	return 0;
}

void pk_critical_rule_release(struct pk_critical_rule *rule)
{
	free(rule->spans);
	rule->spans = NULL;
}

bool pk_critical_rule_fits(const struct pk_critical_rule *rule, const struct pk_critical_part *part,
			   const bool *launches)
{
	if (rule->classes)
		return rule->is_class[part->class_of] ||
		       (rule->calls && part->class_of == PK_CRITICAL_CALLS && launches[part->span]);
	return part->class_of <= PK_CRITICAL_COPY && rule->spans[part->span];
}
