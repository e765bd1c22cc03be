import jax


@jax.jit
def hinge(margin):
    return max(0.0, 1.0 - margin)


hinge(0.3)
