import jax, jax.numpy as jnp
betas = jnp.linspace(1e-4, 0.02, 10)
alphas = jnp.cumprod(1 - betas)
def q_sample(key, x0, t):
    a = alphas[t]
    return jnp.sqrt(a) * x0 + jnp.sqrt(1 - a) * jax.random.normal(key, x0.shape)
q_sample(jax.random.key(0), jnp.ones((4, 8, 8, 1)), jnp.array([1, 2, 3, 4]))
