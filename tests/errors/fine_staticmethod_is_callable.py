import jax
import jax.numpy as jnp


def shared(function):
    return lambda *args: function(*args)


class Normal:
    @shared
    @staticmethod
    def logpdf(x, mean):
        return -0.5 * (x - mean) ** 2


seen = {staticmethod(jnp.sin): 1}
jax.vmap(Normal.__dict__["logpdf"])(jnp.ones(3), jnp.zeros(3))
