import types
import jax
import jax.numpy as jnp

cfg = types.SimpleNamespace(scale=1.0)

def calibrate(x):
    cfg.scale = jnp.max(jnp.abs(x))
    return x / cfg.scale

def infer(x):
    return jnp.round(x / cfg.scale)

jax.vmap(calibrate)(jnp.ones((3, 2)))
infer(jnp.ones(2))
