import jax.numpy as jnp

losses = jnp.ones(3)
print(losses.mean().item(), losses[:1].item())
print(losses.item())
