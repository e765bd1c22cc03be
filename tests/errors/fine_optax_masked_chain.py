import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
mask = {"w": True, "b": False}
optimizer = optax.chain(
    optax.masked(optax.add_decayed_weights(1e-3), mask),
    optax.adam(optax.cosine_decay_schedule(1e-2, 10)),
)
state = optimizer.init(params)
for _ in range(2):
    grads = jax.grad(lambda p: ((jnp.ones((4, 3)) @ p["w"] + p["b"]) ** 2).mean())(params)
    updates, state = optimizer.update(grads, state, params)
    params = optax.apply_updates(params, updates)
