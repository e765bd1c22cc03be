import jax


@jax.jit
def step(params, batch, key):
    return params


step(1.0, 2.0)
