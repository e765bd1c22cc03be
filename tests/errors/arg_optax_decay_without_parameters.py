import jax
import jax.numpy as jnp
import optax

def step(grads, state, opt):
    return opt.update(grads, state)

opt = optax.adamw(1e-3)
params = {"w": jnp.ones((2, 2))}
step(params, opt.init(params), opt)
