"""With bounds that are not known while tracing, too."""
import jax
import jax.numpy as jnp


class Counter:
    def body(self, i, carry):  # traced: 3
        return carry + 1.0


counter = Counter()
for _ in range(3):
    jax.lax.fori_loop(0, jnp.int32(3), counter.body, 0.0)
