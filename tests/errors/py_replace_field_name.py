import jax, jax.numpy as jnp, dataclasses
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class TrainState:
    params: dict
    step: jax.Array
s = TrainState({"w": jnp.ones(2)}, jnp.array(0))
@jax.jit
def inc(s):
    return dataclasses.replace(s, steps=s.step + 1)
inc(s)
