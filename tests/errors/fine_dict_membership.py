import jax
import jax.numpy as jnp


@jax.jit
def forward(params, x):
    x = x @ params["w"]
    if "b" in params:
        x = x + params["b"]
    return x


forward({"w": jnp.ones((2, 3))}, jnp.ones(2))
forward({"w": jnp.ones((2, 3)), "b": jnp.ones(3)}, jnp.ones(2))
