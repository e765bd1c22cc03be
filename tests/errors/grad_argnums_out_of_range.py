import jax


def f(x, y):
    return x * y


jax.grad(f, argnums=(0, 2))(1.0, 2.0)
