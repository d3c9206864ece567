#ifndef PK_PYTHON_REPR_H
#define PK_PYTHON_REPR_H

#include "base/text/str.h"

/* repr() of a Python str that holds this text: 'x', "it's", '\n', '\udc80'; appended. */
void pk_python_repr(struct pk_buf *buf, const char *text);
/* repr() of a float: 0.5, 1e-05; appended. */
void pk_python_repr_float(struct pk_buf *buf, double value);

#endif
