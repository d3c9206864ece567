#ifndef PK_FLAME_ASSETS_H
#define PK_FLAME_ASSETS_H

/* flamegraph.js and flamegraph.css, made into flame_assets.c when profkit is built. */
extern const char pk_flame_script[];
extern const char pk_flame_style[];

#endif
