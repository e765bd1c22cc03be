import jax

jax.grad(lambda x: x["a"])({"a": 1})
