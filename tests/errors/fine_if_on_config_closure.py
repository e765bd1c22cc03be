import jax
import jax.numpy as jnp


def make_step(config):
    @jax.jit
    def step(w, g):
        if config["clip"] is not None:
            g = jnp.clip(g, -config["clip"], config["clip"])
        return w - config["lr"] * g
    return step


make_step({"clip": 1.0, "lr": 0.1})(jnp.ones(3), jnp.ones(3))
make_step({"clip": None, "lr": 0.1})(jnp.ones(3), jnp.ones(3))
