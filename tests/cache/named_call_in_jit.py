"""`jax.named_call` names a function and changes no count."""

import jax


@jax.named_call
def inner(x):  # traced: 2
    return x + 1


@jax.jit
def outer(x):  # traced: 1
    return inner(x) * inner(x)


outer(1.0)
outer(2.0)
