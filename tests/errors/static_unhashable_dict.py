from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def run(x, config):
    return x * config["scale"]


run(1.0, {"scale": 2.0})
