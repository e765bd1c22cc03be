import jax


@jax.jit
def activation(x, kind):
    if kind == 0:
        return x
    elif kind == 1:
        return jax.nn.relu(x)
    return jax.nn.gelu(x)


activation(1.0, 1)
