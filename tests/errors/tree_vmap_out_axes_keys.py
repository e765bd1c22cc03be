import jax
import jax.numpy as jnp

def split(x):
    return {"a": x, "b": x.sum()}

def run(batch):
    return jax.vmap(split, out_axes={"a": 1, "c": 0})(batch)

run(jnp.ones((3, 2)))
