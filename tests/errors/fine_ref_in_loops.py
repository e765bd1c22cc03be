import jax
import jax.numpy as jnp
from jax import lax

seen = jax.new_ref(jnp.zeros((), jnp.int32))
table = jax.new_ref(jnp.zeros((4, 2)))


@jax.jit
def run(x):
    def body(i, c):
        table[i % 4] += x * i
        seen[...] += 1
        return c + table[i % 4].sum()
    lax.cond(x[0] > 0, lambda: table.__setitem__((0, 0), 5.0), lambda: None)
    return lax.fori_loop(0, 6, body, 0.0)


print(run(jnp.ones(2)), jnp.zeros(int(seen[...])), jax.freeze(table))
