#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A second process that opens, renames and removes files for this one, which may not do so in the
 * sandbox. It reads no input. The requests are defined in io/target.c; this file carries them. It
 * ends with this process. */
struct pk_request {
	uint64_t number; /* set by pk_broker_ask; the answer repeats it */
	uint32_t operation, target, which, flag;
};

/* Does what is asked: a descriptor, which is closed when it was sent, 0, or -1 and errno. */
typedef int pk_broker_fn(const struct pk_request *r);

/* Before pk_broker_start, which starts nothing if this was not called. `end` is called in the
 * broker before it ends. */
void pk_broker_need(pk_broker_fn *serve, void (*end)(void));
/* Returns -1 and sets errno if the process cannot be created. */
int pk_broker_start(void);
/* Ends it and waits for its end. A signal handler may call it. */
void pk_broker_stop(void);
bool pk_broker_is_running(void);
/* The descriptor of the channel, or -1. */
int pk_broker_channel(void);

/* As the function, with a descriptor of this process. One thread asks. After a failure of the
 * channel every request fails with EIO: the next answer might be that to an earlier one. */
int pk_broker_ask(struct pk_request r);
