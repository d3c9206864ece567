#pragma once

/* flamegraph.js, timeline.js, callgraph.js and flamegraph.css, made into assets.c when profkit is built. */
extern const char pk_flame_script[];
extern const char pk_flame_style[];
extern const char pk_timeline_script[]; /* goes behind pk_flame_script */
extern const char pk_dot_script[];
