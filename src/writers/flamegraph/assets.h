#pragma once

/* flamegraph.js, timeline.js and flamegraph.css, made into flame_assets.c when profkit is built. */
extern const char pk_flame_script[];
extern const char pk_flame_style[];
extern const char pk_timeline_script[]; /* goes behind pk_flame_script */
