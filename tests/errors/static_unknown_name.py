import jax


def f(x, mode="a"):
    return x


jax.jit(f, static_argnames=("mod",))(1.0)
