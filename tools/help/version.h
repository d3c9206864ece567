#pragma once

#include <stdio.h>

/* The version of profkit and of the libraries it runs with. */
void pk_print_version(FILE *out);
