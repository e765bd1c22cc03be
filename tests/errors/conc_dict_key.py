import jax


@jax.jit
def tally(x):
    counts = {}
    counts[x] = counts.get(x, 0) + 1
    return counts


tally(3)
