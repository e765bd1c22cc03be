import jax


@jax.jit
def choose(x):
    picked = {}

    def yes(v):
        picked["v"] = v
        return v + 1

    out = jax.lax.cond(x > 0, yes, lambda v: v, x)
    return out + picked["v"]


choose(1.0)
