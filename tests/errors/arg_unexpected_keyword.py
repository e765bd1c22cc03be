import jax


@jax.jit
def step(params, lr=0.1):
    return params * lr


step(1.0, learning_rate=0.2)
