import jax


@jax.custom_vjp
def clip(x, limit):
    return x


def forward(x, limit):
    return x, limit


def backward(residual, g):
    limit, x = residual
    return (g, None)


clip.defvjp(forward, backward)
jax.grad(clip)(1.0, 2.0)
