/*
 * Rules of check, from the command line and from files.
 *
 *	self(re:^db\.)>10%
 *	calls(json.loads)>0
 *	line(app.py:12).time>10%	# a comment
 */
#include "analysis/check/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lines/lines.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "model/label.h"
#include "model/transform/transform.h"

/* Any other word is the name of a metric. */
static const struct {
	const char *name;
	enum pk_rule_subject subject;
} subjects[] = {
	{"total", PK_RULE_TOTAL}, {"self", PK_RULE_SELF},     {"calls", PK_RULE_CALLS},
	{"new", PK_RULE_NEW},     {"memory", PK_RULE_MEMORY}, {"line", PK_RULE_LINE},
};

/* The state of reading one rule. */
struct scan {
	const char *text, *at;
	const char *where;
	struct pk_error *err;
};

/* Fails with the text of the rule and a mark below the place of the error. */
static int fail_at(const struct scan *s, const char *place, const char *what)
{
	enum { MOST = 200 };
	struct pk_buf text = PK_BUF_INIT, before = PK_BUF_INIT;
	size_t columns = pk_utf8_visible(&before, s->text, (size_t)(place - s->text));

	pk_buf_add_visible(&text, s->text);
	if (text.len > MOST)
		pk_fail(s->err, PK_EUSAGE, "%s: %s, at byte %zu", s->where, what,
			(size_t)(place - s->text) + 1);
	else
		pk_fail(s->err, PK_EUSAGE, "%s: %s\n  %s\n  %*s^", s->where, what,
			text.data ? text.data : "", (int)columns, "");
	pk_buf_release(&text);
	pk_buf_release(&before);
	return -1;
}

static void skip_blanks(struct scan *s)
{
	while (pk_is_blank(*s->at))
		s->at++;
}

static const char *trimmed(struct pk_arena *arena, const char *text)
{
	size_t len;

	while (pk_is_blank(*text))
		text++;
	len = strlen(text);
	while (len && pk_is_blank(text[len - 1]))
		len--;
	return pk_arena_copy(arena, text, len);
}

static int scan_subject(struct scan *s, struct pk_rule *rule, struct pk_arena *arena)
{
	size_t len = strcspn(s->at, "(> \t");

	if (!len)
		return fail_at(s, s->at,
			       "expected total, self, calls, new, memory, line or a metric");
	rule->subject = PK_RULE_METRIC;
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		if (pk_text_is(s->at, len, subjects[i].name))
			rule->subject = subjects[i].subject;
	if (rule->subject == PK_RULE_METRIC)
		rule->metric = pk_arena_copy(arena, s->at, len);
	s->at += len;
	skip_blanks(s);
	return 0;
}

static int make_pattern(struct pk_rule_pattern *pattern, const char *text, struct pk_error *err)
{
	*pattern = (struct pk_rule_pattern){.name = text};
	if (pk_starts_with(text, "group:"))
		pattern->group = text + strlen("group:");
	if (!pk_starts_with(text, "re:"))
		return 0;
	pattern->name = NULL;
	pattern->re = pk_regex_new(text + 3, err);
	return pattern->re ? 0 : -1;
}

/* A pattern may contain any character, also ')' and '>', so it ends before the last '>'. */
static int scan_pattern(struct scan *s, struct pk_rule *rule, struct pk_arena *arena)
{
	const char *open = s->at, *last = strrchr(s->at, '>'), *close = last, *text;
	struct pk_error why = PK_ERROR_INIT;

	if (*open != '(')
		return 0;
	if (!last)
		return fail_at(s, s->text + strlen(s->text), "expected '>' and a limit");
	while (close > open && (close == last || pk_is_blank(*close)))
		close--;
	if (*close != ')')
		return fail_at(s, close == open ? last : close + 1, "expected ')'");
	if (close == open + 1)
		return fail_at(s, close,
			       "expected the name of a function, or re: and a regular "
			       "expression");
	text = trimmed(arena, pk_arena_copy(arena, open + 1, (size_t)(close - open - 1)));
	if (make_pattern(&rule->pattern, text, &why))
		return fail_at(s, open + 1, why.text);
	rule->has_pattern = true;
	s->at = close + 1;
	skip_blanks(s);
	return 0;
}

