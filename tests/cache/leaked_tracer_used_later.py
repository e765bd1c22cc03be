"""A leaked tracer in another trace, which fails at each call and is traced once."""

import jax

kept = []


@jax.jit
def keep(x):  # traced: 1
    kept.append(x)
    return x


@jax.jit
def use(x):  # traced: 1
    return x + kept[0]


keep(1.0)
keep(2.0)
for _ in range(2):
    try:
        use(1.0)
    except jax.errors.UnexpectedTracerError:
        pass
