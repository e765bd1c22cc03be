import jax
import jax.numpy as jnp


@jax.jit
def case(x):
    y = jnp.sin(x)

    @jax.jit
    def middle(z):
        @jax.jit
        def inner(t):
            # fault: t @ jnp.ones(11)
            return t * x.sum() + y + z

        return inner(z) - inner(y)

    return middle(x + 1.0)


result = case(jnp.linspace(-1.0, 1.0, 4))
