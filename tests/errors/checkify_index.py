import jax
import jax.numpy as jnp
from jax.experimental import checkify


def pick(table, i):
    return table[i]


checked = checkify.checkify(pick, errors=checkify.index_checks)
error, row = checked(jnp.zeros((4, 2)), jnp.array(3))
error.throw()
error, row = checked(jnp.zeros((4, 2)), jnp.array(4))
error.throw()
