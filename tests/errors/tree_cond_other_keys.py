from jax import lax

lax.cond(True, lambda x: {"a": x}, lambda x: {"b": x}, 1.0)
