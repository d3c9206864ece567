#pragma once

#include <stddef.h>

#include "base/text/str.h"

/*
 * Appends text as it may stand in XML, in an element or between double quotes: & < > "
 * and white space other than blanks as references; control characters, what is not
 * UTF-8, and the code points that XML has not are U+FFFD. With ascii everything
 * beyond it is written as a reference, so that the encoding does not matter.
 */
void pk_xml_text(struct pk_buf *buf, const char *text, size_t len, bool ascii);
