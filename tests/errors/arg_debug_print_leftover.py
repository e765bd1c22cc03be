import jax


@jax.jit
def step(x):
    y = x * 2
    jax.debug.print(f"y is {y.shape}", y)
    return y


step(1.0)
