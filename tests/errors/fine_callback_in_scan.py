import jax, jax.numpy as jnp
seen = []
def body(c, x):
    jax.debug.callback(lambda i: seen.append(int(i)), x)
    return c + x, c
c, _ = jax.lax.scan(body, 0, jnp.arange(4))
jax.effects_barrier()
assert len(seen) == 4
assert sorted(seen)[3] == 3
print(seen[3])
