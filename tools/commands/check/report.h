#pragma once

#include "tools/command.h"
#include "tools/commands/report/page.h"
#include "render/check/check.h"

/* The reports of `profkit check`: "KIND=FILE", or "KIND" for standard output. */

/* Returns -1 if a kind is not known. */
int pk_check_reports_known(const struct pk_opt_list *reports, struct pk_error *err);
/* Names their files: see pk_output_name. */
void pk_check_name_reports(const struct pk_opt_list *reports);
/* Writes all reports, and the result to -o or standard output. Writes nothing if one file cannot be
 * opened. sides: for the page of HTML. */
int pk_check_reports(const struct pk_opt_list *reports, struct pk_check *check,
		     const struct pk_page_sides *sides, struct pk_error *err);
