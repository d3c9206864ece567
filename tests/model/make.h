#pragma once

/* Small profiles for the tests of the model. */
#include <math.h>
#include <string.h>

#include "model/build/builder.h"
#include "tests/check_util.h"

static inline struct pk_profile *checked(struct pk_profile *p)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(!pk_profile_check(p, &err), "%s", err.text);
	return p;
}

/* "a;b;c" with a cost */
static inline void stack(struct pk_builder *b, const char *text, int64_t self, int64_t calls)
{
	uint32_t node = 0;

	while (*text) {
		size_t len = strcspn(text, ";");

		node = pk_build_node(b, node, pk_build_label(b, text, len));
		text += len + (text[len] == ';');
	}
	pk_build_cost(b, 0, node, 1, self, calls);
}

static inline struct pk_builder *new_time(void)
{
	struct pk_builder *b = pk_builder_new();

	ck_assert_uint_eq(pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT), 1);
	return b;
}

static inline uint32_t frame_named(const struct pk_profile *p, const char *name)
{
	uint32_t i;

	for (i = 1; i < p->function.count; i++)
		if (!strcmp(pk_text(p, p->function.name[i]), name))
			return i;
	return 0;
}

static inline uint32_t function_called(struct pk_builder *b, const char *name)
{
	return pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, name)});
}

static inline void edge(struct pk_builder *b, const char *caller, const char *callee, int64_t calls,
		 int64_t self, int64_t total)
{
	struct pk_edge e = {.metric = 1,
			    .calls = calls,
			    .primitive_calls = calls,
			    .self = self,
			    .total = total,
			    .self_raw = NAN,
			    .total_raw = NAN};

	e.caller = caller ? function_called(b, caller) : 0;
	e.callee = function_called(b, callee);
	pk_build_edge(b, &e);
}
