#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pk_fail(struct pk_error *err, enum pk_error_code code, const char *fmt, ...)
{
	va_list ap;

	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -1;
}

int pk_fail_context(struct pk_error *err, const char *fmt, ...)
{
	char context[sizeof(err->text)];
	size_t len, keep;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(context, sizeof(context), fmt, ap);
	va_end(ap);
	len = strlen(context);
	if (len + 3 > sizeof(err->text))
		return -1;
	keep = strlen(err->text);
	if (len + 2 + keep + 1 > sizeof(err->text))
		keep = sizeof(err->text) - len - 3;
	memmove(err->text + len + 2, err->text, keep);
	memcpy(err->text, context, len);
	memcpy(err->text + len, ": ", 2);
	err->text[len + 2 + keep] = '\0';
	return -1;
}

void pk_die(const char *fmt, ...)
{
	va_list ap;

	fputs("profkit: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}
