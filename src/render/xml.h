#pragma once

#include <stddef.h>

#include "base/text/str.h"

/*
 * Appends text for XML, in an element or between double quotes: & < > " and white space other than
 * blanks as references. Control characters, bytes that are not UTF-8, and code points that XML does
 * not allow become U+FFFD. With ascii, all other characters beyond ASCII are written as references,
 * so that the encoding does not matter.
 */
void pk_xml_text(struct pk_buf *buf, const char *text, size_t len, bool ascii);