/* "(FILE:LINE)", and ".METRIC" behind it. */
static int scan_line(struct scan *s, struct pk_rule *rule, struct pk_arena *arena)
{
	static const char expected[] = "expected a source file and a line: line(app.py:12)";
	const char *close = strchr(s->at, ')'), *metric;
	const char *colon = close ? memrchr(s->at, ':', (size_t)(close - s->at)) : NULL;
	uint64_t line = 0;

	if (*s->at != '(' || !colon || colon == s->at + 1 || colon + 1 == close)
		return fail_at(s, s->at, expected);
	for (const char *c = colon + 1; c < close; c++) {
		if (!pk_is_digit(*c) || line > UINT32_MAX)
			return fail_at(s, c, "expected the number of a line");
		line = line * 10 + (uint64_t)(*c - '0');
	}
	if (!line || line > UINT32_MAX)
		return fail_at(s, colon + 1, "no line has this number");
	rule->pattern = (struct pk_rule_pattern){
		.name = pk_arena_copy(arena, s->at + 1, (size_t)(colon - s->at - 1)),
		.line = (uint32_t)line};
	rule->has_pattern = true;
	s->at = close + 1;
	if (*s->at == '.') {
		metric = ++s->at;
		s->at += strcspn(s->at, "> \t");
		if (s->at == metric)
			return fail_at(s, metric, "expected the name of a metric");
		rule->metric = pk_arena_copy(arena, metric, (size_t)(s->at - metric));
	}
	skip_blanks(s);
	return 0;
}

/* Units of limits. A unit stands before those that it begins with. */
static const struct unit {
	const char *name, *base;
	double factor;
} units[] = {
	{"ns", "ns", 1},           {"us", "ns", 1e3},         {"ms", "ns", 1e6},
	{"s", "ns", 1e9},          {"KB", "bytes", 1024},     {"MB", "bytes", 1048576},
	{"GB", "bytes", 1 << 30},  {"B", "bytes", 1},         {"KiB", "bytes", 1024},
	{"MiB", "bytes", 1048576}, {"GiB", "bytes", 1 << 30},
};

static int scan_limit(struct scan *s, struct pk_rule *rule)
{
	enum { DIGITS = 6 };
	const char *number = s->at;
	bool exact, overflow = false;
	int64_t value;
	size_t len = pk_parse_decimal(s->at, strlen(s->at), DIGITS, &value, &exact, &overflow);
	double limit = (double)value * 1e-6;

	if (overflow)
		return fail_at(s, number, "this number is too large");
	if (!len)
		return fail_at(s, number, "expected a number");
	if (value < 0)
		return fail_at(s, number, "a limit cannot be less than 0");
	s->at += len;
	skip_blanks(s);
	if (*s->at == '%') {
		if (!isnan(rule->relative))
			return fail_at(s, number, "a second percentage");
		rule->relative = limit / 100;
		s->at++;
		return 0;
	}
	if (!isnan(rule->absolute))
		return fail_at(s, number, "a second limit that is not a percentage");
	rule->absolute = limit;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (pk_starts_with(s->at, units[i].name)) {
			rule->absolute = limit * units[i].factor;
			rule->unit = units[i].base;
			s->at += strlen(units[i].name);
			break;
		}
	}
	return 0;
}

static int scan_limits(struct scan *s, struct pk_rule *rule)
{
	if (*s->at != '>')
		return fail_at(s, s->at, "expected '>'");
	do {
		s->at++;
		skip_blanks(s);
		if (scan_limit(s, rule))
			return -1;
		skip_blanks(s);
	} while (*s->at == ',');
	if (*s->at)
		return fail_at(s, s->at,
			       "expected nothing more, or %, ns, us, ms, s, B, KB, MB, GB");
	return 0;
}

/* Refuses rules whose parts do not fit together. */
static int check_rule(const struct scan *s, const struct pk_rule *rule)
{
	const char *unit = rule->unit;

	if (*unit && rule->subject == PK_RULE_CALLS)
		return fail_at(s, s->text, "calls are counted: the limit has no unit");
	if (strcmp(unit, "ns") == 0 && rule->subject == PK_RULE_MEMORY)
		return fail_at(s, s->text, "memory is not measured in units of time");
	return 0;
}

int pk_rules_add(struct pk_rules *rules, const char *text, const char *where, struct pk_error *err)
{
	const char *kept = trimmed(&rules->arena, text);
	struct scan s = {kept, kept, where, err};
	struct pk_rule rule = {.text = kept, .relative = NAN, .absolute = NAN, .unit = ""};

	if (scan_subject(&s, &rule, &rules->arena) ||
	    (rule.subject == PK_RULE_LINE ? scan_line : scan_pattern)(&s, &rule, &rules->arena) ||
	    scan_limits(&s, &rule) || check_rule(&s, &rule)) {
		pk_regex_free(rule.pattern.re);
		return -1;
	}
	PK_GROW(rules->rule, rules->count + 1, rules->alloc);
	rules->rule[rules->count++] = rule;
	return 0;
}

void pk_rules_add_machine(struct pk_rules *rules)
{
	PK_GROW(rules->rule, rules->count + 1, rules->alloc);
	rules->rule[rules->count++] = (struct pk_rule){.text = "same machine",
						       .subject = PK_RULE_MACHINE,
						       .relative = NAN,
						       .absolute = NAN,
						       .unit = ""};
}

int pk_rules_ignore(struct pk_rules *rules, const char *pattern, const char *where,
		    struct pk_error *err)
{
	const char *kept = trimmed(&rules->arena, pattern);
	struct pk_rule_pattern made;

