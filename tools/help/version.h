#pragma once

#include <stdio.h>

/* The version of profkit and of the libraries it runs with. */
void pk_print_version(FILE *out);
/* The licences of profkit and of what is linked with it. */
void pk_print_licenses(FILE *out);
