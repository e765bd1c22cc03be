import jax

cache = {}


@jax.jit
def fib(n):
    if n in cache:
        return cache[n]
    cache[n] = n * 2
    return cache[n]


fib(3)
