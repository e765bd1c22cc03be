import jax
import jax.numpy as jnp


@jax.jit
def predict(w, x):
    return (x @ w).squeeze(-1)


predict(jnp.ones((3, 1)), jnp.ones((5, 3)))
predict(jnp.ones((3, 2)), jnp.ones((5, 3)))
