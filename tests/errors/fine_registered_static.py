import jax
import jax.numpy as jnp
from dataclasses import dataclass, field


@jax.tree_util.register_dataclass
@dataclass
class Layer:
    w: jax.Array
    kind: str = field(metadata=dict(static=True), default="relu")


@jax.jit
def apply(layer, x):
    y = x @ layer.w
    if layer.kind == "relu":
        y = jax.nn.relu(y)
    return y


apply(Layer(jnp.ones((3, 2))), jnp.ones(3))
apply(Layer(jnp.ones((3, 2)), "none"), jnp.ones(3))
