import jax
import jax.numpy as jnp


def init(key):
    return {"dense0": {"kernel": jnp.ones((3, 4)), "bias": jnp.zeros(4)}}


def apply(params, x):
    for i in range(2):
        layer = params[f"dense{i}"]
        x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
    return x


jax.jit(apply)(init(jax.random.key(0)), jnp.ones((1, 3)))
