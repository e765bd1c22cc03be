import jax.numpy as jnp

frames = [jnp.ones((4, 4)) for _ in range(3)]
video = jnp.stack(frames, axis=3)
