import jax


def f(x, n):
    return x ** n


jax.jit(f, static_argnums=2)(2.0, 3)
