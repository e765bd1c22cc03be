import jax
import jax.numpy as jnp

key = jax.random.key(0)
key, *subkeys = jax.random.split(key, 4)
draws = [jax.random.normal(k, (2,)) for k in subkeys]
old = jax.random.PRNGKey(1)
old = old.at[0].set(3)
batch = jax.vmap(lambda k: jax.random.uniform(k, (3,)))(jax.random.split(key, 5))
more = jax.random.fold_in(key, 7)
