import jax, jax.numpy as jnp
best = [float("inf")]
def track(v):
    if v < best[0]:
        best[0] = float(v)
@jax.jit
def f(x):
    jax.debug.callback(track, x, ordered=True)
    return x
for i in range(3):
    f(jnp.float32(3 - i))
jax.effects_barrier()
n = int(best[0]) + 1
print(jnp.zeros(n))
