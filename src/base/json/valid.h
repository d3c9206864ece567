#ifndef PK_JSON_VALID_H
#define PK_JSON_VALID_H

#include <stdbool.h>
#include <stddef.h>

/* True if the bytes are one JSON value, with nothing that would have to be mended. */
bool pk_json_is_valid(const void *text, size_t len);

#endif
