import jax

jax.grad(lambda x: (x, 1, 2), has_aux=True)(1.0)
