#pragma once

#include "model/profile.h"

/*
 * A copy of the profile with counters, as HTA adds them to a trace: "Queue Length[7]", the work
 * that was launched for a stream and has not begun, and "Memcpy HtoD", ..., the bandwidth of the
 * copies that run, GB/s.
 */
struct pk_profile *pk_gpu_with_counters(const struct pk_profile *p);

/* Only the counters, without the events: queues, bandwidth, or memory of allocators. Their names
 * say of which GPU they are: "GPU 0, stream 7". */
enum pk_gpu_counters { PK_GPU_QUEUE_COUNTERS, PK_GPU_BANDWIDTH_COUNTERS, PK_GPU_MEMORY_COUNTERS };
struct pk_profile *pk_gpu_counters_alone(const struct pk_profile *p, enum pk_gpu_counters which);
