import jax


@jax.jit
def inside(x, y):
    return x > 0 and y > 0


inside(1.0, 2.0)
