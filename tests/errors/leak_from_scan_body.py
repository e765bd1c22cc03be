import jax
import jax.numpy as jnp

seen = []


def body(carry, x):
    seen.append(carry)
    return carry + x, x


jax.lax.scan(body, 0.0, jnp.arange(4.0))
print(jnp.stack(seen))
