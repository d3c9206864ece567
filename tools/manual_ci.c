/* profkit-ci(7): from nothing to a build that fails when the program becomes slower. */
#include "manual.h"

static void write_start(struct pk_doc *d)
{
	pk_doc_paragraph(d,
			 "The folder `ci` of profkit has an action for GitHub and a template for "
			 "GitLab. Both run the script `record-and-check.sh`, which needs no "
			 "network and does the same on any machine: it records a program several "
			 "times, compares the runs with a baseline by profkit-check(1), and writes "
			 "reports to the folder `profkit-reports`. Its options are those of the "
			 "action and, as variables such as `PROFKIT_FAIL_ON`, of the template; "
			 "`--help` lists them.");
	pk_doc_paragraph(d,
			 "The first run finds no baseline, makes one and passes. Later ones have "
			 "the exit status of `profkit check`: 0 fine, 1 slower, 2 something does "
			 "not work, 3 the runs cannot tell (with `--fail-on inconclusive`).");
	pk_doc_section(d, "RECORDING");
	pk_doc_paragraph(
		d, "`--command` is a Python script or `-m` and a module, with operands; "
		   "cProfile records it as often as `--runs` says. With `--recorder own` it "
		   "is any shell command, which writes a profile that profkit reads to the "
		   "file `$PROFKIT_OUT`. `--profiles` takes files that are there already. The "
		   "command is run by the shell: do not build it from texts of strangers, "
		   "such as the title of a pull request.");
}

static void write_baselines(struct pk_doc *d)
{
	pk_doc_section(d, "THREE KINDS OF BASELINE");
	pk_doc_item(d, "In git",
		    "A text of a line for each function, changed only by a commit that everybody "
		    "sees. Good for counts; times in it are those of the machine that made it. "
		    "With the action, name the file as `baseline` and set `cache` to false.");
	pk_doc_item(d, "Cached",
		    "The action keeps it by branch: pull requests compare with that of the branch "
		    "they go to, and pushes that pass renew it. Nothing to commit, but a cache may "
		    "be dropped, the next run then makes a baseline of what is there, and many "
		    "changes that are each below the limit are never seen. GitLab keeps caches of "
		    "protected branches apart, unless the project's settings say otherwise.");
	pk_doc_item(d, "In turn",
		    "`--before` names a checkout of the other side, and both are recorded in one "
		    "job: before, after, before, after. There is no baseline to keep, and this is "
		    "the one way to compare times where machines differ.");
	pk_doc_paragraph(d, "A slowdown that is wanted becomes the baseline by `--update always`, "
			    "once.");
}

static void write_verdicts(struct pk_doc *d)
{
	pk_doc_section(d, "READING VERDICTS");
	pk_doc_item(d, "pass", "No rule is broken.");
	pk_doc_item(d, "fail",
		    "Something became worse for certain; the report names function, "
		    "file and line.");
	pk_doc_item(d, "suspect", "Likely, but from too few runs: five a side decide.");
	pk_doc_item(d, "inconclusive",
		    "Neither above the limit nor below it for certain; the "
		    "report says how many runs would probably tell.");
	pk_doc_section(d, "NOISY RUNNERS");
	pk_doc_paragraph(
		d, "Shared runners differ by tens of percent from one job to the next, and "
		   "no statistics makes two jobs one machine. Record in turn, five runs a "
		   "side or ten; do nothing else on the runner meanwhile; let limits be 10% "
		   "rather than 2%. Or do not measure time at all: calls, instructions and "
		   "allocations hardly depend on the machine, and one run tells. A file of "
		   "rules for calls alone is one line, `calls>0`, or `calls(json.loads)>0` for "
		   "a function. A program that is to be counted should do the same each time: "
		   "seed what is random, set PYTHONHASHSEED, and leave out what waits.");
}

