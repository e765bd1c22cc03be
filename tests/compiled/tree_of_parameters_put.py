import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def total(params):
    return params['w'].sum() + params['b']


params = {'w': jnp.ones(3), 'b': jnp.ones(())}
total(params)
total(jax.device_put(params, device))
total(jax.tree.map(lambda p: p + 1, jax.device_put(params, device)))
total({'w': jnp.ones(3), 'b': jax.device_put(params, device)['b']})
