import jax

@jax.jit
def f(x):
    return hex(x)
f(1)
