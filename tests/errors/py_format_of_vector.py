import jax.numpy as jnp

def report(loss):
    return f"loss {loss:.3f}"

report(jnp.float32(1.5))
report(jnp.ones(2))
