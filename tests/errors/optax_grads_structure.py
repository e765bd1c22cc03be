import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones(3), "b": jnp.zeros(1)}
optimizer = optax.adam(1e-3)
state = optimizer.init(params)
grads = jax.grad(lambda w: (w**2).sum())(params["w"])
updates, state = optimizer.update(grads, state, params)
