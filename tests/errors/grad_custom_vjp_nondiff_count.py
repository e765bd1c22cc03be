import jax

from functools import partial
@partial(jax.custom_vjp, nondiff_argnums=(0,))
def f(n, x):
    return x * n
f.defvjp(lambda n, x: (x * n, None), lambda n, r, g: (g, g))
jax.grad(f, argnums=1)(2, 1.0)
