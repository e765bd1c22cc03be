import jax
import jax.numpy as jnp


@jax.jit
def fit(state, x):
    """Counts its calls beside work that takes long."""
    w, calls = state
    w = jax.lax.fori_loop(0, 100_000, lambda i, w: w - 1e-6 * jax.grad(lambda w: ((x @ w) ** 2).sum())(w), w)
    return w, calls + 1


state = (jnp.ones(50), jnp.zeros((), int))
x = jnp.ones((200, 50))
for _ in range(3):
    state = fit(state, x)
calls = jnp.zeros(int(state[1]))
