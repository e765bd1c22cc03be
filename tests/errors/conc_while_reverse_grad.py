import jax


def decay(x):
    return jax.lax.while_loop(lambda v: v > 1.0, lambda v: v / 2, x)


decay(10.0)
jax.grad(decay)(10.0)
