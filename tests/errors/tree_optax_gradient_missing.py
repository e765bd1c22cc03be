import jax
import jax.numpy as jnp
import optax

def fit(params, grads):
    opt = optax.adam(1e-3)
    state = opt.init(params)
    updates, state = opt.update(grads, state, params)
    return optax.apply_updates(params, updates)

p = {"w": jnp.ones(3), "b": jnp.zeros(())}
fit(p, p)
fit(p, {"w": jnp.ones(3)})
