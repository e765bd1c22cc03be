import jax


def huber(x):
    if abs(x) < 1:
        return 0.5 * x * x
    return abs(x) - 0.5


print(jax.grad(huber)(0.5), jax.grad(huber)(-3.0))
