import jax


@jax.jit
def in_unit(x):
    return 0 < x < 1


in_unit(0.5)
