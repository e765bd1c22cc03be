import jax
import jax.numpy as jnp

from optimized_sgd import adam, nesterov, rmsprop, sgd_momentum

key = jax.random.PRNGKey(0)
sizes = [12, 8, 3]
params = [(jax.random.normal(key, (n, m)) * 0.1, jnp.zeros(n)) for m, n in zip(sizes[:-1], sizes[1:])]
zeros = jax.tree.map(jnp.zeros_like, params)
x, y = jax.random.normal(key, (6, 12)), jax.nn.one_hot(jnp.arange(6) % 3, 3)
for _ in range(2):
    params, velocities = sgd_momentum(params, x, y, zeros, 0.01)
    params, squares = rmsprop(params, x, y, zeros)
    params, v = nesterov(params, x, y, velocities)
    params, m, v, t = adam(params, x, y, zeros, zeros, 0)
print(jax.tree.map(jnp.shape, params))
