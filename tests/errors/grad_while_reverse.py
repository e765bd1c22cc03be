import jax
import jax.numpy as jnp


def sqrt(x):
    def body(state):
        guess, i = state
        return 0.5 * (guess + x / guess), i + 1

    guess, _ = jax.lax.while_loop(lambda s: s[1] < 10, body, (x, 0))
    return guess


print(sqrt(2.0))
jax.grad(sqrt)(2.0)