static void write_github(struct pk_doc *d)
{
	pk_doc_section(d, "GITHUB");
	pk_doc_paragraph(
		d, "OWNER is who has the repository of profkit. The action builds profkit "
		   "unless `prefix` says where it is installed. Findings are shown beside the "
		   "code and in the summary of the job; with `upload-sarif` and the permission "
		   "`security-events: write` also in code scanning. The comment's text begins "
		   "with a line by which it can be found again.");
	pk_doc_literal(d, "on: {push: {branches: [main]}, pull_request: {}}\n"
			  "jobs:\n"
			  "  performance:\n"
			  "    runs-on: ubuntu-latest\n"
			  "    permissions: {contents: read, pull-requests: write}\n"
			  "    steps:\n"
			  "      - uses: actions/checkout@v4\n"
			  "      - uses: OWNER/profkit/ci/github@main\n"
			  "        id: profkit\n"
			  "        with: {command: bench.py, runs: 5, rules: perf.rules}\n"
			  "      - if: always() && github.event_name == 'pull_request' &&\n"
			  "          steps.profkit.outputs.comment != ''\n"
			  "        env:\n"
			  "          GH_TOKEN: ${{ github.token }}\n"
			  "          PR: ${{ github.event.number }}\n"
			  "          TEXT: ${{ steps.profkit.outputs.comment }}\n"
			  "        run: |\n"
			  "          gh pr comment \"$PR\" --edit-last --body-file \"$TEXT\" ||\n"
			  "            gh pr comment \"$PR\" --body-file \"$TEXT\"");
	pk_doc_paragraph(d, "In turn, with the other side checked out beside:");
	pk_doc_literal(d, "- uses: actions/checkout@v4\n"
			  "- uses: actions/checkout@v4\n"
			  "  with: {ref: '${{ github.base_ref }}', path: before}\n"
			  "- uses: OWNER/profkit/ci/github@main\n"
			  "  with: {command: bench.py, before: before}");
	pk_doc_paragraph(d,
			 "Pull requests from forks have a token that may not comment; the summary "
			 "of the job is there all the same.");
}

static void write_own(struct pk_doc *d)
{
	pk_doc_section(d, "WITHOUT THE SCRIPT");
	pk_doc_paragraph(d,
			 "Any job that can run a command can run `profkit check`; calls against a "
			 "baseline in the repository are enough to begin with:");
	pk_doc_literal(d, "python -m cProfile -o now.prof bench.py\n"
			  "profkit check --baseline perf.baseline now.prof --fail 'calls>1%' \\\n"
			  "    --report github --report markdown=\"$GITHUB_STEP_SUMMARY\" \\\n"
			  "    --report junit=profkit.xml --report gitlab=profkit.json");
	pk_doc_paragraph(d,
			 "A step that is to pass where the runs cannot tell, but to say so, adds "
			 "`--fail-on inconclusive || [ $? = 3 ]`.");
}

static void write_gitlab(struct pk_doc *d)
{
	pk_doc_section(d, "GITLAB");
	pk_doc_paragraph(d, "The merge request shows tests and code quality. `PROFKIT_PREFIX` is "
			    "where profkit is installed in the image; else `PROFKIT_SOURCE` is a "
			    "checkout of it, such as a submodule.");
	pk_doc_literal(d, "include: {local: ci/profkit.yml}   # a copy of ci/gitlab/profkit.yml\n"
			  "performance:\n"
			  "  extends: .profkit\n"
			  "  variables: {PROFKIT_PREFIX: /usr/local, PROFKIT_COMMAND: bench.py}");
}

void pk_manual_ci(struct pk_doc *d)
{
	write_start(d);
	write_baselines(d);
	write_verdicts(d);
	write_github(d);
	write_gitlab(d);
	write_own(d);
}

const struct pk_example pk_manual_ci_examples[] = {
	{"ci/record-and-check.sh --command orders.py --runs 2",
	 "The first time: record, and make perf.baseline"},
	{"ci/record-and-check.sh --command orders.py --runs 2 --before ../before",
	 "Both sides in turn, with another checkout"},
	{"ci/record-and-check.sh --profiles 'before*.prof' --baseline team.baseline",
	 "Profiles that were recorded already"},
	{NULL, NULL},
};
