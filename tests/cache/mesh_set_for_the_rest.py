"""`set_mesh` as a statement holds until another is set; bodies of loops are traced for it."""
import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 2
    return carry + x, None


@jax.jit
def total(xs):  # traced: 2
    return jax.lax.scan(body, 0.0, xs)[0]


xs = jnp.arange(3.0)
total(xs)
jax.set_mesh(jax.make_mesh((1,), ("d",)))
total(xs)
total(xs)
