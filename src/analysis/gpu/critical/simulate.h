#pragma once

#include "analysis/gpu/critical/internal.h"

/* A change of the graph: what its weights are multiplied by. */
struct pk_critical_rule {
	double factor;
	bool classes; /* it is of classes, otherwise of spans by name */
	bool is_class[PK_CRITICAL_CLASSES];
	bool calls;  /* calls that launch, too */
	bool *spans; /* by span: those of the name, what is in them, and the work they launch */
	struct pk_critical_names names;
};

/* -1 with err (PK_EUSAGE) if the text is no rule, or nothing in the trace has the name. is_name:
 * its name is one of the trace, even if it is written as that of a class. */
int pk_critical_rule_init(struct pk_critical_rule *rule, const struct pk_critical_graph *g,
			  const char *text, bool is_name, struct pk_error *err);
void pk_critical_rule_release(struct pk_critical_rule *rule);
/* True if it changes a part of the time. */
bool pk_critical_rule_fits(const struct pk_critical_rule *rule, const struct pk_critical_part *part,
			   const bool *launches);
