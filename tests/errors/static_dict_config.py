import jax
import jax.numpy as jnp

config = {"rate": 0.1, "steps": 3}


def train(w, config):
    for _ in range(config["steps"]):
        w = w - config["rate"] * w
    return w


jax.jit(train, static_argnames="config")(jnp.ones(2), config=config)
