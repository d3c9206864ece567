#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/build/builder.h"
#include "model/profile.h"

/*
 * The operator table of a trace: the figures of torch's key_averages(), worked out from the
 * exported spans alone. Other traces (JAX) give a simple form: their spans by name.
 *
 * Device times are never added to CPU times: the device time of an operator is that of the
 * kernels it launched, and kernels have rows of their own.
 */

/* Rules that depend on the version of torch. */
struct pk_torch_rules {
	int version;         /* 209 is 2.9; 0: not a trace of torch */
	bool python_in_tree; /* Python functions are in the tree, without rows */
	bool python_rows;    /* Python functions have rows, too */
	bool annotation_key; /* annotations and operators of one name have separate rows */
	bool rounded_memory; /* memory moments are compared in doubles, 256 ns apart */
	bool short_units;    /* units Kb, Mb, Gb, b */
	bool microseconds;   /* times are whole us, so that derived values are not exact */
};
/* From what the reader said of the file (meta "torch_version"). */
struct pk_torch_rules pk_torch_rules(const struct pk_profile *p);

enum pk_op_sort {
	PK_OPS_AS_FOUND, /* in the order of their first begin */
	PK_OPS_NAME,
	PK_OPS_CALLS,
	PK_OPS_CPU_SELF,
	PK_OPS_CPU_TOTAL,
	PK_OPS_CPU_AVERAGE,
	PK_OPS_DEVICE_SELF,
	PK_OPS_DEVICE_TOTAL,
	PK_OPS_DEVICE_AVERAGE,
	PK_OPS_CPU_MEMORY_SELF,
	PK_OPS_CPU_MEMORY_TOTAL,
	PK_OPS_DEVICE_MEMORY_SELF,
	PK_OPS_DEVICE_MEMORY_TOTAL,
	PK_OPS_FLOPS,
};
/* profkit's column names. */
#define PK_OP_SORT_NAMES                                                                 \
	"name, calls, cpu_self, cpu_total, device_self, device_total, cpu_memory_self, " \
	"cpu_memory_total, device_memory_self, device_memory_total, flops, found"
/* Takes profkit's and torch's column names; an error lists them. */
int pk_op_sort_parse(enum pk_op_sort *sort, const char *text, struct pk_error *err);

struct pk_launches;

struct pk_ops_options {
	bool by_shape, by_overload;
	int64_t by_stack;     /* group by this many frames of the stack; 0 = do not */
	const char *category; /* only spans whose category matches this RE; NULL = all */
	/* "N..M": only events that began or were launched in these steps; NULL = all */
	const char *step;
	enum pk_op_sort sort;
	bool reverse;
	bool doubles; /* compare times in doubles, as torch does */
	/* Made by pk_launches_init for this profile, if the caller has it; released as soon as it
	 * is no longer needed. NULL = none. */
	struct pk_launches *launches;
};

enum { PK_OPS_CPU, PK_OPS_DEVICE, PK_OPS_PLACES };

struct pk_op {
	uint32_t name, overload, shapes, stack; /* texts; stack: lines, the innermost frame first */
	bool device;                            /* ran on the device, so it has no CPU time */
	bool annotation, is_async;
	int64_t calls;
	int64_t cpu_self, cpu_total;       /* ns; PK_NULL for rows of the device */
	int64_t device_self, device_total; /* ns; PK_NULL if the trace has no device */
	double cpu_self_us, cpu_total_us;  /* summed in doubles, as torch does */
	int64_t memory_self[PK_OPS_PLACES], memory_total[PK_OPS_PLACES]; /* bytes, PK_NULL */
	int64_t flops; /* PK_NULL: not recorded, or no formula is known */
};

struct pk_ops {
	const struct pk_profile *profile;
	struct pk_torch_rules rules;
	struct pk_builder *texts; /* holds the texts of rows */
	struct pk_op *row;        /* sorted */
	uint32_t count, alloc;
	bool has_device, has_memory[PK_OPS_PLACES], has_shapes, has_stacks, has_flops,
		has_overloads;
	bool asked_memory;      /* the recording was asked for memory */
	uint32_t unknown_names; /* calls whose name was not exported */
	int64_t cpu_self;       /* sum over the rows */
	int64_t device_self;    /* device work, in which annotations do not count again */
};

/* The profile must live as long as the result. -1 for a bad category or step. */
int pk_ops_init(struct pk_ops *ops, const struct pk_profile *p,
		const struct pk_ops_options *options, struct pk_error *err);
void pk_ops_release(struct pk_ops *ops);
/* Sorts the rows by sort, reverse and doubles of the options; the sort is stable. */
void pk_ops_sort(struct pk_ops *ops, const struct pk_ops_options *options);
/* The text with this id; "" for 0. */
const char *pk_ops_text(const struct pk_ops *ops, uint32_t text);

/*
 * Calls put for every event with a stack, in order of their begin, with: the stack (lines, the
 * innermost frame first), its CPU self time as torch computes it, and its device time.
 */
int pk_ops_each_stack(const struct pk_profile *p,
		      void (*put)(void *data, const char *stack, double cpu_us, int64_t device_ns),
		      void *data, struct pk_error *err);
