import jax


@jax.custom_vjp
def scale(x, n):
    return x * n


scale.defvjp(lambda x, n: (x * n, n), lambda n, g: (g * n, None))
jax.grad(scale)(2.0, 3.0)
