"""Records a small program of JAX on a CPU: record.py FILE (jax 0.10.2). Beside FILE.xplane.pb it
leaves FILE.trace.json.gz, the same recording as JSON."""
import glob
import os
import shutil
import sys
import tempfile

import jax
import jax.numpy as jnp

options = jax.profiler.ProfileOptions()
options.python_tracer_level = 1
options.host_tracer_level = 1


@jax.jit
def layer(x, w):
    return jnp.tanh(x @ w).sum()


def step(number, x, w):
    with jax.profiler.StepTraceAnnotation("train", step_num=number):
        return layer(x, w).block_until_ready()


x, w = jnp.ones((8, 16)), jnp.ones((16, 4))
step(0, x, w)  # compiles
with tempfile.TemporaryDirectory() as folder:
    jax.profiler.start_trace(folder, profiler_options=options)
    for number in range(1, 4):
        step(number, x, w)
    jax.profiler.stop_trace()
    for suffix in ".xplane.pb", ".trace.json.gz":
        found, = glob.glob(os.path.join(folder, "plugins/profile/*/*" + suffix))
        shutil.copy(found, sys.argv[1] + suffix)
