import jax
import jax.numpy as jnp

batch = {"image": jnp.ones((2, 4)), "path": ["a.png", "b.png"]}


@jax.jit
def forward(batch):
    return batch["image"].sum()


forward(batch)
