import jax

key = jax.random.PRNGkey(0)
