#pragma once

#include "analysis/gpu/launches.h"

/* What the names in a trace tell. */

/* Where a copy goes: "Memcpy DtoH (Device -> Pageable)", "MemcpyD2D" of XLA, "Memcpy D2M (DEVICE ->
 * MEMORY)" of Intel's GPUs, "CopyDeviceToDevice" of AMD's. */
enum pk_copy_way { PK_COPY_OTHER, PK_COPY_TO_HOST, PK_COPY_INSIDE };
enum pk_copy_way pk_copy_way(const char *name);

/* Calls of the host that wait for a GPU, or make a stream wait. */
enum pk_sync {
	PK_SYNC_NONE,
	PK_SYNC_DEVICE,
	PK_SYNC_STREAM,
	PK_SYNC_EVENT,
	PK_SYNC_RECORD,     /* an event, for which others wait */
	PK_SYNC_WAIT_EVENT, /* a stream waits */
	PK_SYNC_OTHER,      /* the host waits, for what is not known */
};
enum pk_sync pk_sync_of(const char *name);

/* What the program was written with, which advice depends on. */
enum pk_program {
	PK_PROGRAM_TORCH,
	PK_PROGRAM_XLA,
	PK_PROGRAM_OTHER,     /* nothing in the recording is of torch or XLA */
	PK_PROGRAM_ELSEWHERE, /* of torch, on a device that is no GPU of NVIDIA or AMD */
	PK_PROGRAMS
};
enum pk_program pk_program_of(const struct pk_launches *l);
