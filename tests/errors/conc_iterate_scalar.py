import jax


@jax.jit
def total(xs):
    s = 0
    for x in xs:
        s = s + x
    return s


total([1, 2, 3])
total(6)
