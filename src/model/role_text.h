#pragma once

/*
 * How the role of a thread (enum pk_thread_role) is told in traces that profkit writes, because
 * these formats do not know it. Without it the time of CPUs, of states, and of GPUs would count as
 * that of functions when the trace is read again.
 *
 *	{"ph":"M","name":"profkit_thread_role","pid":1,"tid":9,"args":{"role":"states"}}
 *	track_descriptor { uuid: 4 description: "profkit thread role: states" }
 */
#define PK_ROLE_EVENT "profkit_thread_role"
#define PK_ROLE_DESCRIPTION "profkit thread role: " /* a line; the thread's own may follow */
