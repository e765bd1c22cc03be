import jax
import jax.numpy as jnp

import hmc

key = jax.random.PRNGKey(0)
x = jnp.linspace(-1.0, 1.0, 20)
y = 2.0 * x - 0.5 + 0.1 * jax.random.normal(key, x.shape)


def log_prob(params):
    residual = y - (params["w"] * x + params["b"])
    return -0.5 * jnp.sum((residual / 0.1) ** 2) - 0.5 * (params["w"] ** 2 + params["b"] ** 2).sum()


params = {"w": jnp.zeros(()), "b": jnp.zeros(())}
chain = hmc.sample(key, params, log_prob, n_steps=12, n_leapfrog_steps=4, step_size=1e-2)
print(jax.tree.map(jnp.shape, chain), chain["w"].mean())
many = jax.vmap(lambda momentum: hmc.leapfrog(params, momentum, log_prob, 1e-2, 3))(hmc.normal_like_tree(key, {"w": jnp.zeros(5), "b": jnp.zeros(5)}))
print(jax.tree.map(jnp.shape, many))
