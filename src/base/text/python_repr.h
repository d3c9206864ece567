#ifndef PK_PYTHON_REPR_H
#define PK_PYTHON_REPR_H

#include "base/text/str.h"

/*
 * Appends repr() of a Python str with this text: 'x', "it's", '\
 * ', '\\udc80'.
 */
void pk_python_repr(struct pk_buf *buf, const char *text);
/* repr() of a float: 0.5, 1e-05; appended. */
void pk_python_repr_float(struct pk_buf *buf, double value);

#endif
