"""A jit of a method that is looked up anew goes with the method."""
import jax
import jax.numpy as jnp


class Model:
    def step(self, carry, x):  # traced: 3
        return carry + x, None

    def kept(self, carry, x):  # traced: 1
        return carry * x, None


model = Model()
kept = jax.jit(model.kept)
xs = jnp.arange(3.0)
for _ in range(3):
    jax.lax.scan(jax.jit(model.step), 0.0, xs)
    jax.lax.scan(kept, 1.0, xs)
