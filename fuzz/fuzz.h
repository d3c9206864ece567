#pragma once

#include <stddef.h>
#include <stdint.h>

/* Reads the bytes as profkit would; aborts with a reason when the result is neither a message nor a
 * profile that keeps every rule. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The format of the bytes; NULL = detect it. */
extern const char *fuzz_format;

/* Called once by a fuzzer before all: takes the format or writer to test from its environment
 * ($FUZZ_FORMAT, $FUZZ_WRITER). Returns 0. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
