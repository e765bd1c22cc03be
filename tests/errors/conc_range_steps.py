import jax


def power(x, n):
    out = 1.0
    for _ in range(n):
        out = out * x
    return out


print(power(2.0, 3))
print(jax.jit(power)(2.0, 3))
