#ifndef PK_OPS_H
#define PK_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/build/builder.h"
#include "model/profile.h"

/*
 * The table of operators of a trace: what torch's key_averages() says of a run, worked out
 * from the spans of the exported file alone. Other traces (JAX) give the simple form: their
 * spans by name.
 *
 * Times on the device are never added to times of the CPU: an operator's device time is that
 * of the kernels it launched, and kernels have rows of their own.
 */

/* What depends on the version of torch, which a file does not name. */
struct pk_torch_rules {
	int version;         /* 209 is 2.9; 0: no trace of torch */
	bool python_in_tree; /* Python functions take part in the tree, without rows */
	bool python_rows;    /* ... and with rows */
	bool annotation_key; /* annotations are kept apart from operators of their name */
	bool rounded_memory; /* moments of memory compared in doubles, 256 ns apart */
	bool short_units;    /* Kb, Mb, Gb, b */
	bool microseconds;   /* times are whole us: what is worked out from them is not exact */
};
/* From what the reader said of the file (meta "torch_version"). */
struct pk_torch_rules pk_torch_rules(const struct pk_profile *p);

enum pk_op_sort {
	PK_OPS_AS_FOUND, /* in the order in which they first began */
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
/* Own names of columns and those of torch; an error lists them. */
int pk_op_sort_parse(enum pk_op_sort *sort, const char *text, struct pk_error *err);

struct pk_launches;

struct pk_ops_options {
	bool by_shape, by_overload;
	int64_t by_stack;     /* so many frames of the stack; 0 = not */
	const char *category; /* only spans whose category matches this RE; NULL = all */
	const char *step;     /* "N..M": what was begun or launched in these steps; NULL = all */
	enum pk_op_sort sort;
	bool reverse;
	bool doubles; /* compare times as torch does, in doubles */
	/* Of the profile, made by pk_launches_init for something else before: used, and released as
	 * soon as they are not needed. NULL = none were. */
	struct pk_launches *launches;
};

enum { PK_OPS_CPU, PK_OPS_DEVICE, PK_OPS_PLACES };

struct pk_op {
	uint32_t name, overload, shapes, stack; /* texts; stack: lines, the innermost first */
	bool device;                            /* ran there: has no CPU time */
	bool annotation, is_async;
	int64_t calls;
	int64_t cpu_self, cpu_total;       /* ns; PK_NULL for what ran on a device */
	int64_t device_self, device_total; /* ns; PK_NULL where the trace has no device */
	double cpu_self_us, cpu_total_us;  /* summed in doubles as torch does */
	int64_t memory_self[PK_OPS_PLACES], memory_total[PK_OPS_PLACES]; /* bytes, PK_NULL */
	int64_t flops; /* PK_NULL: not recorded, or there is no formula */
};

struct pk_ops {
	const struct pk_profile *profile;
	struct pk_torch_rules rules;
	struct pk_builder *texts; /* holds the texts of rows */
	struct pk_op *row;        /* sorted */
	uint32_t count, alloc;
	bool has_device, has_memory[PK_OPS_PLACES], has_shapes, has_stacks, has_flops,
		has_overloads;
	bool asked_memory;      /* the profiler was to record memory */
	uint32_t unknown_names; /* calls whose name was not exported */
	uint32_t unlinked;      /* device rows that no operator launched, as far as is known */
	int64_t cpu_self;       /* sum over the rows */
	int64_t device_self;    /* work of the device, annotations not added again */
};

/* The profile must live as long as the result. -1 for a bad category or step. */
int pk_ops_init(struct pk_ops *ops, const struct pk_profile *p,
		const struct pk_ops_options *options, struct pk_error *err);
void pk_ops_release(struct pk_ops *ops);
/* Puts the rows into another order, by sort, reverse and doubles of the options; equal ones stay as
 * they are. */
void pk_ops_sort(struct pk_ops *ops, const struct pk_ops_options *options);
/* "" for 0. */
const char *pk_ops_text(const struct pk_ops *ops, uint32_t text);

/*
 * Calls put for every event with a stack, in the order in which they began: the stack (lines, the
 * innermost frame first), its own CPU time as torch computes it, and that on the device.
 */
int pk_ops_each_stack(const struct pk_profile *p,
		      void (*put)(void *data, const char *stack, double cpu_us, int64_t device_ns),
		      void *data, struct pk_error *err);

#endif
