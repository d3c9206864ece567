/* What profkit-check(1) says beside its options: how to set a gate up. */
#include "doc.h"

#include "manual.h"

static void write_rules(struct pk_doc *d)
{
	pk_doc_section(d, "RULES");
	pk_doc_paragraph(d, "A rule says what may not be exceeded:");
	pk_doc_literal(d,
		       "total>5%              the whole\n"
		       "total>50ms            the same as a number: ns us ms s, B KB MB GB, or a "
		       "count\n"
		       "total>5%,50ms         by more than both\n"
		       "self>10%              each function itself, without what it calls\n"
		       "self(re:^db\\.)>10%    functions that a regular expression matches\n"
		       "total(app.main)>5%    a function with what it calls\n"
		       "calls>0               all calls\n"
		       "calls(json.loads)>0   calls of a function\n"
		       "new>2%                each function that is new, as a share of the whole\n"
		       "memory>5%             the whole of the metric in bytes");
	pk_doc_paragraph(
		d, "Functions are named as they are written, alone or after their module "
		   "(`json.loads`, `app.db.query`). A regular expression is searched in the name, "
		   "in module.name and in file:line.");
	pk_doc_paragraph(
		d, "Rules come from `--fail`, and from the file of `--rules`: one a line, `ignore "
		   "FUNCTION` for functions to leave alone, `#` for remarks. Without any rule, the "
		   "whole and each function may be 5% more, the number of calls not at all where "
		   "it is known, memory 5%; what is counted exactly (instructions, allocations) "
		   "1%. A rule that matches nothing is said, and an error with `--strict`.");
}

static void write_certainty(struct pk_doc *d)
{
	pk_doc_section(d, "WHAT IS CERTAIN");
	pk_doc_paragraph(d, "A rule is broken (`fail`) only by what is certain.");
	pk_doc_item(d, "Counts",
		    "Calls, instructions and allocations are compared as they are: one run a side "
		    "is enough, and one call more is found. Where runs of one side differ, all "
		    "runs after must be above all runs before, and be enough to tell.");
	pk_doc_item(
		d, "Times and samples, 5 runs a side or more",
		"Each run is divided by how fast its machine was (the median over the functions "
		"that are called as often), then each function is tested with a moderated t, and p "
		"adjusted for the number of functions by permutations of the runs (max-T). The "
		"rule is broken if p is below 0.05 (0.02 for samples, and for functions whose runs "
		"differ so much that the interval's ends do by half) and the 95% interval lies "
		"above the limit. A change of less than 1/10,000 of the whole breaks only rules "
		"that name functions or give a number. The whole is tested as it is, by "
		"Mann-Whitney, at 0.02.");
	pk_doc_item(d, "2 to 4 runs a side",
		    "The same, with false discoveries controlled instead: what is found is "
		    "`suspect`.");
	pk_doc_item(d, "One run a side",
		    "More than 25%, more than 1% of the whole and, for samples, outside of what "
		    "sampling alone gives is `suspect`.");
	pk_doc_paragraph(
		d, "What is neither broken nor below its limit for certain is `inconclusive`, "
		   "with the number of runs that would probably tell. So is a whole that grew as "
		   "much as a typical function did: that may well be another machine. Cost that "
		   "only moved from one function to another, and totals that grew because of what "
		   "is called, break no rule. In simulations and in comparisons of equal programs, "
		   "1 to 3 of 100 checks of 5 and 5 runs fail; a function that is 20% slower is "
		   "found in 3 of 4 checks with 5 and 5 runs, in 19 of 20 with 10 and 10.");
}

static void write_baselines(struct pk_doc *d)
{
	pk_doc_section(d, "BASELINES");
	pk_doc_paragraph(
		d, "`--baseline` takes any file that profkit reads, several of them, and runs of a "
		   "store (`runs.db@main`). A baseline to keep in the repository is text, a line "
		   "for each function, in an order that does not change:");
	pk_doc_literal(d, "profkit check --baseline perf.baseline --update-baseline run*.prof");
	pk_doc_paragraph(
		d,
		"It holds functions of all these runs, what recorded them, and on what kind of "
		"machine; a check says when the other side was made differently. Other "
		"commands read it too. With `--ratchet`, a check that passes lowers the baseline "
		"to what became certainly better, so that it cannot be lost again.");
	pk_doc_paragraph(
		d, "A baseline of times is good for the machine it was made on. Where machines "
		   "differ, as runners of CI services do, record both sides in the same job, in "
		   "turn: before, after, before, after. Or compare counts.");
}

static void write_reports(struct pk_doc *d)
{
	pk_doc_section(d, "KINDS OF REPORTS");
	pk_doc_paragraph(d,
			 "profkit-ci(7) shows how to set a gate up for GitHub and GitLab. Names "
			 "of files are shown from the folder in which profkit runs; `--trim-path` "
			 "removes what else is in front of them.");
	pk_doc_item(d, "`text`, `markdown`, `html`",
		    "For people, of each rule the worst findings.");
	pk_doc_item(d, "`github`",
		    "Lines for the log of a workflow of GitHub, shown beside the code: errors for "
		    "what is certain, warnings for what is suspect, notices for the rest.");
	pk_doc_item(d, "`gitlab`", "A code quality report of GitLab.");
	pk_doc_item(d, "`junit`",
		    "JUnit XML: a test case for each rule; what is not certain is "
		    "skipped.");
	pk_doc_item(d, "`sarif`", "SARIF 2.1.0, for code scanning.");
	pk_doc_item(d, "`json`, `csv`", "See profkit-output(5).");
	pk_doc_paragraph(d, "Reports are written together: none is if one cannot be.");
}

void pk_manual_check(struct pk_doc *d)
{
	write_rules(d);
	write_certainty(d);
	write_baselines(d);
	write_reports(d);
}
