import jax


@jax.custom_vjp
def scale(x, factor):
    return x * factor


scale.defvjp(lambda x, f: (x * f, f), lambda f, g: (g * f,))
jax.grad(scale)(1.0, 3.0)