	if (!*kept)
		return pk_fail(err, PK_EUSAGE, "%s: no function is named", where);
	if (make_pattern(&made, kept, err)) {
		pk_regex_free(made.re);
		return pk_fail_context(err, "%s", where);
	}
	PK_GROW(rules->ignored, rules->ignored_count + 1, rules->ignored_alloc);
	rules->ignored[rules->ignored_count++] = made;
	return 0;
}

/* Removes a comment and the blanks around the rule. */
static void cut_comment(char *line)
{
	for (char *c = line; *c; c++) {
		if (*c == '\r' || (*c == '#' && (c == line || pk_is_blank(c[-1])))) {
			*c = 0;
			return;
		}
	}
}

static int read_line(struct pk_rules *rules, char *line, const char *where, struct pk_error *err)
{
	const char *text;

	cut_comment(line);
	text = line + strspn(line, " \t");
	if (!*text)
		return 0;
	if (pk_starts_with(text, "ignore") && pk_is_blank(text[6]))
		return pk_rules_ignore(rules, text + 7, where, err);
	return pk_rules_add(rules, text, where, err);
}

int pk_rules_read(struct pk_rules *rules, struct pk_input *in, struct pk_error *err)
{
	size_t left, number = 0;
	const char *at = (const char *)pk_input_all(in, &left);
	struct pk_buf where = PK_BUF_INIT;
	int status = pk_input_check(in, err);

	while (!status && left) {
		const char *end = memchr(at, '\n', left);
		size_t len = end ? (size_t)(end - at) : left;
		char *line = pk_strndup(at, len);

		where.len = 0;
		pk_buf_addf(&where, "%s:%zu", pk_input_name(in), ++number);
		if (memchr(at, 0, len))
			status = pk_fail(err, PK_EFORMAT, "%s: not a text file", where.data);
		else
			status = read_line(rules, line, where.data, err);
		free(line);
		left -= len + (end != NULL);
		at += len + (end != NULL);
	}
	pk_buf_release(&where);
	return status;
}

void pk_rules_release(struct pk_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		pk_regex_free(rules->rule[i].pattern.re);
	for (size_t i = 0; i < rules->ignored_count; i++)
		pk_regex_free(rules->ignored[i].re);
	free(rules->rule);
	free(rules->ignored);
	pk_arena_release(&rules->arena);
	memset(rules, 0, sizeof(*rules));
}

/* Appends the name with its module: "app.db.query" for query in app/db.py, "json.loads" for loads
 * in json/__init__.py. */
static void add_dotted(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	const char *file = pk_text(p, p->function.file[function]);
	size_t len = strlen(file), from = buf->len;

	if (!*file) {
		pk_buf_adds(buf, pk_text(p, p->function.module[function]));
	} else {
		if (pk_ends_with(file, ".py"))
			len -= 3;
		if (len >= 9 && memcmp(file + len - 9, "/__init__", 9) == 0)
			len -= 9;
		pk_buf_add(buf, file, len);
		for (size_t i = from; i < buf->len; i++) {
			if (buf->data[i] == '/' || buf->data[i] == '\\')
				buf->data[i] = '.';
		}
	}
	pk_buf_addc(buf, '.');
	pk_buf_adds(buf, pk_text(p, p->function.name[function]));
}

/* True if text matches the pattern, in which '*' stands for any text. */
static bool is_like(const char *text, const char *pattern)
{
	const char *star = NULL,
		   *from = NULL; /* the last star, and where what it stands for ends */

	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			from = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++from;
		} else {
			return false;
		}
	}
	return !pattern[strspn(pattern, "*")];
}

static bool name_matches(const char *name, const struct pk_profile *p, uint32_t function,
			 struct pk_buf *scratch)
{
	const char *is = pk_text(p, p->function.name[function]);

	/* names of functions, such as operator*, may have stars themselves */
	if (strcmp(name, is) == 0 || (pk_is_benchmark(p) && is_like(is, name)))
		return true;
	scratch->len = 0;
	add_dotted(scratch, p, function);
	return scratch->len && pk_ends_in_part(scratch->data, name, ".");
}

bool pk_rule_matches(const struct pk_rule_pattern *pattern, const struct pk_profile *p,
		     uint32_t function, struct pk_buf *scratch)
{
	const char *module;
	size_t len;

	if (pattern->line)
		return p->function.line[function] == pattern->line &&
		       pk_is_file_named(pk_text(p, p->function.file[function]), pattern->name);
	if (pattern->name)
		return name_matches(pattern->name, p, function, scratch);
	if (pk_function_matches(pattern->re, p, function, scratch))
		return true;
	scratch->len = 0;
	module = pk_function_module(p, function, &len);
	pk_buf_add(scratch, module, len);
	pk_buf_addc(scratch, '.');
	pk_buf_adds(scratch, pk_text(p, p->function.name[function]));
	if (pk_regex_search(pattern->re, scratch->data, scratch->len))
		return true;
	scratch->len = 0;
	add_dotted(scratch, p, function);
	return pk_regex_search(pattern->re, scratch->data, scratch->len);
}
