#pragma once

#include "analysis/gpu/launches.h"

/* What the names in a trace tell. */

/* Where a copy goes: "Memcpy DtoH (Device -> Pageable)", "MemcpyD2D" of XLA, "Memcpy D2M (DEVICE ->
 * MEMORY)" of Intel's GPUs, "CopyDeviceToDevice" of AMD's. */
enum pk_copy_way { PK_COPY_OTHER, PK_COPY_TO_HOST, PK_COPY_INSIDE };
enum pk_copy_way pk_copy_way(const char *name);

/* What the program was written with, which advice depends on. PK_PROGRAM_OTHER: nothing in the
 * recording is of torch or XLA. */
enum pk_program { PK_PROGRAM_TORCH, PK_PROGRAM_XLA, PK_PROGRAM_OTHER, PK_PROGRAMS };
enum pk_program pk_program_of(const struct pk_launches *l);
