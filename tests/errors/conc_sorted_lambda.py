import jax


@jax.jit
def order(a, b, c):
    return sorted([a, b, c], key=lambda v: -v)


order(3.0, 1.0, 2.0)
