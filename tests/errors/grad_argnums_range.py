import jax

jax.grad(lambda w, x: w * x, argnums=2)(1.0, 2.0)
