#pragma once

#include <endian.h>
#include <string.h>

#include "base/pickle/pickle.h"

/* Functions of scalar.c, which reads the bytes of a pickle, for the machine in pickle.c. -1: p->err
 * is set. */

static inline uint64_t pk_pickle_offset(const struct pk_pickle *p)
{
	return p->window_offset + (uint64_t)(p->at - p->window);
}

/* Makes the next n bytes be at p->at. They may not go beyond the frame. */
int pk_pickle_refill(struct pk_pickle *p, uint64_t n);
static inline int pk_pickle_need(struct pk_pickle *p, uint64_t n)
{
	return (uint64_t)(p->end - p->at) >= n ? 0 : pk_pickle_refill(p, n);
}

/* A number of 1 to 8 bytes. */
static inline int pk_pickle_read_number(struct pk_pickle *p, unsigned bytes, uint64_t *number)
{
	uint64_t v = 0;

	if (pk_pickle_need(p, bytes))
		return -1;
	memcpy(&v, p->at, bytes);
	p->at += bytes;
	*number = le64toh(v);
	return 0;
}

/* The rest of the line, without its end. */
int pk_pickle_read_line(struct pk_pickle *p, const char **line, size_t *len);
/* If the opcode is one of a number or text: reads it and returns 1; otherwise 0. */
int pk_pickle_read_scalar(struct pk_pickle *p, int code, struct pk_pickle_value *v);
