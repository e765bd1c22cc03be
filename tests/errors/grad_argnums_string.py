import jax

jax.grad(lambda x, y: x * y, argnums="x")(1.0, 2.0)
