import jax


@jax.jit
def label(x):
    name = "layer" + x.ndim
    return {name: x}


label(1.0)
