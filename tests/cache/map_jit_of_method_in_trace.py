"""jit of a method, made twice inside one trace."""

import jax


class Op:
    def apply(self, x):  # traced: 2
        return x * 2


op = Op()


@jax.jit
def f(x):  # traced: 1
    return jax.jit(op.apply)(x) + jax.jit(op.apply)(x)


f(1.0)
f(2.0)
